/* condition.c: the one place where failures of C code become conditions that Scheme handlers see.
 */
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"
#include "rt/record.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "value/errors.h"

static Value condition_type = V_FALSE;

Value rt_condition_type(void) { return condition_type; }

void rt_condition_start(Mutator *m) {
    condition_type = rt_rtd_new(m, "error-object", "kind message irritants who position backtrace");
}

/* The message of the table's row with %w, %n and %m filled in. */
static Value message(Mutator *m, const Failure *f) {
    base_buf text = {0};
    for (const char *s = value_error_message(f->code); *s; s++) {
        if (*s != '%') {
            base_buf_putc(&text, *s);
            continue;
        }
        switch (*++s) {
        case 'w': base_buf_puts(&text, f->who ? f->who : "procedure"); break;
        case 'n': base_buf_printf(&text, "%d", f->position); break;
        case 'm':
            if (is_string(f->message)) {
                char *utf8 = rt_string_utf8(f->message, NULL);
                base_buf_puts(&text, utf8);
                free(utf8);
            }
            break;
        }
    }
    Value v = rt_string_new(m, base_buf_str(&text), text.len);
    base_buf_free(&text);
    return v;
}

Value rt_condition(Mutator *m) {
    Failure f = m->fail;
    m->fail = (Failure){.irritant = {V_DEFAULT, V_DEFAULT}, .message = V_DEFAULT};
    Value irritants = V_NIL;
    for (int i = 1; i >= 0; i--)
        if (f.irritant[i] != V_DEFAULT) irritants = gc_cons(m, f.irritant[i], irritants);
    Object *o = gc_object(m, T_RECORD, 7);
    o->slot[0] = condition_type;
    o->slot[1] = rt_intern_c(m, value_error_kind(f.code));
    o->slot[2] = message(m, &f);
    o->slot[3] = irritants;
    o->slot[4] = f.who ? rt_intern_c(m, f.who) : V_FALSE;
    o->slot[5] = V_FALSE;
    o->slot[6] = V_FALSE;
    return v_object(o);
}
