/* Characters: Unicode scalar values. Properties and case are libunistring's, with short ways for
 * ASCII. */
#include "rt/char.h"
#include <stdlib.h>
#include <unicase.h>
#include <unictype.h>
#include "rt/args.h"
#include "rt/prim.h"

bool rt_char_alphabetic(uint32_t c) {
    if (c < 0x80) return (c | 32) - 'a' < 26;
    return uc_is_property_alphabetic(c);
}

bool rt_char_whitespace(uint32_t c) {
    if (c < 0x80) return c == ' ' || c - 9 < 5;
    return uc_is_property_white_space(c);
}

bool rt_char_numeric(uint32_t c) {
    if (c < 0x80) return c - '0' < 10;
    return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Nd);
}

static bool upper_case(uint32_t c) {
    if (c < 0x80) return c - 'A' < 26;
    return uc_is_property_uppercase(c);
}

static bool lower_case(uint32_t c) {
    if (c < 0x80) return c - 'a' < 26;
    return uc_is_property_lowercase(c);
}

uint32_t rt_char_upcase(uint32_t c) {
    if (c < 0x80) return c - 'a' < 26 ? c - 32 : c;
    return uc_toupper(c);
}

uint32_t rt_char_downcase(uint32_t c) {
    if (c < 0x80) return c - 'A' < 26 ? c + 32 : c;
    return uc_tolower(c);
}

/* Simple case folding. The library has the full one alone; where that gives one character they
 * agree, and where it gives several the simple folding is the lower case, except for U+0130, which
 * has none. */
uint32_t rt_char_foldcase(uint32_t c) {
    if (c < 0x80) return rt_char_downcase(c);
    if (c == 0x130) return c;
    uint32_t folded[8];
    size_t length = 8;
    uint32_t *out = u32_casefold(&c, 1, NULL, NULL, folded, &length);
    if (out && out != folded) free(out);
    return out == folded && length == 1 ? folded[0] : uc_tolower(c);
}

/* ---- primitives ---- */

PRIM_FN(prim_char_p) {
    PRIM_UNUSED;
    return v_bool(is_char(a[0]));
}

PRIM_FN(prim_char_to_integer) {
    PRIM_UNUSED;
    ARG_CHECK(is_char(a[0]), "char->integer", 1);
    return v_fixnum(char_code(a[0]));
}

PRIM_FN(prim_integer_to_char) {
    PRIM_UNUSED;
    ARG_CHECK(is_fixnum(a[0]), "integer->char", 1);
    int64_t c = fixnum(a[0]);
    if (c < 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return mutator_fail(m, ERR_RANGE, "integer->char", 1, a[0]);
    return v_char((uint32_t)c);
}

#define CHAR_TEST(cname, who, test)                                                                \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        ARG_CHECK(is_char(a[0]), who, 1);                                                          \
        return v_bool(test(char_code(a[0])));                                                      \
    }
CHAR_TEST(prim_char_alphabetic_p, "char-alphabetic?", rt_char_alphabetic)
CHAR_TEST(prim_char_numeric_p, "char-numeric?", rt_char_numeric)
CHAR_TEST(prim_char_whitespace_p, "char-whitespace?", rt_char_whitespace)
CHAR_TEST(prim_char_upper_case_p, "char-upper-case?", upper_case)
CHAR_TEST(prim_char_lower_case_p, "char-lower-case?", lower_case)

#define CHAR_MAP(cname, who, map)                                                                  \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        ARG_CHECK(is_char(a[0]), who, 1);                                                          \
        return v_char(map(char_code(a[0])));                                                       \
    }
CHAR_MAP(prim_char_upcase, "char-upcase", rt_char_upcase)
CHAR_MAP(prim_char_downcase, "char-downcase", rt_char_downcase)
CHAR_MAP(prim_char_foldcase, "char-foldcase", rt_char_foldcase)

PRIM_FN(prim_digit_value) {
    PRIM_UNUSED;
    ARG_CHECK(is_char(a[0]), "digit-value", 1);
    uint32_t c = char_code(a[0]);
    return rt_char_numeric(c) ? v_fixnum(uc_decimal_value(c)) : V_FALSE;
}

#define AS_IS(c) (c)
#define CHAR_COMPARE(cname, who, op, map)                                                          \
    PRIM_FN(cname) {                                                                               \
        for (int i = 0; i < n; i++) ARG_CHECK(is_char(a[i]), who, i + 1);                          \
        for (int i = 1; i < n; i++)                                                                \
            if (!(map(char_code(a[i - 1])) op map(char_code(a[i])))) return V_FALSE;               \
        return V_TRUE;                                                                             \
    }
CHAR_COMPARE(prim_char_eq, "char=?", ==, AS_IS)
CHAR_COMPARE(prim_char_lt, "char<?", <, AS_IS)
CHAR_COMPARE(prim_char_gt, "char>?", >, AS_IS)
CHAR_COMPARE(prim_char_le, "char<=?", <=, AS_IS)
CHAR_COMPARE(prim_char_ge, "char>=?", >=, AS_IS)
CHAR_COMPARE(prim_char_ci_eq, "char-ci=?", ==, rt_char_foldcase)
CHAR_COMPARE(prim_char_ci_lt, "char-ci<?", <, rt_char_foldcase)
CHAR_COMPARE(prim_char_ci_gt, "char-ci>?", >, rt_char_foldcase)
CHAR_COMPARE(prim_char_ci_le, "char-ci<=?", <=, rt_char_foldcase)
CHAR_COMPARE(prim_char_ci_ge, "char-ci>=?", >=, rt_char_foldcase)
