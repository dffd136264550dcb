/* Case of strings: the full mappings of Unicode, which may change the length and look at the
 * neighbours (final sigma). ASCII text takes a short way. Comparing without case compares full
 * foldings. */
#include <stdlib.h>
#include <unicase.h>
#include "base/base.h"
#include "rt/args.h"
#include "rt/prim.h"
#include "rt/string.h"

typedef uint32_t *(*Mapping)(const uint32_t *, size_t, const char *, uninorm_t, uint32_t *,
                             size_t *);

static bool is_ascii(Value data, int64_t length) {
    if (rt_data_wide(data)) return false;
    const uint8_t *bytes = object_bytes(data);
    uint8_t all = 0;
    for (int64_t i = 0; i < length; i++) all |= bytes[i];
    return all < 0x80;
}

static Value map_ascii(Mutator *m, Value data, int64_t length, char first) {
    Value s = rt_string_alloc(m, length, false);
    const uint8_t *from = object_bytes(data);
    uint8_t *to = object_bytes(rt_string_data(s));
    for (int64_t i = 0; i < length; i++) {
        uint8_t c = from[i];
        to[i] = (uint8_t)(c - (uint8_t)first) < 26 ? c ^ 32 : c;
    }
    return s;
}

/* S with MAPPING applied; for ASCII the 26 letters from FIRST change their case. */
static Value map_case(Mutator *m, Value s, Mapping mapping, char first) {
    int64_t length = rt_string_length(s);
    Value data = rt_string_data(s);
    if (is_ascii(data, length)) return map_ascii(m, data, length, first);
    uint32_t *codes = base_alloc((size_t)length * sizeof *codes);
    for (int64_t i = 0; i < length; i++) codes[i] = rt_data_ref(data, i);
    size_t count = 0;
    uint32_t *mapped = mapping(codes, (size_t)length, NULL, NULL, NULL, &count);
    Value out = rt_string_from_codes(m, mapped ? mapped : codes, mapped ? (int64_t)count : length);
    free(mapped);
    free(codes);
    return out;
}

PRIM_FN(prim_string_upcase) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "string-upcase", 1);
    return map_case(m, a[0], u32_toupper, 'a');
}

PRIM_FN(prim_string_downcase) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "string-downcase", 1);
    return map_case(m, a[0], u32_tolower, 'A');
}

PRIM_FN(prim_string_foldcase) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "string-foldcase", 1);
    return map_case(m, a[0], u32_casefold, 'A');
}

#define STRING_CI_COMPARE(cname, who, op)                                                          \
    PRIM_FN(cname) {                                                                               \
        for (int i = 0; i < n; i++) ARG_CHECK(is_string(a[i]), who, i + 1);                        \
        Value before = map_case(m, a[0], u32_casefold, 'A');                                       \
        for (int i = 1; i < n; i++) {                                                              \
            Value next = map_case(m, a[i], u32_casefold, 'A');                                     \
            if (!(rt_string_compare(before, next) op 0)) return V_FALSE;                           \
            before = next;                                                                         \
        }                                                                                          \
        return V_TRUE;                                                                             \
    }
STRING_CI_COMPARE(prim_string_ci_eq, "string-ci=?", ==)
STRING_CI_COMPARE(prim_string_ci_lt, "string-ci<?", <)
STRING_CI_COMPARE(prim_string_ci_gt, "string-ci>?", >)
STRING_CI_COMPARE(prim_string_ci_le, "string-ci<=?", <=)
STRING_CI_COMPARE(prim_string_ci_ge, "string-ci>=?", >=)
