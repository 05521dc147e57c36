// SPDX-License-Identifier: GPL-3.0-or-later
// The menu: plain lines on every console, answered on any of them, so that it is the same
// on a screen, on a serial line of 9600 baud and on a terminal that knows no escapes.
#include <string.h>

#include "common/ask.h"
#include "common/mem.h"
#include "common/number.h"
#include "run-control.h"
#include "run-session.h"

enum next {
	AGAIN,    // the menu is shown once more
	SEQUENCE, // the session goes on with a plan
	LEAVE,    // it ends; PID 1 knows how
};

// Waits as long as it takes. NULL when there is no console to ask on.
static char *ask_person(struct session *s, const char *prompt)
{
	struct err err = { 0 };
	char *answer;

	control_phase("waiting for a choice in the menu");
	control_deadline(0); // a person may take a day
	if (ask_line(&s->console, prompt, 0, &answer, &err) < 0)
		session_say(s, "%s", err.text);
	return answer;
}

static enum next inventory(struct session *s)
{
	session_discover(s);
	session_show_devices(s);
	return AGAIN;
}

static bool can_be_read(const struct device *d)
{
	return d->kind == DEVICE_DISK && d->size && !d->stuck;
}

// "1  /dev/sda (WDC WD800, serial X), 80 GB" for each; returns how many.
static size_t list_disks(struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->devices.n; i++) {
		const struct device *d = &s->devices.items[i];
		_cleanup_free_ char *title = device_title(d);
		_cleanup_strbuf_ struct strbuf size = { 0 };

		if (!can_be_read(d))
			continue;
		number_format_bytes(&size, d->size);
		console_printf(&s->console, "  %zu  %s, %s\n", ++n, title,
			       strbuf_str(&size));
	}
	return n;
}

static const struct device *nth_disk(const struct session *s, uint64_t n)
{
	for (size_t i = 0; i < s->devices.n; i++)
		if (can_be_read(&s->devices.items[i]) && --n == 0)
			return &s->devices.items[i];
	return NULL;
}

// How a plan names this disk, by the best identity that it has.
static char *selector(const struct device *d)
{
	if (d->serial)
		return mem_printf("serial:%s", d->serial);
	if (d->wwn)
		return mem_printf("wwn:%s", d->wwn);
	if (d->by_path)
		return mem_printf("path:%s", d->by_path);
	return mem_printf("size:%llu", (unsigned long long)d->size);
}

static enum next read_only(struct session *s)
{
	_cleanup_free_ char *answer = NULL, *disk = NULL;
	struct stick stick = { 0 };
	const struct device *d;
	struct err ignored = { 0 };
	bool has_stick;
	uint64_t n;

	if (list_disks(s) == 0) {
		console_printf(&s->console, "There is no disk here.\n");
		return AGAIN;
	}
	answer = ask_person(s, "Which disk is to be read? Number, then Enter: ");
	if (!answer || number_uint(answer, &n) < 0 || n == 0)
		return AGAIN;
	d = nth_disk(s, n);
	if (!d)
		return AGAIN;
	disk = selector(d);
	has_stick = session_look_for_stick(s, &s->devices, &stick, &ignored) == 0;
	stick_done(&stick);
	cmdline_add(&s->cmdline, "assay.plan", "readonly");
	cmdline_add(&s->cmdline, "assay.target.disk", disk);
	cmdline_add(&s->cmdline, "assay.plan.results",
		    has_stick ? "stick+serial" : "serial");
	return SEQUENCE;
}

static enum next run_plan(struct session *s _unused_)
{
	return SEQUENCE;
}

static enum next shell(struct session *s _unused_)
{
	control_then("shell");
	return LEAVE;
}

static enum next power_off(struct session *s _unused_)
{
	control_then("poweroff");
	return LEAVE;
}

static const struct {
	const char *text;
	enum next (*run)(struct session *s);
} entries[] = {
	{ "inventory: what disks are here", inventory },
	{ "benchmark, read-only: how fast is a disk as it is", read_only },
	{ "run the plan (assay.ini on the assay stick)", run_plan },
	{ "shell", shell },
	{ "power off", power_off },
};

static enum next choose(struct session *s)
{
	_cleanup_free_ char *answer = NULL;
	uint64_t n;

	console_printf(&s->console, "\nAssay %s\n", ASSAY_VERSION);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		console_printf(&s->console, "  %zu  %s\n", i + 1, entries[i].text);
	answer = ask_person(s, "Number, then Enter: ");
	if (!answer)
		return shell(s);
	if (number_uint(answer, &n) < 0 || n == 0 || n > ARRAY_SIZE(entries))
		return AGAIN;
	return entries[n - 1].run(s);
}

int session_menu(void)
{
	struct session s;
	enum next next = AGAIN;

	session_begin(&s);
	if (session_discover(&s) == 0)
		session_show_devices(&s);
	while (next == AGAIN)
		next = choose(&s);
	// Nothing was begun that has a verdict: the process just ends.
	return next == SEQUENCE ? session_go(&s, true) : 0;
}
