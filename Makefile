# Hone. `make` builds build/hone; see CONTRIBUTING.md for the other targets.
CC       := clang-19
AR       := llvm-ar-19
B        ?= build
OPT      ?= -O2
SAN      ?=
CFLAGS   := -std=gnu17 -g $(OPT) $(SAN) -Wall -Wextra -Werror -Wno-unused-parameter -fno-strict-aliasing -fno-omit-frame-pointer \
            -D_GNU_SOURCE -Isrc -Iinclude -I$(B)/gen $(EXTRA)
LDFLAGS  := -fuse-ld=lld -rdynamic $(SAN)
# Static where Debian has it: half of the start-up time would go to the loader.
LIBS     := -l:libgmp.a -l:libunistring.a -l:libprotobuf-c.a -l:libz.a -l:libreadline.a -l:libtinfo.a -lpthread -lm

# Rooms in order: each may include the doors of those before it (tools/check-layers).
ROOMS    := base os prof value gc num rt fiber vm read core expand opt pgo codegen native driver cmd
SRC      := $(foreach r,$(ROOMS),$(sort $(wildcard src/$(r)/*.c)))
OBJ      := $(SRC:src/%.c=$(B)/obj/%.o) $(B)/obj/prof/profile.pb-c.o $(B)/obj/lib_embed.o $(B)/obj/page_embed.o $(B)/obj/native_header.o
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

# What native programs are compiled against and linked with: the header, preprocessed, inside the program, and the flags.
$(B)/gen/native_header.h: src/native/emitted.h Makefile
	@mkdir -p $(dir $@)
	@$(CC) $(filter-out -W%,$(CFLAGS)) -E -P -dD -MMD -MP -MT $@ -MF $(B)/gen/native_header.d -x c $< -o $@
$(B)/obj/native_header.o: $(B)/gen/native_header.h
	@mkdir -p $(dir $@)
	@printf '.section .rodata\n.globl native_header, native_header_end\nnative_header: .incbin "%s"\nnative_header_end: .byte 0\n.section .note.GNU-stack,"",@progbits\n' $< | $(CC) -c -x assembler -o $@ -
$(B)/obj/native/compile.o: CFLAGS += -DNATIVE_CC='"$(CC)"' \
    -DNATIVE_CFLAGS='"-std=gnu17 -w -ferror-limit=3 $(SAN) -fno-strict-aliasing -fno-pic -fomit-frame-pointer -gline-tables-only -fdebug-compilation-dir=."' \
    -DNATIVE_LINK='"-fuse-ld=lld $(if $(SAN),-no-pie $(SAN),-static) -Wl,--build-id=none"' -DNATIVE_LIBS='"$(LIBS)"'

# The Scheme libraries, inside the program.
$(B)/gen/lib_embed.s: tools/embed-lib $(LIB)
	@mkdir -p $(B)/gen
	tools/embed-lib $(LIB) > $@
$(B)/obj/lib_embed.o: $(B)/gen/lib_embed.s
	@mkdir -p $(dir $@)
	$(CC) -c -o $@ $<

# The flame graph page, inside the program. npm fetches what it is built on, pinned by version and digest; where it can not, Hone is
# built without the page, which `--format html` then says.
PAGE     := src/prof/html
$(B)/web/fetched: $(PAGE)/package.json $(PAGE)/package-lock.json
	@mkdir -p $(B)/web
	@cp $^ $(B)/web
	@cd $(B)/web && if npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --fetch-retries=1 --loglevel=error >npm.log 2>&1; \
	then touch fetched; else tail -n 5 npm.log; rm -rf node_modules; \
	echo "*** npm could not fetch the flame graph libraries: --format html will be missing. tools/install-deps installs npm; see $(B)/web/npm.log"; fi
$(B)/gen/page_embed.s: tools/embed-page $(wildcard $(PAGE)/page.html $(PAGE)/*.css $(PAGE)/*.js) $(B)/web/fetched
	@mkdir -p $(B)/gen
	@tools/embed-page $(B)/web/node_modules $(B)/gen/page > $@
$(B)/obj/page_embed.o: $(B)/gen/page_embed.s
	@mkdir -p $(dir $@)
	@$(CC) -c -o $@ $<

# ---- the profiler core alone: a library for other run times, and one of them ----
# One object, in which all but what the public header declares is local.
PROF_OBJ := $(filter $(B)/obj/base/% $(B)/obj/os/% $(B)/obj/prof/% $(B)/obj/page_embed.o,$(OBJ))
PROF_LIBS := -lprotobuf-c -lz -lpthread -lm
PREFIX   ?= /usr/local
prof-library: $(B)/libhone_prof.a
$(B)/libhone_prof.a: $(PROF_OBJ)
	@ld.lld-19 -r -o $(B)/obj/hone_prof.o $(PROF_OBJ)
	@llvm-objcopy-19 --wildcard --keep-global-symbol='hone_prof_*' $(B)/obj/hone_prof.o
	@rm -f $@
	@$(AR) rcs $@ $(B)/obj/hone_prof.o
install-prof: $(B)/libhone_prof.a
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include/hone
	install -m 644 $< $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/hone/prof.h $(DESTDIR)$(PREFIX)/include/hone
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBS@|$(PROF_LIBS)|' src/prof/hone-prof.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/hone-prof.pc
# The hosts use nothing but the installed shape: the header and the library.
HOST_CC   = $(CC) -std=gnu17 -g $(OPT) $(SAN) -Wall -Wextra -Werror -Iinclude
lua-host: $(B)/hone-lua
$(B)/hone-lua: examples/lua-host/main.c examples/lua-host/hone_lua.c examples/lua-host/hone_lua.h include/hone/prof.h $(B)/libhone_prof.a
	@echo "  LINK $@"
	@$(HOST_CC) -I/usr/include/lua5.4 -o $@ $(filter %.c,$^) -fuse-ld=lld $(B)/libhone_prof.a -llua5.4 $(PROF_LIBS)

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

-include $(wildcard $(B)/gen/*.d $(B)/obj/*/*.d $(B)/test/*.d)
.PHONY: all unit test-unit clean
.SECONDARY:

# ---- all tests ----
HONE     := $(B)/hone
test: $(HONE) unit
	@test/run-all $(HONE) $(UNIT)

# Every program of the suites, built: the same as interpreted, to the byte.
test-native: $(HONE)
	test/native/run --hone $(HONE) --all
.PHONY: test-native

# Other builds, each in a folder of its own: sanitizers, collection at every safe point, computed goto.
ASAN     := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-sanitize=function
TSAN     := -fsanitize=thread
test-asan:
	$(MAKE) -j2 B=build/asan OPT=-O1 SAN="$(ASAN)" build/asan/hone unit
	test/run-mode asan build/asan
test-tsan:
	$(MAKE) -j2 B=build/tsan OPT=-O1 SAN="$(TSAN)" build/tsan/hone
	test/run-mode tsan build/tsan
test-stress:
	$(MAKE) -j2 B=build/stress EXTRA="-DHONE_HOSTILE -DHONE_CHECK_CORE" build/stress/hone
	test/run-mode stress build/stress
test-goto:
	$(MAKE) -j2 B=build/goto EXTRA=-DHONE_VM_GOTO build/goto/hone
	test/run-mode goto build/goto
test-modes: test-goto test-stress test-asan test-tsan

# ---- fuzzers ----
FUZZ_SECONDS ?= 600
FUZZERS  := $(patsubst test/fuzz/%.c,%,$(wildcard test/fuzz/*.c))
fuzz:
	$(MAKE) -j2 B=build/fuzz OPT=-O1 SAN="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function" build/fuzz/libhone.a
	test/run-fuzz build/fuzz $(FUZZ_SECONDS) "$(CC) $(filter-out -O2,$(CFLAGS)) -O1 -Itest/unit -fsanitize=fuzzer,address,undefined -fno-sanitize=function" "-fuse-ld=lld -rdynamic build/fuzz/libhone.a $(LIBS)" $(FUZZERS)

# ---- hygiene ----
hygiene: $(B)/libhone.a
	tools/check-layers
	tools/check-symbols $(B)
	tools/check-words
	tools/check-format
# Native code's compiler is named to one file alone; here any name does.
TIDY_FLAGS := -DNATIVE_CC=\"\" -DNATIVE_CFLAGS=\"\" -DNATIVE_LINK=\"\" -DNATIVE_LIBS=\"\"
tidy: $(B)/gen/prof/profile.pb-c.h
	@echo $(SRC) | xargs -P2 -n12 sh -c 'clang-tidy-19 --quiet "$$@" -- $(CFLAGS) $(TIDY_FLAGS)' tidy

# ---- for people ----
bench: $(HONE)
	bench/run
bench-gate: $(HONE)
	bench/gate --hone $(HONE)
demo:
	tools/install-deps
	$(MAKE) --no-print-directory $(HONE)
	$(HONE) run -A examples/raytrace --profile --profile-out demo.pb.gz examples/raytrace/main.scm examples/raytrace/input/spheres.scene >/dev/null
	$(HONE) report demo.pb.gz
	$(HONE) report demo.pb.gz --format folded -o demo.folded
	$(HONE) report demo.pb.gz -o demo.html
	@echo "wrote demo.html (a flame graph, for a browser), demo.pb.gz (for \`go tool pprof\` and profile stores) and demo.folded"

.PHONY: prof-library install-prof lua-host
.PHONY: test test-asan test-tsan test-stress test-goto test-modes fuzz hygiene tidy bench bench-gate demo
