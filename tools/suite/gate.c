// SPDX-License-Identifier: GPL-3.0-or-later
// Gates on the numbers of one run.
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/gate.h"

// hdparm and fio round, clocks tick: only what is clearly above a link is.
#define LINK_MARGIN 1.02

// A run whose bytes came to less than this part at the device was served by a cache. Its
// last part may stay there: bonnie++ works with twice the memory it has, or more.
#define CACHE_PART  0.5
#define CACHE_LEAST ((uint64_t)4 << 20) // bytes; of less nobody can tell

// CPU time of other programs, of the run's length: below, it is the shell's blinking.
#define HOG_PART  0.02
#define HOG_LEAST 0.2 // s

// Of the machine's CPU time, what may stay unattributed: ticks round, looks miss ends.
#define UNKNOWN_PART  0.15
#define UNKNOWN_LEAST 0.5 // s

static void add(struct json_object **list, const char *name, const char *fmt, va_list ap)
{
	_cleanup_free_ char *words = mem_vprintf(fmt, ap);
	struct json_object *o = json_new();

	if (!*list)
		*list = json_new_array();
	json_set_str(o, "name", name);
	json_set_str(o, "words", words);
	json_append(*list, o);
}

void gate_trip(struct run *run, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(&run->gates, name, fmt, ap);
	va_end(ap);
}

void gate_flag(struct run *run, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(&run->flags, name, fmt, ap);
	va_end(ap);
}

// Rates of the disk; "..._cached" is hdparm's figure for memory.
static bool is_disk_rate(const struct metric *m)
{
	return strcmp(m->unit, "B/s") == 0 && !strstr(m->name, "_cached");
}

static void gate_link(struct run *run, const struct gate_facts *f)
{
	for (size_t i = 0; f->link_rate > 0 && i < run->metrics.n; i++) {
		const struct metric *m = &run->metrics.items[i];
		_cleanup_strbuf_ struct strbuf is = { 0 }, most = { 0 };

		if (!is_disk_rate(m) || m->bound == BOUND_AT_MOST ||
		    m->value <= f->link_rate * LINK_MARGIN)
			continue;
		number_format_rate(&is, m->value);
		number_format_rate(&most, f->link_rate);
		if (f->emulated)
			gate_flag(run, "link",
				  "%s = %s is more than %s carries (%s); this machine is "
				  "a guest, so its links are only claimed",
				  m->name, strbuf_str(&is), f->link_text,
				  strbuf_str(&most));
		else
			gate_trip(run, "link",
				  "%s = %s is more than %s carries (%s): a cache "
				  "answered, not the disk",
				  m->name, strbuf_str(&is), f->link_text,
				  strbuf_str(&most));
	}
}

static void gate_one_cache(struct run *run, const char *what, uint64_t said,
			   uint64_t moved)
{
	_cleanup_strbuf_ struct strbuf is = { 0 }, at = { 0 };

	if (said < CACHE_LEAST || (double)moved >= (double)said * CACHE_PART)
		return;
	number_format_bytes(&is, said);
	number_format_bytes(&at, moved);
	gate_trip(run, "cache",
		  "%s says that it %s %s, but only %s came to the device: the rest was "
		  "in a cache",
		  run->test->engine, what, strbuf_str(&is), strbuf_str(&at));
}

static void gate_cache(struct run *run, const struct gate_facts *f)
{
	if (f->moved_known) {
		gate_one_cache(run, "read", run->read_bytes, f->moved.read_bytes);
		gate_one_cache(run, "wrote", run->written_bytes, f->moved.write_bytes);
	}
	if (run->too_quick)
		gate_trip(run, "cache",
			  "some operations took less than a microsecond: a cache "
			  "answered, not the disk");
}

static void gate_zero(struct run *run)
{
	if (run->ended_ns <= run->started_ns)
		gate_trip(run, "zero-time", "the run took no time at all");
	for (size_t i = 0; i < run->metrics.n; i++) {
		const struct metric *m = &run->metrics.items[i];

		if (is_disk_rate(m) && m->value <= 0)
			gate_trip(run, "zero-time", "%s = %g %s is no measurement",
				  m->name, m->value, m->unit);
	}
}

// Names the program that spent most.
static void gate_hog(struct run *run, const struct gate_facts *f)
{
	double spent = json_get_double(f->account, "programs_s", 0);
	double took = (double)(run->ended_ns - run->started_ns) / CLOCK_SECOND;
	struct json_object *programs = json_get(f->account, "programs");

	if (!f->cpu_known || spent < HOG_LEAST || spent < took * HOG_PART)
		return;
	json_object_object_foreach (programs, name, value) {
		gate_trip(
			run, "cpu-hog",
			"the program %s used %.2f s of CPU time in a run of %.2f s, and "
			"is no part of the test",
			name, json_object_get_double(value), took);
		return; // the first is the largest
	}
}

// Time that nobody spent who was seen: a program that came and went.
static void gate_unknown(struct run *run, const struct gate_facts *f)
{
	double nobody = json_get_double(f->account, "unattributed_s", 0);
	double total = json_get_double(f->account, "total_s", 0);

	if (f->cpu_known && nobody > UNKNOWN_LEAST && nobody > total * UNKNOWN_PART)
		gate_flag(run, "cpu-unknown",
			  "%.2f of %.2f s of CPU time belong to nobody that was seen: a "
			  "program or thread came and went",
			  nobody, total);
}

void gate_numbers(struct run *run, const struct gate_facts *facts)
{
	gate_hog(run, facts);
	gate_unknown(run, facts);
	if (run->outcome != OUTCOME_PASSED)
		return;
	gate_zero(run);
	gate_link(run, facts);
	gate_cache(run, facts);
}
