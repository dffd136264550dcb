/* tables.c: what stands in front of a unit's functions: descriptors, sites, code objects,
 * constants, globals; and the unit as a whole. */
#include "native/internal.h"

#include "rt/write.h"

void native_c_string(base_buf *out, const char *s, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '\n')
            base_buf_puts(out, "\\n");
        else if (c == '"' || c == '\\')
            base_buf_printf(out, "\\%c", c);
        else if (c < ' ' || c == 127 || c == '?')
            base_buf_printf(out, "\\%03o", c);
        else
            base_buf_putc(out, (char)c);
    }
}

/* ---- what the functions mention ---- */

static int number(base_map *map, const void *key, bool *added) {
    uint64_t *place = base_map_at(map, (uint64_t)key, added);
    if (*added) *place = map->len - 1;
    return (int)*place;
}

static int file_number(UnitCode *u, const SourceFile *file) {
    bool added;
    int n = number(&u->files, file, &added);
    if (added) BASE_PUSH(&u->file_list, file);
    return n;
}

static int info_number(UnitCode *u, const ProcInfo *info) {
    bool added;
    int n = number(&u->infos, info, &added);
    if (!added) return n;
    BASE_PUSH(&u->info_list, info);
    if (info->pos.file) file_number(u, info->pos.file);
    if (info->outer) info_number(u, info->outer);
    return n;
}

int native_site(UnitCode *u, const Site *site) {
    bool added;
    int n = number(&u->sites, site, &added);
    if (!added) return n;
    BASE_PUSH(&u->site_list, site);
    if (site->pos.file) file_number(u, site->pos.file);
    if (site->proc) info_number(u, site->proc);
    if (site->caller) native_site(u, site->caller);
    return n;
}

int native_constant(UnitCode *u, Value v) {
    bool added;
    uint64_t *place = base_map_at(&u->constant_index, v, &added);
    if (added) {
        *place = u->constants.len;
        BASE_PUSH(&u->constants, v);
    }
    return (int)*place;
}

void native_global(UnitCode *u, Global *g) {
    bool added;
    base_map_at(&u->global_index, (uint64_t)g, &added);
    if (added) BASE_PUSH(&u->globals, g);
}

static void find_primitive(void *context, Global *g) {
    UnitCode *u = context;
    if (g->prim && native_is_primitive_global(g)) u->build->primitives[g->prim - rt_prims] = g;
}

Global *native_primitive(UnitCode *u, const Prim *prim) {
    if (!u->build->primitives[prim - rt_prims]) rt_each_global(find_primitive, u);
    Global *g = u->build->primitives[prim - rt_prims];
    native_global(u, g);
    return g;
}

/* Where these words stand in the pool of live words. */
static int live_number(UnitCode *u, const uint64_t *live, uint32_t words) {
    for (size_t i = 0; i + words <= u->live_pool.len && i < 256; i++)
        if (memcmp(&u->live_pool.at[i], live, words * sizeof *live) == 0) return (int)i;
    int at = (int)u->live_pool.len;
    for (uint32_t i = 0; i < words; i++) BASE_PUSH(&u->live_pool, live[i]);
    return at;
}

int native_desc(UnitCode *u, const Site *site, uint32_t size, uint32_t room, const uint64_t *live,
                uint32_t live_words, const char *resume) {
    Desc d = {.site = site, .size = size, .room = room, .resume = resume};
    d.live = live_number(u, live, live_words);
    base_buf key = {0};
    base_buf_printf(&key, "%d %u %s", native_site(u, site), size, resume ? resume : "");
    bool added;
    void **place = base_strmap_at(&u->desc_index, key.at, key.len, &added);
    base_buf_free(&key);
    if (added) {
        *place = (void *)u->descs.len;
        BASE_PUSH(&u->descs, d);
    }
    return (int)(uintptr_t)*place;
}

void native_declare(UnitCode *u, const char *target) {
    bool added;
    base_strmap_at(&u->declared, target, strlen(target), &added);
    if (added) base_buf_printf(&u->prototypes, "FUNCTION(%s);\n", target);
}

/* ---- tables as text ---- */

static void write_files(UnitCode *u, base_buf *out) {
    base_buf_printf(out, "static SourceFile files[] = {\n");
    for (size_t i = 0; i < u->file_list.len; i++) {
        base_buf_puts(out, "{.path = \"");
        native_c_string(out, u->file_list.at[i]->path, strlen(u->file_list.at[i]->path));
        base_buf_puts(out, "\"},\n");
    }
    base_buf_puts(out, "{0}};\n");
}

static void write_pos(UnitCode *u, base_buf *out, SrcPos pos) {
    if (pos.file)
        base_buf_printf(out, "{&files[%d], %u, %u}", file_number(u, pos.file), pos.line,
                        pos.column);
    else
        base_buf_puts(out, "{0}");
}

static void write_sites(UnitCode *u, base_buf *out) {
    base_buf_printf(out, "static const ProcInfo infos[%zu] = {\n", u->info_list.len + 1);
    for (size_t i = 0; i < u->info_list.len; i++) {
        const ProcInfo *info = u->info_list.at[i];
        base_buf_puts(out, "{\"");
        native_c_string(out, info->name, strlen(info->name));
        base_buf_puts(out, "\", ");
        write_pos(u, out, info->pos);
        if (info->outer) base_buf_printf(out, ", &infos[%d]", info_number(u, info->outer));
        base_buf_puts(out, "},\n");
    }
    base_buf_printf(out, "};\nstatic const Site sites[%zu] = {\n", u->site_list.len + 1);
    for (size_t i = 0; i < u->site_list.len; i++) {
        const Site *s = u->site_list.at[i];
        base_buf_puts(out, "{");
        write_pos(u, out, s->pos);
        if (s->proc)
            base_buf_printf(out, ", &infos[%d]", info_number(u, s->proc));
        else
            base_buf_puts(out, ", NULL");
        if (s->caller) base_buf_printf(out, ", &sites[%d]", native_site(u, s->caller));
        base_buf_puts(out, "},\n");
    }
    base_buf_puts(out, "};\n");
}

static void write_descs(UnitCode *u, base_buf *out) {
    base_buf_puts(out, "static uint64_t live[] = {");
    for (size_t i = 0; i < u->live_pool.len; i++)
        base_buf_printf(out, "%llu, ", (unsigned long long)u->live_pool.at[i]);
    base_buf_printf(out, "0};\nstatic const Insn resumes[%zu][2] = {\n", u->descs.len + 1);
    for (size_t i = 0; i < u->descs.len; i++) {
        const Desc *d = &u->descs.at[i];
        if (d->resume) base_buf_printf(out, "[%zu] = RESUME_AT(%u, %s),\n", i, d->size, d->resume);
    }
    base_buf_printf(out, "};\nstatic FrameDesc d[%zu] = {\n", u->descs.len + 1);
    for (size_t i = 0; i < u->descs.len; i++) {
        const Desc *d = &u->descs.at[i];
        base_buf_printf(out, "DESC(%u, %u, %d, %zu, %d, %s),\n", d->size, d->room, d->live, i,
                        native_site(u, d->site), d->resume ? d->resume : "NULL");
    }
    base_buf_puts(out, "};\n");
}

static void write_codes(UnitCode *u, base_buf *out) {
    int count = 0;
    base_buf text = {0};
    base_buf_puts(out, "static const Insn entries[][2] = {\n");
    for (size_t i = 0; i < u->procs.len; i++) {
        const Proc *p = u->procs.at[i];
        if (p->code < 0) continue;
        int required = p->clause->nparams - p->clause->rest;
        base_buf_printf(out, "ENTER_AT(%s_entry),\n", p->name);
        base_buf_printf(&text, "CODE(%d, %d, %s, %u, %d, %d, %s_entry),\n", count++, required,
                        p->clause->rest ? "true" : "false", p->room,
                        info_number(u, p->lambda->as.lambda.info), native_site(u, p->site),
                        p->name);
    }
    base_buf_printf(out, "{0}};\nstatic Code c[%d] = {\n%s};\n", count + 1, base_buf_str(&text));
    base_buf_free(&text);
    for (size_t i = 0; i < u->cases.len; i++) {
        const Case *c = u->cases.at[i];
        base_buf_printf(out, "static Code *case_%zu[] = {", i);
        for (size_t k = 0; k < c->clauses.len; k++)
            base_buf_printf(out, "%s&c[%d]", k ? ", " : "", c->clauses.at[k]->code);
        base_buf_puts(out, "};\n");
    }
    base_buf_printf(out, "static Code cases[%zu] = {\n", u->cases.len + 1);
    for (size_t i = 0; i < u->cases.len; i++) {
        const Case *c = u->cases.at[i];
        base_buf_printf(out, "CASE(%zu, %zu, %d, %d),\n", i, c->clauses.len,
                        info_number(u, c->lambda->as.lambda.info),
                        c->lambda->site ? native_site(u, c->lambda->site)
                                        : native_site(u, u->body->site));
    }
    base_buf_puts(out, "};\n");
}

static void write_closures(UnitCode *u, base_buf *out) {
    for (size_t i = 0; i < u->cases.len; i++) {
        const Case *c = u->cases.at[i];
        if (c->closure_index < 0) continue;
        base_buf_printf(out, "static const uint32_t clauses_%zu[] = {", i);
        for (size_t k = 0; k < c->clauses.len; k++)
            base_buf_printf(out, "%s%d", k ? ", " : "", c->clauses.at[k]->closure_index);
        base_buf_puts(out, "};\n");
    }
    base_buf_printf(out, "static const NativeClosure closures[%d] = {\n", u->closures + 1);
    for (size_t i = 0; i < u->procs.len; i++) {
        const Proc *p = u->procs.at[i];
        if (p->closure_index >= 0)
            base_buf_printf(out, "[%d] = {&c[%d], NULL},\n", p->closure_index, p->code);
    }
    for (size_t i = 0; i < u->cases.len; i++)
        if (u->cases.at[i]->closure_index >= 0)
            base_buf_printf(out, "[%d] = {&cases[%zu], clauses_%zu},\n",
                            u->cases.at[i]->closure_index, i, i);
    base_buf_puts(out, "};\n");
}

static bool write_constants(UnitCode *u, base_buf *out) {
    base_buf text = {0};
    for (size_t i = 0; i < u->constants.len; i++) {
        rt_write(u->core->m, &text, u->constants.at[i], RT_WRITE_SHARED, 0);
        base_buf_putc(&text, '\n');
    }
    base_buf_puts(out, "static const char constants[] =");
    const char *s = base_buf_str(&text);
    do {
        const char *line = strchr(s, '\n');
        size_t length = line ? (size_t)(line - s) + 1 : strlen(s);
        base_buf_puts(out, "\n\"");
        native_c_string(out, s, length);
        base_buf_puts(out, "\"");
        s += length;
    } while (*s);
    base_buf_puts(out, ";\n");
    base_buf_free(&text);
    return true;
}

/* ---- globals ---- */

static bool is_own(const UnitCode *u, const Global *g) {
    return strcmp(g->library, u->source->name[0] == '(' ? u->source->name : "") == 0;
}

static void collect_own(void *context, Global *g) {
    UnitCode *u = context;
    if (is_own(u, g)) native_global(u, g);
}

static void write_globals(UnitCode *u, base_buf *out, base_buf *primitives, base_buf *own) {
    /* A library has all of its globals, so that eval finds them; the program those it mentions. */
    if (u->source->name[0] == '(') rt_each_global(collect_own, u);
    for (size_t i = 0; i < u->globals.len; i++) {
        Global *g = u->globals.at[i];
        const char *name = native_global_name(u, g);
        if (native_is_primitive_global(g)) {
            base_buf_printf(out, "static Global *%s;\n", name);
            base_buf_printf(primitives, "{&%s, \"", name);
            native_c_string(primitives, g->name, strlen(g->name));
            base_buf_puts(primitives, "\"},\n");
        } else if (!is_own(u, g)) {
            base_buf_printf(out, "extern Global %s;\n", name);
        } else {
            base_buf_printf(out, "%sGlobal %s = {.value = V_UNBOUND, .name = \"",
                            g->library[0] ? "" : "static ", name);
            native_c_string(out, g->name, strlen(g->name));
            base_buf_printf(out, "\", .library = \"%s\"};\n", g->library);
            base_buf_printf(own, "&%s,\n", name);
        }
    }
}

/* ---- the unit ---- */

static void write_unit(UnitCode *u, base_buf *out, const char *name, const base_buf *primitives,
                       const base_buf *own) {
    base_buf_printf(out, "static const NativePrimitive primitives[] = {\n%s{0}};\n",
                    base_buf_str(primitives));
    base_buf_printf(out, "static Global *const globals[] = {\n%sNULL};\n", base_buf_str(own));
    base_buf_printf(out, "extern const NativeUnit %s;\nconst NativeUnit %s = {.name = \"", name,
                    name);
    native_c_string(out, u->source->name, strlen(u->source->name));
    base_buf_printf(out,
                    "\", .body = &c[%d], .constants_text = constants, .constants = k,\n"
                    ".constant_count = %zu, .closures = closures, .closure_values = p,\n"
                    ".closure_count = %d, .globals = globals, .global_count = COUNT(globals) - 1,\n"
                    ".primitives = primitives, .primitive_count = COUNT(primitives) - 1,\n"
                    ".files = files, .file_count = COUNT(files) - 1};\n",
                    u->body->code, u->constants.len, u->closures);
}

static void write_text(UnitCode *u, base_buf *out, const char *unit_name) {
    base_buf globals = {0}, primitives = {0}, own = {0}, codes = {0};
    write_globals(u, &globals, &primitives, &own);
    write_codes(u, &codes); /* it may note further sites */
    base_buf_puts(out, "#include \"hone.h\"\n\n");
    base_buf_puts(out, base_buf_str(&globals));
    base_buf_puts(out, base_buf_str(&u->prototypes));
    base_buf_printf(out, "static Value k[%zu], p[%d];\n", u->constants.len + 1, u->closures + 1);
    base_buf descs = {0};
    write_descs(u, &descs);
    write_files(u, out);
    write_sites(u, out);
    base_buf_puts(out, base_buf_str(&descs));
    base_buf_puts(out, base_buf_str(&codes));
    write_constants(u, out);
    write_closures(u, out);
    base_buf_puts(out, base_buf_str(&u->functions));
    base_buf_puts(out, "\n");
    write_unit(u, out, unit_name, &primitives, &own);
    base_buf_free(&globals);
    base_buf_free(&primitives);
    base_buf_free(&own);
    base_buf_free(&codes);
    base_buf_free(&descs);
}

static void unit_free(UnitCode *u) {
    for (size_t i = 0; i < u->procs.len; i++) {
        Proc *p = u->procs.at[i];
        for (size_t k = 0; k < p->blocks.len; k++) BASE_VEC_FREE(&p->blocks.at[k]->ops);
        BASE_VEC_FREE(&p->refs);
        BASE_VEC_FREE(&p->made);
        BASE_VEC_FREE(&p->called);
        BASE_VEC_FREE(&p->free);
        BASE_VEC_FREE(&p->blocks);
        BASE_VEC_FREE(&p->regs);
        BASE_VEC_FREE(&p->args);
    }
    for (size_t i = 0; i < u->cases.len; i++) BASE_VEC_FREE(&u->cases.at[i]->clauses);
    BASE_VEC_FREE(&u->procs);
    BASE_VEC_FREE(&u->cases);
    BASE_VEC_FREE(&u->constants);
    BASE_VEC_FREE(&u->globals);
    BASE_VEC_FREE(&u->site_list);
    BASE_VEC_FREE(&u->info_list);
    BASE_VEC_FREE(&u->file_list);
    BASE_VEC_FREE(&u->descs);
    BASE_VEC_FREE(&u->live_pool);
    base_map *maps[] = {&u->regs,  &u->constant_index, &u->global_index, &u->clauses,
                        &u->sites, &u->infos,          &u->files};
    for (size_t i = 0; i < BASE_COUNT(maps); i++) base_map_free(maps[i]);
    base_strmap_free(&u->desc_index);
    base_strmap_free(&u->declared);
    base_strmap_free(&u->names);
    base_buf_free(&u->prototypes);
    base_buf_free(&u->functions);
}

const char *native_unit(NativeBuild *b, CoreContext *core, const Unit *unit, base_buf *out) {
    base_arena arena = {0};
    UnitCode code = {.build = b, .core = core, .source = unit, .arena = &arena}, *u = &code;
    u->prefix = unit->name[0] == '(' ? native_mangle(&b->arena, unit->name) : "main";
    BASE_PUSH(&u->live_pool, 0);
    native_analyze(u);
    int count = 0;
    for (size_t i = 0; i < u->procs.len; i++)
        if (!u->procs.at[i]->lifted) u->procs.at[i]->code = count++;
    for (size_t i = 0; i < u->procs.len; i++) {
        Proc *p = u->procs.at[i];
        if (p->lifted && p->self->refs == 0) continue;
        native_lower(p);
        native_flow(p);
        native_emit(p);
    }
    const char *name = base_arena_printf(&b->arena, "unit_%s", u->prefix);
    write_text(u, out, name);
    /* From here on its procedures are another unit's. */
    size_t it = 0;
    uint64_t place;
    while (base_map_next(&b->known, &it, NULL, &place)) {
        KnownGlobal *k = (KnownGlobal *)place;
        if (k->proc) k->target = base_arena_strdup(&b->arena, k->target);
        k->proc = NULL;
        k->early = true;
    }
    unit_free(u);
    base_arena_free(&arena);
    return name;
}

NativeBuild *native_build_new(void) { return base_calloc(1, sizeof(NativeBuild)); }

void native_build_free(NativeBuild *b) {
    base_map_free(&b->known);
    base_map_free(&b->global_names);
    base_arena_free(&b->arena);
    free(b);
}
