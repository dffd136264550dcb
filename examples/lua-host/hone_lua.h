/* hone_lua.h: profiles Lua 5.4 programs with Hone's profiler core, in any program that embeds Lua.
 *
 *     hone_lua *h = hone_lua_new("my program");
 *     lua_State *L = luaL_newstate();
 *     luaL_openlibs(L);
 *     hone_lua_attach(h, L, "main");              // after the libraries, before the program
 *     hone_lua_start(h, NULL);
 *     ... L runs ...
 *     hone_prof_stop(hone_lua_prof(h));
 *     hone_prof_data *d = hone_prof_snapshot(hone_lua_prof(h));     // and so on: hone/prof.h
 *     lua_close(L);
 *     hone_lua_free(h);
 *
 * What a sample means. About once in an interval of the thread's CPU time its stack is noted: at
 * the next instruction of Lua code that the count hook stops at, or when a C function of the
 * libraries ends in which the interval ran out. So time in C functions counts for them, however
 * short they are. C functions of modules loaded later are told by hone_lua_watch; others count for
 * the line that called them.
 *
 * What it does to the program. It takes the count hook (a debug.sethook of the program's own
 * replaces it, for that coroutine) and puts a function of its own in front of each C function in
 * the tables of the libraries. Each coroutine carries the label `fiber`, FILE:LINE#NUMBER of its
 * body.
 *
 * Threads. A state is attached, runs and is closed on one thread; any number of states on any
 * number of threads share an instance, and instances are independent. Samples begin with the next
 * instruction in the states of the thread that starts the profiler, and in those of other threads
 * with their next call of a library function. A coroutine that C code resumes by lua_resume of its
 * own is sampled when it was made, or runs, while the profiler does.
 */
#ifndef HONE_LUA_H
#define HONE_LUA_H

#include <hone/prof.h>
#include <lua.h>

typedef struct hone_lua hone_lua;

hone_lua *hone_lua_new(const char *program);
void hone_lua_free(hone_lua *h);       /* after its states are closed */
hone_prof *hone_lua_prof(hone_lua *h); /* for everything but start; owned by h */
int hone_lua_start(hone_lua *h, const hone_prof_options *options); /* as hone_prof_start */

/* Registers the state of L, whichever of its coroutines L is, under a name for its thread, until it
 * is closed. A Lua error if it is registered already, or for want of memory. */
void hone_lua_attach(hone_lua *h, lua_State *L, const char *name);

/* Puts the C functions of the table on top of the stack under watch, named PREFIX.NAME. Attach does
 * so for all of package.loaded. Functions that have upvalues stay as they are. */
void hone_lua_watch(lua_State *L, const char *prefix);

#endif
