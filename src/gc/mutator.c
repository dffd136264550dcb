/* How a primitive says that it failed. The message of mutator_fail_text becomes a Scheme string on
 * the failing thread, which may allocate because an allocation never collects. */
#include "base/base.h"
#include "gc/gc.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES = 500 };

static Value fail(Mutator *m, Failure f) {
    m->fail = f;
    return V_FAIL;
}

Value mutator_fail(Mutator *m, enum error_code code, const char *who, int position,
                   Value irritant) {
    return fail(m, (Failure){code, who, position, {irritant, V_DEFAULT}, V_DEFAULT});
}

Value mutator_fail2(Mutator *m, enum error_code code, const char *who, Value irritant1,
                    Value irritant2) {
    return fail(m, (Failure){code, who, 0, {irritant1, irritant2}, V_DEFAULT});
}

static Value string_of_utf8(Mutator *m, const char *s, size_t len) {
    uint32_t codes[TEXT_BYTES], all = 0;
    size_t n = 0;
    for (size_t i = 0; i < len; n++) {
        i += base_utf8_get(s + i, len - i, &codes[n]);
        if (codes[n] == BASE_UTF8_BAD) codes[n] = 0xfffd;
        all |= codes[n];
    }
    bool wide = all > 0xff;
    Object *data = gc_bytes(m, T_STRDATA, wide ? n * 4 : n, wide ? FLAG_WIDE : 0);
    if (wide)
        memcpy(data->slot, codes, n * 4);
    else
        for (size_t i = 0; i < n; i++) object_bytes(v_object(data))[i] = (uint8_t)codes[i];
    Object *string = gc_object(m, T_STRING, 2);
    string->slot[0] = v_object(data);
    string->slot[1] = v_fixnum((int64_t)n);
    return v_object(string);
}

Value mutator_fail_text(Mutator *m, enum error_code code, const char *who, Value irritant,
                        const char *format, ...) {
    char text[TEXT_BYTES + 1];
    va_list ap;
    va_start(ap, format);
    int len = vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (len < 0) len = 0;
    if (len > TEXT_BYTES) len = TEXT_BYTES;
    Value message = string_of_utf8(m, text, (size_t)len);
    return fail(m, (Failure){code, who, 0, {irritant, V_DEFAULT}, message});
}
