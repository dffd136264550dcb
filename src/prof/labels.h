/* Label sets of a live instance, by number. Private to prof. Any thread may use them at any time;
 * the lock is taken inside, with no other taken after it. */
#ifndef HONE_PROF_LABELS_H
#define HONE_PROF_LABELS_H

#include <hone/prof.h>

#include "base/base.h"
#include "os/os.h"

/* A set's text is KEY NUL VALUE NUL for each label, in order of key. */
typedef struct prof_label_set {
    const char *text; /* the map's */
    size_t len;
} prof_label_set;

typedef struct prof_labels {
    os_mutex lock;
    BASE_VEC(prof_label_set) sets; /* number 0 is the empty one */
    base_strmap number_of;         /* text -> number */
    uint64_t overflow;
} prof_labels;

void prof_labels_init(prof_labels *l);
void prof_labels_free(prof_labels *l);
uint64_t prof_labels_overflow(prof_labels *l);
typedef BASE_VEC(hone_prof_label) prof_label_list;
/* Makes OUT the labels of a set; the strings live as long as the sets. */
void prof_labels_list(prof_labels *l, uint32_t set, prof_label_list *out);

#endif
