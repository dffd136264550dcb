/* Whole files. Writing goes aside and is renamed, so that a reader, or a kill in the middle, never
 * meets half a file. Devices and pipes can not be replaced in this way and are written in place.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(char **why, const char *what, const char *path, int error) {
    if (why) {
        base_buf b = {0};
        base_buf_printf(&b, "%s %s: %s", what, path, strerror(error));
        *why = base_buf_take(&b);
    }
    return false;
}

static bool read_all(int fd, size_t max, base_buf *out) {
    enum { CHUNK = 64 * 1024 };
    for (;;) {
        /* Room first, so that reading goes straight into the buffer. */
        base_buf_fill(out, 0, CHUNK);
        out->len -= CHUNK;
        ssize_t n = read(fd, out->at + out->len, CHUNK);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        out->len += (size_t)n;
        out->at[out->len] = 0;
        if (n == 0) return true;
        if (max && out->len > max) {
            errno = EFBIG;
            return false;
        }
    }
}

bool base_file_read(const char *path, size_t max, base_buf *out, char **why) {
    *out = (base_buf){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(why, "cannot open", path, errno);
    struct stat st;
    int error = 0;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
        error = EISDIR;
    else if (max && S_ISREG(st.st_mode) && (uint64_t)st.st_size > max)
        error = EFBIG;
    else if (!read_all(fd, max, out))
        error = errno;
    close(fd);
    if (!error) return true;
    base_buf_free(out);
    return fail(why, "cannot read", path, error);
}

static bool write_all(int fd, const char *bytes, size_t len) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* A limit on file sizes (RLIMIT_FSIZE) raises SIGXFSZ, whose default is to kill: block it for this
 * thread meanwhile, so that the write fails with EFBIG and can be told; then take it off again. */
static bool write_quietly(int fd, const char *bytes, size_t len) {
    sigset_t xfsz, old, pending;
    sigemptyset(&xfsz);
    sigaddset(&xfsz, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &xfsz, &old);
    bool ok = write_all(fd, bytes, len);
    int error = errno;
    if (!ok && error == EFBIG && !sigpending(&pending) && sigismember(&pending, SIGXFSZ)) {
        struct timespec none = {0};
        sigtimedwait(&xfsz, NULL, &none);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return ok;
}

static bool write_in_place(const char *path, const void *bytes, size_t len, char **why) {
    bool standard = !strcmp(path, "-");
    int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail(why, "cannot write", path, errno);
    bool ok = write_quietly(fd, bytes, len);
    int error = errno;
    if (!standard && close(fd) < 0 && ok) {
        ok = false;
        error = errno;
    }
    return ok || fail(why, "cannot write", standard ? "standard output" : path, error);
}

/* A new file beside `path`, with the permissions that open() would give it. */
static int open_aside(const char *path, base_buf *aside) {
    for (unsigned i = 0; i < 100; i++) {
        base_buf_clear(aside);
        base_buf_printf(aside, "%s.tmp-%ld-%u", path, (long)getpid(), i);
        int fd = open(aside->at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static bool write_aside(const char *path, const void *bytes, size_t len, char **why) {
    base_buf aside = {0};
    int fd = open_aside(path, &aside);
    if (fd < 0) {
        fail(why, "cannot write", path, errno);
        base_buf_free(&aside);
        return false;
    }
    bool ok = write_quietly(fd, bytes, len);
    int error = errno;
    struct stat st;
    if (stat(path, &st) == 0) fchmod(fd, st.st_mode & 0777);
    if (close(fd) < 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && rename(aside.at, path) < 0) {
        ok = false;
        error = errno;
    }
    if (!ok) {
        unlink(aside.at);
        fail(why, "cannot write", path, error);
    }
    base_buf_free(&aside);
    return ok;
}

bool base_file_write(const char *path, const void *bytes, size_t len, char **why) {
    struct stat st;
    if (!strcmp(path, "-")) return write_in_place(path, bytes, len, why);
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) return fail(why, "cannot write", path, EISDIR);
        if (!S_ISREG(st.st_mode)) return write_in_place(path, bytes, len, why);
        char *target = realpath(path, NULL); /* a symbolic link stays one */
        bool ok = write_aside(target ? target : path, bytes, len, why);
        free(target);
        return ok;
    }
    return write_aside(path, bytes, len, why);
}

bool base_file_can_write(const char *path, char **why) {
    struct stat st;
    if (!strcmp(path, "-")) return true;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) return fail(why, "cannot write", path, EISDIR);
        if (access(path, W_OK) < 0) return fail(why, "cannot write", path, errno);
        if (!S_ISREG(st.st_mode)) return true;
    } else if (!*path || errno != ENOENT) {
        return fail(why, "cannot write", path, *path ? errno : ENOENT);
    }
    const char *slash = strrchr(path, '/');
    char *folder = !slash          ? base_strdup(".")
                   : slash == path ? base_strdup("/")
                                   : base_strndup(path, (size_t)(slash - path));
    bool ok = access(folder, W_OK | X_OK) == 0;
    int error = errno;
    if (ok && slash && !slash[1]) {
        ok = false;
        error = EISDIR;
    }
    free(folder);
    return ok || fail(why, "cannot write", path, error);
}

char *base_path_absolute(const char *path) {
    if (path[0] == '/' || !strcmp(path, "-")) return base_strdup(path);
    char *cwd = getcwd(NULL, 0);
    base_buf b = {0};
    if (cwd) base_buf_printf(&b, "%s%s", cwd, strcmp(cwd, "/") ? "/" : "");
    base_buf_puts(&b, path);
    free(cwd);
    return base_buf_take(&b);
}

const char *base_path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
