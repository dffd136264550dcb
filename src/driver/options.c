/* options.c: what a run is asked for in the environment, and the words for kinds of profile. */
#include <stdlib.h>
#include "driver/driver.h"

/* Of the LENGTH bytes at NAME. */
static bool profile_word(const char *name, size_t length, DriverOptions *o) {
    static const char *const names[] = {
        [PROFILE_SAMPLE] = "sample", [PROFILE_COUNTS] = "counts", [PROFILE_VM] = "vm"};
    if (length == 5 && !strncmp(name, "alloc", 5))
        return !o->allocations && (o->allocations = true);
    for (int i = PROFILE_SAMPLE; i <= PROFILE_VM; i++)
        if (strlen(names[i]) == length && !strncmp(name, names[i], length)) {
            bool first = o->profile == PROFILE_NONE;
            o->profile = (DriverProfile)i;
            return first;
        }
    return false;
}

bool driver_profile_kind(const char *text, DriverOptions *o) {
    o->profile = PROFILE_NONE;
    o->allocations = false;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (!profile_word(text, length, o)) return false;
        text += length;
        if (!*text) return true;
    }
}

const char *driver_native_options(DriverOptions *o) {
    const char *limit = getenv("HONE_HEAP_LIMIT"), *stress = getenv("HONE_GC_STRESS");
    uint64_t bytes;
    if (limit && limit[0]) {
        if (!base_parse_size(limit, &bytes) || bytes < (1u << 20))
            return "HONE_HEAP_LIMIT takes bytes, at least 1m";
        o->gc.heap_limit = bytes;
    }
    if (stress && stress[0]) o->gc.stress = o->gc.poison = o->gc.verify = true;
    return driver_options_from_environment(o);
}

const char *driver_options_from_environment(DriverOptions *o) {
    const char *kind = getenv("HONE_PROFILE"), *serve = getenv("HONE_PROFILE_SERVE");
    const char *source = getenv("HONE_PROFILE_SOURCE");
    if (serve && serve[0]) o->serve = serve;
    if (source && source[0] && !hone_prof_source_named(source, &o->source))
        return "HONE_PROFILE_SOURCE must be safepoint, signal, perf or wall";
    if (!kind || !kind[0]) return NULL;
    if (!driver_profile_kind(kind, o))
        return "HONE_PROFILE must be sample, counts or vm, and alloc";
    const char *out = getenv("HONE_PROFILE_OUT");
    if (out && out[0]) o->profile_out = out;
    return NULL;
}
