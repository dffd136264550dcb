# Hone. `make` builds build/hone; see CONTRIBUTING.md for the other targets.
CC       := clang-19
AR       := llvm-ar-19
B        ?= build
OPT      ?= -O2
SAN      ?=
CFLAGS   := -std=gnu17 -g $(OPT) $(SAN) -Wall -Wextra -Werror -Wno-unused-parameter -fno-strict-aliasing -fno-omit-frame-pointer \
            -D_GNU_SOURCE -Isrc -Iinclude -I$(B)/gen $(EXTRA)
LDFLAGS  := -fuse-ld=lld -rdynamic $(SAN)
LIBS     := -lgmp -lunistring -lprotobuf-c -lz -lreadline -lpthread -lm -ldl

# Rooms in order: each may include the doors of those before it (tools/check-layers).
ROOMS    := base os prof value gc num rt fiber vm read core expand opt pgo codegen native driver cmd
SRC      := $(foreach r,$(ROOMS),$(sort $(wildcard src/$(r)/*.c)))
OBJ      := $(SRC:src/%.c=$(B)/obj/%.o) $(B)/obj/prof/profile.pb-c.o $(B)/obj/lib_embed.o
MAIN     := $(B)/obj/cmd/main.o
LIBOBJ   := $(filter-out $(MAIN),$(OBJ))
LIB      := $(shell find lib -name '*.sld' -o -name '*.scm' | sort)

all: $(B)/hone

$(B)/hone: $(MAIN) $(B)/libhone.a
	@echo "  LINK $@"
	@$(CC) $(LDFLAGS) -o $@ $(MAIN) -Wl,--whole-archive $(B)/libhone.a -Wl,--no-whole-archive $(LIBS)

$(B)/libhone.a: $(LIBOBJ)
	@rm -f $@
	@$(AR) rcs $@ $(LIBOBJ)

$(B)/obj/%.o: src/%.c Makefile | $(B)/gen/prof/profile.pb-c.h
	@mkdir -p $(dir $@)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# The pprof wire format, by protobuf-c.
$(B)/gen/prof/profile.pb-c.c $(B)/gen/prof/profile.pb-c.h: src/prof/profile.proto
	@mkdir -p $(B)/gen/prof
	protoc-c --proto_path=src/prof --c_out=$(B)/gen/prof profile.proto
$(B)/obj/prof/profile.pb-c.o: $(B)/gen/prof/profile.pb-c.c
	@mkdir -p $(dir $@)
	$(CC) -std=gnu17 -g $(OPT) $(SAN) -w -I$(B)/gen/prof -I$(B)/gen -c -o $@ $<

# The Scheme libraries, inside the program.
$(B)/gen/lib_embed.s: tools/embed-lib $(LIB)
	@mkdir -p $(B)/gen
	tools/embed-lib $(LIB) > $@
$(B)/obj/lib_embed.o: $(B)/gen/lib_embed.s
	@mkdir -p $(dir $@)
	$(CC) -c -o $@ $<

# ---- tests ----
UNIT     := $(patsubst test/unit/%.c,$(B)/test/%,$(wildcard test/unit/*.c))
$(B)/test/%: test/unit/%.c $(B)/libhone.a
	@mkdir -p $(dir $@)
	@echo "  CC $<"
	@$(CC) $(CFLAGS) -Itest/unit -MMD -MP -o $@ $< $(LDFLAGS) $(B)/libhone.a $(LIBS)

unit: $(UNIT)
test-unit: unit
	@test/run-unit $(UNIT)

clean:
	rm -rf $(B)

-include $(wildcard $(B)/obj/*/*.d $(B)/test/*.d)
.PHONY: all unit test-unit clean
.SECONDARY:
