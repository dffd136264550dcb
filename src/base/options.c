/* Command line options from one table: parser, help, and numbers in their values. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- parsing ---- */

void base_options_init(base_options *o, const base_option *table, int argc, char **argv,
                       int first) {
    *o = (base_options){.table = table, .argc = argc, .argv = argv, .index = first};
}

static bool arg_is_optional(const base_option *row) { return row->arg && row->arg[0] == '['; }

static int failed(base_options *o, const char *fmt, ...) BASE_PRINTF(2, 3);
static int failed(base_options *o, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(o->error, sizeof o->error, fmt, ap);
    va_end(ap);
    return BASE_OPTION_ERROR;
}

static int unknown_long(base_options *o, const char *name, size_t len) {
    BASE_VEC(const char *) names = {0};
    for (const base_option *row = o->table; row->id; row++)
        if (row->long_name) BASE_PUSH(&names, row->long_name);
    char *word = base_strndup(name, len);
    const char *near = base_nearest(word, names.at, names.len);
    int result = near ? failed(o, "unknown option --%s (did you mean --%s?)", word, near)
                      : failed(o, "unknown option --%s", word);
    free(word);
    BASE_VEC_FREE(&names);
    return result;
}

static int next_long(base_options *o, const char *word) {
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    const base_option *row = o->table;
    while (row->id &&
           !(row->long_name && strlen(row->long_name) == len && !memcmp(row->long_name, name, len)))
        row++;
    if (!row->id) return unknown_long(o, name, len);
    o->index++;
    if (equals && !row->arg) return failed(o, "option --%s takes no value", row->long_name);
    if (equals)
        o->value = equals + 1;
    else if (row->arg && !arg_is_optional(row)) {
        if (o->index >= o->argc) return failed(o, "option --%s needs %s", row->long_name, row->arg);
        o->value = o->argv[o->index++];
    }
    return row->id;
}

static int next_short(base_options *o, const char *word) {
    if (!o->cluster) o->cluster = 1;
    char c = word[o->cluster++];
    bool last = !word[o->cluster];
    const base_option *row = o->table;
    while (row->id && row->short_name != c) row++;
    if (!row->id) {
        uint32_t cp;
        const char *bad = word + o->cluster - 1;
        return failed(o, "unknown option -%.*s", (int)base_utf8_get(bad, strlen(bad), &cp), bad);
    }
    if (row->arg && !last) { /* -oFILE */
        o->value = word + o->cluster;
        last = true;
    } else if (row->arg && !arg_is_optional(row)) {
        if (o->index + 1 >= o->argc) return failed(o, "option -%c needs %s", c, row->arg);
        o->value = o->argv[++o->index];
    }
    if (last) {
        o->cluster = 0;
        o->index++;
    }
    return row->id;
}

int base_options_next(base_options *o) {
    o->value = NULL;
    if (o->index >= o->argc) return BASE_OPTION_DONE;
    const char *word = o->argv[o->index];
    if (o->cluster) return next_short(o, word);
    if (!strcmp(word, "--")) {
        o->index++;
        return BASE_OPTION_DONE;
    }
    if (word[0] != '-' || !word[1]) return BASE_OPTION_DONE;
    return word[1] == '-' ? next_long(o, word) : next_short(o, word);
}

/* ---- help ---- */

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

/* Words of one help text from HELP_COLUMN on, broken before HELP_WIDTH; newlines are kept. */
static void put_help_text(base_buf *out, const char *text, size_t column) {
    for (const char *p = text; *p;) {
        if (*p == '\n') {
            base_buf_putc(out, '\n');
            column = 0;
            p++;
            continue;
        }
        size_t len = strcspn(p, " \n"), blanks = strspn(p + len, " ");
        if (column > HELP_COLUMN && column + 1 + base_utf8_width(p, len) > HELP_WIDTH) {
            base_buf_putc(out, '\n');
            column = 0;
        }
        size_t pad = column < HELP_COLUMN ? HELP_COLUMN - column : 1;
        base_buf_fill(out, ' ', pad);
        base_buf_add(out, p, len);
        column += pad + base_utf8_width(p, len);
        p += len + blanks;
    }
    base_buf_putc(out, '\n');
}

static void put_option(base_buf *out, const base_option *row) {
    size_t start = out->len;
    base_buf_puts(out, "  ");
    if (row->short_name)
        base_buf_printf(out, "-%c", row->short_name);
    else
        base_buf_puts(out, "  ");
    if (row->long_name)
        base_buf_printf(out, "%s--%s", row->short_name ? ", " : "  ", row->long_name);
    if (arg_is_optional(row))
        base_buf_printf(out, "[=%s", row->arg + 1);
    else if (row->arg)
        base_buf_printf(out, " %s", row->arg);
    size_t column = out->len - start;
    if (column + 2 > HELP_COLUMN) {
        base_buf_putc(out, '\n');
        column = 0;
    }
    put_help_text(out, row->help ? row->help : "", column);
}

void base_options_help(base_buf *out, const base_option *table) {
    const char *category = NULL;
    for (const base_option *row = table; row->id; row++) {
        if (row->category && (!category || strcmp(category, row->category))) {
            base_buf_printf(out, "%s%s:\n", category ? "\n" : "", row->category);
            category = row->category;
        }
        put_option(out, row);
    }
}

/* ---- values ---- */

bool base_parse_u64(const char *s, uint64_t lo, uint64_t hi, uint64_t *out) {
    if (*s < '0' || *s > '9') return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(s, &end, 10);
    if (*end || errno || value < lo || value > hi) return false;
    *out = value;
    return true;
}

bool base_parse_double(const char *s, double lo, double hi, double *out) {
    if (!strchr("0123456789.-", *s) || !*s) return false;
    char *end;
    errno = 0;
    double value = strtod(s, &end);
    if (*end || errno || !(value >= lo && value <= hi)) return false;
    *out = value;
    return true;
}

bool base_parse_size(const char *s, uint64_t *out) {
    static const char suffixes[] = "kmgt";
    if (*s < '0' || *s > '9') return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(s, &end, 10);
    if (errno) return false;
    if (*end) {
        char c = (char)(*end | 0x20);
        const char *suffix = strchr(suffixes, c);
        unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
        if (!suffix || !*suffix || end[1] || value > UINT64_MAX >> shift) return false;
        value <<= shift;
    }
    *out = value;
    return true;
}

/* ---- did you mean ---- */

/* Levenshtein distance in bytes, one row at a time. Words above 64 bytes count as far. */
static unsigned edit_distance(const char *a, const char *b) {
    unsigned row[65];
    size_t la = strlen(a), lb = strlen(b);
    if (la > 64 || lb > 64) return 64;
    for (unsigned j = 0; j <= lb; j++) row[j] = j;
    for (unsigned i = 1; i <= la; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            unsigned replace = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned insert = BASE_MIN(row[j], row[j - 1]) + 1;
            row[j] = BASE_MIN(replace, insert);
        }
    }
    return row[lb];
}

const char *base_nearest(const char *word, const char *const *names, size_t count) {
    const char *best = NULL;
    unsigned best_distance = (unsigned)strlen(word) / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        unsigned d = edit_distance(word, names[i]);
        if (d < best_distance || (d == best_distance && !best)) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
