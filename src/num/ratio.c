/* ratio.c: exact ratios, and what rounds or takes apart a real.
 *
 * A sum or a product of fractions in lowest terms is brought to lowest terms with gcds of the parts
 * before multiplying (Knuth, The Art of Computer Programming, 4.5.1), so that no intermediate grows
 * beyond the result by much. */
#include "num/internal.h"

Value num_rat_new(Mutator *m, Value n, Value d) {
    if (n == V_FAIL || d == V_FAIL) return V_FAIL;
    if (d == v_fixnum(1)) return n;
    Object *o = gc_object(m, T_RATNUM, 2);
    o->slot[0] = n;
    o->slot[1] = d;
    return v_object(o);
}

Value num_rat_make(Mutator *m, Value n, Value d) {
    if (n == V_FAIL || d == V_FAIL) return V_FAIL;
    Value g = num_int_gcd(m, n, d);
    n = num_int_exact_quotient(m, n, g);
    d = num_int_exact_quotient(m, d, g);
    if (num_int_sign(d) < 0) {
        n = num_int_neg(m, n);
        d = num_int_neg(m, d);
    }
    return num_rat_new(m, n, d);
}

typedef Value Combine(Mutator *m, Value a, Value b);

static Value combine(Mutator *m, Combine *sum, Value a, Value b) {
    Value n1 = num_rat_numerator(a), d1 = num_rat_denominator(a);
    Value n2 = num_rat_numerator(b), d2 = num_rat_denominator(b);
    Value g = num_int_gcd(m, d1, d2);
    Value rest1 = num_int_exact_quotient(m, d1, g), rest2 = num_int_exact_quotient(m, d2, g);
    Value t = sum(m, num_int_mul(m, n1, rest2), num_int_mul(m, n2, rest1));
    if (t == V_FAIL) return V_FAIL;
    Value g2 = num_int_gcd(m, t, g);
    return num_rat_new(m, num_int_exact_quotient(m, t, g2),
                       num_int_mul(m, rest1, num_int_exact_quotient(m, d2, g2)));
}

Value num_rat_add(Mutator *m, Value a, Value b) { return combine(m, num_int_add, a, b); }
Value num_rat_sub(Mutator *m, Value a, Value b) { return combine(m, num_int_sub, a, b); }

/* (N1/D1) * (N2/D2); both in lowest terms, D2 of either sign. */
static Value multiply(Mutator *m, Value n1, Value d1, Value n2, Value d2) {
    Value g1 = num_int_gcd(m, n1, d2), g2 = num_int_gcd(m, n2, d1);
    Value n = num_int_mul(m, num_int_exact_quotient(m, n1, g1), num_int_exact_quotient(m, n2, g2));
    Value d = num_int_mul(m, num_int_exact_quotient(m, d1, g2), num_int_exact_quotient(m, d2, g1));
    if (n == V_FAIL || d == V_FAIL) return V_FAIL;
    if (num_int_sign(d) < 0) {
        n = num_int_neg(m, n);
        d = num_int_neg(m, d);
    }
    return num_rat_new(m, n, d);
}

Value num_rat_mul(Mutator *m, Value a, Value b) {
    return multiply(m, num_rat_numerator(a), num_rat_denominator(a), num_rat_numerator(b),
                    num_rat_denominator(b));
}

Value num_rat_div(Mutator *m, Value a, Value b) {
    return multiply(m, num_rat_numerator(a), num_rat_denominator(a), num_rat_denominator(b),
                    num_rat_numerator(b));
}

/* ---- rounding ---- */

static double round_double(enum num_rounding mode, double d) {
    switch (mode) {
    case NUM_FLOOR: return floor(d);
    case NUM_CEILING: return ceil(d);
    case NUM_TRUNCATE: return trunc(d);
    case NUM_ROUND: return roundeven(d);
    }
    __builtin_unreachable();
}

static Value round_ratio(Mutator *m, enum num_rounding mode, Value a) {
    Value n = num_rat_numerator(a), d = num_rat_denominator(a), q, r;
    num_int_divide(m, mode == NUM_TRUNCATE ? NUM_TRUNCATE : NUM_FLOOR, n, d, &q, &r);
    bool up = mode == NUM_CEILING; /* a ratio is never an integer */
    if (mode == NUM_ROUND) {
        int order = num_int_compare(num_int_add(m, r, r), d);
        up = order > 0 || (order == 0 && num_is_odd(q));
    }
    return up ? num_int_add(m, q, v_fixnum(1)) : q;
}

Value num_round(Mutator *m, enum num_rounding mode, Value a, const char *who) {
    switch (num_kind(a)) {
    case KIND_FIXNUM:
    case KIND_BIGNUM: return a;
    case KIND_RATNUM: return round_ratio(m, mode, a);
    case KIND_FLONUM: return v_flonum(m, round_double(mode, flonum(a)));
    default: return num_wrong_type(m, who, 1, a);
    }
}

/* ---- parts ---- */

static Value part(Mutator *m, Value a, bool denominator, const char *who) {
    if (!num_is_rational(a)) return num_wrong_type(m, who, 1, a);
    bool inexact = is_flonum(a);
    Value exact = inexact ? num_exact_double(m, flonum(a)) : a;
    Value v = denominator ? num_rat_denominator(exact) : num_rat_numerator(exact);
    return inexact ? num_inexact(m, v) : v;
}

Value num_numerator(Mutator *m, Value a) { return part(m, a, false, "numerator"); }
Value num_denominator(Mutator *m, Value a) { return part(m, a, true, "denominator"); }

/* ---- the simplest rational in an interval ---- */

/* The simplest rational in [LOW, HIGH], 0 < LOW <= HIGH: walks the common start of the two
 * continued fractions and puts the last step on top. Its convergents are kept as p0/q0 and p1/q1,
 * so that no recursion is needed. */
static Value simplest(Mutator *m, Value low, Value high) {
    Value p0 = v_fixnum(0), q0 = v_fixnum(1), p1 = v_fixnum(1), q1 = v_fixnum(0);
    for (bool last = false; !last;) {
        Value whole = num_round(m, NUM_FLOOR, low, "rationalize");
        if (whole == V_FAIL) return V_FAIL;
        Value step = whole;
        if (num_is_exact_integer(low)) {
            last = true;
        } else if (num_compare(num_int_add(m, whole, v_fixnum(1)), high) <= 0) {
            step = num_int_add(m, whole, v_fixnum(1));
            last = true;
        }
        Value p2 = num_int_add(m, num_int_mul(m, step, p1), p0);
        Value q2 = num_int_add(m, num_int_mul(m, step, q1), q0);
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        if (last) break;
        Value next_low = num_rat_div(m, v_fixnum(1), num_rat_sub(m, high, whole));
        high = num_rat_div(m, v_fixnum(1), num_rat_sub(m, low, whole));
        low = next_low;
    }
    return num_rat_new(m, p1, q1);
}

/* X and Y exact; Y not negative. */
static Value rationalize_exact(Mutator *m, Value x, Value y) {
    Value low = num_rat_sub(m, x, y), high = num_rat_add(m, x, y);
    if (low == V_FAIL || high == V_FAIL) return V_FAIL;
    if (num_sign(low) > 0) return simplest(m, low, high);
    if (num_sign(high) >= 0) return v_fixnum(0);
    return num_neg(m, simplest(m, num_neg(m, high), num_neg(m, low)));
}

/* One of X and Y is infinite or NaN. */
static double rationalize_special(double x, double y) {
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(x)) return isinf(y) ? NAN : x;
    return 0.0;
}

Value num_rationalize(Mutator *m, Value x, Value y) {
    static const char who[] = "rationalize";
    if (!num_is_real(x) || !num_is_real(y)) return num_wrong_type2(m, who, x, y, KIND_COMPLEX);
    if (!num_is_finite(x) || !num_is_finite(y))
        return v_flonum(m, rationalize_special(num_to_double(x), num_to_double(y)));
    Value v = rationalize_exact(m, num_exact(m, x), num_abs(m, num_exact(m, y)));
    return v != V_FAIL && (is_flonum(x) || is_flonum(y)) ? num_inexact(m, v) : v;
}
