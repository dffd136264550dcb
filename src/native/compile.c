/* compile.c: C texts to a program: the unit cache, the C compiler, the linker.
 *
 * An object file is kept under the digest of all that shapes it: the unit's text, the header, the
 * compiler and its flags. It is written beside its place and renamed, so builds may overlap; what
 * was not used for longest goes when the cache has grown too large. Nothing that names the place or
 * the time of a build gets into a program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "native/native.h"
#include "os/os.h"

extern const char native_header[], native_header_end[];

#ifndef NATIVE_CC
#error "the Makefile says how native code is compiled"
#endif

enum { CACHE_BYTES = 512 << 20 };

typedef struct Build {
    const NativeOptions *options;
    char work[64];  /* a folder for this build */
    char *cache;    /* folder of object files */
    char *why;      /* what went wrong first */
    base_buf flags; /* of the compiler, separated by spaces */
    bool progress;
} Build;

__attribute__((format(printf, 2, 3))) static void fail(Build *b, const char *format, ...) {
    if (b->why) return;
    base_buf text = {0};
    va_list ap;
    va_start(ap, format);
    base_buf_vprintf(&text, format, ap);
    va_end(ap);
    b->why = base_buf_take(&text);
}

__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...) {
    base_buf text = {0};
    va_list ap;
    va_start(ap, format);
    base_buf_vprintf(&text, format, ap);
    va_end(ap);
    return base_buf_take(&text);
}

static bool write_file(Build *b, const char *folder, const char *name, const char *bytes,
                       size_t length) {
    char *path = text_of("%s/%s", folder, name), *why = NULL;
    bool ok = base_file_write(path, bytes, length, &why);
    if (!ok) fail(b, "%s", why);
    free(path);
    free(why);
    return ok;
}

/* ---- folders ---- */

static bool make_folders(const char *path) {
    char *copy = base_strdup(path);
    for (char *s = copy + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            mkdir(copy, 0777);
            *s = '/';
        }
    bool ok = mkdir(copy, 0777) == 0 || errno == EEXIST;
    free(copy);
    return ok;
}

char *native_cache_folder(void) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/') return text_of("%s/hone/units", base);
    return home && home[0] ? text_of("%s/.cache/hone/units", home) : NULL;
}

typedef struct Entry {
    char *path;
    struct timespec used;
    size_t bytes;
} Entry;

static int by_age(const void *a, const void *b) {
    const struct timespec *x = &((const Entry *)a)->used, *y = &((const Entry *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Removes files, the longest unused first, until no more than MOST bytes are left. */
static size_t trim(const char *folder, size_t most) {
    DIR *d = opendir(folder);
    if (!d) return 0;
    BASE_VEC(Entry) entries = {0};
    size_t total = 0, removed = 0;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s;
        char *path = text_of("%s/%s", folder, e->d_name);
        if (stat(path, &s) == 0 && S_ISREG(s.st_mode)) {
            BASE_PUSH(&entries, (Entry){path, s.st_mtim, (size_t)s.st_size});
            total += (size_t)s.st_size;
        } else {
            free(path);
        }
    }
    closedir(d);
    if (entries.len) qsort(entries.at, entries.len, sizeof *entries.at, by_age);
    for (size_t i = 0; i < entries.len; i++) {
        if (total > most && unlink(entries.at[i].path) == 0) {
            total -= entries.at[i].bytes;
            removed++;
        }
        free(entries.at[i].path);
    }
    BASE_VEC_FREE(&entries);
    return removed;
}

size_t native_cache_clear(void) {
    char *folder = native_cache_folder();
    size_t removed = folder ? trim(folder, 0) : 0;
    free(folder);
    return removed;
}

static void remove_work(const char *folder) {
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        char *path = text_of("%s/%s", folder, e->d_name);
        unlink(path);
        free(path);
    }
    closedir(d);
    rmdir(folder);
}

/* ---- running the compiler ---- */

/* Starts COMMAND, words between single spaces and then MORE, in the work folder; what it says goes
 * to the file LOG there. */
static pid_t start(Build *b, const char *command, const char *const *more, const char *log) {
    char *words = base_strdup(command);
    BASE_VEC(const char *) all = {0};
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) BASE_PUSH(&all, word);
    for (; *more; more++) BASE_PUSH(&all, *more);
    BASE_PUSH(&all, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (chdir(b->work) != 0) _exit(127);
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(fd, 1);
        dup2(fd, 2);
        execvp(all.at[0], (char *const *)(uintptr_t)all.at);
        dprintf(2, "%s: %s\n", all.at[0], strerror(errno));
        _exit(127);
    }
    if (pid < 0) fail(b, "cannot start %s: %s", all.at[0], strerror(errno));
    BASE_VEC_FREE(&all);
    free(words);
    return pid;
}

/* Notes the failure of the command that wrote LOG. */
static void fail_with_log(Build *b, const char *what, const char *log) {
    base_buf text = {0};
    char *path = text_of("%s/%s", b->work, log), *why = NULL;
    base_file_read(path, 64 << 10, &text, &why);
    fail(b, "%s failed:\n%s", what, base_buf_str(&text));
    base_buf_free(&text);
    free(path);
    free(why);
}

static bool succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

/* ---- units ---- */

typedef struct Job {
    const NativeText *text;
    char *object;  /* where it is or will be */
    char *written; /* what the compiler writes; renamed when it is done */
    char *log;
    pid_t pid;
} Job;

/* Two hashes of 64 bits as one digest. */
static char *digest(Build *b, const NativeText *text) {
    size_t header = (size_t)(native_header_end - native_header);
    static uint64_t of_header;
    if (!of_header) of_header = base_hash_bytes(native_header, header);
    base_buf all = {0};
    base_buf_printf(&all, "%016llx\n%s\n", (unsigned long long)of_header, base_buf_str(&b->flags));
    base_buf_add(&all, text->text, text->length);
    uint64_t first = base_hash_bytes(all.at, all.len);
    base_buf_printf(&all, "\n%zu", all.len);
    for (size_t i = 0, j = all.len - 1; i < j; i++, j--) {
        char c = all.at[i];
        all.at[i] = all.at[j];
        all.at[j] = c;
    }
    uint64_t second = base_hash_bytes(all.at, all.len);
    base_buf_free(&all);
    return text_of("%016llx%016llx", (unsigned long long)first, (unsigned long long)second);
}

static void tell(Build *b, int done, int count, const char *name) {
    if (!b->progress) return;
    if (done < count)
        fprintf(stderr, "\r\033[Kcompiling %d/%d %s", done + 1, count, name);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

static bool start_job(Build *b, Job *job) {
    char *source = text_of("%s.c", job->text->name);
    if (!write_file(b, b->work, source, job->text->text, job->text->length)) return false;
    job->written = text_of("%s.%ld", job->object, (long)getpid());
    job->log = text_of("%s.log", job->text->name);
    const char *more[] = {"-c", source, "-o", job->written, NULL};
    job->pid = start(b, base_buf_str(&b->flags), more, job->log);
    free(source);
    return job->pid > 0;
}

static void finish_job(Build *b, Job *job, int status) {
    job->pid = 0;
    if (!succeeded(status))
        fail_with_log(b, job->text->name, job->log);
    else if (rename(job->written, job->object) != 0)
        fail(b, "%s: %s", job->object, strerror(errno));
    if (b->why) unlink(job->written);
}

static void wait_for_one(Build *b, Job *jobs, int count) {
    for (int i = 0; i < count; i++) {
        int status;
        if (jobs[i].pid <= 0 || waitpid(jobs[i].pid, &status, 0) != jobs[i].pid) continue;
        finish_job(b, &jobs[i], status);
        return;
    }
}

/* All objects are there, or B has failed. */
static void compile(Build *b, const NativeText *texts, Job *jobs, int count) {
    int running = 0, most = (int)os_cpu_count();
    for (int i = 0; i < count && !b->why; i++) {
        char *name = digest(b, &texts[i]);
        jobs[i] = (Job){.text = &texts[i], .object = text_of("%s/%s.o", b->cache, name)};
        free(name);
        if (utimensat(AT_FDCWD, jobs[i].object, NULL, 0) == 0) continue;
        tell(b, i, count, texts[i].name);
        if (running == most) {
            wait_for_one(b, jobs, i);
            running--;
        }
        if (!b->why && start_job(b, &jobs[i])) running++;
    }
    for (; running > 0; running--) wait_for_one(b, jobs, count);
    tell(b, count, count, "");
}

/* ---- linking ---- */

/* libhone.a, beside the program that runs, or in ../lib/hone. */
static char *find_archive(Build *b) {
    const char *program = os_program_path(), *slash = strrchr(program, '/');
    int folder = slash ? (int)(slash - program) : 0;
    static const char *const places[] = {"libhone.a", "../lib/hone/libhone.a"};
    for (size_t i = 0; i < BASE_COUNT(places); i++) {
        char *path = text_of("%.*s/%s", folder, program, places[i]);
        if (access(path, R_OK) == 0) return path;
        free(path);
    }
    fail(b, "libhone.a is neither beside %s nor in ../lib/hone", program);
    return NULL;
}

static void link_program(Build *b, const Job *jobs, int count) {
    char *archive = find_archive(b), *output = base_path_absolute(b->options->output);
    char *written = text_of("%s.%ld", output, (long)getpid());
    BASE_VEC(const char *) words = {0};
    for (int i = 0; i < count; i++) BASE_PUSH(&words, jobs[i].object);
    const char *const rest[] = {archive, "-o", written};
    for (size_t i = 0; i < BASE_COUNT(rest); i++) BASE_PUSH(&words, rest[i]);
    char *libraries = base_strdup(NATIVE_LIBS);
    for (char *word = strtok(libraries, " "); word; word = strtok(NULL, " "))
        BASE_PUSH(&words, word);
    BASE_PUSH(&words, NULL);
    int status = -1;
    pid_t pid = archive ? start(b, NATIVE_CC " " NATIVE_LINK, words.at, "link.log") : -1;
    if (pid > 0) waitpid(pid, &status, 0);
    if (!b->why && !succeeded(status)) fail_with_log(b, "linking", "link.log");
    if (!b->why && rename(written, output) != 0) fail(b, "%s: %s", output, strerror(errno));
    if (b->why) unlink(written);
    BASE_VEC_FREE(&words);
    free(libraries);
    free(written);
    free(output);
    free(archive);
}

static void keep_texts(Build *b, const NativeText *texts, int count) {
    const char *folder = b->options->keep_c;
    if (!make_folders(folder)) fail(b, "%s: %s", folder, strerror(errno));
    size_t header = (size_t)(native_header_end - native_header);
    if (!b->why) write_file(b, folder, "hone.h", native_header, header);
    for (int i = 0; i < count && !b->why; i++) {
        char *name = text_of("%s.c", texts[i].name);
        write_file(b, folder, name, texts[i].text, texts[i].length);
        free(name);
    }
}

static bool open_folders(Build *b) {
    const char *temporary = getenv("TMPDIR");
    snprintf(b->work, sizeof b->work, "%s/hone-build-XXXXXX",
             temporary && strlen(temporary) < 40 ? temporary : "/tmp");
    if (!mkdtemp(b->work)) {
        fail(b, "%s: %s", b->work, strerror(errno));
        return false;
    }
    b->cache = native_cache_folder();
    if (b->cache && !make_folders(b->cache)) {
        free(b->cache);
        b->cache = NULL;
    }
    if (!b->cache) b->cache = base_strdup(b->work);
    size_t header = (size_t)(native_header_end - native_header);
    return write_file(b, b->work, "hone.h", native_header, header);
}

char *native_make(const NativeText *texts, int count, const NativeOptions *options) {
    Build b = {.options = options, .progress = isatty(2)};
    base_buf_printf(&b.flags, NATIVE_CC " " NATIVE_CFLAGS " -O%d", options->level);
    Job *jobs = base_calloc((size_t)count, sizeof *jobs);
    if (options->keep_c) keep_texts(&b, texts, count);
    if (!b.why && open_folders(&b)) {
        compile(&b, texts, jobs, count);
        if (!b.why) link_program(&b, jobs, count);
        trim(b.cache, CACHE_BYTES);
    }
    for (int i = 0; i < count; i++) {
        free(jobs[i].object);
        free(jobs[i].written);
        free(jobs[i].log);
    }
    free(jobs);
    if (b.work[0]) remove_work(b.work);
    free(b.cache);
    base_buf_free(&b.flags);
    return b.why;
}
