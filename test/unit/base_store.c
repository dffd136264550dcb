/* base: arena, vectors, maps, files. */
#include "base/base.h"
#include "check.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_arena(void) {
    base_arena a = {0};
    int wrong = 0;
    for (size_t i = 1; i < 3000; i++) {
        unsigned char *p = base_arena_alloc(&a, i);
        if ((uintptr_t)p % 16) wrong++;
        for (size_t j = 0; j < i; j++) wrong += p[j] != 0;
        memset(p, 0xEE, i);
    }
    CHECK_EQ(wrong, 0);
    CHECK_STR(base_arena_printf(&a, "%s-%d", "n", 7), "n-7");
    CHECK_STR(base_arena_strndup(&a, "abcdef", 3), "abc");
    memset(base_arena_alloc(&a, 10u << 20), 1, 10u << 20); /* above the largest block */
    base_arena_free(&a);
    CHECK(a.total == 0);
    CHECK_STR(base_arena_strdup(&a, "again"), "again");
    base_arena_free(&a);
}

static void test_vec(void) {
    BASE_VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) BASE_PUSH(&v, i * i);
    CHECK_EQ(v.len, 1000);
    CHECK_EQ(v.at[31], 961);
    CHECK_EQ(BASE_POP(&v), 999 * 999);
    BASE_VEC_FREE(&v);
    CHECK(!v.at && !v.len);
}

/* Random adding and removing, against a plain array. */
static void test_map(void) {
    enum { KEYS = 512 };
    static uint64_t value[KEYS];
    static bool there[KEYS];
    base_map m = {0};
    uint64_t rnd = 1;
    int wrong = 0;
    CHECK(!base_map_find(&m, 0));
    for (int i = 0; i < 200000; i++) {
        rnd = rnd * 6364136223846793005u + 1442695040888963407u;
        unsigned k = (rnd >> 33) % KEYS;
        uint64_t key = k * 0x100000001u;
        if (rnd >> 63) {
            bool added;
            *base_map_at(&m, key, &added) = value[k] = rnd;
            wrong += added == there[k];
            there[k] = true;
        } else {
            wrong += base_map_remove(&m, key) != there[k];
            there[k] = false;
        }
        const uint64_t *found = base_map_find(&m, key);
        wrong += (found != NULL) != there[k] || (found && *found != value[k]);
    }
    size_t count = 0, seen = 0, it = 0;
    for (unsigned k = 0; k < KEYS; k++) count += there[k];
    for (uint64_t key, v; base_map_next(&m, &it, &key, &v); seen++)
        wrong += v != value[key / 0x100000001u];
    CHECK_EQ(wrong, 0);
    CHECK_EQ_U(seen, count);
    CHECK_EQ_U(m.len, count);
    base_map_free(&m);
}

static void test_strmap(void) {
    base_strmap m = {0};
    char key[32];
    int wrong = 0;
    for (uintptr_t i = 0; i < 20000; i++) {
        int len = snprintf(key, sizeof key, "key%lu", (unsigned long)(i % 10000));
        bool added;
        void **v = base_strmap_at(&m, key, (size_t)len, &added);
        wrong += added != (i < 10000) || strcmp(base_strmap_key(v), key);
        *v = (void *)i;
    }
    void **v = base_strmap_find(&m, "key77", 5);
    CHECK(v && *v == (void *)10077);
    CHECK(!base_strmap_find(&m, "key7x", 5));
    CHECK(base_strmap_at(&m, "a\0b", 3, NULL) != base_strmap_at(&m, "a\0c", 3, NULL));
    CHECK_EQ(wrong, 0);
    CHECK_EQ(m.len, 10002);
    base_strmap_free(&m);
}

static char folder[64];

static const char *in_folder(const char *name) {
    static char path[4][128];
    static int i;
    char *p = path[i++ % 4];
    snprintf(p, 128, "%s/%s", folder, name);
    return p;
}

static bool content_is(const char *path, const char *text) {
    base_buf b;
    if (!base_file_read(path, 0, &b, NULL)) return false;
    bool same = !strcmp(base_buf_str(&b), text);
    base_buf_free(&b);
    return same;
}

static void test_files(void) {
    strcpy(folder, "/tmp/base-test-XXXXXX");
    REQUIRE(mkdtemp(folder));
    const char *path = in_folder("a file");
    char *why = NULL;
    CHECK(base_file_can_write(path, NULL));
    CHECK(base_file_write(path, "one", 3, NULL) && content_is(path, "one"));
    CHECK(base_file_write(path, "second", 6, NULL) && content_is(path, "second"));
    base_buf b;
    CHECK(!base_file_read(path, 3, &b, &why) && !b.at);
    CHECK_HAS(why, path);
    free(why);
    CHECK(!base_file_read(folder, 0, &b, &why));
    CHECK_HAS(why, "directory");
    free(why);
    CHECK(!base_file_read(in_folder("none"), 0, &b, &why));
    free(why);
    CHECK(!base_file_write(in_folder("no/such"), "x", 1, &why));
    CHECK_HAS(why, "no/such");
    free(why);
    CHECK(!base_file_can_write(in_folder("no/such"), NULL));
    CHECK(!base_file_can_write(folder, NULL) && !base_file_can_write("", NULL));
    CHECK(base_file_can_write("/dev/full", NULL));
    CHECK(!base_file_write("/dev/full", "x", 1, &why));
    CHECK_HAS(why, "/dev/full");
    free(why);
    CHECK(!base_file_write(folder, "x", 1, NULL));
}

/* A write that fails half way leaves the older file and nothing else. */
static void test_file_limit(void) {
    const char *path = in_folder("a file");
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    char *big = calloc(1, 5000), *why = NULL;
    CHECK(!base_file_write(path, big, 5000, &why));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK_HAS(why, "large");
    CHECK(content_is(path, "second"));
    free(why);
    free(big);
    struct stat st;
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0644);
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(rmdir(folder), 0); /* so nothing else is in it */
}

static void test_paths(void) {
    char *p = base_path_absolute("x/y");
    CHECK(p[0] == '/' && !strcmp(p + strlen(p) - 4, "/x/y"));
    free(p);
    p = base_path_absolute("/q");
    CHECK_STR(p, "/q");
    free(p);
    CHECK_STR(base_path_name("/a/b.c"), "b.c");
    CHECK_STR(base_path_name("b.c"), "b.c");
    CHECK_EQ_U(base_sat_add(BASE_SAT_MAX - 1, 1), BASE_SAT_MAX);
    CHECK_EQ_U(base_sat_add(BASE_SAT_MAX, BASE_SAT_MAX), BASE_SAT_MAX);
    CHECK_EQ_U(base_sat_add((1ull << 32) - 2, 5), (1ull << 32) + 3);
}

CHECK_MAIN(test_arena, test_vec, test_map, test_strmap, test_files, test_file_limit, test_paths)
