/* num.h: the door of the numbers, fixnum to rectangular complex.
 *
 * Exact integers beyond 61 bits, and ratios, are computed by GMP's mpn/mpz/mpq functions. Every function returns a
 * normalized number, or V_FAIL with the failure noted in M (WRONG_TYPE naming WHO, DIVIDE_BY_ZERO, ...). WHO is the Scheme
 * procedure to name, static storage. None collects; temporary GMP memory is freed before returning. */
#ifndef HONE_NUM_NUM_H
#define HONE_NUM_NUM_H

#include "gc/gc.h"

/* ---- the generic operations behind the interpreter's and native code's fast paths ---- */
Value num_add(Mutator *m, Value a, Value b);
Value num_sub(Mutator *m, Value a, Value b);
Value num_mul(Mutator *m, Value a, Value b);
Value num_div(Mutator *m, Value a, Value b);
Value num_neg(Mutator *m, Value a);
Value num_quotient(Mutator *m, Value a, Value b);
Value num_remainder(Mutator *m, Value a, Value b);
Value num_modulo(Mutator *m, Value a, Value b);
Value num_floor_quotient(Mutator *m, Value a, Value b);

/* Comparisons are exact also between exact and inexact numbers. Result V_TRUE or V_FALSE, or V_FAIL. */
Value num_equal(Mutator *m, Value a, Value b, const char *who);
Value num_less(Mutator *m, Value a, Value b, const char *who);
Value num_less_equal(Mutator *m, Value a, Value b, const char *who);
bool num_eqv(Value a, Value b);  /* eqv? on two numbers; allocates nothing */
uint64_t num_hash(Value a);      /* equal for numbers that are eqv? */

/* ---- conversions ---- */
Value num_from_int64(Mutator *m, int64_t n);
Value num_from_uint64(Mutator *m, uint64_t n);
Value num_from_double(Mutator *m, double d); /* a flonum */
bool num_to_int64(Value v, int64_t *out);    /* false: not an exact integer of that range */
double num_to_double(Value v);               /* V a real number; correctly rounded */

/* ---- text ---- */
/* Parses the R7RS <num R> in TEXT (UTF-8, LENGTH bytes) with default RADIX 2, 8, 10 or 16: all prefixes, exponents, ratios, infinities,
 * NaN, rectangular and polar complex. V_FALSE where TEXT is no number (never a failure). Decimal fractions are correctly rounded. */
Value num_parse(Mutator *m, const char *text, size_t length, int radix);
/* Shortest decimal that reads back as the same double, always with a point or exponent: "1.0e21", "-0.0", "+inf.0".
 * At most 40 bytes with the final NUL; returns the length. */
size_t num_format_double(double d, char out[40]);
/* The text of any number in RADIX 2..36 (flonums: 10 only, else WRONG_TYPE/RANGE): a malloc'd NUL-terminated string, or
 * NULL with the failure noted. The caller frees it. */
char *num_format(Mutator *m, Value v, int radix);

#endif
