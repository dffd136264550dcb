#include "value/value.h"

static const char *const type_names[T_COUNT] = {
#define LAYOUT(type, name, kind) [T_##type] = name,
#include "value/layouts.def"
#undef LAYOUT
};

const char *value_type_name(enum heap_type type) { return type_names[type]; }
