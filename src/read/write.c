/* write.c: values as text, for messages and printed core: a small writer with a bound, since the
 * run time's own serves ports. */
#include "read/read.h"

#include <stdlib.h>

#include "num/num.h"
#include "rt/string.h"

/* What is left to write of a list (INDEX -1) or of a vector from INDEX on. */
typedef struct Rest {
    Value v;
    int64_t index;
    bool begun;
} Rest;

static void write_escaped(base_buf *out, const char *text, size_t length, char quote) {
    base_buf_putc(out, quote);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == quote || c == '\\')
            base_buf_printf(out, "\\%c", c);
        else if (c == '\n')
            base_buf_puts(out, "\\n");
        else if ((unsigned char)c < ' ' || c == 0x7f)
            base_buf_printf(out, "\\x%x;", c);
        else
            base_buf_putc(out, c);
    }
    base_buf_putc(out, quote);
}

static bool plain_symbol(Mutator *m, const char *name, size_t length) {
    if (length == 0 || name[0] == '#' || (length == 1 && name[0] == '.')) return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c <= ' ' || c >= 0x7f || strchr("()\";|'`,[]{}\\", c)) return false;
    }
    bool may_be_number = strchr("+-.0123456789", name[0]) != NULL;
    return !may_be_number || num_parse(m, name, length, 10) == V_FALSE;
}

void read_write_symbol(Mutator *m, base_buf *out, const char *name) {
    size_t length = strlen(name);
    if (plain_symbol(m, name, length))
        base_buf_add(out, name, length);
    else
        write_escaped(out, name, length, '|');
}

static void write_char(base_buf *out, uint32_t c) {
    base_buf_puts(out, "#\\");
    if (c > ' ' && c != 0x7f && (c < 0x80 || c > 0xa0))
        base_buf_utf8(out, c);
    else
        base_buf_printf(out, "x%x", c);
}

static void write_bytes(base_buf *out, Value v) {
    base_buf_puts(out, "#u8(");
    for (uint64_t i = 0; i < object_size(v); i++)
        base_buf_printf(out, i ? " %d" : "%d", object_bytes(v)[i]);
    base_buf_putc(out, ')');
}

static void write_number(Mutator *m, base_buf *out, Value v) {
    char *text = num_format(m, v, 10);
    base_buf_puts(out, text ? text : "#<number>");
    free(text);
}

static void write_constant(base_buf *out, Value v) {
    static const struct {
        Value v;
        const char *text;
    } names[] = {{V_FALSE, "#f"},
                 {V_TRUE, "#t"},
                 {V_NIL, "()"},
                 {V_UNSPEC, "#!unspecific"},
                 {V_EOF, "#!eof"},
                 {V_DEFAULT, "#!default"},
                 {V_UNDEFINED, "#!undefined"},
                 {V_UNBOUND, "#!unbound"}};
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (names[i].v == v) {
            base_buf_puts(out, names[i].text);
            return;
        }
    if (is_object(v))
        base_buf_printf(out, "#<%s>", value_type_name(header_type(object_of(v)->header)));
    else
        base_buf_puts(out, "#<constant>");
}

/* Anything but a pair or a vector. */
static void write_atom(Mutator *m, base_buf *out, Value v) {
    if (is_symbol(v))
        read_write_symbol(m, out, rt_symbol_name(v));
    else if (is_number(v))
        write_number(m, out, v);
    else if (is_char(v))
        write_char(out, char_code(v));
    else if (is_bytevector(v))
        write_bytes(out, v);
    else if (is_string(v)) {
        size_t length;
        char *text = rt_string_utf8(v, &length);
        write_escaped(out, text, length, '"');
        free(text);
    } else
        write_constant(out, v);
}

typedef BASE_VEC(Rest) RestStack;

static void begin(Mutator *m, base_buf *out, RestStack *todo, Value v) {
    if (is_pair(v)) {
        base_buf_putc(out, '(');
        BASE_PUSH(todo, (Rest){v, -1, false});
    } else if (is_vector(v)) {
        base_buf_puts(out, "#(");
        BASE_PUSH(todo, (Rest){v, 0, false});
    } else
        write_atom(m, out, v);
}

/* One more item of the list or vector on top of the stack, or its end. */
static void step(Mutator *m, base_buf *out, RestStack *todo) {
    Rest *top = &todo->at[todo->len - 1];
    Value v = top->v;
    bool more = top->index < 0 ? v != V_NIL : (uint64_t)top->index < object_size(v);
    if (!more) {
        todo->len--;
        base_buf_putc(out, ')');
        return;
    }
    if (top->begun) base_buf_putc(out, ' ');
    top->begun = true;
    if (top->index >= 0) {
        Value item = object_slots(v)[top->index++];
        begin(m, out, todo, item);
    } else if (is_pair(v)) {
        top->v = cdr(v);
        begin(m, out, todo, car(v));
    } else {
        top->v = V_NIL;
        base_buf_puts(out, ". ");
        begin(m, out, todo, v);
    }
}

void read_write(Mutator *m, base_buf *out, Value v, size_t limit) {
    RestStack todo = {0};
    size_t start = out->len;
    begin(m, out, &todo, v);
    while (todo.len && out->len - start < limit) step(m, out, &todo);
    if (out->len - start > limit || todo.len) {
        out->len = start + BASE_MIN(out->len - start, limit);
        while (out->len > start && ((unsigned char)out->at[out->len - 1] & 0xc0) == 0x80)
            out->len--;
        if (out->len > start && (unsigned char)out->at[out->len - 1] >= 0xc0) out->len--;
        base_buf_puts(out, "...");
    }
    BASE_VEC_FREE(&todo);
}
