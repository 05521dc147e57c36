// SPDX-License-Identifier: GPL-3.0-or-later
// What `fio --output-format=json+` writes.
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "common/mem.h"
#include "common/strbuf.h"
#include "suite/fio-json.h"

#define TRIES_MAX 64 // documents that are begun; more are no fio output

static const char *const directions[] = { "read", "write", "trim" };

static bool is_open_brace(const char *line, const char *end)
{
	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	return end - line == 1 && *line == '{';
}

static const char *line_end(const char *line, const char *end)
{
	const char *nl = memchr(line, '\n', (size_t)(end - line));

	return nl ? nl : end;
}

// The document that starts at `text`, or NULL when it is cut off or damaged; `*used` is
// where it ends.
static struct json_object *parse_one(const char *text, size_t len, size_t *used)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *o;

	if (!tok)
		return NULL;
	o = json_tokener_parse_ex(tok, text, len > INT_MAX ? INT_MAX : (int)len);
	*used = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (json_object_is_type(json_get(o, "jobs"), json_type_array))
		return o;
	json_object_put(o);
	return NULL;
}

// fio begins and ends each document with a brace alone on its line, and no other line has
// one in the first column.
static struct json_object *last_document(const char *text, size_t len)
{
	const char *end = text + len, *next;
	struct json_object *last = NULL;
	int tries = 0;

	for (const char *line = text; line < end && tries < TRIES_MAX; line = next) {
		const char *eol = line_end(line, end);
		struct json_object *o;
		size_t used;

		next = eol < end ? eol + 1 : end;
		if (!is_open_brace(line, eol))
			continue;
		tries++;
		o = parse_one(line, (size_t)(end - line), &used);
		if (!o)
			continue;
		json_object_put(last);
		last = o;
		// json-c eats blanks behind the document, maybe up to the next one
		next = line[used - 1] == '\n' ? line + used : line_end(line + used, end);
	}
	return last;
}

// Notes that fio prints into its own JSON stand on lines of their own: every line of JSON
// that it writes begins with a quote, a bracket or a number.
static void drop_notes(const char *text, size_t len, struct strbuf *to)
{
	const char *end = text + len, *next;

	for (const char *line = text; line < end; line = next) {
		const char *eol = line_end(line, end), *p = line;

		next = eol < end ? eol + 1 : end;
		while (p < eol && isspace((unsigned char)*p))
			p++;
		if (p < eol && *p && strchr("{}[]\"-0123456789", *p))
			strbuf_add(to, line, (size_t)(next - line));
	}
}

struct json_object *fio_json_find(const char *text, size_t len, struct err *err)
{
	_cleanup_strbuf_ struct strbuf clean = { 0 };
	struct json_object *o = last_document(text, len);

	if (o)
		return o;
	drop_notes(text, len, &clean);
	o = clean.len ? last_document(clean.data, clean.len) : NULL;
	if (!o)
		err_set(err, -EBADMSG, "fio wrote no complete result in its %zu bytes",
			len);
	return o;
}

static size_t n_jobs(const struct json_object *doc)
{
	struct json_object *jobs = json_get(doc, "jobs");

	return json_object_is_type(jobs, json_type_array) ? json_object_array_length(jobs)
							  : 0;
}

static struct json_object *job_at(const struct json_object *doc, size_t i)
{
	return json_object_array_get_idx(json_get(doc, "jobs"), i);
}

int fio_json_check(const struct json_object *doc, struct err *err)
{
	size_t n = n_jobs(doc);

	if (n == 0)
		return err_set(err, -EBADMSG, "fio reports no job at all");
	for (size_t i = 0; i < n; i++) {
		struct json_object *job = job_at(doc, i);
		const char *name = json_get_str(job, "jobname");
		int64_t e = json_get_int(job, "error", 0);

		if (e != 0)
			return err_set(err, -EIO,
				       "fio: job %s ended with error %lld (%s)",
				       name ? name : "without name", (long long)e,
				       e > 0 && e < INT_MAX ? strerror((int)e) : "?");
	}
	if (fio_json_bytes(doc) == 0)
		return err_set(err, -ENODATA, "fio moved no data at all");
	return 0;
}

static double positive(const struct json_object *o, const char *key)
{
	double v = json_get_double(o, key, 0);

	return v > 0 ? v : 0;
}

// The sum of a number over all jobs, or the greatest.
static double over_jobs(const struct json_object *doc, const char *dir, const char *key,
			bool greatest)
{
	double all = 0;

	for (size_t i = 0; i < n_jobs(doc); i++) {
		double v = positive(json_get(job_at(doc, i), dir), key);

		if (!greatest)
			all += v;
		else if (v > all)
			all = v;
	}
	return all;
}

uint64_t fio_json_bytes_of(const struct json_object *doc, const char *direction)
{
	double all = over_jobs(doc, direction, "io_bytes", false);

	return all < 0x1p62 ? (uint64_t)all : 0; // more than that is no measurement
}

uint64_t fio_json_bytes(const struct json_object *doc)
{
	uint64_t all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		all += fio_json_bytes_of(doc, directions[i]);
	return all;
}

static void add_latency(const struct json_object *side, const char *dir,
			struct metric_list *to)
{
	static const struct {
		const char *key, *suffix;
	} points[] = {
		{ "50.000000", "p50" },
		{ "99.000000", "p99" },
		{ "99.900000", "p999" },
	};
	struct json_object *clat = json_get(side, "clat_ns");
	struct json_object *percentile = json_get(clat, "percentile");
	_cleanup_free_ char *name = mem_printf("%s_latency", dir);

	if (positive(clat, "N") <= 0)
		return;
	metric_add(to, name, "s", BETTER_LOWER, BOUND_EXACT,
		   positive(clat, "mean") / 1e9);
	for (size_t i = 0; i < ARRAY_SIZE(points); i++) {
		_cleanup_free_ char *full = mem_printf("%s_%s", name, points[i].suffix);

		if (json_get(percentile, points[i].key))
			metric_add(to, full, "s", BETTER_LOWER, BOUND_EXACT,
				   positive(percentile, points[i].key) / 1e9);
	}
}

static void add_direction(const struct json_object *doc, const char *dir,
			  struct metric_list *to)
{
	_cleanup_free_ char *iops_name = mem_printf("%s_iops", dir);
	double bytes = over_jobs(doc, dir, "io_bytes", false);
	double ios = over_jobs(doc, dir, "total_ios", false);
	double seconds = over_jobs(doc, dir, "runtime", true) / 1e3; // it is in ms
	double rate, iops;

	if (bytes <= 0)
		return;
	// fio rounds a run of less than a millisecond to no time; its own rates know
	// better
	rate = seconds > 0 ? bytes / seconds : over_jobs(doc, dir, "bw_bytes", false);
	iops = seconds > 0 ? ios / seconds : over_jobs(doc, dir, "iops", false);
	if (rate > 0)
		metric_add(to, dir, "B/s", BETTER_HIGHER, BOUND_EXACT, rate);
	if (iops > 0)
		metric_add(to, iops_name, "1/s", BETTER_HIGHER, BOUND_EXACT, iops);
	if (n_jobs(doc) == 1) // percentiles of several jobs cannot be averaged
		add_latency(json_get(job_at(doc, 0), dir), dir, to);
}

void fio_json_metrics(const struct json_object *doc, struct metric_list *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		add_direction(doc, directions[i], to);
}

bool fio_json_cached(const struct json_object *doc)
{
	for (size_t i = 0; i < n_jobs(doc); i++)
		for (size_t j = 0; j < ARRAY_SIZE(directions); j++) {
			struct json_object *side =
				json_get(job_at(doc, i), directions[j]);
			struct json_object *lat = json_get(side, "lat_ns");

			if (positive(lat, "N") > 0 && positive(lat, "min") < 1000)
				return true;
		}
	return false;
}

void fio_json_detail(const struct json_object *doc, struct json_object *detail)
{
	static const char *const keys[] = {
		"job options", "error",       "iodepth_level", "usr_cpu",    "sys_cpu",
		"ctx",         "steadystate", "latency_ns",    "latency_us", "latency_ms",
	};
	struct json_object *job = n_jobs(doc) ? job_at(doc, 0) : NULL;
	struct json_object *to = json_new();

	json_set_str(detail, "version", json_get_str(doc, "fio version"));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct json_object *v = json_get(job, keys[i]);

		if (v)
			json_set(to, keys[i], json_object_get(v));
	}
	if (json_get(doc, "disk_util"))
		json_set(to, "disk_util", json_object_get(json_get(doc, "disk_util")));
	json_set_int(to, "bytes", (int64_t)fio_json_bytes(doc));
	json_set(detail, "fio", to);
}
