/* base: what every room of Hone stands on.
 *
 * Arenas, growable vectors, a byte buffer, hash maps, UTF-8, whole-file input and output,
 * diagnostics with a source line and a caret, and the table of command line options.
 *
 * Rules that hold for all of it:
 * - Nothing here keeps global state; two threads may use two objects at once, never one object.
 * - Running out of memory ends the process through base_oom() (one message, exit code 70): no
 *   caller can do better, and no caller has to test for NULL.
 * - A `const char *` is NUL-terminated UTF-8 unless a length stands beside it.
 */
#ifndef HONE_BASE_H
#define HONE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BASE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define BASE_COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define BASE_MIN(a, b)         ((a) < (b) ? (a) : (b))
#define BASE_MAX(a, b)         ((a) > (b) ? (a) : (b))

/* ---- memory ------------------------------------------------------------------------------ */

/* malloc, calloc and realloc that never return NULL (size 0 gives a pointer that may be freed).
 * Freed with free(). base_calloc and base_resize check count * size for overflow. */
void *base_alloc(size_t size) __attribute__((returns_nonnull, malloc));
void *base_calloc(size_t count, size_t size) __attribute__((returns_nonnull, malloc));
void *base_resize(void *p, size_t count, size_t size) __attribute__((returns_nonnull));
/* A copy of `len` bytes, or of a whole string, with a NUL behind it. Freed with free(). */
char *base_strndup(const char *s, size_t len) __attribute__((returns_nonnull));
char *base_strdup(const char *s) __attribute__((returns_nonnull));
/* Prints "out of memory" with the size asked for and exits with code 70. */
_Noreturn void base_oom(size_t size);

/* Arena: bump allocation, everything freed at once. Zero-initialised it is empty and ready:
 * `base_arena a = {0};`. Memory is zeroed and aligned to 16 bytes. */
typedef struct base_arena {
    struct base_arena_block *blocks; /* newest first */
    char *next, *end;                /* free part of the newest block */
    size_t total;                    /* bytes taken from malloc so far */
} base_arena;
void *base_arena_alloc(base_arena *a, size_t size) __attribute__((returns_nonnull));
char *base_arena_strndup(base_arena *a, const char *s, size_t len) __attribute__((returns_nonnull));
char *base_arena_strdup(base_arena *a, const char *s) __attribute__((returns_nonnull));
char *base_arena_printf(base_arena *a, const char *fmt, ...) BASE_PRINTF(2, 3);
void base_arena_free(base_arena *a); /* frees all; the arena is empty and usable again */
#define BASE_NEW(arena, type)          ((type *)base_arena_alloc((arena), sizeof(type)))
#define BASE_NEW_ARRAY(arena, type, n) ((type *)base_arena_alloc((arena), sizeof(type) * (n)))

/* ---- growable vector ---------------------------------------------------------------------- */

/* `BASE_VEC(int) v = {0}; BASE_PUSH(&v, 3); v.at[0]; v.len; BASE_VEC_FREE(&v);`
 * Pointers into `at` die at the next push. Name the type with a typedef to pass it around. */
#define BASE_VEC(type)                                                                             \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t len, cap;                                                                           \
    }
#define BASE_RESERVE(v, n)                                                                         \
    ((v)->cap >= (n) ? (void)0                                                                     \
                     : (void)((v)->at = base_vec_grow((v)->at, &(v)->cap, (n), sizeof(*(v)->at))))
#define BASE_PUSH(v, ...)                                                                          \
    (BASE_RESERVE((v), (v)->len + 1), (v)->at[(v)->len++] = (__VA_ARGS__), (void)0)
#define BASE_POP(v)      ((v)->at[--(v)->len])
#define BASE_VEC_FREE(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
void *base_vec_grow(void *at, size_t *cap, size_t need, size_t item_size);
void free(void *); /* as in <stdlib.h>; here for BASE_VEC_FREE */

/* ---- byte buffer -------------------------------------------------------------------------- */

/* A growing run of bytes, always followed by a NUL that `len` does not count; `at` is NULL until
 * the first byte (use base_buf_str for text). Zero-initialised it is empty and ready. */
typedef struct base_buf {
    char *at;
    size_t len, cap;
} base_buf;
void base_buf_add(base_buf *b, const void *bytes, size_t len);
void base_buf_puts(base_buf *b, const char *s);
void base_buf_putc(base_buf *b, char c);
void base_buf_fill(base_buf *b, char c, size_t count);
void base_buf_printf(base_buf *b, const char *fmt, ...) BASE_PRINTF(2, 3);
void base_buf_vprintf(base_buf *b, const char *fmt, va_list ap) BASE_PRINTF(2, 0);
void base_buf_utf8(base_buf *b, uint32_t codepoint); /* see base_utf8_put */
void base_buf_clear(base_buf *b);                    /* length 0, memory kept */
const char *base_buf_str(const base_buf *b);         /* never NULL; owned by the buffer */
char *base_buf_take(base_buf *b);                    /* the caller frees it; the buffer is empty */
void base_buf_free(base_buf *b);

/* ---- hash maps (open addressing) ------------------------------------------------------------ */

/* u64 -> u64. Every key is allowed. Zero-initialised it is empty and ready. */
typedef struct base_map {
    struct base_map_slot *slots;
    size_t len, cap;
} base_map;
/* The place of the value of `key`, or NULL. Valid until the next base_map_at. */
uint64_t *base_map_find(const base_map *m, uint64_t key);
/* The same, but a key that is not there is added with value 0 and *added (may be NULL) set. */
uint64_t *base_map_at(base_map *m, uint64_t key, bool *added);
bool base_map_remove(base_map *m, uint64_t key);
/* Walks all entries in no particular order: `size_t it = 0; while (base_map_next(&m, &it, &k, &v))`
 * with k and v possibly NULL. The map must not be added to meanwhile. */
bool base_map_next(const base_map *m, size_t *it, uint64_t *key, uint64_t *value);
void base_map_free(base_map *m);

/* byte string -> pointer. Keys are copied and kept NUL-terminated. Zero-initialised: empty. */
typedef struct base_strmap {
    struct base_strmap_slot *slots;
    size_t len, cap;
    base_arena keys;
} base_strmap;
void **base_strmap_find(const base_strmap *m, const char *key, size_t len); /* NULL: not there */
void **base_strmap_at(base_strmap *m, const char *key, size_t len, bool *added);
/* The map's own copy of the key of the entry that *value (from find or at) belongs to. */
const char *base_strmap_key(void **value);
bool base_strmap_next(const base_strmap *m, size_t *it, const char **key, void **value);
void base_strmap_free(base_strmap *m);

uint64_t base_hash_bytes(const void *bytes, size_t len); /* the same in every run and machine */
uint64_t base_hash_u64(uint64_t x);

/* ---- UTF-8 -------------------------------------------------------------------------------- */

#define BASE_UTF8_BAD ((uint32_t)0xFFFFFFFF)
/* Decodes one code point of at most `len` > 0 bytes. Gives the number of bytes used (1 to 4); what
 * is no UTF-8 (overlong forms, surrogates, above U+10FFFF, cut off) gives *cp = BASE_UTF8_BAD and
 * 1. */
unsigned base_utf8_get(const char *s, size_t len, uint32_t *cp);
/* Encodes into out[0..3], gives the number of bytes. A code point that has no UTF-8 form is
 * written as U+FFFD. */
unsigned base_utf8_put(char out[4], uint32_t cp);
/* Whether all of it is UTF-8; if not, *bad (may be NULL) is the offset of the first bad byte. */
bool base_utf8_valid(const char *s, size_t len, size_t *bad);
size_t base_utf8_count(const char *s, size_t len); /* code points; a bad byte counts as one */
/* Columns that a terminal takes: wide East Asian characters count 2, combining ones 0. */
size_t base_utf8_width(const char *s, size_t len);

/* ---- files ---------------------------------------------------------------------------------- */

/* Reads a whole file. At most `max` bytes (0: no bound). On failure false and *why (freed by the
 * caller) is a message that names the file; `out` is then empty. A directory is an error. */
bool base_file_read(const char *path, size_t max, base_buf *out, char **why);
/* Writes the whole file: into a temporary one in the same folder, then renamed over `path`, so that
 * no one ever sees half a file. On failure (ENOSPC, EFBIG, ...) false, *why as above, the temporary
 * is removed and an older file under `path` is as it was. A path that names a device or a pipe
 * is written in place. "-" is standard output. */
bool base_file_write(const char *path, const void *bytes, size_t len, char **why);
/* Whether a file could be made there (for telling before a long run): the folder exists and can be
 * written, the path is no directory. Makes no file. *why as above. */
bool base_file_can_write(const char *path, char **why);
/* The path made absolute against the current directory of this moment. The caller frees it. */
char *base_path_absolute(const char *path);
const char *base_path_name(const char *path); /* behind the last '/' */

/* ---- source positions and diagnostics ---------------------------------------------------------
 */

/* A place in a source text. Lines count from 1, columns from 1 in code points; 0 is "unknown". */
typedef struct base_pos {
    const char *file; /* NULL: unknown. Not owned */
    uint32_t line, column;
} base_pos;
/* Appends `FILE:LINE:COL` with the parts that are known. */
void base_pos_print(base_buf *out, base_pos pos);
/* Appends `FILE:LINE:COL: KIND: TEXT\n`, then, if `source` holds the file's text, the line and a
 * caret below the column. Tabs are kept under tabs; long lines are cut around the caret; control
 * characters and what is no UTF-8 are shown as U+FFFD. source may be NULL. */
void base_diag(base_buf *out, base_pos pos, const char *kind, const char *text, const char *source,
               size_t source_len);
/* Finds line number `line` (from 1) in a text. False if there is none. *start is not terminated. */
bool base_source_line(const char *text, size_t len, uint32_t line, const char **start,
                      size_t *line_len);

/* ---- command line options -----------------------------------------------------------------------
 */

/* One row per option; both parser and --help come from it. End the table with BASE_OPTION_END.
 * `id` is what base_options_next returns; short_name 0: no short form; arg NULL: takes none; an arg
 * in square brackets, as "[KIND]", may be left out (and can only be given as --name=KIND).
 * Rows follow each other under the heading `category`; help may hold several lines. */
typedef struct base_option {
    int id; /* > 0 */
    char short_name;
    const char *long_name, *arg, *help, *category;
} base_option;
#define BASE_OPTION_END ((base_option){0})

typedef struct base_options {
    const base_option *table;
    int argc, index;
    char **argv;
    int cluster;       /* offset in a cluster of short options, as in -xvf */
    const char *value; /* argument of the option just returned, or NULL. Points into argv */
    char error[256];   /* text of the last BASE_OPTION_ERROR */
} base_options;
enum { BASE_OPTION_DONE = 0, BASE_OPTION_ERROR = -1 };
/* argv[first] is the first word looked at. */
void base_options_init(base_options *o, const base_option *table, int argc, char **argv, int first);
/* The id of the next option; DONE at the first word that is no option or behind "--"
 * (argv[o->index] is then the first operand); ERROR with o->error set (an unknown option names near
 * ones). */
int base_options_next(base_options *o);
/* The table as text for --help, at most 80 columns wide. */
void base_options_help(base_buf *out, const base_option *table);
/* Whole-text number parsing for option values: false if `s` is no number or out of [lo, hi]. */
bool base_parse_u64(const char *s, uint64_t lo, uint64_t hi, uint64_t *out);
bool base_parse_double(const char *s, double lo, double hi, double *out);
/* Bytes with an optional suffix k, m, g or t (powers of 1024). */
bool base_parse_size(const char *s, uint64_t *out);

/* Nearest of `count` names to `word` by edit distance, or NULL if none is near. For "did you
 * mean". */
const char *base_nearest(const char *word, const char *const *names, size_t count);

/* ---- saturating counters ------------------------------------------------------------------------
 */

#define BASE_SAT_MAX ((uint64_t)INT64_MAX)
/* a + b held at 2^63-1, so that a counter never wraps nor reads as negative. a, b <= 2^63-1. */
static inline uint64_t base_sat_add(uint64_t a, uint64_t b) {
    uint64_t sum = a + b;
    return sum > BASE_SAT_MAX || sum < a ? BASE_SAT_MAX : sum;
}

#endif
