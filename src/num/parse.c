/* parse.c: the <num R> of R7RS from text.
 *
 * One pass over the text with a cursor; nothing is copied but long digit strings. Decimal fractions
 * are rounded once: where the digits and the power of ten are both exact doubles, one
 * multiplication or division does it (Clinger's fast path); else the C library's strtod in the "C"
 * locale, which is correctly rounded, gets a terminated copy of the text. Under #e the same digits
 * become an exact ratio and never pass through a double.
 *
 * Text that is no number, or names an exact number without value (1/0, #e+inf.0) or beyond all
 * measure (#e1e99999999), gives V_FALSE. */
#include "num/internal.h"
#include <locale.h>
#include <pthread.h>
#include "base/base.h"

enum {
    EXPONENT_LIMIT = 1000000
}; /* of an exact decimal: the power's text would have so many digits */

typedef struct Parser {
    Mutator *m;
    const char *at, *end;
    int radix;
    char exactness; /* 'e', 'i', or 0: as written */
} Parser;

/* ---- characters ---- */

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (unsigned char)c; }

static int digit_value(char c, int radix) { /* -1: none */
    int l = lower(c);
    int value = l >= '0' && l <= '9' ? l - '0' : l >= 'a' && l <= 'z' ? l - 'a' + 10 : -1;
    return value < radix ? value : -1;
}

static int peek(const Parser *p) { return p->at < p->end ? lower(*p->at) : -1; }

static bool accept(Parser *p, char c) {
    if (peek(p) != c) return false;
    p->at++;
    return true;
}

static bool accept_word(Parser *p, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length) return false;
    for (size_t i = 0; i < length; i++)
        if (lower(p->at[i]) != word[i]) return false;
    p->at += length;
    return true;
}

static size_t skip_digits(Parser *p) {
    const char *start = p->at;
    while (p->at < p->end && digit_value(*p->at, p->radix) >= 0) p->at++;
    return (size_t)(p->at - start);
}

/* ---- digits to integers ---- */

/* The integer of the digits in TEXT, in which one point is passed over. */
static Value integer_of(Mutator *m, const char *text, size_t length, int radix) {
    static const uint64_t safe = (uint64_t)FIXNUM_MAX / 36 - 1; /* one more digit still fits */
    uint64_t n = 0;
    size_t i = 0;
    for (; i < length && n <= safe; i++)
        if (text[i] != '.') n = n * (unsigned)radix + (unsigned)digit_value(text[i], radix);
    if (i == length) return v_fixnum((int64_t)n);

    unsigned char *digits = base_alloc(length);
    size_t count = 0;
    for (i = 0; i < length; i++)
        if (text[i] != '.') digits[count++] = (unsigned char)digit_value(text[i], radix);
    size_t leading = 0;
    while (leading < count - 1 && digits[leading] == 0) leading++;
    /* A digit of radix 36 has 5.17 bits; mpn_set_str wants one limb more than the result has. */
    double bits_per_digit = log2(radix);
    mp_size_t limbs = (mp_size_t)((double)(count - leading) * bits_per_digit / 64) + 2;
    Value v = V_FALSE;
    if (limbs <= num_max_limbs()) {
        Object *o = num_big_new(m, limbs);
        mp_size_t used = (mp_size_t)mpn_set_str(o->slot, digits + leading, count - leading, radix);
        v = num_big_finish(m, o, used, false);
    }
    free(digits);
    return v;
}

/* ---- decimal fractions ---- */

typedef struct Fraction {
    const char *start, *end;        /* the whole text */
    const char *digits_end, *point; /* of the mantissa; point NULL: none */
    int64_t exponent;               /* as written, cut to +-10^9 */
} Fraction;

static int64_t scale_of(const Fraction *f) { /* the number is (digits without point) * 10^scale */
    return f->exponent - (f->point ? f->digits_end - f->point - 1 : 0);
}

static locale_t c_locale;
static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static double decimal_by_library(const Fraction *f) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_c_locale);
    char small[128];
    size_t length = (size_t)(f->end - f->start);
    char *text = length < sizeof small ? small : base_alloc(length + 1);
    memcpy(text, f->start, length);
    text[length] = '\0';
    double d = strtod_l(text, NULL, c_locale);
    if (text != small) free(text);
    return d;
}

static double decimal_double(const Fraction *f) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const uint64_t exact = (uint64_t)1 << 53;
    uint64_t n = 0;
    for (const char *p = f->start; p < f->digits_end && n <= exact; p++)
        if (*p != '.') n = n * 10 + (uint64_t)(*p - '0');
    int64_t scale = scale_of(f);
    if (n > exact || scale < -22 || scale > 22) return decimal_by_library(f);
    return scale < 0 ? (double)n / power[-scale] : (double)n * power[scale];
}

static Value decimal_exact(Mutator *m, const Fraction *f) {
    Value n = integer_of(m, f->start, (size_t)(f->digits_end - f->start), 10);
    int64_t scale = scale_of(f);
    if (n == V_FALSE || n == v_fixnum(0)) return n;
    if (scale > EXPONENT_LIMIT || scale < -EXPONENT_LIMIT) return V_FALSE;
    Value power = num_int_power(m, v_fixnum(10), (uint64_t)llabs(scale), "string->number");
    return scale < 0 ? num_rat_make(m, n, power) : num_int_mul(m, n, power);
}

/* The rest of an exponent behind its e: false if there is none. */
static bool exponent_of(Parser *p, int64_t *out) {
    bool negative = accept(p, '-');
    if (!negative) accept(p, '+');
    const char *start = p->at;
    if (skip_digits(p) == 0) return false;
    int64_t n = 0;
    for (const char *d = start; d < p->at && n < 1000000000; d++) n = n * 10 + (*d - '0');
    *out = negative ? -n : n;
    return true;
}

/* ---- reals ---- */

/* <ureal R>, or the digits at least: the cursor stands behind them. V_FALSE: none. */
static Value unsigned_real(Parser *p) {
    const char *start = p->at;
    size_t whole = skip_digits(p);
    if (whole && accept(p, '/')) {
        const char *bottom = p->at;
        if (skip_digits(p) == 0) return V_FALSE;
        Value n = integer_of(p->m, start, whole, p->radix);
        Value d = integer_of(p->m, bottom, (size_t)(p->at - bottom), p->radix);
        if (n == V_FALSE || d == V_FALSE || d == v_fixnum(0)) return V_FALSE;
        return num_rat_make(p->m, n, d);
    }
    Fraction f = {.start = start};
    if (p->radix == 10 && accept(p, '.')) f.point = p->at - 1;
    size_t fraction = f.point ? skip_digits(p) : 0;
    f.digits_end = p->at;
    if (whole + fraction == 0) return V_FALSE;
    bool exponent = p->radix == 10 && accept(p, 'e');
    if (exponent && !exponent_of(p, &f.exponent)) return V_FALSE;
    f.end = p->at;
    if (!f.point && !exponent) return integer_of(p->m, start, whole, p->radix);
    if (p->exactness == 'e') return decimal_exact(p->m, &f);
    return v_flonum(p->m, decimal_double(&f));
}

/* <real R>; *SIGNED tells whether it began with a sign. V_FALSE: none. */
static Value real(Parser *p, bool *is_signed) {
    bool negative = peek(p) == '-';
    *is_signed = negative || peek(p) == '+';
    if (*is_signed) p->at++;
    Value v;
    if (*is_signed && accept_word(p, "inf.0"))
        v = p->exactness == 'e' ? V_FALSE : v_flonum(p->m, INFINITY);
    else if (*is_signed && accept_word(p, "nan.0"))
        v = p->exactness == 'e' ? V_FALSE : v_flonum(p->m, NAN);
    else
        v = unsigned_real(p);
    if (v == V_FALSE || v == V_FAIL) return V_FALSE;
    if (p->exactness == 'i') v = num_inexact(p->m, v);
    return negative ? num_neg(p->m, v) : v;
}

/* ---- complex ---- */

/* "i" at the very end. */
static bool ends_imaginary(Parser *p) { return accept(p, 'i') && p->at == p->end; }

/* "+i" and "-i" at the very end, which have no digits. *OUT: 1 or -1. */
static bool unit_imaginary(Parser *p, Value *out) {
    if (p->end - p->at != 2 || lower(p->at[1]) != 'i') return false;
    if (*p->at != '+' && *p->at != '-') return false;
    Value v = v_fixnum(*p->at == '-' ? -1 : 1);
    p->at = p->end;
    *out = p->exactness == 'i' ? num_inexact(p->m, v) : v;
    return true;
}

static Value complex_number(Parser *p) {
    bool is_signed;
    Value imag;
    if (unit_imaginary(p, &imag)) return num_make_rectangular(p->m, v_fixnum(0), imag);
    Value first = real(p, &is_signed);
    if (first == V_FALSE || p->at == p->end) return first;
    if (accept(p, '@')) {
        Value angle = real(p, &is_signed);
        if (angle == V_FALSE || p->at != p->end) return V_FALSE;
        Value z = num_make_polar(p->m, first, angle);
        return p->exactness == 'e' ? num_exact(p->m, z) : z;
    }
    if (is_signed && ends_imaginary(p)) return num_make_rectangular(p->m, v_fixnum(0), first);
    if (peek(p) != '+' && peek(p) != '-') return V_FALSE;
    if (!unit_imaginary(p, &imag)) {
        imag = real(p, &is_signed);
        if (imag == V_FALSE || !ends_imaginary(p)) return V_FALSE;
    }
    return num_make_rectangular(p->m, first, imag);
}

/* ---- prefixes ---- */

/* #b #o #d #x #e #i, one of each sort at most. False: something else behind a #. */
static bool prefixes(Parser *p) {
    bool radix_given = false;
    while (accept(p, '#')) {
        int c = peek(p);
        p->at += c >= 0;
        if (c == 'e' || c == 'i') {
            if (p->exactness) return false;
            p->exactness = (char)c;
            continue;
        }
        if (radix_given) return false;
        radix_given = true;
        p->radix = c == 'b' ? 2 : c == 'o' ? 8 : c == 'd' ? 10 : c == 'x' ? 16 : 0;
        if (!p->radix) return false;
    }
    return true;
}

Value num_parse(Mutator *m, const char *text, size_t length, int radix) {
    Parser p = {.m = m, .at = text, .end = text + length, .radix = radix};
    if (!prefixes(&p) || p.at == p.end) return V_FALSE;
    Value v = complex_number(&p);
    return v == V_FAIL ? V_FALSE : v;
}
