/* num.h: the door of the numbers, fixnum to rectangular complex.
 *
 * Exact integers beyond 61 bits, and ratios, are computed by GMP's mpn/mpz/mpq functions. Every
 * function returns a normalized number, or V_FAIL with the failure noted in M (WRONG_TYPE naming
 * WHO, DIVIDE_BY_ZERO, ...). WHO is the Scheme procedure to name, static storage. None collects;
 * temporary GMP memory is freed before returning. */
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

/* Comparisons are exact also between exact and inexact numbers. Result V_TRUE or V_FALSE, or
 * V_FAIL. */
Value num_equal(Mutator *m, Value a, Value b, const char *who);
Value num_less(Mutator *m, Value a, Value b, const char *who);
Value num_less_equal(Mutator *m, Value a, Value b, const char *who);
bool num_eqv(Value a, Value b); /* eqv? on two numbers; allocates nothing */
uint64_t num_hash(Value a);     /* equal for numbers that are eqv? */

/* ---- conversions ---- */
Value num_from_int64(Mutator *m, int64_t n);
Value num_from_uint64(Mutator *m, uint64_t n);
Value num_from_double(Mutator *m, double d); /* a flonum */
bool num_to_int64(Value v, int64_t *out);    /* false: not an exact integer of that range */
double num_to_double(Value v);               /* V a real number; correctly rounded */

/* ---- text ---- */
/* Parses the R7RS <num R> in TEXT (UTF-8, LENGTH bytes) with default RADIX 2, 8, 10 or 16: all
 * prefixes, exponents, ratios, infinities, NaN, rectangular and polar complex. V_FALSE where TEXT
 * is no number (never a failure). Decimal fractions are correctly rounded. */
Value num_parse(Mutator *m, const char *text, size_t length, int radix);
/* Shortest decimal that reads back as the same double, always with a point or exponent: "1.0e21",
 * "-0.0", "+inf.0". At most 40 bytes with the final NUL; returns the length. */
size_t num_format_double(double d, char out[40]);
/* The text of any number in RADIX 2..36 (flonums: 10 only, else WRONG_TYPE/RANGE): a malloc'd
 * NUL-terminated string, or NULL with the failure noted. The caller frees it. */
char *num_format(Mutator *m, Value v, int radix);

/* ---- kinds: none of these fails, whatever V is ---- */
bool num_is_real(Value v);          /* not complex */
bool num_is_rational(Value v);      /* real and finite */
bool num_is_integer(Value v);       /* 3.0 too */
bool num_is_exact_integer(Value v); /* fixnum or bignum */
bool num_is_exact_rational(Value v);
bool num_is_exact(Value v);    /* V a number */
bool num_is_finite(Value v);   /* V a number; of a complex both parts */
bool num_is_infinite(Value v); /* V a number; of a complex either part */
bool num_is_nan(Value v);      /* V a number; of a complex either part */
bool num_is_zero(Value v);     /* V a number */
int num_sign(Value v);         /* V real: -1, 0 or 1; 0 for NaN */
bool num_is_odd(Value v);      /* V an integer */

/* ---- integers. All take flonums with integer values too (the result is then inexact), unless said
 * otherwise ---- */
enum num_rounding { NUM_FLOOR, NUM_CEILING, NUM_TRUNCATE, NUM_ROUND };
/* The pairs floor/ and truncate/ (MODE NUM_FLOOR or NUM_TRUNCATE). Q or R may be NULL. False:
 * failed. */
bool num_divide(Mutator *m, enum num_rounding mode, Value a, Value b, Value *q, Value *r,
                const char *who);
Value num_gcd(Mutator *m, Value a, Value b);
Value num_lcm(Mutator *m, Value a, Value b);
/* A = S*S + R with the greatest S; A is an exact non-negative integer. False: failed. */
bool num_exact_integer_sqrt(Mutator *m, Value a, Value *s, Value *r);

enum num_bitwise { NUM_AND, NUM_IOR, NUM_XOR };
/* Exact integers only, as two's complement of unlimited width. */
Value num_bitwise(Mutator *m, enum num_bitwise op, Value a, Value b);
Value num_bitwise_not(Mutator *m, Value a);
Value num_shift(Mutator *m, Value a,
                Value count); /* to the left; a negative COUNT to the right, rounding down */
Value num_bit_count(Mutator *m, Value a); /* ones of A >= 0, zeros of A < 0 */
Value num_integer_length(Mutator *m, Value a);
Value num_first_set_bit(Mutator *m, Value a); /* -1 for 0 */
Value num_is_bit_set(Mutator *m, Value index, Value a);

/* ---- reals ---- */
Value num_abs(Mutator *m, Value a);
Value num_max(Mutator *m, Value a, Value b); /* inexact if either is; NaN if either is */
Value num_min(Mutator *m, Value a, Value b);
Value num_round(Mutator *m, enum num_rounding mode, Value a, const char *who);
Value num_numerator(Mutator *m, Value a);
Value num_denominator(Mutator *m, Value a);
Value num_rationalize(Mutator *m, Value x, Value y);
Value num_exact(Mutator *m, Value v);
Value num_inexact(Mutator *m, Value v);

/* ---- beyond ---- */
enum num_function { NUM_EXP, NUM_SIN, NUM_COS, NUM_TAN, NUM_ASIN, NUM_ACOS, NUM_ATAN };
Value num_function(Mutator *m, enum num_function f, Value z); /* real results where they exist */
Value num_log(Mutator *m, Value z);
Value num_log_base(Mutator *m, Value z, Value base);
Value num_atan2(Mutator *m, Value y, Value x);
Value num_sqrt(Mutator *m, Value z);
Value num_expt(Mutator *m, Value z, Value power);
/* Both parts of a complex are exact, or both flonums; an exact zero imaginary part gives a real. */
Value num_make_rectangular(Mutator *m, Value real, Value imaginary);
Value num_make_polar(Mutator *m, Value magnitude, Value angle);
Value num_real_part(Mutator *m, Value z);
Value num_imag_part(Mutator *m, Value z);
Value num_magnitude(Mutator *m, Value z);
Value num_angle(Mutator *m, Value z);

#endif
