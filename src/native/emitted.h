/* emitted.h: what the C that native/ writes is written in. */
#ifndef HONE_NATIVE_EMITTED_H
#define HONE_NATIVE_EMITTED_H

#include "native/native.h"
#include "rt/inline.h"
#include "vm/native.h"

/* What a register holds that its reader does not look at. Each use is a word of its own, so that
 * the compiler leaves the register as it is. */
INLINE Word any_word(void) {
    Word w;
    __asm__ volatile("" : "=r"(w));
    return w;
}
#define ANY                              any_word()
#define ARGS0(r)                         ANY, r, t, ANY, ANY, ANY, ANY, ANY, ANY, ANY
#define ARGS1(r, a)                      a, r, t, ANY, ANY, ANY, ANY, ANY, ANY, ANY
#define ARGS2(r, a, b)                   a, r, t, b, ANY, ANY, ANY, ANY, ANY, ANY
#define ARGS3(r, a, b, c)                a, r, t, b, c, ANY, ANY, ANY, ANY, ANY
#define ARGS4(r, a, b, c, d)             a, r, t, b, c, d, ANY, ANY, ANY, ANY
#define ARGS5(r, a, b, c, d, e)          a, r, t, b, c, d, e, ANY, ANY, ANY
#define ARGS6(r, a, b, c, d, e, f)       a, r, t, b, c, d, e, f, ANY, ANY
#define ARGS7(r, a, b, c, d, e, f, g)    a, r, t, b, c, d, e, f, g, ANY
#define ARGS8(r, a, b, c, d, e, f, g, h) a, r, t, b, c, d, e, f, g, h

#define FUNCTION(name) NATIVE_CALL Value name(NATIVE_PARAMETERS)

#define RETURN(v)                                                                                  \
    do {                                                                                           \
        Value returned = (v);                                                                      \
        NATIVE_TAIL frame_desc(r)->resume(ARGS1(r, returned));                                     \
    } while (0)
/* Calls the procedure SP[0] with N arguments from SP[1]. */
#define ENTER(sp, n)                                                                               \
    do {                                                                                           \
        Word *base = (sp);                                                                         \
        if (likely(is_proc(base[0]))) {                                                            \
            const Code *code = proc_code(base[0]);                                                 \
            if (likely(code->exact_args == (n) && base + code->frame_words <= rt_limit(t)))        \
                NATIVE_TAIL code->native(ARGS0(base));                                             \
        }                                                                                          \
        NATIVE_TAIL vm_native_enter(ARGS1(base, (n)));                                             \
    } while (0)
#define FAIL(desc)            NATIVE_TAIL vm_native_raise(ARGS1(r, (Word)(desc)))
#define FAIL_UNBOUND(desc, g) NATIVE_TAIL vm_native_unbound(ARGS2(r, (Word)(desc), (Word)(g)))
#define FAIL_UNDEFINED(desc)  NATIVE_TAIL vm_native_undefined(ARGS1(r, (Word)(desc)))
/* The safe point of the frame of SIZE words, complete. */
#define POLL(size, room) NATIVE_TAIL vm_native_poll(ARGS1(r + (size), (room)))
#define TRIPPED(room)    unlikely(r + (room) >= rt_limit(t))

/* Whether the procedure entered at R comes from its safe point right now. It may be another one's
 * that was at the same place: then one beat is passed by, but never the want of room. */
INLINE bool just_polled(Thread *t, const Word *r, size_t room) {
    if (t->native_polled != r) return false;
    t->native_polled = NULL;
    return r + room <= t->real_limit;
}

#define FIX(n)               v_fixnum(n)
#define RESUME_AT(size, f)   {(Insn)OP_RESUME | (Insn)(size) << 32, (Insn)(f)}
#define ENTER_AT(f)          {(Insn)OP_NATIVE, (Insn)(f)}
#define PRIMITIVE(f, n, ...) f(&t->m, (const Value[]){__VA_ARGS__}, (n))
/* A primitive that may run long: the sample of a beat that came meanwhile is its. */
#define LONG_PRIMITIVE(id, f, n, ...)                                                              \
    ({                                                                                             \
        bool before = r >= rt_limit(t);                                                            \
        Value result = f(&t->m, (const Value[]){__VA_ARGS__}, (n));                                \
        if (unlikely(r >= rt_limit(t)) && !before) t->long_primitive = &rt_prims[id];              \
        result;                                                                                    \
    })

#define ARITHMETIC(name)                                                                           \
    INLINE Value arith_##name(Thread *t, const Word *r, Value a, Value b) {                        \
        Value v = inline_##name(a, b);                                                             \
        return likely(v != V_FAIL) ? v : vm_native_##name(t, r, a, b);                             \
    }
ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)
ARITHMETIC(div)
#undef ARITHMETIC
INLINE Value make_box(Thread *t, Value v) {
    Object *o = gc_object(&t->m, T_CELL, 1);
    o->slot[0] = v;
    return v_object(o);
}
#define MAKE_PROC(code, n, ...) make_proc(t, (Word)(code), (n), (const Value[]){__VA_ARGS__})
INLINE Value make_proc(Thread *t, Word code, int n, const Value *captured) {
    Object *o = gc_object(&t->m, T_PROC, (uint64_t)n + 1);
    o->slot[0] = code;
    for (int i = 0; i < n; i++) o->slot[1 + i] = captured[i];
    return v_object(o);
}
INLINE Value read_field(Thread *t, Value x, Value rtd, int i) {
    if (likely(rt_record_is(x, rtd))) return object_slots(x)[1 + i];
    return vm_note_wrong_record(t, x, rtd);
}
INLINE Value set_field(Thread *t, Value x, Value rtd, int i, Value v) {
    if (unlikely(!rt_record_is(x, rtd))) return vm_note_wrong_record(t, x, rtd);
    gc_write(&t->m, &object_slots(x)[1 + i], v);
    return V_UNSPEC;
}

/* ---- tables ---- */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DESC(words, needs, live_at, number, site_number, f)                                        \
    {.kind = FRAME_CODE,                                                                           \
     .room = (needs),                                                                              \
     .size = (words),                                                                              \
     .live = &live[live_at],                                                                       \
     .pc = resumes[number],                                                                        \
     .site = &sites[site_number],                                                                  \
     .resume = (f)}
#define CODE(number, arguments, takes_rest, needs, info_number, site_number, f)                    \
    {.insns = entries[number],                                                                     \
     .exact_args = (takes_rest) ? -1 : (arguments),                                                \
     .frame_words = (needs),                                                                       \
     .kind = CODE_INTERPRETED,                                                                     \
     .required = (arguments),                                                                      \
     .rest = (takes_rest),                                                                         \
     .info = &infos[info_number],                                                                  \
     .site = &sites[site_number],                                                                  \
     .native = (f)}
#define CASE(number, count, info_number, site_number)                                              \
    {.exact_args = -1,                                                                             \
     .kind = CODE_CASE,                                                                            \
     .info = &infos[info_number],                                                                  \
     .site = &sites[site_number],                                                                  \
     .clauses = case_##number,                                                                     \
     .clause_count = (count)}

#endif
