/* expand_rig.h: the expander on texts: programs against libraries that live in a table of the test.
 */
#ifndef TEST_EXPAND_RIG_H
#define TEST_EXPAND_RIG_H

#include "check.h"
#include "expand/expand.h"
#include "rt/rt.h"
#include "rt/string.h"

/* A builtin library of the test, or a file that one includes. */
typedef struct RigFile {
    const char *name, *text;
} RigFile;
static const RigFile *rig_files; /* ended by a null name */

static Mutator *rig;
static Expander *rig_expander;
static ExpandError rig_error;

static const RigFile rig_base = {
    "hone/base.sld", "(define-library (hone base) (import (hone syntax) (hone prim))"
                     " (export %guard %parameterize %make-lazy-promise %make-forced-promise error)"
                     " (begin (define (%guard thunk handler) 0) (define (%parameterize p v t) 0)"
                     " (define (%make-lazy-promise thunk) 0) (define (%make-forced-promise v) 0)"
                     " (define (error . all) 0)))"};

static const SourceFile *rig_find(const RigFile *f) {
    static base_strmap files;
    void **slot = base_strmap_at(&files, f->text, strlen(f->text), NULL);
    if (!*slot) {
        SourceFile *file = base_calloc(1, sizeof *file);
        *file = (SourceFile){f->name, f->text, strlen(f->text)};
        *slot = file;
    }
    return *slot;
}

static const SourceFile *rig_builtin(const char *name) {
    if (!strcmp(name, rig_base.name)) return rig_find(&rig_base);
    for (const RigFile *f = rig_files; f && f->name; f++)
        if (!strcmp(name, f->name)) return rig_find(f);
    return NULL;
}

/* A fresh expander, whose builtin libraries are FILES. */
__attribute__((unused)) static void rig_new(const RigFile *files) {
    static Global *globals[PRIM_COUNT];
    static BASE_VEC(Expander *) all; /* an expander lives as long as the process */
    rig_files = files;
    if (rig_expander) BASE_PUSH(&all, rig_expander);
    rig_expander = expand_new(NULL, 0, rig_builtin);
    for (int i = 0; i < PRIM_COUNT; i++) {
        if (!globals[i]) globals[i] = rt_global_new(rt_prims[i].name, "(hone prim)");
        globals[i]->prim = &rt_prims[i];
        expand_define_builtin(rig_expander, "(hone prim)", rt_prims[i].name, globals[i]);
    }
}

__attribute__((unused)) static void rig_start(void) {
    static const GcOptions options = {.poison = true};
    if (!rt_start(&options)) exit(70);
    rig = &rt_thread_attach()->m;
    rig_new(NULL);
}

/* The forms of the program's own unit, printed, each behind the other with white space made one
 * blank, and variables numbered from 1 in the order of their mention. Owned by the caller. */
static char *rig_text(const Program *p) {
    char *raw = NULL;
    size_t size;
    FILE *out = open_memstream(&raw, &size);
    const Unit *u = &p->units[p->count - 1];
    for (int i = 0; i < u->count; i++) {
        core_count_uses(u->forms[i]);
        core_print(out, u->forms[i]);
        fseek(out, -1, SEEK_CUR); /* the new line */
    }
    fclose(out);
    base_buf text = {0};
    base_map numbers = {0};
    for (const char *s = raw; *s; s++) {
        bool blank = *s == ' ' || *s == '\n';
        if (blank) {
            while (s[1] == ' ' || s[1] == '\n') s++;
            if (s[1]) base_buf_putc(&text, s[1] == ')' || text.at[text.len - 1] == '(' ? 0 : ' ');
            if (text.len && !text.at[text.len - 1]) text.len--;
            continue;
        }
        base_buf_putc(&text, *s);
        if (*s != '.' || s == raw || s[-1] == ' ' || s[1] < '0' || s[1] > '9') continue;
        if (s[-1] >= '0' && s[-1] <= '9') continue; /* a flonum */
        uint64_t *n = base_map_at(&numbers, strtoul(s + 1, (char **)&s, 10), NULL);
        if (!*n) *n = numbers.len;
        base_buf_printf(&text, "%llu", (unsigned long long)*n);
        s--;
    }
    base_map_free(&numbers);
    free(raw);
    return base_buf_take(&text);
}

/* Expands TEXT behind an import of everything; the core as text, or "!LINE:COLUMN message". Lines
 * count from the text's first. */
static char *rig_expand_plain(const char *text) {
    base_buf out = {0};
    SourceFile *file = rt_forever_alloc(sizeof *file);
    *file = (SourceFile){"test", rt_forever_string(text), strlen(text)};
    Program p;
    if (!expand_program(rig_expander, rig, file, &p, &rig_error)) {
        base_buf_printf(&out, "!%u:%u %s", rig_error.pos.line, rig_error.pos.column,
                        rig_error.message);
        return base_buf_take(&out);
    }
    const char *fault = NULL;
    for (int u = 0; u < p.count; u++)
        for (int i = 0; i < p.units[u].count; i++) {
            core_count_uses(p.units[u].forms[i]);
            if (!fault) fault = core_check(&p.core, p.units[u].forms[i]);
        }
    CHECK_STR(fault ? fault : "sound", "sound");
    char *result = rig_text(&p);
    expand_free(&p);
    return result;
}

__attribute__((unused)) static char *rig_expand(const char *text) {
    char *whole = NULL;
    if (asprintf(&whole, "(import (hone syntax) (hone prim) (hone base))%s", text) < 0) exit(70);
    char *result = rig_expand_plain(whole);
    free(whole);
    return result;
}

/* TEXT expands to CORE. */
#define EXPANDS(text, core)                                                                        \
    do {                                                                                           \
        char *got = rig_expand(text);                                                              \
        CHECK_STR(got, core);                                                                      \
        free(got);                                                                                 \
    } while (0)
/* TEXT has a fault at LINE:COLUMN whose message contains PART. */
#define FAILS(text, place, part)                                                                   \
    do {                                                                                           \
        char *got = rig_expand("\n" text);                                                         \
        CHECK_HAS(got, "!" place " ");                                                             \
        CHECK_HAS(got, part);                                                                      \
        free(got);                                                                                 \
    } while (0)

#endif
