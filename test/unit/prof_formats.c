/* The formats: names that bite, files that are damaged, saving. */
#include <hone/prof.h>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "prof_check.h"

static const hone_prof_value_type types[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};

static const char *const nasty[] = {"a b",
                                    " lead",
                                    "trail ",
                                    "a;b",
                                    "100%25",
                                    "a\"b'c",
                                    "line\nbreak",
                                    "tab\there",
                                    "\x1b[31mred",
                                    "back\\slash",
                                    "(paren",
                                    "</script><b>",
                                    "&amp;",
                                    "\xCE\xBB-rose",
                                    "\xE6\x97\xA5\xE6\x9C\xAC",
                                    "\xF0\x9F\x98\x80",
                                    "\xE2\x80\xA8sep",
                                    "a,b,\"c\"",
                                    "\xC2\x85nel",
                                    "name 42",
                                    "#|x|#",
                                    "bad\xFFutf8",
                                    "=1+2",
                                    "%3B",
                                    "a\rb",
                                    "<lambda>",
                                    "\x7F",
                                    "a|b"};

static const hone_prof_label labels[] = {
    {.key = "re;quest\n", .value = "GET /\"x\" <&>"},
    {.key = "bytes", .number = INT64_MIN, .unit = "by tes"},
    {.key = "\xCE\xBB", .value = "#|x|#\x1b"},
};

static hone_prof_data *nasty_data(void) {
    hone_prof_data *d = hone_prof_data_new(&(hone_prof_info){.program = "dir/a \"b\";c\n",
                                                             .meaning = "x=y; \xFFz",
                                                             .values = types,
                                                             .value_count = 2,
                                                             .main_value = 1,
                                                             .sample_value = 0,
                                                             .sources = 1,
                                                             .own = true});
    uint32_t root = 0;
    for (size_t i = 0; i < BASE_COUNT(nasty); i++) {
        hone_prof_line l = {hone_prof_data_add_func(d, nasty[i], nasty[BASE_COUNT(nasty) - 1 - i],
                                                    (uint32_t)i, 3, 0),
                            (uint32_t)i + 1, 2};
        uint32_t stack[] = {hone_prof_data_add_location(d, &l, 1), root};
        root = i ? root : stack[0];
        hone_prof_data_add_sample(d, stack, i ? 2 : 1, (uint64_t[]){i + 1, (i + 1) * 1000000},
                                  nasty[(i * 7) % BASE_COUNT(nasty)], labels, i % 4);
    }
    hone_prof_data_finish(d);
    return d;
}

static bool same_label(const hone_prof_label *a, const hone_prof_label *b) {
    return !strcmp(a->key, b->key) && !a->value == !b->value && a->number == b->number &&
           !strcmp(a->unit, b->unit) && (!a->value || !strcmp(a->value, b->value));
}

/* Labels, of text and of number, come back from pprof, each sample's in order of key. */
static void test_nasty_labels(void) {
    hone_prof_data *d = nasty_data(), *back;
    hone_prof_bytes pprof = written(d, "pprof"), scm = written(d, "scm");
    if (!CHECK(!hone_prof_data_parse(pprof.at, pprof.len, "x", &back, NULL))) return;
    int labelled = 0, wrong = 0;
    CHECK_EQ_U(hone_prof_data_samples(back), hone_prof_data_samples(d));
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample a, b;
        hone_prof_data_sample(d, i, &a);
        hone_prof_data_sample(back, i, &b);
        wrong += a.label_count != b.label_count;
        for (uint32_t k = 0; k < a.label_count && k < b.label_count; k++, labelled++) {
            wrong += !same_label(&a.labels[k], &b.labels[k]);
            wrong += k && strcmp(a.labels[k - 1].key, a.labels[k].key) >= 0;
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK(labelled > 10);
    CHECK_HAS(scm.at,
              "((\"bytes\" . -9223372036854775808) (\"re;quest\\n\" . \"GET /\\\"x\\\" <&>\")"
              " (\"\xCE\xBB\" . \"#|x|#\\x1b;\"))");
    free(pprof.at);
    free(scm.at);
    hone_prof_data_free(back);
    hone_prof_data_free(d);
}

static void test_nasty_names(void) {
    hone_prof_data *d = nasty_data();
    check_invariants(d);
    hone_prof_bytes folded = written(d, "folded"), json = written(d, "speedscope");
    CHECK_HAS(folded.at, "a b;a%3Bb 4\n");
    CHECK_HAS(folded.at, "a b;100%2525 5\n");
    CHECK_HAS(folded.at, "a b;line%0Abreak 7\n");
    CHECK_HAS(folded.at, "a b;\xCE\xBB-rose 14\n");
    CHECK_HAS(folded.at, "a b;name 42 20\n");
    CHECK(!strstr(json.at, "</script"));
    CHECK_HAS(json.at, "\\u001b[31mred");
    free(folded.at);
    free(json.at);
    char name[] = "100%2525%3B%0A%zz%";
    hone_prof_unfold(name);
    CHECK_STR(name, "100%25;\n%zz%");
    hone_prof_data_free(d);
}

static bool same_profile(const hone_prof_data *a, const hone_prof_data *b) {
    hone_prof_bytes x = written(a, "pprof"), y = written(b, "pprof");
    bool same = equal_bytes(x, y);
    free(x.at);
    free(y.at);
    return same;
}

/* Every cut of a file, and a flipped bit in every byte: an error that names the file, or, where the
 * bit means nothing (in the gzip header, in the padding at the end), the same profile. */
static void test_damage(void) {
    hone_prof_data *d = nasty_data(), *out;
    hone_prof_bytes file = written(d, "pprof");
    hone_prof_error e;
    int wrong = 0;
    for (size_t len = 0; len < file.len; len++) {
        memset(&e, 0, sizeof e);
        char *copy = malloc(len + 1); /* so that reading behind the end is seen */
        memcpy(copy, file.at, len);
        wrong += hone_prof_data_parse(copy, len, "cut.pb.gz", &out, &e) != HONE_PROF_FORMAT;
        wrong += out || !strstr(e.text, "cut.pb.gz");
        free(copy);
    }
    CHECK_EQ(wrong, 0);
    for (size_t i = 0; i < file.len; i++) {
        file.at[i] ^= 0x10;
        int status = hone_prof_data_parse(file.at, file.len, "bad.pb.gz", &out, &e);
        wrong += (status == HONE_PROF_OK) != (out != NULL);
        wrong += out && !same_profile(out, d);
        hone_prof_data_free(out);
        file.at[i] ^= 0x10;
    }
    CHECK_EQ(wrong, 0);
    free(file.at);
    hone_prof_data_free(d);
}

static base_buf unzipped(hone_prof_bytes file) {
    base_buf b = {0};
    base_buf_fill(&b, 0, 1 << 20);
    z_stream z = {.next_in = (Bytef *)file.at,
                  .avail_in = (uInt)file.len,
                  .next_out = (Bytef *)b.at,
                  .avail_out = 1 << 20};
    inflateInit2(&z, 31);
    CHECK_EQ(inflate(&z, Z_FINISH), Z_STREAM_END);
    b.len = z.total_out;
    inflateEnd(&z);
    return b;
}

/* Without the checksum of gzip: the decoder itself meets the damage. */
static void test_plain_damage(void) {
    hone_prof_data *d = nasty_data(), *out;
    hone_prof_bytes file = written(d, "pprof");
    base_buf plain = unzipped(file);
    hone_prof_error e;
    CHECK_EQ(hone_prof_data_parse(plain.at, plain.len, "plain", &out, &e), HONE_PROF_OK);
    hone_prof_data_free(out);
    int refused = 0, wrong = 0;
    for (size_t i = 0; i < plain.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            plain.at[i] ^= (char)(1 << bit);
            int status = hone_prof_data_parse(plain.at, plain.len, "plain", &out, &e);
            refused += status == HONE_PROF_FORMAT;
            wrong += (status == HONE_PROF_OK) != (out != NULL);
            hone_prof_data_free(out);
            plain.at[i] ^= (char)(1 << bit);
        }
    CHECK_EQ(wrong, 0);
    CHECK(refused > 100);
    base_buf_free(&plain);
    free(file.at);
    hone_prof_data_free(d);
}

static int parse(const char *bytes, size_t len, hone_prof_error *e) {
    hone_prof_data *out;
    int status = hone_prof_data_parse(bytes, len, "name", &out, e);
    hone_prof_data_free(out);
    return status;
}

static void test_foreign(void) {
    hone_prof_error e;
    CHECK_EQ(parse("", 0, &e), HONE_PROF_FORMAT);
    CHECK_HAS(e.text, "empty");
    CHECK_EQ(parse("(hello world)\n", 14, &e), HONE_PROF_FORMAT);
    CHECK_EQ(parse("\x1f\x8b", 2, &e), HONE_PROF_FORMAT);
    /* By hand, from the wire format: one type, no strings at all. */
    CHECK_EQ(parse("\x0a\x02\x08\x01", 4, &e), HONE_PROF_FORMAT);
    /* string_table "", "n", "u"; sample_type {1,2}; a sample with value -1 and no location. */
    static const char negative[] = "\x32\x00\x32\x01n\x32\x01u\x0a\x04\x08\x01\x10\x02\x12\x0b\x10"
                                   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    CHECK_EQ(parse(negative, sizeof negative - 1, &e), HONE_PROF_FORMAT);
    CHECK_HAS(e.text, "negative");
    /* The same with value 5: a profile of another tool, with a stack that is empty. */
    static const char five[] = "\x32\x00\x32\x01n\x32\x01u\x0a\x04\x08\x01\x10\x02\x12\x02\x10\x05";
    hone_prof_data *d;
    CHECK_EQ(hone_prof_data_parse(five, sizeof five - 1, "five", &d, &e), HONE_PROF_OK);
    REQUIRE(d);
    CHECK(!hone_prof_data_info(d)->own);
    CHECK_EQ_U(main_total(d), 5);
    CHECK_STR(hone_prof_data_info(d)->values[0].unit, "u");
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "5 n (u)");
    free(text.at);
    hone_prof_data_free(d);
    /* A location that is not there. */
    static const char nowhere[] =
        "\x32\x00\x32\x01n\x32\x01u\x0a\x04\x08\x01\x10\x02\x12\x04\x08\x09\x10\x05";
    CHECK_EQ(parse(nowhere, sizeof nowhere - 1, &e), HONE_PROF_FORMAT);
    CHECK_HAS(e.text, "location that is not there");
}

/* 300 MB of zeros in a small gzip file are refused; so are a directory and a sparse 4 GB file. */
static void test_bombs(void) {
    base_buf bomb = {0};
    base_buf_fill(&bomb, 0, 1 << 20);
    char *zeros = calloc(1, 1 << 20);
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
    z.next_out = (Bytef *)bomb.at;
    z.avail_out = 1 << 20;
    for (int i = 0; i < 300; i++) {
        z.next_in = (Bytef *)zeros;
        z.avail_in = 1 << 20;
        deflate(&z, i == 299 ? Z_FINISH : Z_NO_FLUSH);
    }
    hone_prof_error e;
    CHECK_EQ(parse(bomb.at, z.total_out, &e), HONE_PROF_FORMAT);
    CHECK_HAS(e.text, "256 MB");
    deflateEnd(&z);
    free(zeros);
    base_buf_free(&bomb);
    hone_prof_data *d;
    CHECK_EQ(hone_prof_data_read("/", &d, &e), HONE_PROF_IO);
    CHECK_HAS(e.text, "/: Is a directory");
    CHECK_EQ(hone_prof_data_read("/no/such.pb.gz", &d, &e), HONE_PROF_IO);
    CHECK_HAS(e.text, "/no/such.pb.gz");
    char path[] = "/tmp/prof-test-XXXXXX";
    int fd = mkstemp(path);
    CHECK_EQ(ftruncate(fd, 4ll << 30), 0);
    CHECK_EQ(hone_prof_data_read(path, &d, &e), HONE_PROF_IO);
    CHECK_HAS(e.text, "too large");
    close(fd);
    unlink(path);
}

static void test_save(void) {
    char folder[] = "/tmp/prof-test-XXXXXX", path[128];
    REQUIRE(mkdtemp(folder));
    hone_prof_data *d = nasty_data(), *back;
    hone_prof_error e = {0};
    static const char *const names[] = {"p.folded", "p.ticks", "p.pb.gz", "p.json",
                                        "p.csv",    "p.scm",   "p.txt"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK_EQ(hone_prof_save(d, path, NULL, NULL, &e), HONE_PROF_OK);
        struct stat st;
        CHECK(stat(path, &st) == 0 && st.st_size > 100);
        if (i == 2) {
            CHECK_EQ(hone_prof_data_read(path, &back, &e), HONE_PROF_OK);
            CHECK_EQ_U(main_total(back), main_total(d));
            hone_prof_data_free(back);
        }
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/p.xyz", folder);
    CHECK_EQ(hone_prof_save(d, path, NULL, NULL, &e), HONE_PROF_UNSUPPORTED);
    CHECK_HAS(e.text, ".pb.gz");
    CHECK_EQ(hone_prof_save(d, "/no/such/p.csv", NULL, NULL, &e), HONE_PROF_IO);
    CHECK_HAS(e.text, "/no/such/p.csv");
    CHECK_EQ(hone_prof_save(d, "/dev/full", hone_prof_format_by_name("csv"), NULL, &e),
             HONE_PROF_IO);
    CHECK_EQ(rmdir(folder), 0);
    hone_prof_data_free(d);
}

/* Hot lines show their source; a file that is gone shows none. */
static void test_source_lines(void) {
    char path[] = "/tmp/prof-test-XXXXXX";
    int fd = mkstemp(path);
    static const char source[] = "(define (f)\n   (burn \"x\"))\n";
    CHECK_EQ(write(fd, source, sizeof source - 1), (ssize_t)sizeof source - 1);
    close(fd);
    hone_prof_count counts[] = {{{.name = "f", .file = path, .line = 2, .func_line = 1}, 9},
                                {{.name = "g", .file = "/no/file", .line = 2, .func_line = 1}, 8},
                                {{.name = "h", .file = path, .line = 77, .func_line = 1}, 7}};
    hone_prof_data *d = hone_prof_data_from_counts("p", counts, 3);
    hone_prof_bytes text = hone_prof_report_text(d, &(hone_prof_report){.lines = true});
    CHECK_HAS(text.at, ":2  | (burn \"x\"))\n");
    CHECK_HAS(text.at, "/no/file:2\n");
    CHECK_HAS(text.at, ":77\n");
    free(text.at);
    hone_prof_data_free(d);
    unlink(path);
}

CHECK_MAIN(test_nasty_labels, test_nasty_names, test_damage, test_plain_damage, test_foreign,
           test_bombs, test_save, test_source_lines)
