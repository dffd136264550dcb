/* errors.h: what value/errors.def says of each failure, by code. Static storage, any thread. */
#ifndef HONE_VALUE_ERRORS_H
#define HONE_VALUE_ERRORS_H

/* The codes. In the same order as the rows of errors.def; ERR_NONE is no failure. */
enum error_code {
    ERR_NONE,
#define ERROR(code, kind, message) ERR_##code,
#include "value/errors.def"
#undef ERROR
    ERR_COUNT
};

/* The kind symbol's name ("type", "range", ...), as Scheme code sees it; "none" for ERR_NONE. */
const char *value_error_kind(enum error_code code);
/* The message with its %w %1 %2 %n %m places not yet filled in; "" for ERR_NONE. */
const char *value_error_message(enum error_code code);

#endif
