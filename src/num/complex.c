/* complex.c: rectangular complex numbers.
 *
 * The two parts are both exact or both flonums. An exact complex never has an exact zero as its
 * imaginary part (it would be a real); an inexact one may have 0.0 there. A real operand is not
 * widened to x+0.0i, which would spoil infinities and the signs of zeros: it meets the parts one by
 * one. Exact complex arithmetic is the schoolbook's; inexact products and quotients are the
 * compiler's, which keep to Annex G of the C standard. */
#include "num/internal.h"

static Value rectangular(Mutator *m, Value real, Value imag) {
    Object *o = gc_object(m, T_COMPLEX, 2);
    o->slot[0] = real;
    o->slot[1] = imag;
    return v_object(o);
}

Value num_cpx_new(Mutator *m, double complex z) {
    return rectangular(m, v_flonum(m, creal(z)), v_flonum(m, cimag(z)));
}

double complex num_to_complex(Value v) {
    return num_complex(num_to_double(num_real(v)), num_to_double(num_imag(v)));
}

Value num_make_rectangular(Mutator *m, Value real, Value imag) {
    if (!num_is_real(real) || !num_is_real(imag))
        return num_wrong_type2(m, "make-rectangular", real, imag, KIND_COMPLEX);
    if (imag == v_fixnum(0)) return real;
    if (is_flonum(real) || is_flonum(imag))
        return num_cpx_new(m, num_complex(num_to_double(real), num_to_double(imag)));
    return rectangular(m, real, imag);
}

static bool is_complex(Value v) { return is_type(v, T_COMPLEX); }

/* Makes a complex of two parts that were computed from others, one of which may have failed. */
static Value join(Mutator *m, Value real, Value imag) {
    return real == V_FAIL || imag == V_FAIL ? V_FAIL : num_make_rectangular(m, real, imag);
}

Value num_cpx_add(Mutator *m, Value a, Value b) {
    return join(m, num_add(m, num_real(a), num_real(b)), num_add(m, num_imag(a), num_imag(b)));
}

Value num_cpx_sub(Mutator *m, Value a, Value b) {
    return join(m, num_sub(m, num_real(a), num_real(b)), num_sub(m, num_imag(a), num_imag(b)));
}

Value num_cpx_mul(Mutator *m, Value a, Value b) {
    Value ar = num_real(a), ai = num_imag(a), br = num_real(b), bi = num_imag(b);
    if (!is_complex(a)) return join(m, num_mul(m, a, br), num_mul(m, a, bi));
    if (!is_complex(b)) return join(m, num_mul(m, ar, b), num_mul(m, ai, b));
    if (!num_is_exact(a) || !num_is_exact(b))
        return num_cpx_new(m, num_to_complex(a) * num_to_complex(b));
    return join(m, num_sub(m, num_mul(m, ar, br), num_mul(m, ai, bi)),
                num_add(m, num_mul(m, ar, bi), num_mul(m, ai, br)));
}

static Value norm_squared(Mutator *m, Value z) {
    Value real = num_real(z), imag = num_imag(z);
    return num_add(m, num_mul(m, real, real), num_mul(m, imag, imag));
}

Value num_cpx_div(Mutator *m, Value a, Value b) {
    if (!is_complex(b)) return join(m, num_div(m, num_real(a), b), num_div(m, num_imag(a), b));
    if (!num_is_exact(a) || !num_is_exact(b))
        return num_cpx_new(m, num_to_complex(a) / num_to_complex(b));
    Value conjugate = num_make_rectangular(m, num_real(b), num_neg(m, num_imag(b)));
    return num_div(m, num_mul(m, a, conjugate), norm_squared(m, b));
}

/* ---- parts ---- */

Value num_make_polar(Mutator *m, Value magnitude, Value angle) {
    if (!num_is_real(magnitude) || !num_is_real(angle))
        return num_wrong_type2(m, "make-polar", magnitude, angle, KIND_COMPLEX);
    if (angle == v_fixnum(0) || magnitude == v_fixnum(0)) return magnitude;
    double r = num_to_double(magnitude), phi = num_to_double(angle);
    return num_cpx_new(m, num_complex(r * cos(phi), r * sin(phi)));
}

Value num_real_part(Mutator *m, Value z) {
    return is_number(z) ? num_real(z) : num_wrong_type(m, "real-part", 1, z);
}

Value num_imag_part(Mutator *m, Value z) {
    return is_number(z) ? num_imag(z) : num_wrong_type(m, "imag-part", 1, z);
}

Value num_magnitude(Mutator *m, Value z) {
    if (!is_number(z)) return num_wrong_type(m, "magnitude", 1, z);
    if (!is_complex(z)) return num_abs(m, z);
    if (num_is_exact(z)) return num_sqrt(m, norm_squared(m, z));
    return v_flonum(m, cabs(num_to_complex(z)));
}

Value num_angle(Mutator *m, Value z) {
    if (!is_number(z)) return num_wrong_type(m, "angle", 1, z);
    if (is_complex(z)) return num_atan2(m, num_imag(z), num_real(z));
    if (is_flonum(z)) return v_flonum(m, atan2(0.0, flonum(z)));
    return num_sign(z) < 0 ? v_flonum(m, M_PI) : v_fixnum(0);
}
