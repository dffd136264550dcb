/* Hash maps with open addressing, linear probing and power-of-two sizes.
 *
 * base_map removes by moving later entries of the same run back, so that there are no tombstones
 * and a search ends at the first empty slot. base_strmap has no removal. Both grow at three
 * quarters full.
 */
#include "base/base.h"

#include <stdlib.h>

struct base_map_slot {
    uint64_t key, value;
    bool used;
};

struct base_strmap_slot {
    void *value; /* first, so that a pointer to it is a pointer to the slot */
    const char *key;
    size_t len;
    uint64_t hash;
};

uint64_t base_hash_u64(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

uint64_t base_hash_bytes(const void *bytes, size_t len) {
    const char *p = bytes;
    uint64_t h = 0x9e3779b97f4a7c15u ^ len;
    for (; len >= 8; p += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = base_hash_u64(h ^ word);
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < len; i++) rest |= (uint64_t)(unsigned char)p[i] << (8 * i);
    return base_hash_u64(h ^ rest);
}

/* ---- u64 -> u64 ---- */

static size_t map_slot(const base_map *m, uint64_t key) {
    size_t i = base_hash_u64(key) & (m->cap - 1);
    while (m->slots[i].used && m->slots[i].key != key) i = (i + 1) & (m->cap - 1);
    return i;
}

static void map_grow(base_map *m) {
    base_map bigger = {.cap = m->cap ? m->cap * 2 : 16, .len = m->len};
    bigger.slots = base_calloc(bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < m->cap; i++)
        if (m->slots[i].used) bigger.slots[map_slot(&bigger, m->slots[i].key)] = m->slots[i];
    free(m->slots);
    *m = bigger;
}

uint64_t *base_map_find(const base_map *m, uint64_t key) {
    if (!m->len) return NULL;
    struct base_map_slot *s = &m->slots[map_slot(m, key)];
    return s->used ? &s->value : NULL;
}

uint64_t *base_map_at(base_map *m, uint64_t key, bool *added) {
    if ((m->len + 1) * 4 > m->cap * 3) map_grow(m);
    struct base_map_slot *s = &m->slots[map_slot(m, key)];
    if (added) *added = !s->used;
    if (!s->used) {
        *s = (struct base_map_slot){.key = key, .used = true};
        m->len++;
    }
    return &s->value;
}

bool base_map_remove(base_map *m, uint64_t key) {
    if (!base_map_find(m, key)) return false;
    size_t mask = m->cap - 1, hole = map_slot(m, key);
    for (size_t i = (hole + 1) & mask; m->slots[i].used; i = (i + 1) & mask) {
        size_t home = base_hash_u64(m->slots[i].key) & mask;
        if (((i - home) & mask) < ((i - hole) & mask)) continue; /* would end up before its home */
        m->slots[hole] = m->slots[i];
        hole = i;
    }
    m->slots[hole].used = false;
    m->len--;
    return true;
}

bool base_map_next(const base_map *m, size_t *it, uint64_t *key, uint64_t *value) {
    while (*it < m->cap) {
        const struct base_map_slot *s = &m->slots[(*it)++];
        if (!s->used) continue;
        if (key) *key = s->key;
        if (value) *value = s->value;
        return true;
    }
    return false;
}

void base_map_free(base_map *m) {
    free(m->slots);
    *m = (base_map){0};
}

/* ---- string -> pointer ---- */

static size_t strmap_slot(const base_strmap *m, const char *key, size_t len, uint64_t hash) {
    size_t i = hash & (m->cap - 1);
    for (const struct base_strmap_slot *s; (s = &m->slots[i])->key; i = (i + 1) & (m->cap - 1))
        if (s->hash == hash && s->len == len && !memcmp(s->key, key, len)) break;
    return i;
}

static void strmap_grow(base_strmap *m) {
    base_strmap bigger = *m;
    bigger.cap = m->cap ? m->cap * 2 : 16;
    bigger.slots = base_calloc(bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < m->cap; i++) {
        const struct base_strmap_slot *s = &m->slots[i];
        if (s->key) bigger.slots[strmap_slot(&bigger, s->key, s->len, s->hash)] = *s;
    }
    free(m->slots);
    *m = bigger;
}

void **base_strmap_find(const base_strmap *m, const char *key, size_t len) {
    if (!m->len) return NULL;
    struct base_strmap_slot *s = &m->slots[strmap_slot(m, key, len, base_hash_bytes(key, len))];
    return s->key ? &s->value : NULL;
}

void **base_strmap_at(base_strmap *m, const char *key, size_t len, bool *added) {
    void **found = base_strmap_find(m, key, len);
    if (added) *added = !found;
    if (found) return found;
    if ((m->len + 1) * 4 > m->cap * 3) strmap_grow(m);
    uint64_t hash = base_hash_bytes(key, len);
    struct base_strmap_slot *s = &m->slots[strmap_slot(m, key, len, hash)];
    s->key = base_arena_strndup(&m->keys, key, len);
    s->len = len;
    s->hash = hash;
    m->len++;
    return &s->value;
}

const char *base_strmap_key(void **value) { return ((struct base_strmap_slot *)value)->key; }

bool base_strmap_next(const base_strmap *m, size_t *it, const char **key, void **value) {
    while (*it < m->cap) {
        const struct base_strmap_slot *s = &m->slots[(*it)++];
        if (!s->key) continue;
        if (key) *key = s->key;
        if (value) *value = s->value;
        return true;
    }
    return false;
}

void base_strmap_free(base_strmap *m) {
    free(m->slots);
    base_arena_free(&m->keys);
    *m = (base_strmap){0};
}
