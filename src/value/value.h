/* value.h: the words that Scheme values are made of.
 *
 * A value is one 64-bit word. Its three low bits are its tag:
 *
 *   0        fixnum, 61 bits, value << 3
 *
 *   1, 4, 5  flonum: the double's bits rotated left by 4, plus 1 ("float self-tagging", Melançon,
 *            Feeley and Serrano, 2024). Its low bits then are the top bits of the exponent plus 1:
 *            |x| < 2^-767 (so zero), |x| in 2^-255..2, |x| in 2..2^257: nearly all doubles that
 *            programs meet. The rest (huge, infinities, NaN, some tiny) are FLONUM objects.
 *
 *   2        pair: address + 2 of two words; a pair has no header
 *
 *   3        object: address + 3 of a header word followed by its payload
 *
 *   6        immediate constants and characters
 *
 *   7        header word; in the first word of a moved pair: forwarding. Never a value's tag.
 *
 * A header is  size << 16 | flags << 8 | type << 3 | 7 ; what size counts is in layouts.def.
 * A raw pointer that is 8-byte aligned reads as a fixnum, so it may lie in any payload word.
 *
 * Everything here is pure and inline; none of it allocates. */
#ifndef HONE_VALUE_VALUE_H
#define HONE_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t Value; /* a tagged Scheme value */
typedef uint64_t Word;  /* a stack or payload word: a value, or a raw aligned pointer */

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum tag { TAG_FIXNUM = 0, TAG_PAIR = 2, TAG_OBJECT = 3, TAG_IMMEDIATE = 6, TAG_HEADER = 7 };
#define TAG_MASK    7u
#define TAG_OF(v)   ((unsigned)((v) & TAG_MASK))
#define FLONUM_TAGS 0x32u /* bits 1, 4 and 5 */

enum heap_type {
#define LAYOUT(type, name, kind) T_##type,
#include "value/layouts.def"
#undef LAYOUT
    T_COUNT
};
_Static_assert(T_COUNT <= 32, "five bits of a header hold the type");

/* ---- immediates ---- */
#define IMMEDIATE(n) (((Value)(n) << 8) | TAG_IMMEDIATE)
#define V_FALSE      IMMEDIATE(0)
#define V_TRUE       IMMEDIATE(1)
#define V_NIL        IMMEDIATE(2)
#define V_UNSPEC     IMMEDIATE(3) /* what set!, for-each and the like return */
#define V_EOF        IMMEDIATE(4)
#define V_DEFAULT    IMMEDIATE(5) /* an optional argument that was not given */
#define V_UNBOUND    IMMEDIATE(6) /* the content of a global that has no value yet */
#define V_UNDEFINED  IMMEDIATE(7) /* the content of a letrec variable before its initialisation */
#define V_FAIL       IMMEDIATE(8) /* the one result of a C primitive that failed, see gc/mutator.h */
#define V_EMPTY      IMMEDIATE(9) /* a free slot of a hash table */
#define V_DELETED    IMMEDIATE(10)

static inline bool is_true(Value v) { return v != V_FALSE; }
static inline Value v_bool(bool b) { return b ? V_TRUE : V_FALSE; }

#define CHAR_SUBTAG 0x0e /* tag 6, bit 3 set */
static inline bool is_char(Value v) { return (v & 0xff) == CHAR_SUBTAG; }
static inline Value v_char(uint32_t codepoint) { return ((Value)codepoint << 8) | CHAR_SUBTAG; }
static inline uint32_t char_code(Value v) { return (uint32_t)(v >> 8); }

/* ---- fixnums: -2^60 .. 2^60-1 ---- */
#define FIXNUM_MIN (-((int64_t)1 << 60))
#define FIXNUM_MAX (((int64_t)1 << 60) - 1)
static inline bool is_fixnum(Value v) { return TAG_OF(v) == TAG_FIXNUM; }
static inline bool both_fixnums(Value a, Value b) { return ((a | b) & TAG_MASK) == 0; }
static inline Value v_fixnum(int64_t n) { return (Value)n << 3; }
static inline int64_t fixnum(Value v) { return (int64_t)v >> 3; }
static inline bool fits_fixnum(int64_t n) { return n >= FIXNUM_MIN && n <= FIXNUM_MAX; }

/* ---- immediate flonums ---- */
static inline bool is_immediate_flonum(Value v) { return (FLONUM_TAGS >> TAG_OF(v)) & 1; }
static inline double immediate_flonum(Value v) {
    uint64_t bits = v - 1;
    bits = (bits >> 4) | (bits << 60);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
/* The word for D, which is a value only if is_immediate_flonum() says so of it. */
static inline Value flonum_word(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return ((bits << 4) | (bits >> 60)) + 1;
}

/* ---- pairs ---- */
typedef struct Pair {
    Value car, cdr;
} Pair;
static inline bool is_pair(Value v) { return TAG_OF(v) == TAG_PAIR; }
static inline Pair *pair_of(Value v) { return (Pair *)(v - TAG_PAIR); }
static inline Value v_pair(Pair *p) { return (Value)p + TAG_PAIR; }
static inline Value car(Value v) { return pair_of(v)->car; }
static inline Value cdr(Value v) { return pair_of(v)->cdr; }

/* ---- objects with a header ---- */
typedef struct Object {
    Word header;
    Word slot[]; /* WORDS layouts; BYTES layouts use object_bytes() */
} Object;

#define FLAG_IMMUTABLE (1u << 8)  /* literal strings, pairs' containers: mutation is an error */
#define FLAG_WIDE      (1u << 9)  /* STRDATA: four bytes a character */
#define FLAG_NEGATIVE  (1u << 9)  /* BIGNUM */
#define FLAG_GC        (1u << 15) /* the collector's own */

static inline Word make_header(enum heap_type type, uint64_t size, unsigned flags) {
    return size << 16 | flags | (unsigned)type << 3 | TAG_HEADER;
}
static inline enum heap_type header_type(Word h) { return (enum heap_type)(h >> 3 & 31); }
static inline uint64_t header_size(Word h) { return h >> 16; }

static inline bool is_object(Value v) { return TAG_OF(v) == TAG_OBJECT; }
static inline Object *object_of(Value v) { return (Object *)(v - TAG_OBJECT); }
static inline Value v_object(Object *o) { return (Value)o + TAG_OBJECT; }
static inline bool is_type(Value v, enum heap_type type) {
    return is_object(v) && (object_of(v)->header & 0xff) == ((unsigned)type << 3 | TAG_HEADER);
}
static inline bool is_heap(Value v) { return is_pair(v) || is_object(v); }
static inline uint64_t object_size(Value v) { return header_size(object_of(v)->header); }
static inline Word *object_slots(Value v) { return object_of(v)->slot; }
static inline uint8_t *object_bytes(Value v) { return (uint8_t *)object_of(v)->slot; }
static inline bool has_flag(Value v, unsigned flag) { return (object_of(v)->header & flag) != 0; }
static inline void *raw_pointer(Word w) { return (void *)w; }

static inline bool is_proc(Value v) { return is_type(v, T_PROC); }
static inline bool is_vector(Value v) { return is_type(v, T_VECTOR); }
static inline bool is_bytevector(Value v) { return is_type(v, T_BYTEVECTOR); }
static inline bool is_string(Value v) { return is_type(v, T_STRING); }
static inline bool is_symbol(Value v) { return is_type(v, T_SYMBOL); }
static inline bool is_record(Value v) { return is_type(v, T_RECORD); }

static inline bool is_flonum(Value v) { return is_immediate_flonum(v) || is_type(v, T_FLONUM); }
static inline double flonum(Value v) {
    if (likely(is_immediate_flonum(v))) return immediate_flonum(v);
    double d;
    memcpy(&d, object_bytes(v), sizeof d);
    return d;
}
static inline bool is_number(Value v) {
    return is_fixnum(v) || is_immediate_flonum(v) ||
           (is_object(v) && header_type(object_of(v)->header) >= T_FLONUM &&
            header_type(object_of(v)->header) <= T_COMPLEX);
}

/* OPAQUE objects: a C structure with an owner. */
enum opaque_kind {
    OPAQUE_THREAD,
    OPAQUE_MUTEX,
    OPAQUE_CONDVAR,
    OPAQUE_ENVIRONMENT,
    OPAQUE_FIBER,
    OPAQUE_CHANNEL,
    OPAQUE_CONDITION,
    OPAQUE_KINDS
};
static inline bool is_opaque(Value v, enum opaque_kind kind) {
    return is_type(v, T_OPAQUE) && object_slots(v)[0] == v_fixnum(kind);
}

/* The layout's printed name ("vector"), for messages and the verifier. Static storage. */
const char *value_type_name(enum heap_type type);

#endif
