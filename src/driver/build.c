/* build.c: hone build: a program and its libraries to one native program. */
#include <stdio.h>
#include <stdlib.h>
#include "driver/driver.h"

/* The C texts of a build. */
typedef struct Texts {
    NativeBuild *build;
    BASE_VEC(NativeText) texts;
    BASE_VEC(const char *) units; /* C names */
} Texts;

static void add_text(Texts *t, const char *name, base_buf *text) {
    size_t length = text->len;
    BASE_PUSH(&t->texts, (NativeText){name, base_buf_take(text), length});
}

static void add_unit(Texts *t, Program *p, Unit *unit) {
    base_buf text = {0};
    opt_unit(&p->core, unit, true, NULL);
    const char *name = native_unit(t->build, &p->core, unit, &text);
    BASE_PUSH(&t->units, name);
    add_text(t, name, &text);
}

/* The files that were read, but for Hone's own. Those of libraries and what they include are found
 * at run time under their path below the folder searched. */
static BASE_VEC(const SourceFile *) sources;
static void note_source(const SourceFile *file) { BASE_PUSH(&sources, file); }

static const char *key_of(const SourceFile *file, const DriverOptions *options) {
    for (int i = 0; i < options->library_path_count; i++) {
        const char *folder = options->library_paths[i];
        size_t length = strlen(folder);
        if (strncmp(file->path, folder, length) == 0 && file->path[length] == '/')
            return file->path + length + 1;
    }
    return NULL;
}

static void write_string(base_buf *out, const char *s) {
    base_buf_putc(out, '"');
    native_c_string(out, s, strlen(s));
    base_buf_putc(out, '"');
}

static void write_text(base_buf *out, const SourceFile *f) {
    for (size_t at = 0; at < f->length;) {
        const char *end = memchr(f->text + at, '\n', f->length - at);
        size_t length = end ? (size_t)(end - f->text) + 1 - at : f->length - at;
        base_buf_puts(out, "\n\"");
        native_c_string(out, f->text + at, length);
        base_buf_puts(out, "\"");
        at += length;
    }
    if (!f->length) base_buf_puts(out, " \"\"");
}

/* The user's sources: for messages, and for eval. */
static void write_files(const DriverOptions *options, base_buf *out) {
    base_buf rows = {0};
    for (size_t i = 0; i < sources.len; i++) {
        const SourceFile *f = sources.at[i];
        base_buf_printf(out, "static const char file_%zu[] =", i);
        write_text(out, f);
        base_buf_puts(out, ";\n");
        const char *key = key_of(f, options);
        base_buf_puts(&rows, "    {");
        if (key)
            write_string(&rows, key);
        else
            base_buf_puts(&rows, "NULL");
        base_buf_puts(&rows, ", ");
        write_string(&rows, f->path);
        base_buf_printf(&rows, ", file_%zu, sizeof file_%zu - 1},\n", i, i);
    }
    base_buf_printf(out, "static const NativeFile files[] = {\n%s    {0}};\n", base_buf_str(&rows));
    base_buf_free(&rows);
}

static void add_main(Texts *t, const DriverOptions *options) {
    base_buf out = {0};
    base_buf_puts(&out, "#include \"hone.h\"\n\n");
    for (size_t i = 0; i < t->units.len; i++)
        base_buf_printf(&out, "extern const NativeUnit %s;\n", t->units.at[i]);
    base_buf_puts(&out, "static const NativeUnit *const units[] = {\n");
    for (size_t i = 0; i < t->units.len; i++) base_buf_printf(&out, "    &%s,\n", t->units.at[i]);
    base_buf_puts(&out, "};\n");
    write_files(options, &out);
    base_buf_puts(
        &out,
        "static const NativeProgram program = {units, COUNT(units), files, COUNT(files) - 1};\n"
        "int driver_native_main(const NativeProgram *program, int argc, char **argv);\n"
        "int main(int argc, char **argv) { return driver_native_main(&program, argc, argv); }\n");
    add_text(t, "main", &out);
}

int driver_build(const char *path, const DriverOptions *driver, const NativeOptions *options) {
    Program p;
    expand_set_read_hook(driver_expander(), note_source);
    if (!driver_expand_file(path, &p)) return EXIT_SCHEME_ERROR;
    note_source(p.units[p.count - 1].file);
    Texts t = {.build = native_build_new()};
    for (int i = 0; i < p.count; i++) add_unit(&t, &p, &p.units[i]);
    add_main(&t, driver);
    char *why = native_make(t.texts.at, (int)t.texts.len, options);
    if (why) fprintf(stderr, "hone build: %s\n", why);
    for (size_t i = 0; i < t.texts.len; i++) free((char *)(uintptr_t)t.texts.at[i].text);
    BASE_VEC_FREE(&sources);
    BASE_VEC_FREE(&t.texts);
    BASE_VEC_FREE(&t.units);
    native_build_free(t.build);
    expand_free(&p);
    int code = why ? EXIT_SCHEME_ERROR : EXIT_OK;
    free(why);
    return code;
}
