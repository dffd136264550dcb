/* frame.h: frames and their one description.
 *
 * Scheme code runs on a stack of our own that grows up. A frame is [slot 0, slot 1, ...,
 * descriptor]: the last word of each complete frame points to its FrameDesc, so that the stack
 * below an address SP is walked by d = sp[-1]; sp -= d->size. The collector, the backtrace, the
 * sampler and the interpreter's return all read that one record.
 *
 * A callee finds the return descriptor of its caller at sp[-1], itself (the closure) at sp[0] and
 * its arguments from sp[1]. */
#ifndef HONE_RT_FRAME_H
#define HONE_RT_FRAME_H

#include "rt/site.h"
#include "value/value.h"

struct Thread;
struct Code;

/* The calling rules of native code. All its functions have this one signature, so that each may
 * tail-call each: eight words in registers, of which a callee reads as many as it knows of, the
 * frame's start R, the thread. */
#if defined(__has_attribute)
#if __has_attribute(preserve_none) && __has_attribute(musttail)
#define NATIVE_CALL __attribute__((preserve_none))
#define NATIVE_TAIL __attribute__((musttail)) return
#endif
#endif
#ifndef NATIVE_CALL
#define NATIVE_CALL
#define NATIVE_TAIL return
#endif
#define NATIVE_PARAMETERS                                                                          \
    Word a0, Word *r, struct Thread *t, Word a1, Word a2, Word a3, Word a4, Word a5, Word a6,      \
        Word a7
typedef NATIVE_CALL Value (*NativeFn)(NATIVE_PARAMETERS);

enum frame_kind {
    FRAME_CODE,      /* interpreted: goes on at PC, the result in the descriptor's own slot */
    FRAME_UNDERFLOW, /* the bottom of a slice: the rest of the stack is the thread's CONT chain */
    FRAME_CALL,      /* a procedure and its arguments: a return to it calls it */
    FRAME_HALT,      /* the bottom of a thread's stack */
    FRAME_FIBER,     /* the bottom of a fiber's stack: a return to it ends the fiber */
};

typedef struct FrameDesc {
    enum frame_kind kind;
    uint32_t size;      /* words of the frame, with this descriptor's */
    uint32_t room;      /* words from the frame's start that its code may use once it goes on; at
                           most SIZE where 0 */
    uint64_t *live;     /* bit i: slot i holds a live value; computed at first need (vm_frame_live);
                           read through rt_frame_live */
    const uint64_t *pc; /* FRAME_CODE: the next instruction */
    struct Code *code;
    const Site *site; /* of the call, or of the instruction that a poll or a failure stands at */
    NativeFn resume;  /* where native code returns a value to, in A0; R is the frame's end */
} FrameDesc;

/* Returns A0 to a frame that is not native: RESUME of all others. VM/ sets what it does. */
NATIVE_CALL Value rt_native_return(NATIVE_PARAMETERS);
extern NativeFn rt_on_native_return;

extern const FrameDesc rt_frame_underflow, rt_frame_halt, rt_frame_fiber;

static inline const FrameDesc *frame_desc(const Word *sp) { return (const FrameDesc *)sp[-1]; }

#endif
