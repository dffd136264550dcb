/* check.h: the whole of the unit tests' frame work.
 *
 *     static void test_sum(void) { CHECK_EQ(1 + 1, 2); }
 *     CHECK_MAIN(test_sum, test_more)
 *
 * One process per file. It prints each failure with its place, then `N passed, N failed`, and
 * exits with 1 if anything failed. A failed check does not end its test; use REQUIRE where going
 * on makes no sense.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_passed, check_failed;

__attribute__((unused)) static bool check_note(bool ok, const char *file, int line,
                                               const char *what) {
    if (ok)
        check_passed++;
    else {
        check_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
    return ok;
}

__attribute__((unused)) static void check_int(int64_t a, int64_t b, const char *file, int line,
                                              const char *what) {
    if (!check_note(a == b, file, line, what))
        fprintf(stderr, "    left %" PRId64 ", right %" PRId64 "\n", a, b);
}

__attribute__((unused)) static void check_uint(uint64_t a, uint64_t b, const char *file, int line,
                                               const char *what) {
    if (!check_note(a == b, file, line, what))
        fprintf(stderr, "    left %" PRIu64 ", right %" PRIu64 "\n", a, b);
}

__attribute__((unused)) static void check_str(const char *a, const char *b, const char *file,
                                              int line, const char *what) {
    if (!check_note(a && b && !strcmp(a, b), file, line, what))
        fprintf(stderr, "    left  \"%s\"\n    right \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
}

__attribute__((unused)) static void check_near(double a, double b, double eps, const char *file,
                                               int line, const char *what) {
    if (!check_note(fabs(a - b) <= eps, file, line, what))
        fprintf(stderr, "    left %.9g, right %.9g, allowed %.3g\n", a, b, eps);
}

#define CHECK(cond)           check_note((cond), __FILE__, __LINE__, #cond)
#define CHECK_EQ(a, b)        check_int((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_EQ_U(a, b)      check_uint((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b)       check_str((a), (b), __FILE__, __LINE__, #a " is " #b)
#define CHECK_NEAR(a, b, eps) check_near((a), (b), (eps), __FILE__, __LINE__, #a " ~ " #b)
#define CHECK_HAS(text, part)                                                                      \
    do {                                                                                           \
        const char *check_text = (text);                                                           \
        if (!check_note(strstr(check_text, (part)) != NULL, __FILE__, __LINE__,                    \
                        #text " contains " #part))                                                 \
            fprintf(stderr, "    text: %s\n", check_text);                                         \
    } while (0)
#define REQUIRE(cond)                                                                              \
    do {                                                                                           \
        if (!CHECK(cond)) return;                                                                  \
    } while (0)

#define CHECK_MAIN(...)                                                                            \
    int main(void) {                                                                               \
        void (*tests[])(void) = {__VA_ARGS__};                                                     \
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) tests[i]();                      \
        printf("%d passed, %d failed\n", check_passed, check_failed);                              \
        return check_failed ? 1 : 0;                                                               \
    }

#endif
