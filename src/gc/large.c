/* Large objects: whole pages of 16 KiB in a range of their own, marked and never moved.
 *
 * A record per object; page_owner leads from every page of an object to its record, so that a
 * remembered slot in the midst of a vector finds its generation. Free pages are runs sorted by
 * place, taken first fit. Objects freed by a sweep are appended to the runs, which are then sorted
 * and coalesced once. Memory behind free runs is kept up to a bound. */
#include "gc/heap.h"

#include <stdlib.h>

enum { COMMIT_PAGES = 256, WARM_PAGES = (32 << 20) / PAGE_BYTES };

void gc_large_init(Heap *h) {
    h->large_unused = NO_LARGE;
    for (int g = 0; g < GC_GENERATIONS; g++) h->large_list[g] = NO_LARGE;
}

static char *page_start(const Heap *h, uint32_t page) {
    return h->base + h->nursery_span + ((size_t)page << PAGE_SHIFT);
}

static uint32_t untouched_pages(Heap *h, uint32_t count) {
    size_t bytes = (size_t)count << PAGE_SHIFT;
    if (count > h->page_count - h->pages_touched) base_oom(bytes);
    uint32_t page = h->pages_touched;
    h->pages_touched += count;
    if (h->pages_touched > h->pages_committed) {
        uint32_t from = h->pages_committed;
        uint32_t to = BASE_MIN(h->page_count, h->pages_touched + COMMIT_PAGES);
        if (!os_commit(page_start(h, from), (size_t)(to - from) << PAGE_SHIFT)) base_oom(bytes);
        h->pages_committed = to;
    }
    return page;
}

static uint32_t take_pages(Heap *h, uint32_t count) {
    for (size_t i = 0; i < h->runs.len; i++) {
        PageRun *r = &h->runs.at[i];
        if (r->count < count) continue;
        uint32_t page = r->page;
        r->page += count;
        r->count -= count;
        if (!r->count) {
            memmove(r, r + 1, (h->runs.len - i - 1) * sizeof *r);
            h->runs.len--;
        }
        if (h->poison) os_commit(page_start(h, page), (size_t)count << PAGE_SHIFT);
        return page;
    }
    return untouched_pages(h, count);
}

static uint32_t new_record(Heap *h) {
    uint32_t id = h->large_unused;
    if (id == NO_LARGE) {
        BASE_PUSH(&h->large, (LargeObject){0});
        return (uint32_t)h->large.len - 1;
    }
    h->large_unused = h->large.at[id].next;
    return id;
}

void *gc_large_new(Heap *h, size_t bytes) {
    size_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
    if (pages >= UINT32_MAX || bytes > SIZE_MAX - PAGE_BYTES) base_oom(bytes);
    uint32_t page = take_pages(h, (uint32_t)pages);
    uint32_t id = new_record(h);
    char *start = page_start(h, page);
    h->large.at[id] = (LargeObject){start, (uint32_t)pages, h->large_list[0], 0, false};
    h->large_list[0] = id;
    h->large_bytes[0] += pages << PAGE_SHIFT;
    for (size_t i = 0; i < pages; i++) h->page_owner[page + i] = id;
    return start;
}

static int by_page(const void *a, const void *b) {
    uint32_t x = ((const PageRun *)a)->page, y = ((const PageRun *)b)->page;
    return (x > y) - (x < y);
}

/* Sorts and joins the free runs; joined runs are warm if a part is. */
static void coalesce(Heap *h) {
    PageRun *r = h->runs.at;
    size_t n = 0;
    qsort(r, h->runs.len, sizeof *r, by_page);
    for (size_t i = 0; i < h->runs.len; i++) {
        if (n && r[n - 1].page + r[n - 1].count == r[i].page) {
            r[n - 1].count += r[i].count;
            r[n - 1].warm |= r[i].warm;
        } else
            r[n++] = r[i];
    }
    h->runs.len = n;
}

static void trim(Heap *h) {
    size_t warm = 0;
    for (size_t i = 0; i < h->runs.len; i++) {
        PageRun *r = &h->runs.at[i];
        if (!r->warm) continue;
        if (warm + r->count > WARM_PAGES) {
            os_discard(page_start(h, r->page), (size_t)r->count << PAGE_SHIFT);
            r->warm = false;
        } else
            warm += r->count;
    }
}

static void free_large(Heap *h, uint32_t id) {
    LargeObject *l = &h->large.at[id];
    uint32_t page = (uint32_t)((size_t)(l->start - h->base - h->nursery_span) >> PAGE_SHIFT);
    for (uint32_t i = 0; i < l->pages; i++) h->page_owner[page + i] = NO_LARGE;
    if (h->poison) os_protect(l->start, (size_t)l->pages << PAGE_SHIFT);
    BASE_PUSH(&h->runs, (PageRun){page, l->pages, true});
    l->start = NULL;
    l->next = h->large_unused;
    h->large_unused = id;
}

void gc_large_sweep(Heap *h, int generation) {
    uint32_t kept = NO_LARGE;
    size_t runs = h->runs.len;
    for (int g = 0; g <= generation; g++) {
        uint32_t next;
        for (uint32_t id = h->large_list[g]; id != NO_LARGE; id = next) {
            LargeObject *l = &h->large.at[id];
            next = l->next;
            if (l->marked) {
                l->next = kept;
                kept = id;
            } else
                free_large(h, id);
        }
        h->large_list[g] = NO_LARGE;
        h->large_bytes[g] = 0;
    }
    for (uint32_t id = kept, next; id != NO_LARGE; id = next) {
        LargeObject *l = &h->large.at[id];
        next = l->next;
        l->marked = false;
        l->next = h->large_list[l->generation];
        h->large_list[l->generation] = id;
        h->large_bytes[l->generation] += (size_t)l->pages << PAGE_SHIFT;
    }
    if (h->runs.len > runs) {
        coalesce(h);
        trim(h);
    }
}
