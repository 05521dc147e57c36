// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter tables: what is refused and what the values are; and the nearest word.
#include <string.h>

#include "plan/nearest.h"
#include "plan/param.h"
#include "unit.h"

static const char *const kdfs[] = { "argon2id", "pbkdf2", NULL };

static const struct param_spec spec[] = {
	{ "kdf", PARAM_WORD, "argon2id", "how to derive the key", kdfs, 0, 0 },
	{ "mode", PARAM_WORD, NULL, "any word", NULL, 0, 0 },
	{ "count", PARAM_UINT, "16", "how many", NULL, 1, 1024 },
	{ "size", PARAM_SIZE, NULL, "how large", NULL, 1 << 20, 0 },
	{ "runtime", PARAM_DURATION, "10s", "how long", NULL, 0, 0 },
	{ "direct", PARAM_BOOL, "no", "past the cache", NULL, 0, 0 },
	{ "label", PARAM_TEXT, NULL, "a label", NULL, 0, 0 },
	{ NULL, PARAM_TEXT, NULL, NULL, NULL, 0, 0 },
};

// Strings that can be handed out as a struct's writable ones.
#define P(k, v)                                                         \
	{                                                               \
		.key = (char[]){ k }, .value = (char[]){ v }, .line = 3 \
	}
#define BARE(k)                                 \
	{                                       \
		.key = (char[]){ k }, .line = 3 \
	}

static void check(struct plan_param *params, size_t n, bool volumes, const char *want)
{
	struct fault_list faults = { 0 };

	param_check(params, n, spec, volumes, "layer luks2", "a.ini", &faults);
	if (!want) {
		assert_int_equal(faults.n, 0);
	} else {
		assert_int_equal(faults.n, 1);
		assert_string_equal(faults.items[0].file, "a.ini");
		assert_int_equal(faults.items[0].line, 3);
		assert_string_equal(faults.items[0].text, want);
	}
	fault_done(&faults);
}

static void each_value_is_checked(void **state)
{
	struct {
		struct plan_param param;
		const char *want;
	} rows[] = {
		{ P("kdf", "pbkdf2"), NULL },
		{ P("kdf", "scrypt"),
		  "layer luks2: kdf = \"scrypt\" is not argon2id or pbkdf2" },
		{ BARE("kdf"), "layer luks2: kdf needs a value, a word" },
		{ P("mode", "whatever"), NULL },
		{ P("count", "1"), NULL },
		{ P("count", "1024"), NULL },
		{ P("count", "0"),
		  "layer luks2: count = 0 must be at least 1 and at most 1024" },
		{ P("count", "1025"),
		  "layer luks2: count = 1025 must be at least 1 and at most 1024" },
		{ P("count", "-1"), "layer luks2: count = \"-1\" is not a whole number" },
		{ P("count", "0x10"),
		  "layer luks2: count = \"0x10\" is not a whole number" },
		{ P("size", "1M"), NULL },
		{ P("size", "1023K"),
		  "layer luks2: size = 1023K must be at least 1048576 bytes" },
		{ P("size", "big"),
		  "layer luks2: size = \"big\" is not a size such as 64M, 1.5G or 512 "
		  "(bytes)" },
		{ P("runtime", "2h"), NULL },
		{ P("runtime", "2 weeks"),
		  "layer luks2: runtime = \"2 weeks\" is not a duration such as 30s, 10m "
		  "or 2h" },
		{ BARE("direct"), NULL },
		{ P("direct", "on"), NULL },
		{ P("direct", "2"), "layer luks2: direct = \"2\" is not yes or no" },
		{ P("label", "any thing"), NULL },
		{ P("lable", "x"),
		  "layer luks2: unknown parameter \"lable\"; did you mean \"label\"?" },
		{ P("cipher", "x"), "layer luks2: unknown parameter \"cipher\"; known "
				    "are kdf, mode, count, "
				    "size, runtime, direct and label" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i].param, 1, false, rows[i].want);
}

static void repetition_is_a_fault(void **state)
{
	struct plan_param twice[] = { P("kdf", "pbkdf2"), P("count", "2"),
				      P("kdf", "pbkdf2") };

	(void)state;
	check(twice, 3, false, "layer luks2: kdf is given twice; keep one");
}

static void volumes_have_sizes(void **state)
{
	struct plan_param good[] = { P("boot", "200M"), P("home", "rest"),
				     P("kdf", "pbkdf2") };
	struct plan_param rests[] = { P("root", "rest"), P("home", "rest"),
				      P("x", "1G") };
	struct plan_param three[] = { P("root", "rest"), P("home", "rest"),
				      P("x", "rest") };
	struct plan_param zero[] = { P("swap", "0") };
	struct plan_param bare[] = { BARE("swap") };
	struct plan_param name[] = { P("-swap", "1G") };

	(void)state;
	check(good, 3, true, NULL);
	check(rests, 3, true,
	      "layer luks2: home is the second volume with the size rest; only one can "
	      "take what is left and carry the layers above");
	check(three, 3, true,
	      "layer luks2: home is the second volume with the size rest; only one can "
	      "take what is left and carry the layers above");
	check(zero, 1, true,
	      "layer luks2: volume swap needs a size such as 200M, or rest");
	check(bare, 1, true,
	      "layer luks2: volume swap needs a size such as 200M, or rest");
	check(name, 1, true,
	      "layer luks2: \"-swap\" cannot name a volume: a name has 1 to 32 of the "
	      "letters a-z and A-Z, digits, - and _, and starts with a letter or digit");
}

static void a_kind_without_table_takes_nothing(void **state)
{
	struct plan_param x[] = { P("x", "1") };
	struct fault_list faults = { 0 };

	(void)state;
	param_check(x, 1, NULL, false, "layer ext4", "a.ini", &faults);
	assert_int_equal(faults.n, 1);
	assert_string_equal(faults.items[0].text,
			    "layer ext4: unknown parameter \"x\"; it takes none");
	fault_done(&faults);
}

static void values_and_defaults(void **state)
{
	struct plan_param params[] = { P("count", "7"), P("size", "1.5M"),
				       P("runtime", "250ms"), BARE("direct") };
	size_t n = ARRAY_SIZE(params);

	(void)state;
	assert_int_equal(param_uint(params, n, spec, "count"), 7);
	assert_int_equal(param_uint(NULL, 0, spec, "count"), 16);
	assert_int_equal(param_size(params, n, spec, "size"), 3 << 19);
	assert_int_equal(param_size(NULL, 0, spec, "size"), 0);
	assert_int_equal(param_duration(params, n, spec, "runtime"), 250000000);
	assert_int_equal(param_duration(NULL, 0, spec, "runtime"), 10000000000);
	assert_true(param_bool(params, n, spec, "direct"));
	assert_false(param_bool(NULL, 0, spec, "direct"));
	assert_string_equal(param_text(params, n, spec, "count"), "7");
	assert_string_equal(param_text(params, n, spec, "kdf"), "argon2id");
	assert_null(param_text(params, n, spec, "label"));
	assert_null(param_text(params, n, spec, "unknown"));
}

static void nearest(void **state)
{
	static const char *const words[] = { "disk", "erase", "luks2", "partition",
					     NULL };
	static const struct {
		const char *word, *want;
	} rows[] = {
		{ "dsik", "disk" },
		{ "DISK", "disk" },
		{ "luks", "luks2" },
		{ "partiton", "partition" },
		{ "partittoin", "partition" },
		{ "x", NULL },
		{ "", NULL },
		{ "ext4", NULL },
		{ "disc", "disk" },
		{ "plan", NULL },
	};
	char longest[300];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *got = nearest_word(rows[i].word, words);

		if (!rows[i].want)
			assert_null(got);
		else
			assert_string_equal(got, rows[i].want);
	}
	memset(longest, 'd', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_null(nearest_word(longest, words));
}

static void a_table_describes_itself(void **state)
{
	static const char *const modes[] = { "read", "write", NULL };
	static const struct param_spec rows[] = {
		{ .key = "rw",
		  .fallback = "read",
		  .help = "direction",
		  .choices = modes },
		{ .key = "size", .type = PARAM_SIZE },
		{ 0 },
	};
	_cleanup_strbuf_ struct strbuf text = { 0 };

	(void)state;
	param_describe(rows, &text);
	param_describe(NULL, &text);
	assert_string_equal(
		strbuf_str(&text),
		"    rw                       direction (read|write); default read\n"
		"    size                     \n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_describes_itself),
		cmocka_unit_test(each_value_is_checked),
		cmocka_unit_test(repetition_is_a_fault),
		cmocka_unit_test(volumes_have_sizes),
		cmocka_unit_test(a_kind_without_table_takes_nothing),
		cmocka_unit_test(values_and_defaults),
		cmocka_unit_test(nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
