// SPDX-License-Identifier: GPL-3.0-or-later
// What PID 1 decides. Nothing here allocates: PID 1 must not die of memory.
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/macro.h"
#include "common/number.h"
#include "common/pid1.h"

static const char *const then_names[] = {
	[PID1_UNSAID] = "unsaid", [PID1_POWEROFF] = "poweroff", [PID1_REBOOT] = "reboot",
	[PID1_MENU] = "menu",     [PID1_SHELL] = "shell",       [PID1_BOOT] = "boot",
};

enum pid1_then pid1_then_parse(const char *word)
{
	for (size_t i = PID1_POWEROFF; i < ARRAY_SIZE(then_names); i++)
		if (strcmp(word, then_names[i]) == 0)
			return (enum pid1_then)i;
	return PID1_UNSAID;
}

const char *pid1_then_name(enum pid1_then then)
{
	return then_names[then];
}

static bool take_deadline(struct pid1_control *c, const char *value)
{
	double s;

	// Ten years, so that the product below cannot overflow.
	if (number_double(value, &s) < 0 || s < 0 || s > 10 * 366 * 86400.0)
		return false;
	c->deadline_ns = (uint64_t)(s * (double)CLOCK_SECOND);
	return true;
}

static bool take_then(struct pid1_control *c, const char *value)
{
	enum pid1_then then = pid1_then_parse(value);

	if (then == PID1_UNSAID)
		return false;
	c->then = then;
	return true;
}

static bool take_phase(struct pid1_control *c, const char *value)
{
	snprintf(c->phase, sizeof(c->phase), "%s", value);
	for (char *p = c->phase; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	return true;
}

static bool take_line(struct pid1_control *c)
{
	static const struct {
		const char *word;
		bool (*take)(struct pid1_control *c, const char *value);
	} words[] = {
		{ "deadline ", take_deadline },
		{ "then ", take_then },
		{ "phase ", take_phase },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i].word);

		if (strncmp(c->line, words[i].word, n) == 0)
			return words[i].take(c, c->line + n);
	}
	return false;
}

unsigned pid1_control_feed(struct pid1_control *c, const char *data, size_t len)
{
	unsigned bad = 0;

	for (size_t i = 0; i < len; i++) {
		if (data[i] != '\n') {
			if (c->len < sizeof(c->line))
				c->line[c->len++] = data[i];
			continue;
		}
		if (c->len == sizeof(c->line)) {
			bad++;
		} else {
			c->line[c->len] = '\0';
			bad += !take_line(c);
		}
		c->len = 0;
	}
	return bad;
}

bool pid1_end_well(const struct pid1_end *end)
{
	return !end->missing && !end->stuck && !end->late && !end->breached &&
	       WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0;
}

static const char *stopped_because(const struct pid1_end *end)
{
	return end->asked      ? "stopped by a person; "
	       : end->late     ? "its deadline passed; "
	       : end->breached ? "it took too long; "
			       : "";
}

static void describe_status(int status, char *to, size_t room)
{
	const char *name;

	if (WIFSIGNALED(status)) {
		name = sigdescr_np(WTERMSIG(status));
		snprintf(to, room, "killed by signal %d (%s)", WTERMSIG(status),
			 name ? name : "unknown");
	} else {
		snprintf(to, room, "exit status %d%s", WEXITSTATUS(status),
			 WEXITSTATUS(status) == 70 ? " (out of memory)" : "");
	}
}

void pid1_end_describe(const struct pid1_end *end, const char *phase, char *to,
		       size_t room)
{
	char how[80];

	if (end->missing)
		snprintf(how, sizeof(how), "could not be started");
	else if (end->stuck)
		snprintf(how, sizeof(how), "did not die when killed; left behind");
	else
		describe_status(end->status, how, sizeof(how));
	snprintf(to, room, "%s%s%s%s", stopped_because(end), how,
		 *phase ? " while: " : "", phase);
}

enum pid1_then pid1_next(bool well, enum pid1_then said, enum pid1_then asked)
{
	if (asked != PID1_UNSAID)
		return asked;
	if (!well || said == PID1_UNSAID)
		return PID1_POWEROFF;
	return said;
}

bool pid1_clock_suspect(int64_t now, int64_t build, bool narrow)
{
	const int64_t twenty_years = INT64_C(20) * 36525 * 864; // 365.25 days of 86400 s

	if (narrow && now > INT32_MAX)
		return true;
	if (build <= 0)
		return now < 1704067200;
	return now < build || now > build + twenty_years;
}

uint64_t pid1_meminfo(const char *text, const char *key)
{
	size_t n = strlen(key);
	unsigned long long kib;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (strncmp(line, key, n) == 0 && line[n] == ':')
			return sscanf(line + n + 1, "%llu kB", &kib) == 1 ? kib * 1024
									  : 0;
	}
	return 0;
}
