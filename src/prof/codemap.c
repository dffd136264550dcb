/* The code map. What the host's resolver does not know is native code: named by the system's
 * loader where it can, counted as `native` where not. */
#include "prof/sampler.h"

#include <stdlib.h>

#include "prof/data.h"

struct hone_prof_sink {
    base_arena *mem;
    BASE_VEC(hone_prof_frame) chain;
};

void hone_prof_emit(hone_prof_sink *sink, const hone_prof_frame *frame) {
    hone_prof_frame copy = *frame;
    copy.name = base_arena_strdup(sink->mem, frame->name && *frame->name ? frame->name : "?");
    copy.file = base_arena_strdup(sink->mem, frame->file ? frame->file : "");
    BASE_PUSH(&sink->chain, copy);
}

static void emit_native(hone_prof_sink *sink, uintptr_t address) {
    const char *symbol, *object;
    uintptr_t offset;
    base_buf name = {0};
    bool known = os_symbol((const void *)address, &symbol, &object, &offset);
    base_buf_puts(&name, "native");
    if (known && symbol) base_buf_printf(&name, ":%s", symbol);
    hone_prof_emit(sink, &(hone_prof_frame){.name = name.at, .file = known ? object : ""});
    base_buf_free(&name);
}

static void emit_account(hone_prof_sink *sink, int kind) {
    base_buf name = {0};
    base_buf_printf(&name, "[%s]", prof_accounts[kind].word);
    hone_prof_emit(sink, &(hone_prof_frame){.name = name.at});
    base_buf_free(&name);
}

static prof_site *resolve(prof_codemap *m, const hone_prof_config *host, uintptr_t address) {
    hone_prof_sink sink = {.mem = &m->mem};
    if (address == PROF_TRUNCATED)
        hone_prof_emit(&sink, &(hone_prof_frame){.name = PROF_TRUNCATED_NAME});
    else if (address >= PROF_ACCOUNT(HONE_PROF_ACCOUNT_COUNT - 1))
        emit_account(&sink, (int)(PROF_ACCOUNT(0) - address));
    else if (!host->resolve || !host->resolve(host->host, address, &sink) || !sink.chain.len) {
        sink.chain.len = 0;
        emit_native(&sink, address);
    }
    prof_site *site = BASE_NEW(&m->mem, prof_site);
    site->count = (uint32_t)sink.chain.len;
    site->chain = BASE_NEW_ARRAY(&m->mem, hone_prof_frame, sink.chain.len);
    memcpy(site->chain, sink.chain.at, sink.chain.len * sizeof *site->chain);
    BASE_VEC_FREE(&sink.chain);
    return site;
}

const prof_site *prof_codemap_find(prof_codemap *m, const hone_prof_config *host,
                                   uintptr_t address) {
    const uint64_t *found = base_map_find(&m->sites, address);
    if (found) return (const prof_site *)(uintptr_t)*found;
    prof_site *site = resolve(m, host, address);
    *base_map_at(&m->sites, address, NULL) = (uintptr_t)site;
    return site;
}

void prof_codemap_free(prof_codemap *m) {
    base_map_free(&m->sites);
    base_arena_free(&m->mem);
}
