// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of `assay run`: where it comes from, the disks it names, what is wrong with
// it.
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "device/driver.h"
#include "run-control.h"
#include "run-network.h"
#include "run-session.h"
#include "stack/stack.h"
#include "suite/suite.h"

#define PRESET_DIR   "/etc/assay/plans"
#define PLAN_MAX     ((size_t)64 << 10)
#define BASELINE_MAX ((size_t)16 << 20)
#define STICK_WAIT   (30 * CLOCK_SECOND) // without a plan there is no plan.wait yet
#define SECOND_QUIET (CLOCK_SECOND)      // for a second disk that matches as well

static int rescan(struct session *s, struct err *err)
{
	const struct device_scan how = { .root = "", .probe = true };

	return device_scan(&how, &s->devices, err);
}

// Is the stick there? Used as driver_wait()'s condition.
static int stick_there(void *arg)
{
	struct session *s = arg;
	struct err err = { 0 };
	int r;

	if (s->has_stick)
		return 1;
	if (rescan(s, &err) < 0)
		return 0;
	r = session_look_for_stick(s, &s->devices, &s->stick, &err);
	s->has_stick = r == 0;
	return r == 0 || r == -ENOTUNIQ;
}

// Looks for the stick until it is there or `wait_ns` has passed. 0, -ENODEV, -ENOTUNIQ.
static int find_stick(struct session *s, uint64_t wait_ns, struct err *err)
{
	int r;

	if (s->has_stick)
		return 0;
	control_phase("waiting for the assay stick");
	driver_wait(stick_there, s, clock_mono_ns() + wait_ns);
	if (s->has_stick) {
		session_say(s, "assay stick: %s", s->stick.name);
		return 0;
	}
	r = session_look_for_stick(s, &s->devices, &s->stick, err);
	s->has_stick = r == 0;
	return r;
}

static int read_plan_by_network(struct session *s, const char *url, char **file,
				struct strbuf *text, struct err *err)
{
	int r;

	control_phase("asking %s for a plan", url);
	session_say(s, "asking %s for a plan", url);
	r = network_start(&s->cmdline, err);
	return r < 0 ? r : network_plan(url, file, text, err);
}

// A name without '/' and suffix is a preset; anything else a path on the stick.
static int read_named_plan(struct session *s, const char *where, char **file,
			   struct strbuf *text, struct err *err)
{
	if (strncmp(where, "http://", 7) == 0 || strncmp(where, "https://", 8) == 0)
		return read_plan_by_network(s, where, file, text, err);
	if (!strchr(where, '/') && !strchr(where, '.')) {
		_cleanup_free_ char *path = mem_printf(PRESET_DIR "/%s.ini", where);
		int r = io_read_file(path, text, PLAN_MAX);

		*file = mem_printf("preset %s", where);
		return r < 0 ? err_set(err, r, "assay.plan=%s: there is no such preset",
				       where)
			     : 0;
	}
	if (find_stick(s, STICK_WAIT, err) < 0)
		return err_prefix(err, -ENODEV, "assay.plan=%s", where);
	*file = mem_strdup(where);
	return stick_read(&s->stick, where, text, PLAN_MAX, err);
}

static int read_plan(struct session *s, char **file, struct strbuf *text, struct err *err)
{
	const char *where = cmdline_get(&s->cmdline, "assay.plan");
	int r;

	if (where)
		return read_named_plan(s, where, file, text, err);
	if (s->server) {
		_cleanup_free_ char *url = mem_printf("%splans/", s->server);

		if (read_plan_by_network(s, url, file, text, err) == 0)
			return 0;
		session_say(s, "no plan by network: %s", err->text);
		free(TAKE_PTR(*file));
	}
	r = find_stick(s, STICK_WAIT, err);
	if (r < 0)
		return err_prefix(err, r,
				  "no plan: none is named on the kernel command line "
				  "(assay.plan=NAME)");
	if (!s->stick.has_plan)
		return err_set(err, -ENOENT,
			       "no plan: the root of %s has no assay.ini; put one there, "
			       "or name a preset with assay.plan=NAME",
			       s->stick.name);
	*file = mem_strdup("assay.ini");
	return stick_read(&s->stick, "assay.ini", text, PLAN_MAX, err);
}

int session_read_plan(struct session *s)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *file = NULL;
	struct err err = { 0 };

	session_show_devices(s);
	if (read_plan(s, &file, &text, &err) < 0) {
		campaign_verdict(&s->campaign, OUTCOME_NOT_RUN, "%s", err.text);
		return -ENOENT;
	}
	plan_parse_content(&s->plan, file, &text, &s->cmdline, &s->faults);
	s->has_plan = true;
	s->campaign.plan = plan_json(&s->plan);
	s->campaign.fingerprint = plan_fingerprint(&s->plan);
	session_say(s, "plan: %s, from %s", s->plan.name ? s->plan.name : "?", file);
	if (s->plan.deadline_ns)
		s->deadline_ns = clock_mono_ns() + s->plan.deadline_ns;
	session_alive(s);
	return 0;
}

// Are all the disks there that the plan names?
static int targets_there(void *arg)
{
	struct session *s = arg;
	struct err err = { 0 };

	if (rescan(s, &err) < 0)
		return 0;
	for (size_t i = 0; i < s->plan.n_targets; i++) {
		const struct device *d;

		if (match_one(&s->plan.targets[i], &s->devices, &d, &err) == -ENODEV)
			return 0;
	}
	return 1;
}

int session_find_targets(struct session *s)
{
	uint64_t start = clock_mono_ns();
	struct err err = { 0 };

	if (s->faults.n)
		return 0; // session_check() tells all of them
	control_phase("waiting for the disks that the plan names");
	if (!targets_there(s))
		driver_wait(targets_there, s, start + s->plan.wait_ns);
	// A second disk of the same identity may come a moment later.
	driver_settle(SECOND_QUIET, clock_mono_ns() + 10 * SECOND_QUIET);
	if (rescan(s, &err) < 0) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED, "no device list: %s",
				 err.text);
		return -EIO;
	}
	for (size_t i = 0; i < s->plan.n_targets; i++) {
		const struct device *d;

		if (match_one(&s->plan.targets[i], &s->devices, &d, &err) == 0)
			session_say(s, "target: %s, %s, serial %s", d->path,
				    d->model ? d->model : "no model",
				    d->serial ? d->serial : "none");
	}
	return 0; // what does not match is refused by the guard, with the reason
}

// The earlier campaign that [accept] compares with. Without it the plan cannot be
// honoured.
static void read_baseline(struct session *s)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct err err = { 0 };

	if (find_stick(s, STICK_WAIT, &err) == 0 &&
	    stick_read(&s->stick, s->plan.baseline, &text, BASELINE_MAX, &err) == 0)
		s->baseline = json_parse_text(strbuf_str(&text), text.len, &err);
	if (!s->baseline)
		fault_add(&s->faults, s->plan.file, 0, "[plan] baseline = %s: %s",
			  s->plan.baseline, err.text);
	else if (!json_get(s->baseline, "runs"))
		fault_add(&s->faults, s->plan.file, 0,
			  "[plan] baseline = %s: this is no result.json of Assay",
			  s->plan.baseline);
}

int session_check(struct session *s)
{
	struct fault_list warnings = { 0 };

	if (s->faults.n == 0)
		plan_warnings(&s->plan, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		campaign_warn(&s->campaign, "%s", warnings.items[i].text);
	fault_done(&warnings);
	stack_check(&s->plan, &s->faults);
	if (s->has_plan)
		stack_check_here(&s->plan, &s->devices, &s->faults);
	suite_check(&s->plan, &s->faults);
	if (s->faults.n == 0)
		session_check_ciphers(s);
	if (s->plan.then == ENDING_BOOT)
		fault_add(&s->faults, s->plan.file, 0,
			  "then = boot: this version cannot start the system on the disk "
			  "yet; poweroff, reboot, menu and shell can be");
	if (s->plan.results == RESULTS_SERIAL && s->plan.then == ENDING_REBOOT)
		fault_add(&s->faults, s->plan.file, 0,
			  "then = reboot with results = serial: without a stick nothing "
			  "remembers that the plan has run, and it would run for ever; "
			  "say then = poweroff");
	if (s->plan.baseline && !s->faults.n)
		read_baseline(s);
	for (size_t i = 0; i < s->faults.n; i++) {
		const struct fault *f = &s->faults.items[i];

		session_say(s, "%s:%d: %s", f->file ? f->file : "plan", f->line, f->text);
		campaign_warn(&s->campaign, "%s:%d: %s", f->file ? f->file : "plan",
			      f->line, f->text);
	}
	if (s->faults.n)
		campaign_verdict(&s->campaign, OUTCOME_ABORTED,
				 "the plan has %zu fault%s, so nothing was done: %s:%d: "
				 "%s%s",
				 s->faults.n, s->faults.n == 1 ? "" : "s",
				 s->faults.items[0].file ? s->faults.items[0].file
							 : "plan",
				 s->faults.items[0].line, s->faults.items[0].text,
				 s->faults.n == 1 ? "" : " ...");
	return 0; // the results are opened all the same, so that the faults are kept
}
