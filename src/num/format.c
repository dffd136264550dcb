/* format.c: numbers as text. */
#include "num/internal.h"
#include "base/base.h"

/* ---- flonums ---- */

/* Writes the decimal digits of N at OUT; returns how many. */
static int put_digits(uint64_t n, char *out) {
    char reversed[20];
    int length = 0;
    do reversed[length++] = (char)('0' + n % 10);
    while (n /= 10);
    for (int i = 0; i < length; i++) out[i] = reversed[length - 1 - i];
    return length;
}

/* 123 and -2 as "1.23", 12 and 3 as "12000.0", 5 and -3 as "0.005". */
static char *put_positional(const char *digits, int length, int exponent, char *out) {
    int whole = length + exponent; /* digits before the point */
    if (whole <= 0) {
        *out++ = '0';
        *out++ = '.';
        memset(out, '0', (size_t)-whole);
        out += -whole;
        memcpy(out, digits, (size_t)length);
        return out + length;
    }
    int shown = whole < length ? whole : length;
    memcpy(out, digits, (size_t)shown);
    memset(out + shown, '0', (size_t)(whole - shown));
    out += whole;
    *out++ = '.';
    if (shown == length) {
        *out++ = '0';
        return out;
    }
    memcpy(out, digits + shown, (size_t)(length - shown));
    return out + length - shown;
}

/* "1.23e-9" */
static char *put_scientific(const char *digits, int length, int exponent, char *out) {
    out = put_positional(digits, length, 1 - length, out);
    exponent += length - 1;
    *out++ = 'e';
    if (exponent < 0) *out++ = '-';
    return out + put_digits((uint64_t)abs(exponent), out);
}

size_t num_format_double(double d, char out[40]) {
    const char *special = isnan(d) ? "+nan.0" : isinf(d) ? (d < 0 ? "-inf.0" : "+inf.0") : NULL;
    if (special) {
        strcpy(out, special);
        return strlen(out);
    }
    char *p = out, digits[20];
    if (signbit(d)) *p++ = '-';
    Decimal decimal = num_shortest(fabs(d));
    int length = put_digits(decimal.digits, digits);
    int whole = length + decimal.exponent;
    bool positional = whole > -6 && whole <= 21;
    p = (positional ? put_positional : put_scientific)(digits, length, decimal.exponent, p);
    *p = '\0';
    return (size_t)(p - out);
}

/* ---- the others ---- */

static void put_integer(base_buf *out, Value v, int radix) {
    if (is_fixnum(v) && radix == 10) {
        char digits[24];
        int64_t n = fixnum(v);
        if (n < 0) base_buf_putc(out, '-');
        base_buf_add(out, digits, (size_t)put_digits((uint64_t)(n < 0 ? -n : n), digits));
        return;
    }
    Int i;
    mpz_t z;
    num_view(v, &i);
    num_mpz(&i, z);
    char *text = base_alloc(mpz_sizeinbase(z, radix) + 2);
    base_buf_puts(out, mpz_get_str(text, radix, z));
    free(text);
}

static void put_real(base_buf *out, Value v, int radix) {
    if (is_flonum(v)) {
        char text[40];
        base_buf_add(out, text, num_format_double(flonum(v), text));
        return;
    }
    put_integer(out, num_rat_numerator(v), radix);
    if (!is_type(v, T_RATNUM)) return;
    base_buf_putc(out, '/');
    put_integer(out, num_rat_denominator(v), radix);
}

static void put_imaginary(base_buf *out, Value v, int radix) {
    size_t start = out->len;
    put_real(out, v, radix);
    if (v == v_fixnum(1) || v == v_fixnum(-1)) { /* +i, -i */
        out->len = start;
        base_buf_putc(out, v == v_fixnum(1) ? '+' : '-');
    } else if (out->at[start] != '-' && out->at[start] != '+') {
        base_buf_putc(out, '+');
        memmove(out->at + start + 1, out->at + start, out->len - start - 1);
        out->at[start] = '+';
    }
    base_buf_putc(out, 'i');
}

char *num_format(Mutator *m, Value v, int radix) {
    static const char who[] = "number->string";
    bool failed = true;
    if (!is_number(v))
        num_wrong_type(m, who, 1, v);
    else if (radix < 2 || radix > 36 || (radix != 10 && !num_is_exact(v)))
        mutator_fail(m, ERR_RANGE, who, 2, v_fixnum(radix));
    else
        failed = false;
    if (failed) return NULL;
    base_buf out = {0};
    Value real = num_real(v);
    if (real != v_fixnum(0) || v == v_fixnum(0)) put_real(&out, real, radix);
    if (is_type(v, T_COMPLEX)) put_imaginary(&out, num_imag(v), radix);
    return base_buf_take(&out);
}
