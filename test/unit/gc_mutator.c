/* How primitives fail: what mutator_fail* leave in the mutator. */
#include "gc_rig.h"

static void test_fail(void) {
    Rig *r = rig_new((GcOptions){0});
    CHECK(mutator_fail(&r->m, ERR_WRONG_TYPE, "car", 1, v_fixnum(7)) == V_FAIL);
    CHECK(r->m.fail.code == ERR_WRONG_TYPE && r->m.fail.position == 1);
    CHECK_STR(r->m.fail.who, "car");
    CHECK(r->m.fail.irritant[0] == v_fixnum(7) && r->m.fail.irritant[1] == V_DEFAULT);
    CHECK(r->m.fail.message == V_DEFAULT);
    CHECK(mutator_fail2(&r->m, ERR_RANGE, "vector-ref", V_NIL, V_TRUE) == V_FAIL);
    CHECK(r->m.fail.code == ERR_RANGE && r->m.fail.position == 0);
    CHECK(r->m.fail.irritant[0] == V_NIL && r->m.fail.irritant[1] == V_TRUE);
    rig_free(r);
}

static Value data_of(Value string) { return object_slots(string)[0]; }

static void test_text(void) {
    Rig *r = rig_new((GcOptions){0});
    Value v =
        mutator_fail_text(&r->m, ERR_FILE, "open-input-file", V_NIL, "%s: %d", "caf\xc3\xa9", 42);
    Value s = r->m.fail.message;
    CHECK(v == V_FAIL && is_string(s) && r->m.fail.irritant[0] == V_NIL);
    CHECK(object_slots(s)[1] == v_fixnum(8));
    CHECK(!has_flag(data_of(s), FLAG_WIDE) && object_size(data_of(s)) == 8);
    CHECK(memcmp(object_bytes(data_of(s)), "caf\xe9: 42", 8) == 0);
    rig_free(r);
}

static void test_wide_text(void) {
    Rig *r = rig_new((GcOptions){0});
    mutator_fail_text(&r->m, ERR_FILE, "f", V_NIL, "a\xce\xbb\xff");
    Value s = r->m.fail.message;
    CHECK(object_slots(s)[1] == v_fixnum(3));
    REQUIRE(has_flag(data_of(s), FLAG_WIDE) && object_size(data_of(s)) == 12);
    CHECK(memcmp(object_bytes(data_of(s)), (uint32_t[]){'a', 0x3bb, 0xfffd}, 12) == 0);
    rig_free(r);
}

/* Longer texts are cut at 500 bytes; an empty one is an empty string. */
static void test_text_lengths(void) {
    Rig *r = rig_new((GcOptions){0});
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = 0;
    mutator_fail_text(&r->m, ERR_FILE, "f", V_NIL, "%s", text);
    CHECK(object_slots(r->m.fail.message)[1] == v_fixnum(500));
    mutator_fail_text(&r->m, ERR_FILE, "f", V_NIL, "%s", "");
    CHECK(object_slots(r->m.fail.message)[1] == v_fixnum(0));
    rig_free(r);
}

CHECK_MAIN(test_fail, test_text, test_wide_text, test_text_lengths)
