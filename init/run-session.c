// SPDX-License-Identifier: GPL-3.0-or-later
// Beginning and end of `assay run`: consoles, drivers, discovery, and what PID 1 is told.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "device/driver.h"
#include "report/banner.h"
#include "result/accept.h"
#include "run-control.h"
#include "run-network.h"
#include "run-session.h"

#define COLDPLUG_QUIET (CLOCK_SECOND * 3 / 4)
#define COLDPLUG_LIMIT (60 * CLOCK_SECOND)

// PID 1 ends a sequence that says nothing for so long: a mount or a sync on a dying disk
// may never return. Tests say how they go every few seconds.
#define SILENCE_LIMIT (3600 * CLOCK_SECOND)

// The sequence keeps the plan's deadline by itself, with everything written; PID 1 only
// steps in when it does not.
#define DEADLINE_GRACE (120 * CLOCK_SECOND)

void session_alive(const struct session *s)
{
	uint64_t limit = clock_mono_ns() + SILENCE_LIMIT;

	if (s->deadline_ns && s->deadline_ns + DEADLINE_GRACE < limit)
		limit = s->deadline_ns + DEADLINE_GRACE;
	control_deadline(limit);
}

void session_say(struct session *s, const char *fmt, ...)
{
	_cleanup_close_ int kmsg = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	_cleanup_free_ char *text = NULL, *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	session_alive(s);
	console_printf(&s->console, "%s\n", text);
	// Priority 7 keeps it out of the consoles, which have it already.
	line = mem_printf("<7>assay: %s", text);
	if (kmsg >= 0 && io_write_all(kmsg, line, strlen(line)) < 0)
		return; // the kernel's log is a copy only
}

void session_begin(struct session *s)
{
	const char *init = getenv("ASSAY_INIT_NS");
	struct err err = { 0 };
	uint64_t init_ns;

	*s = (struct session){ 0 };
	pthread_mutex_init(&s->stick_lock, NULL);
	campaign_init(&s->campaign);
	console_open(&s->console, false);
	cmdline_load(&s->cmdline, "/proc/cmdline");
	s->server = network_server(&s->cmdline);
	medium_load(&s->boot, MEDIUM_IMAGE, &s->cmdline);
	if (init && number_uint(init, &init_ns) == 0)
		json_set_double(s->campaign.boot, "init", (double)init_ns / CLOCK_SECOND);
	json_set_double(s->campaign.boot, "sequence",
			(double)clock_mono_ns() / CLOCK_SECOND);
	session_say(s, "Assay %s", ASSAY_VERSION);
	control_phase("looking for devices");
	if (driver_start(&err) < 0)
		campaign_warn(&s->campaign, "the driver loader did not start: %s",
			      err.text);
}

// A disk that does not answer is named, so that nobody waits for it in vain.
static void name_stuck(struct session *s)
{
	for (size_t i = 0; i < s->devices.n; i++) {
		const struct device *d = &s->devices.items[i];
		_cleanup_free_ char *title = device_title(d);

		if (!d->stuck)
			continue;
		session_say(s, "%s does not answer: it is slow or broken", title);
		campaign_warn(&s->campaign, "%s does not answer: it is slow or broken",
			      title);
	}
}

void session_find_boot_medium(struct session *s)
{
	_cleanup_free_ char *sentence = NULL;

	medium_find(&s->boot, &s->devices);
	sentence = medium_describe(&s->boot, &s->devices);
	json_set_str(s->campaign.boot, "started_from", sentence);
}

struct guard_rules session_rules(const struct session *s)
{
	return (struct guard_rules){
		.boot_media = s->boot.disks,
		.results_medium = s->has_stick ? s->stick.disk : NULL,
	};
}

int session_discover(struct session *s)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct driver_stats stats;
	struct err err = { 0 };

	if (driver_settle(COLDPLUG_QUIET, clock_mono_ns() + COLDPLUG_LIMIT) < 0)
		campaign_warn(&s->campaign,
			      "drivers were still loading after 60 s: a device may be "
			      "slow or broken");
	// Only now: the address of a network card is told by its driver.
	s->machine = machine_id("");
	session_say(s, "this machine is called %s", s->machine);
	driver_stats(&stats);
	json_set_double(s->campaign.boot, "devices",
			(double)clock_mono_ns() / CLOCK_SECOND);
	json_set_uint(s->campaign.boot, "drivers", stats.modules);
	if (device_scan(&how, &s->devices, &err) < 0) {
		campaign_verdict(&s->campaign, OUTCOME_ABORTED, "no device list: %s",
				 err.text);
		return -EIO;
	}
	session_find_boot_medium(s);
	name_stuck(s);
	device_scan_orphans("", &s->orphans);
	for (size_t i = 0; i < s->orphans.n; i++)
		campaign_warn(&s->campaign, "%s at %s [%s] has no driver%s%s",
			      s->orphans.items[i].kind, s->orphans.items[i].address,
			      s->orphans.items[i].id,
			      s->orphans.items[i].hint ? ": " : "",
			      s->orphans.items[i].hint ? s->orphans.items[i].hint : "");
	return 0;
}

void session_show_devices(struct session *s)
{
	const struct guard_rules rules = session_rules(s);
	_cleanup_strbuf_ struct strbuf text = { 0 };

	guard_print(&rules, &s->devices, &text);
	device_orphans_print(&s->orphans, &text);
	console_write(&s->console, strbuf_str(&text), text.len);
}

// Did this boot do what the plan says, and will the next one know of it?
static bool recorded(const struct session *s)
{
	return s->started && s->medium.open && !store_lacks_medium(s->store);
}

static const char *ending(struct session *s)
{
	const char *asked = cmdline_get(&s->cmdline, "assay.then");
	enum plan_ending safe;

	if (!s->has_plan)
		return asked ? asked : "menu";
	safe = plan_ending_safe(&s->plan, recorded(s));
	if (safe != s->plan.then)
		session_say(s,
			    "then = %s: the next boot would come to the same, or start "
			    "this campaign again, so the machine powers off instead",
			    plan_ending_name(s->plan.then));
	return plan_ending_name(safe);
}

// Last, so that whoever looks at the screen or the end of a serial log has it: big where
// the plan sets limits, and a line of its own.
static void say_verdict(struct session *s)
{
	const char *verdict = outcome_name(s->campaign.verdict);
	_cleanup_strbuf_ struct strbuf banner = { 0 }, met = { 0 };

	if (json_object_is_type(s->campaign.accept, json_type_array) &&
	    json_object_array_length(s->campaign.accept)) {
		report_banner(verdict, &banner);
		console_write(&s->console, strbuf_str(&banner), banner.len);
		accept_verdict(s->campaign.accept, &met);
	}
	session_say(s, "VERDICT %s%s%s", verdict,
		    s->campaign.why ? ": "
		    : met.len       ? ": "
				    : "",
		    s->campaign.why ? s->campaign.why : strbuf_str(&met));
}

int session_end(struct session *s)
{
	control_then(ending(s));
	if (s->store) {
		session_say(s, "results: %s", store_path(s->store));
		store_free(s->store);
	}
	say_verdict(s);
	for (size_t i = 0; i < s->n_targets; i++)
		target_free(s->targets[i]);
	if (s->has_stick)
		stick_done(&s->stick);
	medium_done(&s->boot);
	device_list_done(&s->devices);
	device_orphan_list_done(&s->orphans);
	past_done(&s->past);
	json_object_put(s->baseline);
	campaign_done(&s->campaign);
	if (s->has_plan)
		plan_done(&s->plan);
	fault_done(&s->faults);
	cmdline_done(&s->cmdline);
	console_close(&s->console);
	free(s->machine);
	free(s->server);
	pthread_mutex_destroy(&s->stick_lock);
	// A verdict is no failure of the sequence: PID 1 has nothing to add to it.
	return 0;
}
