/* The text of values without parts. */
#include "rt/write_atom.h"
#include <stdlib.h>
#include <unictype.h>
#include "num/num.h"
#include "rt/char.h"
#include "rt/port.h"
#include "rt/record.h"
#include "rt/string.h"
#include "rt/table.h"

const char *(*rt_procedure_name)(Value procedure);

/* ---- characters and strings ---- */

static bool is_graphic(uint32_t c) {
    if (c < 0x7f) return c >= ' ';
    return uc_is_print(c) && !rt_char_whitespace(c);
}

static const struct {
    uint32_t code;
    const char *name;
} char_names[] = {{7, "alarm"}, {8, "backspace"}, {0x7f, "delete"}, {27, "escape"}, {10, "newline"},
                  {0, "null"},  {13, "return"},   {' ', "space"},   {9, "tab"}};

static void write_char(base_buf *out, uint32_t c) {
    base_buf_puts(out, "#\\");
    for (size_t i = 0; i < BASE_COUNT(char_names); i++)
        if (char_names[i].code == c) {
            base_buf_puts(out, char_names[i].name);
            return;
        }
    if (is_graphic(c) && !uc_is_general_category_withtable(c, UC_CATEGORY_MASK_M))
        base_buf_utf8(out, c);
    else
        base_buf_printf(out, "x%x", c);
}

/* C between the delimiters DELIMITER of a string or a symbol. */
static void write_escaped(base_buf *out, uint32_t c, char delimiter) {
    static const char letters[] = "abtn\0\0r";
    if (c == (uint32_t)delimiter || c == '\\') {
        base_buf_putc(out, '\\');
        base_buf_putc(out, (char)c);
    } else if (c >= 7 && c <= 13 && letters[c - 7]) {
        base_buf_putc(out, '\\');
        base_buf_putc(out, letters[c - 7]);
    } else if (c < 0x7f && c >= ' ') {
        base_buf_putc(out, (char)c);
    } else if (is_graphic(c)) {
        base_buf_utf8(out, c);
    } else {
        base_buf_printf(out, "\\x%x;", c);
    }
}

static void write_string(base_buf *out, Value s) {
    int64_t length = rt_string_length(s);
    Value data = rt_string_data(s);
    base_buf_putc(out, '"');
    for (int64_t i = 0; i < length; i++) write_escaped(out, rt_data_ref(data, i), '"');
    base_buf_putc(out, '"');
}

/* ---- symbols ---- */

static bool plain_symbol_char(uint32_t c) {
    if (c >= 0x7f) return is_graphic(c);
    return c > ' ' && !strchr("()[]{}\"';`,|\\", (int)c);
}

/* Whether the text reads back as that symbol without bars. */
static bool is_plain_symbol(Mutator *m, const char *name, size_t length) {
    if (length == 0 || name[0] == '#' || !strcmp(name, ".")) return false;
    for (size_t i = 0; i < length;) {
        uint32_t c;
        i += base_utf8_get(name + i, length - i, &c);
        if (!plain_symbol_char(c)) return false;
    }
    bool numeric = strchr("+-.0123456789", name[0]) != NULL;
    return !numeric || num_parse(m, name, length, 10) == V_FALSE;
}

void rt_write_symbol(Mutator *m, base_buf *out, Value symbol) {
    const char *name = rt_symbol_name(symbol);
    size_t length = rt_symbol_length(symbol);
    if (is_plain_symbol(m, name, length)) {
        base_buf_add(out, name, length);
        return;
    }
    base_buf_putc(out, '|');
    for (size_t i = 0; i < length;) {
        uint32_t c;
        i += base_utf8_get(name + i, length - i, &c);
        write_escaped(out, c, '|');
    }
    base_buf_putc(out, '|');
}

/* ---- numbers and the others ---- */

static void write_fixnum(base_buf *out, int64_t n) {
    char text[24], *start = text + sizeof text;
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (n < 0) *--start = '-';
    base_buf_add(out, start, (size_t)(text + sizeof text - start));
}

static void write_number(Mutator *m, base_buf *out, Value v) {
    if (is_fixnum(v)) {
        write_fixnum(out, fixnum(v));
        return;
    }
    char *text = num_format(m, v, 10);
    base_buf_puts(out, text ? text : "#<number>");
    free(text);
}

static void write_bytevector(base_buf *out, Value v) {
    base_buf_puts(out, "#u8(");
    for (uint64_t i = 0; i < object_size(v); i++)
        base_buf_printf(out, i ? " %u" : "%u", object_bytes(v)[i]);
    base_buf_putc(out, ')');
}

static void write_procedure(base_buf *out, Value v) {
    const char *name = rt_procedure_name ? rt_procedure_name(v) : NULL;
    base_buf_puts(out, "#<procedure");
    if (name && *name) base_buf_printf(out, " %s", name);
    base_buf_putc(out, '>');
}

static void write_opaque(base_buf *out, Value v) {
    static const char *const names[OPAQUE_KINDS] = {
        "thread", "mutex", "condition-variable", "environment", "fiber", "channel", "condition"};
    int64_t kind = fixnum(object_slots(v)[0]);
    base_buf_printf(out, "#<%s>", kind >= 0 && kind < OPAQUE_KINDS ? names[kind] : "object");
}

static void write_immediate(base_buf *out, Value v) {
    static const char *const names[] = {"#f",        "#t",         "()",         "#<unspecified>",
                                        "#<eof>",    "#<default>", "#<unbound>", "#<undefined>",
                                        "#<failed>", "#<empty>",   "#<deleted>"};
    uint64_t i = v >> 8;
    base_buf_puts(out, i < BASE_COUNT(names) ? names[i] : "#<object>");
}

static void write_object(Mutator *m, base_buf *out, Value v, bool display) {
    enum heap_type type = header_type(object_of(v)->header);
    switch (type) {
    case T_STRING:
        if (display)
            rt_string_encode(out, v, 0, rt_string_length(v));
        else
            write_string(out, v);
        break;
    case T_SYMBOL:
        if (display)
            base_buf_add(out, rt_symbol_name(v), rt_symbol_length(v));
        else
            rt_write_symbol(m, out, v);
        break;
    case T_BYTEVECTOR: write_bytevector(out, v); break;
    case T_PROC: write_procedure(out, v); break;
    case T_TABLE:
        base_buf_printf(out, "#<hash-table %s %lld>", rt_table_kind_name(v),
                        (long long)rt_table_count(v));
        break;
    case T_PORT: rt_port_describe(out, v); break;
    case T_OPAQUE: write_opaque(out, v); break;
    default: base_buf_printf(out, "#<%s>", value_type_name(type)); break;
    }
}

void rt_write_atom(Mutator *m, base_buf *out, Value v, bool display) {
    if (is_number(v))
        write_number(m, out, v);
    else if (is_object(v))
        write_object(m, out, v, display);
    else if (!is_char(v))
        write_immediate(out, v);
    else if (display)
        base_buf_utf8(out, char_code(v));
    else
        write_char(out, char_code(v));
}
