/* source.c: files: finding libraries on the path, reading datums, including. */
#include "expand/internal.h"

#include <stdlib.h>
#include <unistd.h>

#include "rt/rt.h"
#include "rt/string.h"

static const char *const extensions[] = {".sld", ".scm"};

/* ---- reading ---- */

int expand_source_datums(Expander *x, const SourceFile *file, bool fold_case, Stx ***datums) {
    struct {
        Stx **at;
        size_t len, cap;
    } all = {0};
    Reader *r = read_open(x->m, &x->tree, file);
    read_set_fold_case(r, fold_case);
    ReadError error;
    Stx *s;
    while ((s = read_datum(r, &error))) EX_PUSH(x, &all, s);
    read_close(r);
    if (error.message[0]) {
        x->error->opened = error.opened;
        x->error->incomplete = error.incomplete;
        expand_fail_code(x, ERR_READ, error.pos, "%s", error.message);
    }
    *datums = all.at;
    return (int)all.len;
}

/* A file of the system as a source that lives for ever. */
static const SourceFile *read_file(Expander *x, SrcPos pos, const char *path) {
    base_buf text = {0};
    char *why;
    if (!base_file_read(path, 0, &text, &why)) {
        const char *copy = base_arena_strdup(&x->tree, why);
        free(why);
        expand_fail_code(x, ERR_FILE, pos, "%s", copy);
    }
    SourceFile *file = rt_forever_alloc(sizeof *file);
    file->path = rt_forever_string(path);
    file->length = text.len;
    char *copy = rt_forever_alloc(text.len + 1);
    if (text.len) memcpy(copy, text.at, text.len);
    file->text = copy;
    base_buf_free(&text);
    if (x->read_hook) x->read_hook(file);
    return file;
}

/* ---- libraries ---- */

/* The builtin file of that name, noted with its folder for includes. */
static const SourceFile *builtin_file(Expander *x, const char *name) {
    const SourceFile *file = x->builtin ? x->builtin(name) : NULL;
    if (!file) return NULL;
    const char *slash = strrchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) + 1 : 0;
    *base_map_at(&x->builtin_files, (uint64_t)file, NULL) =
        (uint64_t)base_arena_strndup(&x->arena, name, length);
    return file;
}

/* The path of NAME on the I-th folder, in the call's arena. */
static const char *path_on(Expander *x, int folder, const char *name, size_t extension) {
    return base_arena_printf(&x->tree, "%s/%s%s", x->paths[folder], name, extensions[extension]);
}

const SourceFile *expand_source_library(Expander *x, SrcPos pos, const char *name,
                                        const char **why) {
    *why = "";
    for (int i = 0; i < x->path_count; i++)
        for (size_t e = 0; e < BASE_COUNT(extensions); e++) {
            const char *path = path_on(x, i, name, e);
            if (access(path, F_OK) == 0) return read_file(x, pos, path);
            *why = base_arena_printf(&x->tree, "%s%s, ", *why, path);
        }
    for (size_t e = 0; e < BASE_COUNT(extensions); e++) {
        const SourceFile *file =
            builtin_file(x, base_arena_printf(&x->tree, "%s%s", name, extensions[e]));
        if (file) return file;
    }
    *why = base_arena_printf(&x->tree, "%sthe libraries of Hone", *why);
    return NULL;
}

bool expand_source_library_exists(Expander *x, const char *name) {
    for (size_t e = 0; e < BASE_COUNT(extensions); e++) {
        for (int i = 0; i < x->path_count; i++)
            if (access(path_on(x, i, name, e), F_OK) == 0) return true;
        const char *file = base_arena_printf(&x->tree, "%s%s", name, extensions[e]);
        if (x->builtin && x->builtin(file)) return true;
    }
    return false;
}

/* ---- including ---- */

/* The file that NAME, written in FILE, refers to: one in the same folder. */
static const SourceFile *included_file(Expander *x, SrcPos pos, const char *name) {
    const SourceFile *from = pos.file;
    uint64_t *folder = from ? base_map_find(&x->builtin_files, (uint64_t)from) : NULL;
    if (folder) {
        const char *path = base_arena_printf(&x->tree, "%s%s", (const char *)*folder, name);
        const SourceFile *file = builtin_file(x, path);
        if (!file) expand_fail_code(x, ERR_FILE, pos, "no file %s in the libraries of Hone", path);
        return file;
    }
    const char *slash = from && from->path[0] != '<' ? strrchr(from->path, '/') : NULL;
    if (name[0] == '/' || !slash) return read_file(x, pos, name);
    int length = (int)(slash - from->path) + 1;
    return read_file(x, pos, base_arena_printf(&x->tree, "%.*s%s", length, from->path, name));
}

int expand_source_include(Expander *x, Stx **p, int n, bool fold_case, Stx ***datums) {
    struct {
        Stx **at;
        size_t len, cap;
    } all = {0};
    for (int i = 1; i < n; i++) {
        if (p[i]->kind != STX_ATOM || !is_string(p[i]->as.atom))
            expand_fail(x, p[i]->pos, "%s: expected a file's name as a string",
                        expand_stx_name(p[0]));
        char *name = rt_string_utf8(p[i]->as.atom, NULL);
        const char *copy = base_arena_strdup(&x->tree, name);
        free(name);
        Stx **some;
        int count = expand_source_datums(x, included_file(x, p[i]->pos, copy), fold_case, &some);
        for (int k = 0; k < count; k++) EX_PUSH(x, &all, some[k]);
    }
    *datums = all.at;
    return (int)all.len;
}
