/* Which objects are allocation samples.
 *
 * A thread counts the bytes it allocates anyway (mutator_allocated); `due` is a reading of that
 * count. The object that takes the count beyond it is a sample, and the next distance is drawn from
 * that object's end. Since the distances have no memory, each object's fate is its own: one of s
 * bytes is a sample with the probability 1 - exp(-s / interval), independently of all others.
 *
 * alloc_limit is never above the place in the chunk where `due` is reached, so all but samples,
 * ends of chunks and large objects go the short way, as they do while sampling is off. */
#include "gc/heap.h"

#include <stdlib.h>
#include "hone/prof.h"

static void draw(Mutator *m) {
    struct GcSampling *s = m->sampling;
    s->due = mutator_allocated(m) + hone_prof_alloc_distance(&s->random, s->interval);
}

static void set_limit(Mutator *m) {
    uint64_t left = m->sampling->due - mutator_allocated(m);
    if (left < (uint64_t)(m->chunk_end - m->alloc)) m->alloc_limit = m->alloc + left;
}

static void drop_taken(struct GcSampling *s) {
    if (s->taken) s->samples.len = 0;
    s->taken = false;
}

bool gc_sample(Mutator *m, Value object, size_t bytes) {
    struct GcSampling *s = m->sampling;
    bool due = mutator_allocated(m) > s->due;
    if (due) {
        drop_taken(s);
        BASE_PUSH(&s->samples, (GcSample){object, bytes});
        draw(m);
    }
    set_limit(m);
    return due;
}

void gc_sampling_start(Mutator *m, uint64_t interval, uint64_t seed, void (*noted)(Mutator *m)) {
    gc_sampling_stop(m);
    m->sampling = base_calloc(1, sizeof *m->sampling);
    m->sampling->interval = interval;
    m->sampling->random = seed;
    m->sampling->noted = noted;
    draw(m);
    set_limit(m);
}

void gc_sampling_stop(Mutator *m) {
    if (!m->sampling) return;
    BASE_VEC_FREE(&m->sampling->samples);
    free(m->sampling);
    m->sampling = NULL;
    m->alloc_limit = m->chunk_end;
}

bool gc_samples_pending(const Mutator *m) {
    return m->sampling->samples.len && !m->sampling->taken;
}

/* An object tells what it is by its first word: no pair's car is a header. */
static Value tagged(Value object) {
    if (!object || TAG_OF(object)) return object;
    return object | (TAG_OF(*(const Word *)object) == TAG_HEADER ? TAG_OBJECT : TAG_PAIR);
}

const GcSample *gc_samples_take(Mutator *m, size_t *count) {
    struct GcSampling *s = m->sampling;
    *count = 0;
    if (!s) return NULL;
    drop_taken(s);
    *count = s->samples.len;
    s->taken = *count > 0;
    for (size_t i = 0; i < *count; i++) s->samples.at[i].object = tagged(s->samples.at[i].object);
    return s->samples.at;
}

void gc_samples_forget(Mutator *m) {
    struct GcSampling *s = m->sampling;
    for (size_t i = 0; s && i < s->samples.len; i++) s->samples.at[i].object = 0;
}
