/* Strings: making them, their text, order and hash. The primitives are in string_prims.c and its
 * neighbours.
 *
 * Width: a fresh string is as narrow as its characters allow; string-set! widens and nothing ever
 * narrows. So equal strings may differ in width, and everything here compares and hashes
 * characters, not bytes. */
#include "rt/string.h"
#include "base/base.h"

Value rt_string_alloc(Mutator *m, int64_t length, bool wide) {
    uint64_t bytes = wide ? (uint64_t)length * 4 : (uint64_t)length;
    Object *data = gc_bytes(m, T_STRDATA, bytes, wide ? FLAG_WIDE : 0);
    Object *s = gc_object(m, T_STRING, 2);
    s->slot[0] = v_object(data);
    s->slot[1] = v_fixnum(length);
    return v_object(s);
}

/* The number of leading bytes that are ASCII. */
static size_t ascii_prefix(const char *text, size_t bytes) {
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t chunk;
        memcpy(&chunk, text + i, 8);
        if (chunk & 0x8080808080808080u) break;
    }
    while (i < bytes && !(text[i] & 0x80)) i++;
    return i;
}

Value rt_string_new(Mutator *m, const char *utf8, size_t bytes) {
    size_t ascii = ascii_prefix(utf8, bytes);
    int64_t count = (int64_t)ascii;
    bool wide = false;
    for (size_t i = ascii; i < bytes; i++) {
        unsigned char b = (unsigned char)utf8[i];
        count += (b & 0xc0) != 0x80;
        wide |= b > 0xc3; /* lead bytes up to C3 stand for characters up to FF */
    }
    Value s = rt_string_alloc(m, count, wide);
    Value data = rt_string_data(s);
    if (!wide) {
        memcpy(object_bytes(data), utf8, ascii);
        if (ascii == bytes) return s;
    } else {
        for (size_t i = 0; i < ascii; i++) rt_data_set(data, (int64_t)i, (unsigned char)utf8[i]);
    }
    int64_t at = (int64_t)ascii;
    for (size_t i = ascii; i < bytes && at < count;) {
        uint32_t c;
        i += base_utf8_get(utf8 + i, bytes - i, &c);
        rt_data_set(data, at++, c);
    }
    return s;
}

Value rt_string_from_c(Mutator *m, const char *utf8) {
    return rt_string_new(m, utf8, strlen(utf8));
}

Value rt_string_from_system(Mutator *m, const char *text) {
    size_t bytes = strlen(text);
    if (base_utf8_valid(text, bytes, NULL)) return rt_string_new(m, text, bytes);
    base_buf sound = {0};
    for (size_t i = 0; i < bytes;) {
        uint32_t c;
        i += base_utf8_get(text + i, bytes - i, &c);
        base_buf_utf8(&sound, c); /* writes U+FFFD for what is none */
    }
    Value s = rt_string_new(m, sound.at, sound.len);
    base_buf_free(&sound);
    return s;
}

Value rt_string_from_codes(Mutator *m, const uint32_t *codes, int64_t count) {
    uint32_t all = 0;
    for (int64_t i = 0; i < count; i++) all |= codes[i];
    Value s = rt_string_alloc(m, count, all > 0xff);
    Value data = rt_string_data(s);
    for (int64_t i = 0; i < count; i++) rt_data_set(data, i, codes[i]);
    return s;
}

void rt_data_copy(Value to, int64_t at, Value from, int64_t start, int64_t count) {
    if (count <= 0) return;
    bool wide = rt_data_wide(to);
    if (wide == rt_data_wide(from)) {
        size_t size = wide ? 4 : 1;
        memmove(object_bytes(to) + (size_t)at * size, object_bytes(from) + (size_t)start * size,
                (size_t)count * size);
    } else {
        for (int64_t i = 0; i < count; i++) rt_data_set(to, at + i, rt_data_ref(from, start + i));
    }
}

uint32_t rt_data_widest(Value data, int64_t start, int64_t end) {
    if (!rt_data_wide(data)) return start < end ? 0xff : 0;
    const uint32_t *codes = (const uint32_t *)object_bytes(data);
    uint32_t most = 0;
    for (int64_t i = start; i < end; i++) most = codes[i] > most ? codes[i] : most;
    return most;
}

Value rt_substring(Mutator *m, Value s, int64_t start, int64_t end) {
    Value from = rt_string_data(s);
    bool wide = rt_data_wide(from) && rt_data_widest(from, start, end) > 0xff;
    Value out = rt_string_alloc(m, end - start, wide);
    rt_data_copy(rt_string_data(out), 0, from, start, end - start);
    return out;
}

void rt_string_widen(Mutator *m, Value s, uint32_t c) {
    Value old = rt_string_data(s);
    if (c <= 0xff || rt_data_wide(old)) return;
    int64_t length = rt_string_length(s);
    Value data = v_object(gc_bytes(m, T_STRDATA, (uint64_t)length * 4, FLAG_WIDE));
    rt_data_copy(data, 0, old, 0, length);
    gc_write(m, &object_slots(s)[0], data);
}

/* ---- text ---- */

static void encode_narrow(base_buf *out, const char *text, size_t bytes) {
    while (bytes) {
        size_t ascii = ascii_prefix(text, bytes);
        base_buf_add(out, text, ascii);
        for (; ascii < bytes && text[ascii] & 0x80; ascii++)
            base_buf_utf8(out, (unsigned char)text[ascii]);
        text += ascii;
        bytes -= ascii;
    }
}

void rt_string_encode(base_buf *out, Value s, int64_t start, int64_t end) {
    Value data = rt_string_data(s);
    if (!rt_data_wide(data)) {
        encode_narrow(out, (const char *)object_bytes(data) + start, (size_t)(end - start));
        return;
    }
    const uint32_t *codes = (const uint32_t *)object_bytes(data);
    for (int64_t i = start; i < end; i++) {
        if (codes[i] < 0x80)
            base_buf_putc(out, (char)codes[i]);
        else
            base_buf_utf8(out, codes[i]);
    }
}

char *rt_string_utf8(Value s, size_t *length) {
    base_buf out = {0};
    rt_string_encode(&out, s, 0, rt_string_length(s));
    if (length) *length = out.len;
    return base_buf_take(&out);
}

/* ---- order and hash ---- */

bool rt_string_equal(Value a, Value b) {
    int64_t length = rt_string_length(a);
    if (a == b) return true;
    if (length != rt_string_length(b)) return false;
    Value x = rt_string_data(a), y = rt_string_data(b);
    if (rt_data_wide(x) == rt_data_wide(y))
        return !memcmp(object_bytes(x), object_bytes(y), (size_t)length << (rt_data_wide(x) * 2));
    for (int64_t i = 0; i < length; i++)
        if (rt_data_ref(x, i) != rt_data_ref(y, i)) return false;
    return true;
}

int rt_string_compare(Value a, Value b) {
    int64_t la = rt_string_length(a), lb = rt_string_length(b);
    int64_t shared = la < lb ? la : lb;
    Value x = rt_string_data(a), y = rt_string_data(b);
    if (!rt_data_wide(x) && !rt_data_wide(y)) {
        int order = memcmp(object_bytes(x), object_bytes(y), (size_t)shared);
        if (order) return order;
    } else {
        for (int64_t i = 0; i < shared; i++) {
            uint32_t c = rt_data_ref(x, i), d = rt_data_ref(y, i);
            if (c != d) return c < d ? -1 : 1;
        }
    }
    return la < lb ? -1 : la > lb;
}

uint64_t rt_string_hash(Value s) {
    int64_t length = rt_string_length(s);
    Value data = rt_string_data(s);
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)length;
    if (rt_data_wide(data)) {
        const uint32_t *codes = (const uint32_t *)object_bytes(data);
        for (int64_t i = 0; i < length; i++) h = (h ^ codes[i]) * 0x100000001b3u;
    } else {
        const uint8_t *bytes = object_bytes(data);
        for (int64_t i = 0; i < length; i++) h = (h ^ bytes[i]) * 0x100000001b3u;
    }
    return base_hash_u64(h) >> 4;
}
