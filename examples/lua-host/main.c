/* hone-lua: runs a Lua program under the profiler.
 * hone-lua [--profile-out FILE] [--interval MS] SCRIPT [ARGUMENT...] */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone_lua.h"

static hone_lua *profiler;
static const char *out_path; /* NULL: a report on stderr */

static int usage(void) {
    fprintf(stderr, "usage: hone-lua [--profile-out FILE] [--interval MS] SCRIPT [ARGUMENT...]\n");
    return 2;
}

/* Also called where the script ends the process by os.exit. */
static void finish(void) {
    hone_prof *p = hone_lua_prof(profiler);
    hone_prof_error error = {0};
    hone_prof_stop(p);
    hone_prof_data *d = hone_prof_snapshot(p);
    if (out_path) {
        hone_prof_save(d, out_path, NULL, NULL, &error);
    } else {
        hone_prof_bytes text = hone_prof_report_text(d, NULL);
        fwrite(text.at, 1, text.len, stderr);
        free(text.at);
    }
    hone_prof_data_free(d);
    if (!error.status) return;
    fflush(NULL);
    fprintf(stderr, "hone-lua: %s\n", error.text);
    _Exit(1);
}

static int traceback(lua_State *L) {
    const char *text = lua_tostring(L, 1);
    luaL_traceback(L, L, text ? text : luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

static void set_arg(lua_State *L, int argc, char **argv, int script) {
    lua_newtable(L);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - script);
    }
    lua_setglobal(L, "arg");
}

/* Runs with the error handler at stack index 1. */
static int run(lua_State *L, int argc, char **argv, int script) {
    set_arg(L, argc, argv, script);
    int status = luaL_loadfile(L, argv[script]);
    for (int i = script + 1; i < argc && !status; i++) {
        luaL_checkstack(L, 1, "too many arguments");
        lua_pushstring(L, argv[i]);
    }
    if (!status) status = lua_pcall(L, argc - script - 1, 0, 1);
    if (status) fprintf(stderr, "hone-lua: %s\n", lua_tostring(L, -1));
    return status ? 1 : 0;
}

int main(int argc, char **argv) {
    hone_prof_options options = {0};
    hone_prof_error error;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "--profile-out") == 0)
            out_path = argv[i + 1];
        else if (strcmp(argv[i], "--interval") == 0)
            options.interval_ns = (uint64_t)(strtod(argv[i + 1], NULL) * 1e6);
        else
            return usage();
    }
    if (i >= argc || argv[i][0] == '-') return usage();
    if (out_path && hone_prof_check_path(out_path, &error)) {
        fprintf(stderr, "hone-lua: %s\n", error.text);
        return 2;
    }
    lua_State *L = luaL_newstate();
    if (!L) return 1;
    luaL_openlibs(L);
    const char *slash = strrchr(argv[i], '/');
    profiler = hone_lua_new(slash ? slash + 1 : argv[i]);
    lua_pushcfunction(L, traceback);
    hone_lua_attach(profiler, L, "main");
    int status = hone_lua_start(profiler, &options);
    if (status) {
        fprintf(stderr, "hone-lua: %s\n", hone_prof_status_text(status));
        return 2;
    }
    atexit(finish);
    status = run(L, argc, argv, i);
    lua_close(L);
    return status;
}
