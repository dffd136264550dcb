#include "value/errors.h"

typedef struct ErrorRow {
    const char *kind, *message;
} ErrorRow;

static const ErrorRow rows[ERR_COUNT] = {
    [ERR_NONE] = {"none", ""},
#define ERROR(code, kind, message) [ERR_##code] = {#kind, message},
#include "value/errors.def"
#undef ERROR
};

const char *value_error_kind(enum error_code code) { return rows[code].kind; }

const char *value_error_message(enum error_code code) { return rows[code].message; }
