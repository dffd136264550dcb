/* Files: opening, asking, removing; the current directory. Everything that may wait is done away.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rt/args.h"
#include "rt/port.h"
#include "rt/prim.h"
#include "rt/rt.h"
#include "rt/string.h"

/* Argument 1 as a path, malloc'd; NULL with the failure noted. */
static char *path_arg(Mutator *m, const char *who, const Value *a) {
    if (!is_string(a[0])) {
        mutator_fail(m, ERR_WRONG_TYPE, who, 1, a[0]);
        return NULL;
    }
    size_t length;
    char *path = rt_string_utf8(a[0], &length);
    if (strlen(path) == length) return path;
    free(path);
    mutator_fail_text(m, ERR_FILE, who, a[0], "the file name contains a null character");
    return NULL;
}

/* Frees PATH. */
static Value file_failure(Mutator *m, const char *who, Value irritant, char *path, int error) {
    mutator_fail_text(m, ERR_FILE, who, irritant, "%s: %s", path, strerror(error));
    free(path);
    return V_FAIL;
}

/* open(2), away; -1 with *ERROR set. A folder is not opened. */
static int open_away(Mutator *m, const char *path, int how, int *error) {
    struct stat st;
    rt_block_begin(m, RT_WAIT_PORT);
    int fd = open(path, how | O_CLOEXEC | O_NOCTTY, 0666);
    *error = errno;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        fd = -1;
        *error = EISDIR;
    }
    rt_block_end(m);
    return fd;
}

static Value open_file(Mutator *m, const Value *a, const char *who, int how, unsigned flags) {
    char *path = path_arg(m, who, a);
    if (!path) return V_FAIL;
    rt_ports_reap();
    int error, fd;
    do {
        fd = open_away(m, path, how, &error);
    } while (fd < 0 && error == EINTR && !rt_interrupt_pending(m));
    if (fd < 0 && error == EINTR) {
        free(path);
        return mutator_fail(m, ERR_INTERRUPT, who, 0, V_DEFAULT);
    }
    if (fd < 0) return file_failure(m, who, a[0], path, error);
    Value port = rt_fd_port(m, fd, flags, path);
    free(path);
    return port;
}

enum { FOR_OUTPUT = O_WRONLY | O_CREAT | O_TRUNC, FOR_APPENDING = O_WRONLY | O_CREAT | O_APPEND };

#define OPEN_FILE(cname, who, how, flags)                                                          \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return open_file(m, a, who, how, flags);                                                   \
    }
OPEN_FILE(prim_open_input_file, "open-input-file", O_RDONLY, PORT_INPUT | PORT_TEXTUAL)
OPEN_FILE(prim_open_binary_input_file, "open-binary-input-file", O_RDONLY, PORT_INPUT | PORT_BINARY)
OPEN_FILE(prim_open_output_file, "open-output-file", FOR_OUTPUT, PORT_OUTPUT | PORT_TEXTUAL)
OPEN_FILE(prim_open_binary_output_file, "open-binary-output-file", FOR_OUTPUT,
          PORT_OUTPUT | PORT_BINARY)
OPEN_FILE(prim_open_append_file, "open-append-file", FOR_APPENDING, PORT_OUTPUT | PORT_TEXTUAL)

PRIM_FN(prim_file_exists_p) {
    PRIM_UNUSED;
    char *path = path_arg(m, "file-exists?", a);
    if (!path) return V_FAIL;
    bool exists = access(path, F_OK) == 0;
    free(path);
    return v_bool(exists);
}

PRIM_FN(prim_delete_file) {
    PRIM_UNUSED;
    char *path = path_arg(m, "delete-file", a);
    if (!path) return V_FAIL;
    if (unlink(path) != 0) return file_failure(m, "delete-file", a[0], path, errno);
    free(path);
    return V_UNSPEC;
}

PRIM_FN(prim_current_directory) {
    PRIM_UNUSED;
    char *path = getcwd(NULL, 0);
    if (!path)
        return mutator_fail_text(m, ERR_FILE, "current-directory", V_DEFAULT, "%s",
                                 strerror(errno));
    Value s = rt_string_from_system(m, path);
    free(path);
    return s;
}

PRIM_FN(prim_set_current_directory) {
    PRIM_UNUSED;
    char *path = path_arg(m, "set-current-directory!", a);
    if (!path) return V_FAIL;
    if (chdir(path) != 0) return file_failure(m, "set-current-directory!", a[0], path, errno);
    free(path);
    return V_UNSPEC;
}
