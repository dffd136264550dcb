/* native.h: the door of native code: core to C, and what a native program consists of.
 *
 * Each unit (a library's body, the program's) becomes one C file against native/emitted.h. All the
 * text depends on is the core and the order of a program's units, so building twice gives it
 * twice. */
#ifndef HONE_NATIVE_NATIVE_H
#define HONE_NATIVE_NATIVE_H

#include "core/core.h"
#include "expand/expand.h"
#include "vm/vm.h"

typedef struct NativeBuild NativeBuild;

NativeBuild *native_build_new(void);
void native_build_free(NativeBuild *b);
/* The C text of a unit, optimized; appended to OUT. Units come in order of dependency. IS_BUILTIN:
 * its file is part of Hone. Returns the C name of its NativeUnit, in the build's arena. */
const char *native_unit(NativeBuild *b, CoreContext *core, const Unit *unit, base_buf *out);
/* S as a C string literal, without the quotes. */
void native_c_string(base_buf *out, const char *s, size_t length);

/* ---- C to programs (compile.c) ---- */
typedef struct NativeText {
    const char *name; /* of its file, without extension */
    const char *text;
    size_t length;
} NativeText;
typedef struct NativeOptions {
    const char *output;
    int level;          /* of optimization, 0 to 3 */
    const char *keep_c; /* folder for the texts, or NULL */
} NativeOptions;
/* Compiles the texts, as far as they are not in the cache, and links them with the run time. NULL,
 * or a message that the caller frees. Tells its progress where stderr is a terminal. */
char *native_make(const NativeText *texts, int count, const NativeOptions *options);
char *native_cache_folder(void); /* NULL: there is no home; the caller frees it */
size_t native_cache_clear(void); /* removes all; the number of files */

/* ---- a program as it is linked; emitted C holds these ---- */
typedef struct NativeClosure {
    Code *code;
    const uint32_t *clauses; /* of a case-lambda: numbers of its clauses' closures; NULL: none */
} NativeClosure;

typedef struct NativePrimitive {
    Global **place; /* gets the global of (hone prim) that is called so */
    const char *name;
} NativePrimitive;

typedef struct NativeUnit {
    const char *name; /* "(srfi 1)" */
    Code *body;
    const char *constants_text; /* datums in order */
    Value *constants;
    uint32_t constant_count;
    const NativeClosure
        *closures; /* made at the start, in order; a case-lambda behind its clauses */
    Value *closure_values;
    uint32_t closure_count;
    Global *const *globals;
    uint32_t global_count;
    const NativePrimitive *primitives;
    uint32_t primitive_count;
    SourceFile *files; /* whose paths and texts are set when the program starts */
    uint32_t file_count;
} NativeUnit;

typedef struct NativeFile {
    const char *library; /* "mylib/util.sld": where eval finds it; NULL: nowhere */
    const char *path;
    const char *text;
    size_t length;
} NativeFile;

typedef struct NativeProgram {
    const NativeUnit *const *units; /* in the order in which they run; the first is (hone base) */
    uint32_t unit_count;
    const NativeFile *files; /* the user's sources */
    uint32_t file_count;
} NativeProgram;

/* Makes a unit's constants and closures; after vm_start. */
void native_unit_start(Mutator *m, const NativeUnit *u);
/* Makes the globals of all units known; before vm_start. */
void native_program_adopt(const NativeProgram *p);

#endif
