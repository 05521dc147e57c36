// SPDX-License-Identifier: GPL-3.0-or-later
// The destructive part of `assay run`: permission, every other disk locked, the suite.
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "common/clock.h"
#include "common/mem.h"
#include "device/driver.h"
#include "run-control.h"
#include "run-session.h"
#include "suite/suite.h"

// How long the idle machine is watched: a tick of 10 ms is then 1/200 of a CPU.
#define BASELINE      (2 * CLOCK_SECOND)

#define LOCK_PATIENCE (10 * CLOCK_SECOND) // the other thread may wait for a dying disk

// Sets every disk read-only that is neither target nor stick, as they are now. Returns
// how many could not be.
static size_t lock_others(const struct session *s, struct strbuf *why)
{
	const struct device_scan how = { .root = "", .probe = false };
	// What got the name of a pulled stick is none.
	bool stick = s->has_stick && stick_is_same(&s->stick, "");
	const char *except[] = { stick ? s->stick.disk : NULL, NULL };
	struct device_list list = { 0 };
	struct err err = { 0 };
	size_t failed = 1;

	if (device_scan(&how, &list, &err) == 0)
		failed = guard_lock_others(&list, s->targets, s->n_targets, except, why);
	else
		strbuf_puts(why, err.text);
	device_list_done(&list);
	return failed;
}

// In the thread that serves the kernel's events.
static void lock_again(const char *name _unused_, void *arg)
{
	_cleanup_strbuf_ struct strbuf why = { 0 };
	struct session *s = arg;

	pthread_mutex_lock(&s->stick_lock);
	lock_others(s, &why);
	pthread_mutex_unlock(&s->stick_lock);
}

// Does any arm write? Those that only open and read need no consent.
static bool writes(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_arms; i++)
		if (!plan->arms[i].open || plan->arms[i].scratch)
			return true;
	return false;
}

// Permission for every disk that the plan names, or for none.
static int permit_all(struct session *s, const struct guard_rules *rules, struct err *err)
{
	bool write = writes(&s->plan);

	if (s->plan.n_targets > SESSION_TARGETS_MAX)
		return err_set(err, -E2BIG, "the plan names more than %d disks",
			       SESSION_TARGETS_MAX);
	for (size_t i = 0; i < s->plan.n_targets; i++) {
		_cleanup_free_ char *consent = plan_consent(&s->plan, i);
		const struct match *which = &s->plan.targets[i];
		struct target **to = &s->targets[s->n_targets];
		int r = write ? guard_permit(rules, &s->devices, which, consent, to, err)
			      : guard_look(rules, &s->devices, which, to, err);

		if (r < 0)
			return r;
		s->n_targets++;
	}
	return 0;
}

int session_permit(struct session *s)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct guard_rules rules;
	_cleanup_strbuf_ struct strbuf why = { 0 };
	struct err err = { 0 };
	// Time has passed since the disks were found: the stick was waited for and
	// proven.
	int r = device_scan(&how, &s->devices, &err);

	session_find_boot_medium(s);
	rules = session_rules(s);
	if (medium_is_missing(&s->boot))
		campaign_warn(
			&s->campaign,
			"Assay was started from %s; it could not be told apart from "
			"other disks",
			json_get_str(s->campaign.boot, "started_from"));
	if (r == 0)
		r = permit_all(s, &rules, &err);
	if (r < 0) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED, "%s", err.text);
		return r;
	}
	// First the callback, then a fresh look: no disk can come in between unseen.
	driver_on_block(lock_again, s);
	if (lock_others(s, &why) > 0) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED,
				 "not every other disk could be set read-only: %s",
				 strbuf_str(&why));
		return -EIO;
	}
	return 0;
}

static bool resumes(const struct session *s)
{
	return s->past.past == PAST_DIED &&
	       (s->plan.again == AGAIN_RESUME || s->past.cut);
}

static void say_line(const char *text, void *arg)
{
	control_phase("%s", text);
	session_say(arg, "%s", text);
}

static int record_start(struct session *s, struct err *err)
{
	struct json_object *o = json_new();
	char wall[21];
	int r;

	clock_wall(wall);
	json_set_str(o, "kind", "start");
	json_set_str(o, "wall", wall);
	json_set_str(o, "assay", ASSAY_VERSION);
	json_set_str(o, "machine", s->machine);
	json_set_uint(o, "fingerprint", s->campaign.fingerprint);
	json_set(o, "plan", json_object_get(s->campaign.plan));
	json_set_uint(o, "seed", s->plan.seed);
	if (resumes(s))
		json_set_str(o, "resumes", s->past.dir);
	r = store_record(s->store, o, err);
	if (r < 0)
		return r;
	// Were it in RAM only, the next boot would start the campaign a second time.
	if (session_wants_stick(s) && store_lacks_medium(s->store))
		return err_set(
			err, -EIO,
			"the start could not be recorded on the stick, so nothing was "
			"done to any disk: %s",
			store_problems(s->store));
	s->started = true;
	return 0;
}

// Stick lock held. The medium's functions go by the address of s->stick.
static bool take_new_stick(struct session *s)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct device_list list = { 0 };
	struct stick found = { 0 };
	struct err err = { 0 };
	bool there = device_scan(&how, &list, &err) == 0 &&
		     session_look_for_stick(s, &list, &found, &err) == 0;

	device_list_done(&list);
	if (!there)
		return false;
	stick_done(&s->stick);
	s->stick = found;
	s->medium.name = s->stick.name;
	return true;
}

void session_stick_again(struct session *s)
{
	uint64_t until_ns = clock_mono_ns() + LOCK_PATIENCE;
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / CLOCK_SECOND),
		.tv_nsec = (long)(until_ns % CLOCK_SECOND),
	};
	struct err err = { 0 };
	bool there;

	if (!store_lacks_medium(s->store) ||
	    pthread_mutex_clocklock(&s->stick_lock, CLOCK_MONOTONIC, &until) != 0)
		return;
	there = take_new_stick(s);
	pthread_mutex_unlock(&s->stick_lock);
	if (there && store_catch_up(s->store, &s->medium, &err) == 0)
		session_say(s, "the stick is back: %s", s->stick.name);
}

static void between_runs(void *arg)
{
	session_stick_again(arg);
}

// Drawn here when the plan gives none, so that the order of arms is no habit; recorded,
// so that it can be repeated and gone on with.
static uint64_t draw_seed(const struct session *s)
{
	uint64_t seed = 0;

	if (s->plan.seed)
		return s->plan.seed;
	if (resumes(s) && s->past.seed)
		return s->past.seed;
	while (seed == 0)
		if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
			seed = clock_mono_ns();
	return seed >> 11; // exact in JSON's doubles
}

// By the slowest of the disks.
static double estimate(const struct session *s)
{
	double rate = 0;

	for (size_t i = 0; i < s->n_targets; i++) {
		double one = suite_guess_rate(target_device(s->targets[i]));

		rate = rate > 0 && rate < one ? rate : one;
	}
	return rate > 0 ? suite_seconds(&s->plan, rate) : 0;
}

void session_run_suite(struct session *s)
{
	const struct key_source keys = session_keys(s);
	struct suite suite = {
		.keys = &keys,
		.plan = &s->plan,
		.targets = s->targets,
		.n_targets = s->n_targets,
		.store = s->store,
		.campaign = &s->campaign,
		.say = say_line,
		.between = between_runs,
		.arg = s,
		.resume = resumes(s) ? &s->past : NULL,
		.deadline_ns = s->deadline_ns,
		.baseline_ns = BASELINE,
		.ours = true,
	};
	struct err err = { 0 };
	int r;

	suite.estimate = estimate(s);
	driver_load("drivetemp", NULL); // temperatures of ATA disks, where it is there
	s->plan.seed = draw_seed(s);
	json_set_uint(s->campaign.plan, "seed", s->plan.seed);
	r = record_start(s, &err);
	if (r == 0)
		r = suite_run(&suite, &err);
	if (r < 0)
		campaign_verdict(&s->campaign, OUTCOME_ABORTED, "%s", err.text);
}
