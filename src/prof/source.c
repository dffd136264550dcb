/* Text of the source files that a profile names, as it is on this machine now. The profile may be
 * someone else's, and name a pipe or a device: only plain files are opened, and none of those that
 * the kernel makes up, which have no size and may block. */
#include <stdlib.h>
#include <sys/stat.h>

#include "prof/render.h"

enum { MAX_SOURCE = 16 << 20 };

const base_buf *prof_source_text(prof_sources *s, const char *path) {
    bool added;
    void **at = base_strmap_at(&s->files, path, strlen(path), &added);
    if (added) {
        base_buf *text = base_calloc(1, sizeof *text);
        struct stat st;
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size)
            base_file_read(path, MAX_SOURCE, text, NULL);
        *at = text;
    }
    return *at;
}

char *prof_source_line(prof_sources *s, const char *path, uint32_t line) {
    const base_buf *text = prof_source_text(s, path);
    const char *start;
    size_t len;
    if (!text->at || !base_source_line(text->at, text->len, line, &start, &len)) return NULL;
    if (len && start[len - 1] == '\r') len--;
    return base_strndup(start, len);
}

void prof_sources_free(prof_sources *s) {
    void *text;
    for (size_t it = 0; base_strmap_next(&s->files, &it, NULL, &text);) {
        base_buf_free(text);
        free(text);
    }
    base_strmap_free(&s->files);
}
