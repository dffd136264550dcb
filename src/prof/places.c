/* Places for hosts whose code has no addresses that last: each place is a record, interned, and its
 * address is the frame's. Records are never taken back, since stacks in the tables refer to them.
 *
 * A procedure's name may become known late, when some caller tells it. Once a place of it has been
 * resolved the name is fixed, because the code map asks once for an address: else one procedure
 * would stand in a profile under two names. */
#include <stdlib.h>

#include "base/base.h"
#include "os/os.h"
#include <hone/prof.h>

typedef struct place {
    hone_prof_frame *procedure; /* line and column 0; name NULL: not known yet */
    uint32_t line, column;
} place;

struct hone_prof_places {
    os_mutex lock;
    base_arena mem;
    base_strmap procedures, places; /* by the bytes of what tells them apart */
    base_buf key;                   /* scratch */
};

hone_prof_places *hone_prof_places_new(void) {
    hone_prof_places *p = base_calloc(1, sizeof *p);
    os_mutex_init(&p->lock);
    return p;
}

void hone_prof_places_free(hone_prof_places *p) {
    if (!p) return;
    base_strmap_free(&p->procedures);
    base_strmap_free(&p->places);
    base_arena_free(&p->mem);
    base_buf_free(&p->key);
    os_mutex_destroy(&p->lock);
    free(p);
}

static hone_prof_frame *find_procedure(hone_prof_places *p, const hone_prof_frame *f) {
    const char *file = f->file ? f->file : "";
    bool added;
    p->key.len = 0;
    base_buf_add(&p->key, &f->func_id, sizeof f->func_id);
    base_buf_add(&p->key, &f->func_line, sizeof f->func_line);
    base_buf_add(&p->key, &f->func_column, sizeof f->func_column);
    base_buf_add(&p->key, file, strlen(file));
    void **at = base_strmap_at(&p->procedures, p->key.at, p->key.len, &added);
    if (!added) return *at;
    hone_prof_frame *new = *at = BASE_NEW(&p->mem, hone_prof_frame);
    *new = (hone_prof_frame){.file = base_arena_strdup(&p->mem, file),
                             .func_line = f->func_line,
                             .func_column = f->func_column,
                             .func_id = f->func_id};
    return new;
}

static place *find_place(hone_prof_places *p, hone_prof_frame *procedure,
                         const hone_prof_frame *f) {
    bool added;
    p->key.len = 0;
    base_buf_add(&p->key, &procedure, sizeof procedure);
    base_buf_add(&p->key, &f->line, sizeof f->line);
    base_buf_add(&p->key, &f->column, sizeof f->column);
    void **at = base_strmap_at(&p->places, p->key.at, p->key.len, &added);
    if (!added) return *at;
    place *new = *at = BASE_NEW(&p->mem, place);
    *new = (place){procedure, f->line, f->column};
    return new;
}

uintptr_t hone_prof_place(hone_prof_places *p, const hone_prof_frame *frame, bool *named) {
    os_mutex_lock(&p->lock);
    hone_prof_frame *procedure = find_procedure(p, frame);
    if (!procedure->name && frame->name && *frame->name)
        procedure->name = base_arena_strdup(&p->mem, frame->name);
    place *place = find_place(p, procedure, frame);
    if (named) *named = procedure->name != NULL;
    os_mutex_unlock(&p->lock);
    return (uintptr_t)place;
}

bool hone_prof_places_resolve(void *places, uintptr_t address, hone_prof_sink *sink) {
    hone_prof_places *p = places;
    const place *place = (const struct place *)address;
    os_mutex_lock(&p->lock);
    hone_prof_frame *of = place->procedure;
    if (!of->name)
        of->name =
            base_arena_printf(&p->mem, "%s:%u", base_path_name(of->file), (unsigned)of->func_line);
    hone_prof_frame frame = *of;
    os_mutex_unlock(&p->lock);
    frame.line = place->line;
    frame.column = place->column;
    hone_prof_emit(sink, &frame);
    return true;
}
