/* dynamic.c: the dynamic state of a thread, as primitives. Its meaning is lib/hone/base's affair.
 */
#include "rt/rt.h"

#define STATE(field)                                                                               \
    PRIM_FN(prim_dyn_##field) {                                                                    \
        (void)a, (void)n;                                                                          \
        return rt_thread(m)->field;                                                                \
    }                                                                                              \
    PRIM_FN(prim_set_dyn_##field) {                                                                \
        (void)n;                                                                                   \
        rt_thread(m)->field = a[0];                                                                \
        return V_UNSPEC;                                                                           \
    }
STATE(handlers)
STATE(params)
STATE(winders)
