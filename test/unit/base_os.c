/* os: clocks, memory, threads, symbols. */
#include "os/os.h"
#include "check.h"

static void test_clocks(void) {
    uint64_t t0 = os_mono_ns(), c0 = os_thread_cpu_ns(), p0 = os_process_cpu_ns();
    os_sleep_ns(20 * 1000 * 1000);
    uint64_t slept = os_mono_ns() - t0, used = os_thread_cpu_ns() - c0;
    CHECK(slept >= 20 * 1000 * 1000);
    CHECK(used < slept / 2);
    while (os_thread_cpu_ns() - c0 < 5 * 1000 * 1000) {
    }
    CHECK(os_process_cpu_ns() - p0 >= 4 * 1000 * 1000);
    CHECK(os_wall_ns() > 1500000000ll * 1000000000ll);
}

static void test_memory(void) {
    size_t page = os_page_size(), align = 1 << 21;
    char *p = os_reserve(64 * page, align);
    REQUIRE(p && (uintptr_t)p % align == 0);
    REQUIRE(os_commit(p, 4 * page));
    CHECK_EQ(p[3 * page], 0);
    memset(p, 7, 4 * page);
    CHECK(os_discard(p, page) && p[0] == 0 && p[page] == 7);
    CHECK(os_protect(p + page, page) && os_commit(p + page, page) && p[page] == 7);
    CHECK(os_decommit(p, 4 * page) && os_commit(p, 4 * page) && p[3 * page] == 0);
    os_release(p, 64 * page);
    CHECK(os_physical_memory() > 1 << 20);
    CHECK(os_cpu_count() >= 1);
    CHECK(os_program_path()[0] == '/');
}

static os_mutex lock = OS_MUTEX_INIT;
static os_cond cond;
static int turns;

static void *other(void *arg) {
    os_thread_set_name("a name longer than the system allows");
    for (int i = 0; i < 1000; i++) {
        os_mutex_lock(&lock);
        while (turns % 2 == 0) os_cond_wait(&cond, &lock);
        turns++;
        os_cond_broadcast(&cond);
        os_mutex_unlock(&lock);
    }
    return arg;
}

static void test_threads(void) {
    os_thread t;
    os_cond_init(&cond);
    REQUIRE(os_thread_start(&t, other, &turns, 256 * 1024, true));
    for (int i = 0; i < 1000; i++) {
        os_mutex_lock(&lock);
        while (turns % 2 == 1) os_cond_wait(&cond, &lock);
        turns++;
        os_cond_signal(&cond);
        os_mutex_unlock(&lock);
    }
    CHECK(os_thread_join(t) == &turns);
    CHECK_EQ(turns, 2000);
    uint64_t until = os_mono_ns() + 5 * 1000 * 1000;
    os_mutex_lock(&lock);
    CHECK(!os_mutex_trylock(&lock));
    while (os_cond_wait_until(&cond, &lock, until)) {
    }
    os_mutex_unlock(&lock);
    CHECK(os_mono_ns() >= until);
    os_cond_destroy(&cond);
}

static void test_symbol(void) {
    const char *symbol, *object;
    uintptr_t offset;
    REQUIRE(os_symbol((const void *)(uintptr_t)&malloc, &symbol, &object, &offset));
    CHECK(object && *object);
    CHECK(!os_symbol((const void *)16, &symbol, &object, &offset));
}

CHECK_MAIN(test_clocks, test_memory, test_threads, test_symbol)
