// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan's text becomes: values, defaults, origins, overrides, fingerprint, JSON.
#include <string.h>

#include "common/mem.h"
#include "plan/plan.h"
#include "unit.h"

#define MINIMAL                            \
	"[target]\ndisk = serial:A\n"      \
	"[arm plain]\nstack = disk/ext4\n" \
	"[test hdparm]\n"

// Parses and expects no fault.
static struct plan parsed(const char *text, const char *cmdline)
{
	struct fault_list faults = { 0 };
	struct cmdline c = { 0 };
	struct plan p;

	cmdline_parse(&c, cmdline ? cmdline : "");
	plan_parse(&p, "dir/assay.ini", text, cmdline ? &c : NULL, &faults);
	fault_print(&faults, stderr);
	assert_int_equal(faults.n, 0);
	cmdline_done(&c);
	return p;
}

static const struct plan_origin *origin(const struct plan *p, const char *section,
					const char *key)
{
	for (size_t i = 0; i < p->n_origins; i++)
		if (strcmp(p->origins[i].section, section) == 0 &&
		    strcmp(p->origins[i].key, key) == 0)
			return &p->origins[i];
	fail_msg("no origin of %s %s", section, key);
	return NULL;
}

static void defaults(void **state)
{
	struct plan p = parsed(MINIMAL, NULL);

	(void)state;
	assert_string_equal(p.name, "plan");
	assert_string_equal(p.file, "dir/assay.ini");
	assert_int_equal(p.blocks, 1);
	assert_int_equal(p.seed, 0);
	assert_int_equal(p.deadline_ns, 0);
	assert_int_equal(p.wait_ns, UINT64_C(30000000000));
	assert_int_equal(p.then, ENDING_POWEROFF);
	assert_int_equal(p.again, AGAIN_REPORT);
	assert_int_equal(p.results, RESULTS_STICK_AND_SERIAL);
	assert_null(p.erase);
	assert_null(plan_consent(&p, 0));
	assert_false(p.arms[0].open);
	assert_false(p.arms[0].scratch);
	assert_null(p.arms[0].key_file);
	assert_string_equal(p.tests[0].engine, "hdparm");
	assert_string_equal(origin(&p, "plan", "wait")->value, "30s");
	assert_string_equal(origin(&p, "plan", "wait")->from, "default");
	assert_string_equal(origin(&p, "target", "disk")->from, "assay.ini:2");
	plan_done(&p);
}

static void values(void **state)
{
	struct plan p = parsed("[plan]\nblocks=1000\ndeadline=90m\nseed=7\nthen=shell\n"
			       "again=start\nresults=stick\n"
			       "[target]\ndisk=serial:A, wwn:0x5000 ,size:20G\n"
			       "erase=A , wwn:0x5000,size:20G\n"
			       "[arm a]\nstack=disk/md,level=5,bare/ext4\n"
			       "[test t]\nengine=fio\ntime_based\nrw=read\n"
			       "[accept]\na.t.read.x>=1.5*a.t.write\n",
			       NULL);
	_cleanup_free_ char *third = plan_consent(&p, 2);
	_cleanup_free_ char *stack = NULL;

	(void)state;
	assert_int_equal(p.blocks, 1000);
	assert_int_equal(p.deadline_ns, UINT64_C(5400000000000));
	assert_int_equal(p.seed, 7);
	assert_int_equal(p.then, ENDING_SHELL);
	assert_int_equal(p.again, AGAIN_START);
	assert_int_equal(p.results, RESULTS_STICK);
	assert_int_equal(p.n_targets, 3);
	assert_int_equal(p.targets[1].key, MATCH_WWN);
	assert_int_equal(p.targets[2].key, MATCH_SIZE);
	assert_string_equal(p.erase, "A,wwn:0x5000,size:20G");
	assert_string_equal(third, "size:20G");
	assert_null(plan_consent(&p, 3));
	assert_int_equal(p.arms[0].n, 3);
	assert_string_equal(plan_param(p.arms[0].layers[1].params, 2, "level"), "5");
	assert_string_equal(plan_param(p.arms[0].layers[1].params, 2, "bare"), "");
	assert_null(plan_param(p.arms[0].layers[1].params, 2, "chunk"));
	stack = plan_stack_text(p.arms[0].layers, p.arms[0].n);
	assert_string_equal(stack, "disk/md,level=5,bare/ext4");
	assert_int_equal(p.tests[0].n, 2);
	assert_null(p.tests[0].params[0].value);
	assert_int_equal(p.tests[0].params[1].line, 16);
	assert_int_equal(p.n_accepts, 1);
	assert_string_equal(p.accepts[0].text, "a.t.read.x >= 1.5 * a.t.write");
	assert_int_equal(p.accepts[0].line, 18);
	plan_done(&p);
}

static void overrides_win_and_are_known_by_their_origin(void **state)
{
	struct plan p =
		parsed(MINIMAL "rw = read\n",
		       "quiet assay.plan=quick assay.medium=1-2 assay.then=menu "
		       "assay.plan.name=first "
		       "assay.plan.name=last assay.target.disk=\"model:WDC WD800\" "
		       "assay.target.erase=\" A \" assay.arm.plain.stack=disk/xfs "
		       "assay.test.hdparm.rw=write assay.test.hdparm.bs=4k "
		       "assay.test.hdparm.direct root=/dev/sda");

	(void)state;
	assert_int_equal(p.then, ENDING_MENU);
	assert_string_equal(p.name, "last");
	assert_string_equal(p.targets[0].value, "WDC WD800");
	assert_string_equal(p.erase, "A");
	assert_string_equal(p.arms[0].layers[1].kind, "xfs");
	assert_int_equal(p.tests[0].n, 3);
	assert_string_equal(plan_param(p.tests[0].params, 3, "rw"), "write");
	assert_string_equal(plan_param(p.tests[0].params, 3, "bs"), "4k");
	assert_string_equal(plan_param(p.tests[0].params, 3, "direct"), "");
	assert_string_equal(origin(&p, "plan", "then")->from, "kernel command line");
	assert_string_equal(origin(&p, "arm plain", "stack")->value, "disk/xfs");
	assert_string_equal(origin(&p, "arm plain", "stack")->from,
			    "kernel command line");
	assert_string_equal(origin(&p, "test hdparm", "engine")->from, "default");
	plan_done(&p);
}

// Each override alone over the minimal plan; the one fault that it gives.
static const struct {
	const char *cmdline, *fault;
} refused[] = {
	{ "assay.plan.then=halt",
	  "assay.plan.then: \"halt\" is not poweroff, reboot, boot, menu or shell" },
	{ "assay.arm.plian.stack=disk",
	  "assay.arm.plian: the plan has no arm of that name; did you mean \"plain\"?" },
	{ "assay.accept.x=1",
	  "assay.accept.x: [accept] can only be changed in the plan" },
	{ "assay.plna.then=shell", "unknown assay.plna.then; did you mean \"plan\"?" },
	{ "assay.debug",
	  "unknown assay.debug; known are plan, target, arm, test and then" },
	{ "assay.plan.wait=", "assay.plan.wait has no value" },
	{ "\"assay.test.hdparm.x=a ;b\"",
	  "assay.test.hdparm.x has a ; after a blank, which starts a comment in a plan" },
	{ "assay.test.hdparm.x=\xff", "assay.test.hdparm.x is not printable UTF-8 text" },
	{ "assay.target.dsik=serial:B",
	  "assay.target.dsik: unknown key in [target]; did you mean \"disk\"?" },
	{ "assay.arm.plain.stack=gpt",
	  "stack: starts with gpt; a stack starts with disk, the disk itself: "
	  "disk/gpt..." },
};

static void bad_overrides_are_faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct fault_list faults = { 0 };
		struct cmdline c;
		struct plan p;

		cmdline_parse(&c, refused[i].cmdline);
		plan_parse(&p, "assay.ini", MINIMAL, &c, &faults);
		assert_int_equal(faults.n, 1);
		assert_string_equal(faults.items[0].file, "kernel command line");
		assert_int_equal(faults.items[0].line, 0);
		assert_string_equal(faults.items[0].text, refused[i].fault);
		fault_done(&faults);
		cmdline_done(&c);
		plan_done(&p);
	}
}

static void secrets_are_refused_and_not_repeated(void **state)
{
	static const char *const secrets[] = {
		"assay.passphrase=hunter2",
		"assay.luks.PassPhrase=hunter2",
		"assay.arm.plain.password=hunter2",
		"assay.test.hdparm.key=hunter2",
		"assay.luks_key=hunter2",
		"assay.secret.x=hunter2",
		"assay.pass=hunter2",
		"assay.plan.pin=hunter2",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(secrets); i++) {
		struct fault_list faults = { 0 };
		_cleanup_strbuf_ struct strbuf text = { 0 };
		struct cmdline c;
		struct plan p;

		cmdline_parse(&c, secrets[i]);
		plan_parse(&p, "assay.ini", MINIMAL, &c, &faults);
		assert_int_equal(faults.n, 1);
		assert_null(strstr(faults.items[0].text, "hunter2"));
		if (i < 6)
			assert_non_null(strstr(faults.items[0].text, "a secret"));
		plan_print(&p, &text);
		assert_null(strstr(strbuf_str(&text), "hunter2"));
		fault_done(&faults);
		cmdline_done(&c);
		plan_done(&p);
	}
}

static void secrets_in_a_stack_are_not_repeated(void **state)
{
	struct fault_list faults = { 0 };
	_cleanup_json_ struct json_object *o = NULL;
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct plan p;

	(void)state;
	plan_parse(&p, "assay.ini",
		   "[target]\ndisk = A\n[test t]\n[arm a]\n"
		   "stack = disk/luks2,passphrase=hunter2,key-size=512\n",
		   NULL, &faults);
	assert_int_equal(faults.n, 1);
	assert_null(strstr(faults.items[0].text, "hunter2"));
	plan_print(&p, &text);
	assert_null(strstr(strbuf_str(&text), "hunter2"));
	assert_non_null(strstr(strbuf_str(&text), "disk/luks2,key-size=512 "));
	o = plan_json(&p);
	assert_null(strstr(json_line(o), "hunter2"));
	fault_done(&faults);
	plan_done(&p);
}

static uint32_t fingerprint(const char *text, const char *cmdline)
{
	struct plan p = parsed(text, cmdline);
	uint32_t f = plan_fingerprint(&p);

	plan_done(&p);
	return f;
}

static void fingerprint_is_what_would_be_done(void **state)
{
	static const char *const same[] = {
		"assay.then=shell",
		"assay.plan.name=other",
		"assay.plan.again=start",
		"assay.plan.wait=1m",
		"assay.plan.results=serial",
		"assay.plan.blocks=1",
		"assay.target.disk=A",
		"assay.arm.plain.open=no",
		"assay.test.hdparm.engine=hdparm",
		"assay.arm.plain.stack=\"disk / ext4\"",
	};
	static const char *const other[] = {
		"assay.plan.blocks=2",      "assay.plan.seed=1",
		"assay.plan.deadline=1h",   "assay.target.disk=serial:B",
		"assay.target.erase=A",     "assay.arm.plain.stack=disk/xfs",
		"assay.arm.plain.open=yes", "assay.test.hdparm.engine=fio",
		"assay.test.hdparm.x=1",
	};
	uint32_t f = fingerprint(MINIMAL, NULL);

	(void)state;
	assert_int_equal(f, fingerprint("# a comment\n" MINIMAL, ""));
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		assert_int_equal(fingerprint(MINIMAL, same[i]), f);
	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		assert_int_not_equal(fingerprint(MINIMAL, other[i]), f);
	// Campaigns are resumed by it: it must not change from release to release.
	assert_int_equal(f, 0xe5de83a1);
}

static void warnings(void **state)
{
	static const struct {
		const char *cmdline, *word;
	} rows[] = {
		{ "", "has no erase" },
		{ "assay.target.erase=A", NULL },
		{ "assay.arm.plain.open=yes", NULL },
		{ "assay.arm.plain.open=yes assay.target.erase=A", "take erase away" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct plan p = parsed(MINIMAL, rows[i].cmdline);
		struct fault_list w = { 0 };

		plan_warnings(&p, &w);
		assert_int_equal(w.n, rows[i].word ? 1 : 0);
		if (rows[i].word)
			assert_non_null(strstr(w.items[0].text, rows[i].word));
		fault_done(&w);
		plan_done(&p);
	}
}

static void json(void **state)
{
	struct plan p = parsed(MINIMAL "rw=read\nbare\n", "assay.plan.deadline=90m");
	_cleanup_json_ struct json_object *o = plan_json(&p);
	struct json_object *arm = json_object_array_get_idx(json_get(o, "arms"), 0);
	struct json_object *test = json_object_array_get_idx(json_get(o, "tests"), 0);
	struct json_object *value = json_object_array_get_idx(json_get(o, "values"), 10);

	(void)state;
	assert_string_equal(json_get_str(o, "name"), "plan");
	assert_int_equal(json_get_int(o, "blocks", 0), 1);
	assert_true(json_get_double(o, "deadline", 0) == 5400);
	assert_string_equal(json_get_str(o, "then"), "poweroff");
	assert_string_equal(json_line(json_get(o, "targets")), "[\"serial:A\"]");
	assert_string_equal(json_get_str(arm, "stack"), "disk/ext4");
	assert_int_equal(json_object_array_length(json_get(arm, "layers")), 2);
	assert_string_equal(json_line(json_get(test, "params")),
			    "{\"rw\":\"read\",\"bare\":null}");
	assert_string_equal(
		json_line(value),
		"{\"section\":\"plan\",\"key\":\"deadline\",\"value\":\"90m\","
		"\"from\":\"kernel command line\"}");
	plan_done(&p);
}

static void every_ending_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(plan_ending_name(ENDING_POWEROFF), "poweroff");
	assert_string_equal(plan_ending_name(ENDING_REBOOT), "reboot");
	assert_string_equal(plan_ending_name(ENDING_BOOT), "boot");
	assert_string_equal(plan_ending_name(ENDING_MENU), "menu");
	assert_string_equal(plan_ending_name(ENDING_SHELL), "shell");
}

// A machine that boots into Assay again must not wipe its disk in a circle.
static void no_restart_into_the_same_campaign(void **state)
{
	struct plan p = { .then = ENDING_REBOOT, .again = AGAIN_REPORT };

	(void)state;
	assert_int_equal(plan_ending_safe(&p, true), ENDING_REBOOT);
	assert_int_equal(plan_ending_safe(&p, false), ENDING_POWEROFF);
	p.again = AGAIN_RESUME;
	assert_int_equal(plan_ending_safe(&p, true), ENDING_REBOOT);
	p.again = AGAIN_START;
	assert_int_equal(plan_ending_safe(&p, true), ENDING_POWEROFF);
	p.then = ENDING_SHELL;
	assert_int_equal(plan_ending_safe(&p, false), ENDING_SHELL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(values),
		cmocka_unit_test(overrides_win_and_are_known_by_their_origin),
		cmocka_unit_test(bad_overrides_are_faults),
		cmocka_unit_test(secrets_are_refused_and_not_repeated),
		cmocka_unit_test(secrets_in_a_stack_are_not_repeated),
		cmocka_unit_test(fingerprint_is_what_would_be_done),
		cmocka_unit_test(warnings),
		cmocka_unit_test(json),
		cmocka_unit_test(every_ending_has_its_name),
		cmocka_unit_test(no_restart_into_the_same_campaign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
