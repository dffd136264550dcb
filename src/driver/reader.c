/* reader.c: the procedure `read`: the reader of src/read on a port. */
#include "driver/driver.h"
#include "read/read.h"
#include "rt/port.h"
#include "rt/string.h"

Value driver_read(Mutator *m, RtPort *p) {
    base_arena arena = {0};
    Reader *reader = read_open_port(m, &arena, p->name, rt_port_next, rt_port_peek, p);
    ReadError error = {0};
    const Stx *s = read_datum(reader, &error);
    Value v = V_EOF;
    if (s)
        v = read_to_value(m, s, false);
    else if (error.message[0])
        v = mutator_fail_text(m, ERR_READ, "read", V_DEFAULT, "%s, line %u, column %u: %s", p->name, error.pos.line,
                              error.pos.column, error.message);
    read_close(reader);
    base_arena_free(&arena);
    return v;
}
