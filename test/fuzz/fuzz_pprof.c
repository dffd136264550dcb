/* libFuzzer: any bytes given to the reader of pprof files. What is accepted must be sound: it is
 * written in every format, and what is written as pprof must read back to the same file.
 *
 * The input is taken as it is (the fuzzer seldom finds its way through a gzip checksum). */
#include <hone/prof.h>

#include <stdlib.h>
#include <string.h>

static hone_prof_bytes as_pprof(const hone_prof_data *d) {
    return hone_prof_write(d, hone_prof_format_by_name("pprof"), NULL);
}

static void check_round_trip(const hone_prof_data *d) {
    hone_prof_bytes once = as_pprof(d);
    hone_prof_data *again;
    if (hone_prof_data_parse(once.at, once.len, "once", &again, NULL)) abort();
    hone_prof_bytes twice = as_pprof(again);
    hone_prof_data *third;
    if (hone_prof_data_parse(twice.at, twice.len, "twice", &third, NULL)) abort();
    hone_prof_bytes thrice = as_pprof(third);
    if (twice.len != thrice.len || memcmp(twice.at, thrice.at, twice.len)) abort();
    hone_prof_data_free(again);
    hone_prof_data_free(third);
    free(once.at);
    free(twice.at);
    free(thrice.at);
}

static void check_tables(const hone_prof_data *d) {
    size_t n;
    uint64_t all = hone_prof_data_total(d, hone_prof_data_info(d)->main_value);
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    for (size_t i = 0; i < n; i++)
        if (rows[i].self > rows[i].total || rows[i].total > all) abort();
    free(rows);
    free(hone_prof_lines(d, &n));
    free(hone_prof_edges(d, &n));
    free(hone_prof_diff(d, d, &n));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    hone_prof_data *d, *sum;
    hone_prof_error e;
    if (hone_prof_data_parse(bytes, len, "input", &d, &e)) {
        if (!strstr(e.text, "input") || d) abort();
        return 0;
    }
    size_t formats;
    const hone_prof_format *f = hone_prof_formats(&formats);
    for (size_t i = 0; i < formats; i++) free(hone_prof_write(d, &f[i], NULL).at);
    check_tables(d);
    check_round_trip(d);
    const hone_prof_data *two[] = {d, d};
    if (hone_prof_merge(two, (double[]){1, 2.5}, 2, false, &sum, &e)) abort();
    hone_prof_data_free(sum);
    hone_prof_data_free(d);
    return 0;
}
