/* Label sets: each is one text, interned, so that equal sets have one number. They are never taken
 * back, since stacks in the tables refer to them by number; hence the bound. */
#include "prof/labels.h"

#include "prof/sampler.h"

void prof_labels_init(prof_labels *l) {
    os_mutex_init(&l->lock);
    BASE_PUSH(&l->sets, (prof_label_set){.text = ""});
    base_strmap_at(&l->number_of, "", 0, NULL);
}

void prof_labels_free(prof_labels *l) {
    os_mutex_destroy(&l->lock);
    BASE_VEC_FREE(&l->sets);
    base_strmap_free(&l->number_of);
}

static void put_pair(base_buf *text, const char *key, const char *value) {
    base_buf_add(text, key, strlen(key) + 1);
    base_buf_add(text, value, strlen(value) + 1);
}

/* The set's text with the key's value replaced, added or taken out (value NULL), in order. */
static void put_set(base_buf *text, prof_label_set base, const char *key, const char *value) {
    const char *end = base.text + base.len;
    for (const char *k = base.text, *v; k < end; k = v + strlen(v) + 1) {
        v = k + strlen(k) + 1;
        int order = strcmp(k, key);
        if (order >= 0 && value) {
            put_pair(text, key, value);
            value = NULL;
        }
        if (order) put_pair(text, k, v);
    }
    if (value) put_pair(text, key, value);
}

/* Under the lock. */
static uint32_t number(prof_labels *l, uint32_t base, const base_buf *text) {
    void **at = base_strmap_find(&l->number_of, base_buf_str((base_buf *)text), text->len);
    if (at) return (uint32_t)(uintptr_t)*at;
    if (l->sets.len >= HONE_PROF_MAX_LABEL_SETS) {
        l->overflow++;
        return base;
    }
    at = base_strmap_at(&l->number_of, text->at, text->len, NULL);
    *at = (void *)l->sets.len;
    BASE_PUSH(&l->sets, (prof_label_set){base_strmap_key(at), text->len});
    return (uint32_t)l->sets.len - 1;
}

uint32_t hone_prof_labels(hone_prof *p, uint32_t base, const char *key, const char *value) {
    prof_labels *l = &p->labels;
    base_buf text = {0};
    if (!*key || !strcmp(key, "thread")) return base;
    if (value && !*value) value = NULL;
    os_mutex_lock(&l->lock);
    if (base >= l->sets.len) base = 0;
    put_set(&text, l->sets.at[base], key, value);
    uint32_t set = number(l, base, &text);
    os_mutex_unlock(&l->lock);
    base_buf_free(&text);
    return set;
}

uint64_t prof_labels_overflow(prof_labels *l) {
    os_mutex_lock(&l->lock);
    uint64_t n = l->overflow;
    os_mutex_unlock(&l->lock);
    return n;
}

void prof_labels_list(prof_labels *l, uint32_t set, prof_label_list *out) {
    out->len = 0;
    os_mutex_lock(&l->lock);
    prof_label_set s = set < l->sets.len ? l->sets.at[set] : (prof_label_set){.text = ""};
    os_mutex_unlock(&l->lock);
    for (const char *k = s.text, *v; k < s.text + s.len; k = v + strlen(v) + 1) {
        v = k + strlen(k) + 1;
        BASE_PUSH(out, ((hone_prof_label){.key = k, .value = v}));
    }
}
