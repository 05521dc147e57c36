// SPDX-License-Identifier: GPL-3.0-or-later
// Results of `assay run`: proven before anything destructive, written whatever happens.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "device/driver.h"
#include "report/html.h"
#include "report/report.h"
#include "run-control.h"
#include "run-network.h"
#include "run-session.h"

#define RAM_DIR        "/run/assay/results"
#define STICK_WAIT     (30 * CLOCK_SECOND)
#define STICK_NEED     ((uint64_t)8 << 20) // more than any campaign of the presets wrote
#define UPLOAD_TRIES   3
#define KERNEL_LOG_MAX ((size_t)512 << 10) // a minute of serial at 115200 baud

static int medium_open(void *arg, const char **dir, struct err *err)
{
	struct stick *stick = arg;
	int r = stick_mount(stick, true, err);

	*dir = stick->dir;
	return r;
}

static int medium_close(void *arg, struct err *err)
{
	return stick_unmount(arg, err);
}

bool session_wants_stick(const struct session *s)
{
	return s->has_plan && s->plan.results != RESULTS_SERIAL;
}

int session_look_for_stick(struct session *s, const struct device_list *list,
			   struct stick *ret, struct err *err)
{
	size_t n = 0, max = s->has_plan && !s->faults.n ? s->plan.n_targets : 0;
	_cleanup_free_ const char **targets = NULL;
	struct err ignored = { 0 };
	size_t boots = 0;
	int r;

	medium_find(&s->boot, list);
	while (s->boot.disks && s->boot.disks[boots])
		boots++;
	targets = mem_new(max + boots + 1, sizeof(*targets));

	for (size_t i = 0; i < max; i++) {
		const struct device *d;

		if (match_one(&s->plan.targets[i], list, &d, &ignored) == 0)
			targets[n++] = d->name;
	}
	// What booted us serves as the stick only when there is no other.
	for (size_t i = 0; i < boots; i++)
		targets[n + i] = s->boot.disks[i];
	r = stick_find(list, targets, ret, err);
	if (r != -ENODEV || !boots)
		return r;
	targets[n] = NULL;
	return stick_find(list, targets, ret, err);
}

static int stick_there(void *arg)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct session *s = arg;
	struct err err = { 0 };

	if (device_scan(&how, &s->devices, &err) < 0)
		return 0;
	s->has_stick = session_look_for_stick(s, &s->devices, &s->stick, &err) == 0;
	return s->has_stick || err.code == -ENOTUNIQ;
}

// The stick for results, and what an earlier campaign left on it.
static int open_medium(struct session *s, struct err *err)
{
	int r = 0;

	if (!s->has_stick && session_wants_stick(s)) {
		driver_wait(stick_there, s, clock_mono_ns() + STICK_WAIT);
		if (!s->has_stick)
			r = session_look_for_stick(s, &s->devices, &s->stick, err);
		s->has_stick = r == 0;
	}
	if (!s->has_stick)
		return r;
	session_grow_stick(s);
	s->medium = (struct store_medium){ .name = s->stick.name,
					   .open = medium_open,
					   .close = medium_close,
					   .arg = &s->stick };
	return 0;
}

static int look_back(struct session *s, struct err *err)
{
	struct err ignored = { 0 };
	const char *dir;
	int r;

	if (!s->has_stick || !s->has_plan || s->faults.n)
		return 0;
	r = stick_mount(&s->stick, false, err);
	if (r < 0)
		return r;
	dir = s->stick.dir;
	r = past_find(dir, s->machine, (uint32_t)s->campaign.fingerprint, &s->past, err);
	stick_unmount(&s->stick, &ignored);
	if (r < 0 || s->past.past == PAST_NONE)
		return r;
	if (s->past.past == PAST_DIED && s->past.cut) {
		session_say(s, "the power was cut on purpose: going on with %s",
			    s->past.dir);
		return 0;
	}
	if (s->plan.again == AGAIN_START)
		return 0;
	if (s->past.past == PAST_DIED && s->plan.again == AGAIN_RESUME)
		return 0;
	if (s->past.past == PAST_FINISHED)
		campaign_verdict(&s->campaign, OUTCOME_NOT_RUN,
				 "this plan already ran on this machine (%s, in %s); to "
				 "run it again say assay.plan.again=start",
				 s->past.when ? s->past.when : "?", s->past.dir);
	else
		campaign_verdict(
			&s->campaign, OUTCOME_ABORTED,
			"a campaign of this plan died on this machine (%s, in %s; "
			"last: %s); to go on say assay.plan.again=resume or start",
			s->past.when ? s->past.when : "?", s->past.dir,
			s->past.last ? s->past.last : "nothing recorded");
	return 0;
}

static struct store_config store_config(struct session *s)
{
	bool serial = !s->has_plan || s->plan.results != RESULTS_STICK;

	return (struct store_config){
		.machine = s->machine,
		.ram_dir = RAM_DIR,
		.medium = s->has_stick ? &s->medium : NULL,
		.serial = serial ? &s->console : NULL,
	};
}

int session_open_results(struct session *s)
{
	struct err err = { 0 }, stick_err = { 0 };
	struct store_config config;
	int medium, r;

	control_phase("opening the result channels");
	medium = open_medium(s, &stick_err);
	config = store_config(s);
	r = store_new(&config, &s->store, &err);
	if (r < 0) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED,
				 "no place for results: %s", err.text);
		return r;
	}
	if (medium < 0 && session_wants_stick(s)) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED,
				 "%s; results would be lost (a plan that is content with "
				 "serial says results = serial)",
				 stick_err.text);
		return medium;
	}
	r = look_back(s, &err);
	if (r == 0)
		r = store_prove(s->store, STICK_NEED, &err);
	if (r < 0 && session_wants_stick(s)) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED,
				 "the stick is not fit for results: %s", err.text);
		return r;
	}
	if (r < 0)
		campaign_warn(&s->campaign, "%s", err.text);
	if (!s->campaign.why && !store_lasts(s->store))
		campaign_verdict(
			&s->campaign, OUTCOME_ABORTED,
			"there is neither a stick nor a serial console for the "
			"results, so they would be lost; boot with console=ttyS0, or "
			"say results = stick and plug one in");
	return s->campaign.why ? -ECANCELED : 0;
}

int session_reopen_results(struct session *s, struct err *err)
{
	struct err ignored = { 0 };
	struct store_config config;
	int r = open_medium(s, err);

	config = store_config(s);
	if (store_reopen(&config, &s->store, &ignored) == 0)
		return r;
	if (store_new(&config, &s->store, err) < 0)
		return err->code;
	return r;
}

// The kernel's log so far, as /dev/kmsg gives it, one record a line.
static void read_kernel_log(struct strbuf *to)
{
	_cleanup_close_ int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char line[8192];
	ssize_t n;

	while (fd >= 0 && to->len < KERNEL_LOG_MAX &&
	       ((n = read(fd, line, sizeof(line))) > 0 || errno == EPIPE))
		if (n > 0)
			strbuf_add(to, line, (size_t)n);
	if (to->data)
		cmdline_mask(to->data);
}

static void write_file(struct session *s, const char *name, const char *data, size_t len)
{
	struct err err = { 0 };

	if (store_file(s->store, name, data, len, &err) < 0)
		session_say(s, "%s was not written: %s", name, err.text);
}

static void collect(void *arg, const char *data, size_t len)
{
	strbuf_add(arg, data, len);
}

static void write_html(struct session *s, const struct json_object *result)
{
	_cleanup_strbuf_ struct strbuf page = { 0 };

	report_html(result, collect, &page);
	write_file(s, "report.html", strbuf_str(&page), page.len);
}

void session_write_results(struct session *s)
{
	_cleanup_strbuf_ struct strbuf report = { 0 }, csv = { 0 }, log = { 0 };
	const struct device_scan how = { .root = "", .probe = true };
	_cleanup_json_ struct json_object *result = NULL;
	struct json_object *end;
	struct err err = { 0 };

	control_phase("writing results");
	if (device_scan(&how, &s->devices, &err) < 0) // as they are now: locked or not
		campaign_warn(&s->campaign, "the list of devices is old: %s", err.text);
	driver_on_block(NULL, NULL);
	if (!s->store)
		return;
	session_stick_again(s);
	s->campaign.machine = machine_json("");
	json_set_str(s->campaign.machine, "id", s->machine); // as the folder is called
	s->campaign.devices = device_json(&s->devices);
	if (s->started)
		campaign_accept(&s->campaign, s->baseline);
	end = json_new();
	json_set_str(end, "kind", "end");
	json_set_str(end, "verdict", outcome_name(s->campaign.verdict));
	json_set_str(end, "why", s->campaign.why);
	store_record(s->store, end, &err);
	if (store_catch_up(s->store, NULL, &err) < 0)
		session_say(s, "%s", err.text);
	result = campaign_json(&s->campaign, s->store);
	report_text(result, &report);
	report_bonnie_csv(result, &csv);
	read_kernel_log(&log);
	write_file(s, "kernel.log", strbuf_str(&log), log.len);
	if (csv.len)
		write_file(s, "bonnie.csv", strbuf_str(&csv), csv.len);
	write_file(s, "report.txt", strbuf_str(&report), report.len);
	write_file(s, "result.json", json_pretty(result), strlen(json_pretty(result)));
	write_html(s, result);
	console_write(&s->console, strbuf_str(&report), report.len);
	if (*store_problems(s->store))
		session_say(s, "%s", store_problems(s->store));
}

void session_upload(struct session *s)
{
	_cleanup_free_ char *url = NULL;
	struct err err = { 0 };
	int r;

	if (!s->server || !s->store)
		return;
	url = mem_printf("%s%s", s->server, store_path(s->store));
	control_phase("sending the results to %s", url);
	// What has arrived is not sent again: the next try goes on behind it.
	for (int i = 0; network_renew(&s->cmdline, &err) == 0 && i < UPLOAD_TRIES; i++) {
		session_alive(s);
		r = network_upload(store_ram_path(s->store), url, &err);
		if (r >= 0) {
			session_say(s, "results: %s (%d files)", url, r);
			return;
		}
	}
	session_say(s, "the results were not sent to %s: %s", url, err.text);
}
