/* base: buffers, UTF-8, diagnostics, options. */
#include "base/base.h"
#include "check.h"

static void test_buf(void) {
    base_buf b = {0};
    CHECK_STR(base_buf_str(&b), "");
    base_buf_puts(&b, "ab");
    base_buf_putc(&b, 'c');
    base_buf_printf(&b, "%d-%s", 42, "x");
    base_buf_fill(&b, '.', 3);
    base_buf_utf8(&b, 0x3BB);
    CHECK_STR(base_buf_str(&b), "abc42-x...\xCE\xBB");
    for (int i = 0; i < 10000; i++) base_buf_printf(&b, "%d,", i);
    CHECK_EQ_U(b.len, 12 + 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5);
    char *taken = base_buf_take(&b);
    CHECK(!b.at && b.len == 0);
    CHECK(!strcmp(taken + strlen(taken) - 5, "9999,"));
    free(taken);
    base_buf empty = {0};
    char *nothing = base_buf_take(&empty);
    CHECK_STR(nothing, "");
    free(nothing);
}

/* Every code point: encoding then decoding gives it back; the sizes are those of the standard. */
static void test_utf8_all(void) {
    int wrong = 0;
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp < 0xE000) continue;
        char bytes[4];
        uint32_t back;
        unsigned n = base_utf8_put(bytes, cp);
        unsigned right = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
        if (n != right || base_utf8_get(bytes, n, &back) != n || back != cp) wrong++;
        if (n > 1 && (base_utf8_get(bytes, n - 1, &back) != 1 || back != BASE_UTF8_BAD)) wrong++;
    }
    CHECK_EQ(wrong, 0);
}

static void test_utf8_bad(void) {
    static const char *const bad[] = {"\x80",         "\xC0\x80",         "\xC1\xBF",
                                      "\xE0\x80\x80", "\xED\xA0\x80",     "\xF0\x80\x80\x80",
                                      "\xFF",         "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                                      "\xE2\x28\xA1"};
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        uint32_t cp = 0;
        CHECK_EQ(base_utf8_get(bad[i], strlen(bad[i]), &cp), 1);
        CHECK_EQ_U(cp, BASE_UTF8_BAD);
    }
    size_t at = 99;
    CHECK(!base_utf8_valid("ab\xCE", 3, &at));
    CHECK_EQ(at, 2);
    CHECK(base_utf8_valid("a\xCE\xBB\xF0\x9F\x98\x80", 7, NULL));
    CHECK_EQ(base_utf8_count("a\xCE\xBB\xF0\x9F\x98\x80", 7), 3);
    char bytes[4];
    CHECK_EQ(base_utf8_put(bytes, 0xD800), 3);
    CHECK(!memcmp(bytes, "\xEF\xBF\xBD", 3));
    CHECK_EQ(base_utf8_width("a\xE6\x97\xA5\xCC\x81", 6), 3); /* a, CJK, combining acute */
}

static void test_diag(void) {
    base_buf b = {0};
    const char *text = "first\n\t(caar x)\r\nlast";
    base_diag(&b, (base_pos){"f.scm", 2, 3}, "error", "no such thing", text, strlen(text));
    CHECK_STR(b.at, "f.scm:2:3: error: no such thing\n  \t(caar x)\n  \t ^\n");
    base_buf_clear(&b);
    base_diag(&b, (base_pos){NULL, 0, 0}, "warning", "w", NULL, 0);
    CHECK_STR(b.at, "?: warning: w\n");
    base_buf_clear(&b);
    base_diag(&b, (base_pos){"f", 3, 5}, "error", "e", text, strlen(text)); /* at the end */
    CHECK_STR(b.at, "f:3:5: error: e\n  last\n      ^\n");
    base_buf_clear(&b);
    base_diag(&b, (base_pos){"f", 9, 1}, "error", "e", text, strlen(text)); /* no such line */
    CHECK_STR(b.at, "f:9:1: error: e\n");
    base_buf_clear(&b);
    base_diag(&b, (base_pos){"f", 1, 2}, "error", "e", "a\x1b[0m\xFF", 6);
    CHECK_HAS(b.at, "a\xEF\xBF\xBD[0m\xEF\xBF\xBD\n");
    base_buf_free(&b);
    const char *line;
    size_t len;
    CHECK(!base_source_line("a\n", 2, 2, &line, &len));
    CHECK(base_source_line("", 0, 1, &line, &len) && len == 0);
}

static const base_option table[] = {
    {1, 'o', "output", "FILE", "where to", "Output"},
    {2, 'v', "verbose", NULL, "say more", "Output"},
    {3, 0, "profile", "[KIND]",
     "take a profile of the run and print it at the end of all on standard error", "Profile"},
    {4, 'n', NULL, "N", "a number", "Profile"},
    BASE_OPTION_END};

static int parse(base_options *o, char **argv) {
    int n = 0;
    while (argv[n]) n++;
    base_options_init(o, table, n, argv, 0);
    return base_options_next(o);
}

static void test_options(void) {
    base_options o;
    char *a[] = {"-vo", "x y", "--profile", "--profile=counts", "-n5", "--output=", "-", "rest", 0};
    CHECK_EQ(parse(&o, a), 2);
    CHECK_EQ(base_options_next(&o), 1);
    CHECK_STR(o.value, "x y");
    CHECK_EQ(base_options_next(&o), 3);
    CHECK(!o.value);
    CHECK_EQ(base_options_next(&o), 3);
    CHECK_STR(o.value, "counts");
    CHECK_EQ(base_options_next(&o), 4);
    CHECK_STR(o.value, "5");
    CHECK_EQ(base_options_next(&o), 1);
    CHECK_STR(o.value, "");
    CHECK_EQ(base_options_next(&o), BASE_OPTION_DONE);
    CHECK_STR(a[o.index], "-");
    char *dashes[] = {"--", "-v", 0};
    CHECK_EQ(parse(&o, dashes), BASE_OPTION_DONE);
    CHECK_EQ(o.index, 1);
}

static void test_option_errors(void) {
    base_options o;
    char *near[] = {"--outptu", 0}, *far[] = {"--zzzzz", 0}, *need[] = {"--output", 0};
    char *none[] = {"--verbose=1", 0}, *letter[] = {"-vx", 0}, *need2[] = {"-o", 0};
    CHECK_EQ(parse(&o, near), BASE_OPTION_ERROR);
    CHECK_STR(o.error, "unknown option --outptu (did you mean --output?)");
    CHECK_EQ(parse(&o, far), BASE_OPTION_ERROR);
    CHECK_STR(o.error, "unknown option --zzzzz");
    CHECK_EQ(parse(&o, need), BASE_OPTION_ERROR);
    CHECK_STR(o.error, "option --output needs FILE");
    CHECK_EQ(parse(&o, none), BASE_OPTION_ERROR);
    CHECK_EQ(parse(&o, need2), BASE_OPTION_ERROR);
    CHECK_EQ(parse(&o, letter), 2);
    CHECK_EQ(base_options_next(&o), BASE_OPTION_ERROR);
    CHECK_STR(o.error, "unknown option -x");
}

static void test_help(void) {
    base_buf b = {0};
    base_options_help(&b, table);
    CHECK_HAS(b.at, "Output:\n  -o, --output FILE");
    CHECK_HAS(b.at, "\n\nProfile:\n      --profile[=KIND]");
    for (char *line = strtok(b.at, "\n"); line; line = strtok(NULL, "\n"))
        CHECK(strlen(line) <= 80);
    base_buf_free(&b);
}

static void test_numbers(void) {
    uint64_t u;
    double d;
    CHECK(base_parse_u64("18446744073709551615", 0, UINT64_MAX, &u) && u == UINT64_MAX);
    CHECK(!base_parse_u64("18446744073709551616", 0, UINT64_MAX, &u));
    CHECK(!base_parse_u64("-1", 0, UINT64_MAX, &u));
    CHECK(!base_parse_u64("", 0, 9, &u) && !base_parse_u64("1x", 0, 9, &u));
    CHECK(!base_parse_u64("10", 0, 9, &u) && !base_parse_u64(" 1", 0, 9, &u));
    CHECK(base_parse_double("0.25", 0, 1, &d) && d == 0.25);
    CHECK(!base_parse_double("nan", 0, 1, &d) && !base_parse_double("2", 0, 1, &d));
    CHECK(base_parse_size("3m", &u) && u == 3 << 20);
    CHECK(base_parse_size("2G", &u) && u == 2ull << 30);
    CHECK(!base_parse_size("99999999999t", &u) && !base_parse_size("3q", &u));
    CHECK(!base_parse_size("3mm", &u));
}

CHECK_MAIN(test_buf, test_utf8_all, test_utf8_bad, test_diag, test_options, test_option_errors,
           test_help, test_numbers)
