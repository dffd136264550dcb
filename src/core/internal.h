/* What print.c and parse.c share: constants that no datum denotes, printed (constant name). */
#ifndef HONE_CORE_INTERNAL_H
#define HONE_CORE_INTERNAL_H

#include "core/core.h"

static const struct {
    const char *name;
    Value v;
} core_constants[] = {
    {"unspecific", V_UNSPEC}, {"default", V_DEFAULT}, {"undefined", V_UNDEFINED}, {"eof", V_EOF}};

#endif
