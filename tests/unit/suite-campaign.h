// SPDX-License-Identifier: GPL-3.0-or-later
// A campaign of three arms on a machine that is made up (suite-fakes.h).
#pragma once

#include "suite-fakes.h"

#include "suite/cpu.h"
#include "suite/run.h"
#include "sysroot.h"

static char ram[] = "/tmp/assay-runner-XXXXXX";

static struct {
	struct plan plan;
	struct campaign campaign;
	struct store *store;
	struct suite suite;
	struct target disk;
	struct target *targets[1];
	struct strbuf said;
	unsigned between;
} it;

static inline void say(const char *text, void *arg)
{
	(void)arg;
	strbuf_printf(&it.said, "%s\n", text);
}

static inline void between(void *arg)
{
	(void)arg;
	it.between++;
}

#define ARMS                                                                       \
	"[arm a]\nstack = disk\n[arm b]\nstack = disk/gpt/ext4\n[arm c]\nstack = " \
	"disk/gpt\n"

static inline void begin(const char *head, const char *tests)
{
	_cleanup_free_ char *text =
		mem_printf("[plan]\nname = t\nseed = 42\n%s\n[target]\ndisk = "
			   "serial:X\nerase = X\n" ARMS "%s",
			   head, tests);
	struct store_config config = { .machine = "m", .ram_dir = ram };
	struct fault_list faults = { 0 };
	struct err err = { 0 };

	fake_reset();
	memset(&it, 0, sizeof(it));
	plan_parse(&it.plan, "t.ini", text, NULL, &faults);
	if (faults.n)
		fail_msg("%s", faults.items[0].text);
	campaign_init(&it.campaign);
	if (store_new(&config, &it.store, &err) < 0)
		fail_msg("%s", err.text);
	it.disk.path = "/dev/fake";
	it.targets[0] = &it.disk;
	it.suite = (struct suite){
		.plan = &it.plan,
		.targets = it.targets,
		.n_targets = 1,
		.store = it.store,
		.campaign = &it.campaign,
		.say = say,
		.between = between,
	};
}

static inline void end(void)
{
	strbuf_done(&it.said);
	store_free(it.store);
	campaign_done(&it.campaign);
	plan_done(&it.plan);
}

static inline size_t n_records(void)
{
	return json_object_array_length(it.campaign.runs);
}

static inline struct json_object *record(size_t i)
{
	return json_object_array_get_idx(it.campaign.runs, i);
}

static inline bool is(struct json_object *o, const char *key, const char *value)
{
	const char *has = json_get_str(o, key);

	return has && strcmp(has, value) == 0;
}

// How many runs of that arm (NULL: any) ended so, with `why` in their reason.
static inline unsigned count(const char *arm, const char *outcome, const char *why)
{
	unsigned n = 0;

	for (size_t i = 0; i < n_records(); i++) {
		struct json_object *o = record(i);
		const char *has = json_get_str(o, "why");

		n += is(o, "kind", "run") && (!arm || is(o, "arm", arm)) &&
		     is(o, "outcome", outcome) && (!why || (has && strstr(has, why)));
	}
	return n;
}

static inline int set_up(void **state)
{
	run_cgroup_root = "/nonexistent";
	if (!mkdtemp(ram) || sysroot_new(state) < 0)
		return -1;
	// A machine at rest: this one is busy with others' work.
	sysroot_file("proc/stat", "cpu 1 2 3 4\ncpu0 1 2 3 4\n");
	cpu_root = sysroot;
	return 0;
}

static inline int clean_up(void **state)
{
	return sysroot_done(state) |
	       nftw(ram, sysroot_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
