/* Time, environment, exit codes, the command line, the collector's counts. */
#include "rt_rig.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void test_time(void) {
    Value before = CALL0("current-jiffy");
    os_sleep_ns(2000000);
    Value after = CALL0("current-jiffy");
    CHECK(is_fixnum(before) && is_fixnum(after));
    CHECK(fixnum(after) - fixnum(before) >= 2000000);
    CHECK(CALL0("jiffies-per-second") == N(1000000000));
    double now = flonum(CALL0("current-second"));
    CHECK_NEAR(now, (double)time(NULL), 2.0);
}

static void test_environment(void) {
    setenv("HONE_TEST_VARIABLE", "λ=1", 1);
    setenv("HONE_TEST_BAD", "\xff", 1);
    CHECK_STR(D(CALL("get-environment-variable", S("HONE_TEST_VARIABLE"))), "λ=1");
    CHECK_STR(D(CALL("get-environment-variable", S("HONE_TEST_BAD"))), "\xef\xbf\xbd");
    CHECK(CALL("get-environment-variable", S("HONE_TEST_NONE")) == V_FALSE);
    Value all = CALL0("get-environment-variables");
    CHECK_STR(D(CALL("%assoc", S("HONE_TEST_VARIABLE"), all)), "(HONE_TEST_VARIABLE . λ=1)");
    static char *argv[] = {"a", "b c"};
    rt_set_command_line("prog", 2, argv);
    CHECK_STR(W(CALL0("command-line")), "(\"prog\" \"a\" \"b c\")");
}

static void test_exit_codes(void) {
    CHECK(CALL0("%exit-code") == N(0));
    CHECK(CALL("%exit-code", V_TRUE) == N(0));
    CHECK(CALL("%exit-code", V_FALSE) == N(1));
    CHECK(CALL("%exit-code", N(7)) == N(7));
    CHECK(CALL("%exit-code", N(256)) == N(0));
    CHECK(CALL("%exit-code", N(-1)) == N(255));
    CHECK(CALL("%exit-code", S("s")) == N(1));
    CHECK(CALL("%exit-code", v_flonum(rig, 1.5)) == N(1));
}

/* The exit code of a child that runs F with its standard output on FD. */
static int in_child(void (*f)(void), int fd) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(fd, 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        f();
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void leave(void) {
    CALL("display", S("last words"), rt_std_port(RT_STDOUT));
    CALL("emergency-exit", N(7));
}

static void test_exit(void) {
    char name[] = "/tmp/hone-exit-XXXXXX";
    int fd = mkstemp(name);
    REQUIRE(fd >= 0);
    CHECK_EQ(in_child(leave, fd), 7);
    char text[32] = "";
    CHECK_EQ(pread(fd, text, sizeof text - 1, 0), 10);
    CHECK_STR(text, "last words");
    unlink(name);
    close(fd);
    int full = open("/dev/full", O_WRONLY);
    CHECK_EQ(in_child(leave, full), 7);
    close(full);
}

static void leave_well(void) {
    CALL("display", S("last words"), rt_std_port(RT_STDOUT));
    CALL0("emergency-exit");
}

static void test_lost_output(void) {
    int full = open("/dev/full", O_WRONLY);
    CHECK_EQ(in_child(leave_well, full), 1);
    close(full);
}

static void test_collector(void) {
    Value majors = Y("major-collections");
    int64_t before = fixnum(cdr(CALL("assq", majors, CALL0("%gc-stats"))));
    CALL0("%gc");
    CHECK_EQ(fixnum(cdr(CALL("assq", majors, CALL0("%gc-stats")))), before + 1);
}

static void test_directory(void) {
    Value old = CALL0("current-directory");
    char *back = rt_string_utf8(old, NULL);
    CALL("set-current-directory!", S("/"));
    CHECK_STR(D(CALL0("current-directory")), "/");
    FAILS(ERR_FILE, 0, CALL("set-current-directory!", S("/no/such/folder")));
    CHECK_EQ(chdir(back), 0);
    free(back);
}

CHECK_MAIN(rig_start, test_time, test_environment, test_exit_codes, test_exit, test_lost_output,
           test_collector, test_directory)
