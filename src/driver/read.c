/* read.c: the procedure `read`: one datum from a port's buffered text, through the reader. */
#include "driver/driver.h"
#include "rt/port.h"

/* Positions are told from where the datum's text begins; the port knows which line that is. */
static Value read_failure(Mutator *m, RtPort *p, uint64_t line, const ReadError *e) {
    return mutator_fail_text(m, ERR_READ, "read", V_DEFAULT, "%s:%llu: %s", p->name,
                             (unsigned long long)line + (e->pos.line ? e->pos.line - 1 : 0),
                             e->message);
}

static Value read_from_port(Mutator *m, RtPort *p) {
    base_arena arena = {0};
    uint64_t line = p->line;
    Reader *reader = read_open_port(m, &arena, p->name, rt_port_next, rt_port_peek, p);
    ReadError error = {0};
    const Stx *datum = read_datum(reader, &error);
    Value result = datum ? read_to_value(m, datum, false) : V_EOF;
    if (!datum && error.message[0]) result = read_failure(m, p, line, &error);
    read_close(reader);
    base_arena_free(&arena);
    return result;
}

void driver_read_start(void) { rt_reader_hook = read_from_port; }
