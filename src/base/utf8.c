/* UTF-8 as Unicode defines it: shortest forms only, no surrogates, up to U+10FFFF. */
#include "base/base.h"

unsigned base_utf8_get(const char *s, size_t len, uint32_t *cp) {
    const unsigned char *p = (const unsigned char *)s;
    uint32_t c = p[0];
    if (c < 0x80) {
        *cp = c;
        return 1;
    }
    unsigned n = c >= 0xC2 && c < 0xE0   ? 2
                 : c >= 0xE0 && c < 0xF0 ? 3
                 : c >= 0xF0 && c < 0xF5 ? 4
                                         : 0;
    *cp = BASE_UTF8_BAD;
    if (!n || len < n) return 1;
    uint32_t code = c & (0x7Fu >> n);
    for (unsigned i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) return 1;
        code = code << 6 | (p[i] & 0x3F);
    }
    bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
    if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return 1;
    *cp = code;
    return n;
}

unsigned base_utf8_put(char out[4], uint32_t cp) {
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) cp = 0xFFFD;
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    unsigned n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (unsigned i = n - 1; i > 0; i--, cp >>= 6) out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)((0xF00u >> n & 0xFF) | cp);
    return n;
}

bool base_utf8_valid(const char *s, size_t len, size_t *bad) {
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        unsigned n = base_utf8_get(s + i, len - i, &cp);
        if (cp == BASE_UTF8_BAD) {
            if (bad) *bad = i;
            return false;
        }
        i += n;
    }
    return true;
}

size_t base_utf8_count(const char *s, size_t len) {
    size_t count = 0;
    for (size_t i = 0; i < len; count++) {
        uint32_t cp;
        i += base_utf8_get(s + i, len - i, &cp);
    }
    return count;
}

/* Ranges in ascending order. Combining marks and format characters take no column; the East Asian
 * wide and fullwidth blocks and the emoji blocks take two. Blocks, not single characters: this
 * aligns tables, no more. */
static const struct {
    uint32_t lo, hi;
    unsigned width;
} widths[] = {
    {0x0300, 0x036F, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05BD, 0},   {0x0610, 0x061A, 0},
    {0x064B, 0x065F, 0},   {0x1100, 0x115F, 2},   {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},
    {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},   {0x2E80, 0x303E, 2},   {0x3041, 0x33FF, 2},
    {0x3400, 0x4DBF, 2},   {0x4E00, 0x9FFF, 2},   {0xA000, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
    {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},
    {0xFF01, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2},
    {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2},
};

static unsigned codepoint_width(uint32_t cp) {
    for (size_t i = 0; i < BASE_COUNT(widths) && cp >= widths[i].lo; i++)
        if (cp <= widths[i].hi) return widths[i].width;
    return 1;
}

size_t base_utf8_width(const char *s, size_t len) {
    size_t width = 0;
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        i += base_utf8_get(s + i, len - i, &cp);
        width += codepoint_width(cp);
    }
    return width;
}
