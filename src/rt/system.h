/* system.h: the process: its command line and its end. */
#ifndef HONE_RT_SYSTEM_H
#define HONE_RT_SYSTEM_H

#include "gc/gc.h"

/* What (command-line) returns: PROGRAM, then the ARGC arguments ARGV. Kept, not copied. */
void rt_set_command_line(const char *program, int argc, char *const *argv);

/* Ends the process with CODE: sends the ports' buffers, then calls rt_exit_hook, or exit where that
 * is NULL. Runs no winders. Where the buffers could not be sent, that is said on stderr and a CODE
 * of 0 becomes 1. From any thread. */
_Noreturn void rt_exit(int code);
/* Ends the process; profiles are written there. Set by the driver. */
extern void (*rt_exit_hook)(int code);

/* The exit code that an object given to `exit` stands for: #t, nothing and unspecified 0; #f 1; an
 * exact integer modulo 256; anything else 1. */
int rt_exit_code(Value v);

#endif
