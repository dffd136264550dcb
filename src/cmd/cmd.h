/* cmd.h: the hone command's subcommands, one file each. Each gets the words behind its name and
 * returns the exit code. */
#ifndef HONE_CMD_CMD_H
#define HONE_CMD_CMD_H

#include "base/base.h"
#include "driver/driver.h"
#include "hone/prof.h"

typedef struct Subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
    const char *usage, *help;
} Subcommand;

/* The table, ended by a null row; main.c. */
extern const Subcommand cmd_table[];
const Subcommand *cmd_find(const char *name); /* the row of that name, or the null row */
/* The row whose name is so like NAME that it may have been meant; NULL: none. */
const Subcommand *cmd_nearest(const char *name);

int cmd_run(int argc, char **argv);
int cmd_build(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_disassemble(int argc, char **argv);

/* As base_options_next, but options may stand behind operands too: those are moved to argv[1..] and
 * counted in *OPERANDS, which is 0 at first. O started at word 1. */
int cmd_next_option(base_options *o, int *operands);
/* Prints "hone NAME: TEXT" and the hint to --help on stderr; returns EXIT_USAGE. */
int cmd_usage_error(const char *name, const char *text);
/* Prints LEN bytes on stdout; the exit code. */
int cmd_print(const char *name, const char *bytes, size_t len);
/* The same, or the whole file PATH where it is not NULL, as base_file_write does it. */
int cmd_write(const char *name, const char *path, const char *bytes, size_t len);
/* The profile in a file, for the subcommand NAME. NULL: it cannot be read, which is said on stderr.
 */
hone_prof_data *cmd_read_profile(const char *name, const char *path);
/* Prints usage, help and options of a subcommand on stdout; returns 0. */
int cmd_help(const Subcommand *command, const base_option *options);

#endif
