// SPDX-License-Identifier: GPL-3.0-or-later
// Parsers of /proc/stat and /proc/PID/stat, and families of threads.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/cpu-proc.h"

#define PF_KTHREAD 0x00200000u // include/linux/sched.h

// The number at the start of *at; *at moves behind it. 0 when there is none.
static uint64_t take(const char **at)
{
	const char *p = *at + strspn(*at, " ");
	uint64_t value = 0;

	for (; isdigit((unsigned char)*p); p++)
		value = value * 10 + (uint64_t)(*p - '0');
	*at = p;
	return value;
}

static void take_cpu(const char *at, struct cpu_times *t)
{
	uint64_t *const to[] = { &t->user,   &t->nice, &t->system,  &t->idle,
				 &t->iowait, &t->irq,  &t->softirq, &t->steal };

	for (size_t i = 0; i < ARRAY_SIZE(to); i++)
		*to[i] = take(&at);
}

static bool starts(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

int cpu_times_parse(const char *text, struct cpu_times *ret)
{
	bool any = false;

	*ret = (struct cpu_times){ 0 };
	for (const char *l = text; l && *l; l = strchr(l, '\n'), l = l ? l + 1 : NULL) {
		const char *at = strchr(l, ' ');

		if (!at)
			break;
		if (starts(l, "cpu ")) {
			take_cpu(at, ret);
			any = true;
		} else if (starts(l, "cpu")) {
			ret->cpus++;
		} else if (starts(l, "intr ")) {
			ret->interrupts = take(&at);
		} else if (starts(l, "ctxt ")) {
			ret->switches = take(&at);
		} else if (starts(l, "processes ")) {
			ret->forks = take(&at);
		}
	}
	return any && ret->cpus ? 0 : -EBADMSG;
}

double cpu_busy_seconds(const struct cpu_times *before, const struct cpu_times *after,
			double elapsed)
{
	uint64_t then = before->idle + before->iowait + before->steal;
	uint64_t now = after->idle + after->iowait + after->steal;
	double still =
		now > then ? (double)(now - then) / (double)sysconf(_SC_CLK_TCK) : 0;
	double all = elapsed * after->cpus;

	return all > still ? all - still : 0;
}

// "12 (a) b) S 2 0 0 0 -1 69238880 ...": the name may hold anything, so its end is the
// last parenthesis.
int cpu_task_parse(const char *line, struct cpu_task *ret)
{
	const char *open = strchr(line, '('), *close = strrchr(line, ')'), *at = line;
	uint64_t field[23] = { 0 }; // numbered as in proc(5): [3] is the state
	size_t len;

	*ret = (struct cpu_task){ .pid = (int)take(&at) };
	if (ret->pid <= 0 || !open || !close || close < open || strlen(close) < 4)
		return -EBADMSG;
	len = (size_t)(close - open - 1);
	if (len >= sizeof(ret->name))
		len = sizeof(ret->name) - 1;
	memcpy(ret->name, open + 1, len);
	at = close + 3; // behind ") S"
	for (size_t i = 4; i < ARRAY_SIZE(field); i++) {
		at += strspn(at, " -"); // some are negative; none of those is wanted
		if (!isdigit((unsigned char)*at))
			return -EBADMSG;
		field[i] = take(&at);
	}
	ret->kernel = field[9] & PF_KTHREAD;
	ret->ticks = field[14] + field[15];
	ret->start = field[22];
	return 0;
}

// "kworker/u4:1-kcryptd-253:0" -> "kcryptd-253:0": the queue stands behind "+" while the
// worker works and behind "-" afterwards. NULL when it is not told.
static const char *queue_of(const char *name)
{
	static const char rescuer[] = "kworker/R-";
	const char *at = strchr(name, ':');

	if (starts(name, rescuer))
		return name + sizeof(rescuer) - 1;
	return at && (at = strpbrk(at, "+-")) && at[1] ? at + 1 : NULL;
}

// "md127_raid10" is a thread of an array, whatever its number and level.
static bool is_md(const char *name)
{
	size_t digits = starts(name, "md") ? strspn(name + 2, "0123456789") : 0;

	return digits && name[2 + digits] == '_';
}

void cpu_task_class(const char *name, char *ret)
{
	bool worker = starts(name, "kworker/");
	const char *queue = worker ? queue_of(name) : NULL;
	const char *base = queue ? queue : name;
	size_t len = strcspn(base, "/");

	if (worker && !queue) {
		snprintf(ret, CPU_TASK_NAME, "%s",
			 starts(name, "kworker/u") ? "kworker/u" : "kworker");
		return;
	}
	if (is_md(base)) {
		snprintf(ret, CPU_TASK_NAME, "md");
		return;
	}
	if (len >= CPU_TASK_NAME)
		len = CPU_TASK_NAME - 1;
	memcpy(ret, base, len);
	ret[len] = '\0';
	if (base[len] == '/') // "jbd2/dm-0-8": the rest names the device
		return;
	while (len > 1 && strchr("0123456789:", ret[len - 1]))
		ret[--len] = '\0';
	while (len > 1 && strchr("-_", ret[len - 1]) && base[len])
		ret[--len] = '\0';
}
