/* Statistics of instructions, on a clock driven by hand. */
#include <hone/prof.h>

#include "prof_check.h"

static uint64_t now, step_of_clock;
static uint64_t hand_clock(void) { return now += step_of_clock; }

enum { ADD, CALL, JUMP, COUNT };
enum { GC, PARTS };
static const char *const names[] = {"add", "call, \"far\"", "jump"}, *const parts[] = {"collector"};

static hone_prof_vmstats *new_stats(uint64_t clock_cost) {
    step_of_clock = clock_cost;
    return hone_prof_vmstats_new(names, COUNT, parts, PARTS, hand_clock);
}

static hone_prof_vmrow row_of(hone_prof_vmstats *s, size_t i) {
    size_t n;
    hone_prof_vmrow *rows = hone_prof_vmstats_rows(s, &n), row = rows[i];
    CHECK_EQ_U(n, COUNT + PARTS);
    free(rows);
    return row;
}

static void test_times_and_pairs(void) {
    hone_prof_vmstats *s = new_stats(0);
    hone_prof_vmcounts *c = hone_prof_vmstats_thread(s);
    hone_prof_vm_step(c, ADD, 1000);
    hone_prof_vm_step(c, CALL, 1010);
    hone_prof_vm_part(c, GC, 1025); /* the call hands over to the collector */
    hone_prof_vm_step(c, ADD, 1525);
    hone_prof_vm_step(c, ADD, 1530);
    hone_prof_vm_pause(c, 1540);
    hone_prof_vm_step(c, JUMP, 9999);
    hone_prof_vm_pause(c, 10000);
    hone_prof_vmrow add = row_of(s, ADD), call = row_of(s, CALL), gc = row_of(s, COUNT + GC);
    CHECK_EQ_U(add.count, 3);
    CHECK_EQ_U(add.total_ns, 10 + 5 + 10);
    CHECK_NEAR(add.average_ns, 25.0 / 3, 1e-9);
    CHECK_EQ_U(call.total_ns, 15);
    CHECK_EQ_U(gc.total_ns, 500);
    CHECK_EQ_U(gc.count, 1);
    CHECK(gc.part && !add.part);
    CHECK_EQ_U(row_of(s, JUMP).total_ns, 1);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, ADD, CALL), 1);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, CALL, ADD), 1);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, ADD, ADD), 1);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, ADD, JUMP), 1);
    hone_prof_vmstats_reset(s);
    CHECK_EQ_U(row_of(s, ADD).count, 0);
    CHECK(hone_prof_vm_dropped(c));
    hone_prof_vm_step(c, JUMP, 20000); /* before it has found out */
    CHECK_EQ_U(row_of(s, JUMP).count, 0);
    hone_prof_vmstats_thread_end(c);
    CHECK_EQ_U(row_of(s, JUMP).count, 0);
    c = hone_prof_vmstats_thread(s);
    CHECK(!hone_prof_vm_dropped(c));
    hone_prof_vm_step(c, JUMP, 20000);
    CHECK_EQ_U(row_of(s, JUMP).count, 1);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, JUMP, JUMP), 0);
    hone_prof_vmstats_thread_end(c);
    CHECK_EQ_U(row_of(s, JUMP).count, 1);
    hone_prof_vmstats_free(s);
}

/* Two threads, alternating: no pair across them; pairs are executions less one for each thread. */
static void test_threads_apart(void) {
    hone_prof_vmstats *s = new_stats(0);
    hone_prof_vmcounts *a = hone_prof_vmstats_thread(s), *b = hone_prof_vmstats_thread(s);
    for (uint64_t i = 0; i < 1000; i++) {
        hone_prof_vm_step(a, ADD, i);
        hone_prof_vm_step(b, JUMP, i);
    }
    hone_prof_vmstats_thread_end(b); /* what it counted stays */
    CHECK_EQ_U(hone_prof_vmstats_pair(s, ADD, ADD), 999);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, JUMP, JUMP), 999);
    CHECK_EQ_U(hone_prof_vmstats_pair(s, ADD, JUMP) + hone_prof_vmstats_pair(s, JUMP, ADD), 0);
    CHECK_EQ_U(row_of(s, JUMP).count, 1000);
    hone_prof_vmstats_free(s);
}

static void test_clock_is_taken_off(void) {
    hone_prof_vmstats *s = new_stats(20);
    CHECK_NEAR(hone_prof_vmstats_clock_ns(s), 20, 1e-9);
    hone_prof_vmcounts *c = hone_prof_vmstats_thread(s);
    for (uint64_t i = 0; i <= 100; i++) hone_prof_vm_step(c, ADD, 25 * i);
    hone_prof_vm_pause(c, 25 * 101);
    CHECK_EQ_U(row_of(s, ADD).total_ns, 101 * 5);
    for (uint64_t i = 0; i <= 100; i++) hone_prof_vm_step(c, JUMP, 10000 + 3 * i); /* too quick */
    CHECK_EQ_U(row_of(s, JUMP).total_ns, 0);
    hone_prof_bytes csv = hone_prof_vmstats_dump(s, "csv");
    CHECK_HAS(csv.at, "taken off");
    CHECK_HAS(csv.at, "20.00");
    free(csv.at);
    hone_prof_vmstats_free(s);
}

static void test_saturation(void) {
    hone_prof_vmstats *s = new_stats(0);
    hone_prof_vmcounts *a = hone_prof_vmstats_thread(s), *b = hone_prof_vmstats_thread(s);
    a->count[ADD] = (1ull << 32) - 2;
    a->count[CALL] = INT64_MAX - 1;
    b->count[CALL] = INT64_MAX - 1;
    a->ns[CALL] = INT64_MAX;
    for (int i = 0; i < 5; i++) hone_prof_vm_step(a, ADD, (uint64_t)i);
    for (int i = 0; i < 5; i++) hone_prof_vm_step(a, CALL, (uint64_t)i);
    CHECK_EQ_U(a->count[CALL], INT64_MAX);
    CHECK_EQ_U(row_of(s, ADD).count, (1ull << 32) + 3);
    CHECK_EQ_U(row_of(s, CALL).count, INT64_MAX);
    hone_prof_bytes csv = hone_prof_vmstats_dump(s, "csv");
    CHECK_HAS(csv.at, ",9223372036854775807,9223372036854775807,1.00");
    CHECK(!strstr(csv.at, "18446744073709551615") && !strstr(csv.at, ",-"));
    free(csv.at);
    hone_prof_vmstats_thread_end(b);
    CHECK_EQ_U(row_of(s, CALL).count, INT64_MAX);
    hone_prof_vmstats_free(s);
}

static void test_dumps(void) {
    hone_prof_vmstats *s = new_stats(0);
    hone_prof_vmcounts *c = hone_prof_vmstats_thread(s);
    hone_prof_vm_step(c, ADD, 0);
    hone_prof_vm_step(c, CALL, 10);
    hone_prof_vm_step(c, ADD, 40);
    hone_prof_vm_pause(c, 50);
    hone_prof_bytes csv = hone_prof_vmstats_dump(s, "csv");
    CHECK_STR(csv.at, "name,kind,count,total ns,average ns\n"
                      "add,instruction,2,20,10.00\n"
                      "\"call, \"\"far\"\"\",instruction,1,30,30.00\n"
                      "jump,instruction,0,0,0.00\n"
                      "collector,part,0,0,0.00\n"
                      "(one reading of the clock; taken off above),clock,,,0.00\n"
                      "\n"
                      "before,after,count,,\n"
                      "add,\"call, \"\"far\"\"\",1,,\n"
                      "\"call, \"\"far\"\"\",add,1,,\n");
    free(csv.at);
    hone_prof_bytes scm = hone_prof_vmstats_dump(s, "scheme");
    check_datum(scm.at);
    CHECK(scm.at[0] == ';');
    CHECK_HAS(scm.at, "(\"add\" 2 20 10.00 ((\"call, \\\"far\\\"\" 1)))");
    CHECK_HAS(scm.at, "(\"jump\" 0 0 0.00 ())");
    free(scm.at);
    CHECK(!hone_prof_vmstats_dump(s, "xml").at);
    hone_prof_error e;
    CHECK_EQ(hone_prof_vmstats_save(s, "/no/such", "csv", &e), HONE_PROF_IO);
    CHECK_EQ(hone_prof_vmstats_save(s, "/dev/null", "xml", &e), HONE_PROF_UNSUPPORTED);
    hone_prof_bytes text = hone_prof_vmstats_text(s, 0);
    CHECK_HAS(text.at, "3 instructions");
    CHECK(!strstr(text.at, "jump"));
    free(text.at);
    hone_prof_vmstats_free(s);
    hone_prof_vmstats_free(NULL);
}

CHECK_MAIN(test_times_and_pairs, test_threads_apart, test_clock_is_taken_off, test_saturation,
           test_dumps)
