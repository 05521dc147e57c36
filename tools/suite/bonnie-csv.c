// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV lines of bonnie++, all versions.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/bonnie-csv.h"

#define FIELDS_MAX  80
#define PIECES_MAX  8   // a 50-field line at 80 columns takes 5
#define NAME_COMMAS 16  // more than that is no name
#define MIN_TIME    0.5 // seconds; below it bonnie++ prints "+++++" (its MinTime)

// 1.9x puts and gets single characters on a small part of the file only: 2.00a on 3 MiB,
// earlier ones on more. The smallest keeps the bound true for all of them.
#define CHAR_BYTES (3.0 * 1024 * 1024)

// Where things are. Numbers count from the field after the name.
struct layout {
	const char *format;
	size_t name;   // index of the name
	size_t fields; // in all, while the name has no comma
	int seeks;     // number of seeks done, or -1
	double seeks_done;
	size_t size, rates, files, file_rates;
	int latency; // or -1
};

static const struct layout layouts[] = {
	{ "1.96", 2, 48, -1, 8192, 2, 4, 16, 21, 33 },
	{ "1.97", 2, 48, -1, 8192, 2, 4, 16, 21, 33 },
	{ "1.98", 2, 50, 4, 8192, 2, 6, 18, 23, 35 },
	// 1.03 documents 8000 seeks
	{ "1.03", 0, 27, -1, 8000, 0, 1, 13, 14, -1 },
};

static const char *const big_names[] = { "putc", "put_block", "rewrite",
					 "getc", "get_block", "seeks" };
static const char *const file_names[] = { "seq_create", "seq_stat", "seq_del",
					  "ran_create", "ran_stat", "ran_del" };

const char *const bonnie_fact_names[BONNIE_FACTS] = {
	"concurrency", "seed", "chunk", "seeks",      "seek_procs",
	"max",         "min",  "dirs",  "file_chunk",
};

static size_t split(char *line, char **fields)
{
	size_t n = 0;

	do
		fields[n++] = strsep(&line, ",");
	while (line && n < FIELDS_MAX);
	return n;
}

static bool is_censored(const char *s)
{
	return *s == '+' && s[strspn(s, "+")] == '\0';
}

// Adds a rate and its CPU share; false when the fields are no such thing.
static bool add_rate(struct metric_list *to, const char *name, bool bytes, double amount,
		     char *const *f)
{
	_cleanup_free_ char *cpu_name = mem_printf("%s_cpu", name);
	const char *unit = bytes ? "B/s" : "1/s";
	double v;

	if (is_censored(f[0]))
		metric_add(to, name, unit, BETTER_HIGHER, BOUND_AT_LEAST,
			   amount / MIN_TIME);
	else if (*f[0] && number_double(f[0], &v) == 0 && v >= 0)
		metric_add(to, name, unit, BETTER_HIGHER, BOUND_EXACT,
			   bytes ? v * 1024 : v);
	else if (*f[0])
		return false;
	if (!*f[1] || is_censored(f[1])) // a share of a time not known is no bound
		return true;
	if (number_double(f[1], &v) < 0 || v < 0)
		return false;
	metric_add(to, cpu_name, "%", BETTER_NEITHER, BOUND_EXACT, v);
	return true;
}

static bool add_latency(struct metric_list *to, const char *name, const char *text)
{
	_cleanup_free_ char *full = mem_printf("%s_latency", name);
	size_t digits = strspn(text, "0123456789.");
	uint64_t ns;

	if (!*text)
		return true;
	if (!text[digits] || number_duration(text, &ns) < 0) // a bare number was cut off
		return false;
	metric_add(to, full, "s", BETTER_LOWER, BOUND_EXACT, (double)ns / 1e9);
	return true;
}

// "432M", "6G", "1G:64k" in bytes; "" is 0.
static bool read_size(const char *text, uint64_t *ret)
{
	_cleanup_free_ char *part = mem_strndup(text, strcspn(text, ":"));
	size_t digits = strspn(part, "0123456789");

	*ret = 0;
	if (!*text)
		return true;
	return digits && strchr("KMGT", part[digits]) && part[digits] &&
	       number_size(part, ret) == 0 && *ret > 0;
}

// "16" or "16:max:min/dirs": a count of 1024 files each.
static bool read_files(const char *text, uint64_t *ret)
{
	_cleanup_free_ char *part = mem_strndup(text, strcspn(text, ":/"));

	*ret = 0;
	if (!*text)
		return true;
	if (number_uint(part, ret) < 0 || *ret > UINT64_MAX / 1024)
		return false;
	*ret *= 1024;
	return true;
}

static void read_facts(const struct layout *l, char *const *f, struct bonnie_csv *to)
{
	if (l->name == 0)
		return; // 1.03 has none of them
	to->facts[BONNIE_CONCURRENCY] = mem_strdup(f[0]);
	to->facts[BONNIE_SEED] = mem_strdup(f[1]);
	to->facts[BONNIE_CHUNK] = mem_strdup(f[l->size + 1]);
	for (size_t i = 0; l->seeks >= 0 && i < 2; i++)
		to->facts[BONNIE_SEEKS + i] = mem_strdup(f[(size_t)l->seeks + i]);
	for (size_t i = 0; i < 4; i++)
		to->facts[BONNIE_MAX + i] = mem_strdup(f[l->files + 1 + i]);
}

// `f` are the fields behind the name.
static bool read_fields(const struct layout *l, char *const *f, struct bonnie_csv *to)
{
	double seeks = l->seeks_done, done;

	if (!read_size(f[l->size], &to->size) || !read_files(f[l->files], &to->files))
		return false;
	if (l->seeks >= 0 && number_double(f[l->seeks], &done) == 0)
		seeks = done;
	for (size_t i = 0; i < ARRAY_SIZE(big_names); i++) {
		bool bytes = i < 5, one_char = l->name && (i == 0 || i == 3);
		double amount = bytes ? (double)to->size : seeks;

		if (one_char && amount > CHAR_BYTES)
			amount = CHAR_BYTES;
		if (!add_rate(&to->metrics, big_names[i], bytes, amount,
			      f + l->rates + 2 * i))
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(file_names); i++)
		if (!add_rate(&to->metrics, file_names[i], false, (double)to->files,
			      f + l->file_rates + 2 * i))
			return false;
	for (size_t i = 0; l->latency >= 0 && i < 12; i++)
		if (!add_latency(&to->metrics, i < 6 ? big_names[i] : file_names[i - 6],
				 f[(size_t)l->latency + i]))
			return false;
	read_facts(l, f, to);
	to->size_text = mem_strdup(f[l->size]);
	to->files_text = mem_strdup(f[l->files]);
	return to->metrics.n > 0;
}

static bool read_as(const struct layout *l, const char *line, struct bonnie_csv *to)
{
	_cleanup_free_ char *copy = mem_strdup(line);
	struct strbuf name = { 0 };
	char *f[FIELDS_MAX];
	size_t n = split(copy, f), extra;

	if (n < l->fields || n > l->fields + NAME_COMMAS)
		return false;
	if (l->name && strcmp(f[0], l->format) != 0)
		return false;
	extra = n - l->fields;
	if (!read_fields(l, f + l->name + extra + 1, to)) {
		bonnie_csv_done(to);
		return false;
	}
	for (size_t i = 0; i <= extra; i++)
		strbuf_printf(&name, "%s%s", i ? "," : "", f[l->name + i]);
	to->name = strbuf_take(&name);
	to->format = mem_strdup(l->format);
	to->program = l->name ? mem_strdup(f[1]) : NULL;
	to->line = mem_strdup(line);
	return true;
}

// A line of 1.9x that is cut or odd must not pass for a 1.03 line of a machine with a
// strange name: its second field is a version, where 1.03 has a size.
static bool is_newer(const struct layout *l, const char *line)
{
	size_t len = strlen(l->format);

	if (l->name == 0 || strncmp(line, l->format, len) != 0 || line[len] != ',')
		return false;
	line += len + 1;
	return memchr(line, '.', strcspn(line, ",")) != NULL;
}

static bool read_line(const char *line, struct bonnie_csv *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (read_as(&layouts[i], line, to))
			return true;
		if (is_newer(&layouts[i], line))
			return false;
	}
	return false;
}

// Adds the next piece of text, less its blanks, to `line`; false at the end of the text.
static bool add_piece(const char *text, size_t len, size_t *pos, struct strbuf *line)
{
	const char *start = text + *pos, *end, *next;

	if (*pos >= len)
		return false;
	end = memchr(start, '\n', len - *pos);
	next = end ? end + 1 : text + len;
	end = end ? end : text + len;
	while (start < end && strchr(" \t\r", *start) && *start)
		start++;
	while (end > start && strchr(" \t\r", end[-1]) && end[-1])
		end--;
	if (!memchr(start, '\0', (size_t)(end - start)))
		strbuf_add(line, start, (size_t)(end - start));
	*pos = (size_t)(next - text);
	return true;
}

// A wrap may have cut the very last number: a piece of only digits after a long line
// belongs to it.
static void take_tail(const char *text, size_t len, size_t *pos, struct bonnie_csv *ret)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };
	struct bonnie_csv whole = { 0 };
	size_t after = *pos, had = strlen(ret->line);

	if (had < 60 || !strchr("0123456789+,", ret->line[had - 1]))
		return;
	strbuf_puts(&line, ret->line);
	if (!add_piece(text, len, &after, &line) || line.len == had || line.len > had + 3)
		return;
	if (line.data[had + strspn(line.data + had, "0123456789+")] != '\0')
		return;
	if (!read_line(line.data, &whole))
		return;
	bonnie_csv_done(ret);
	*ret = whole;
	*pos = after;
}

int bonnie_csv_next(const char *text, size_t len, size_t *pos, struct bonnie_csv *ret)
{
	*ret = (struct bonnie_csv){ 0 };
	while (*pos < len) {
		_cleanup_strbuf_ struct strbuf line = { 0 };
		size_t at = *pos, first_end;
		int pieces = 0;

		add_piece(text, len, &at, &line);
		first_end = at;
		while (!read_line(strbuf_str(&line), ret)) {
			size_t had = line.len;

			if (!strchr(strbuf_str(&line), ',') || ++pieces == PIECES_MAX ||
			    !add_piece(text, len, &at, &line) || line.len == had)
				break;
		}
		if (ret->line) {
			take_tail(text, len, &at, ret);
			*pos = at;
			return 0;
		}
		*pos = first_end;
	}
	return -ENOENT;
}

void bonnie_csv_detail(const struct bonnie_csv *b, struct json_object *detail)
{
	json_set_str(detail, "version", b->program ? b->program : b->format);
	json_set_str(detail, "format", b->format);
	json_set_str(detail, "csv", b->line);
	json_set_str(detail, "file_size", b->size_text);
	json_set_str(detail, "num_files", b->files_text);
	for (size_t i = 0; i < BONNIE_FACTS; i++)
		if (b->facts[i])
			json_set_str(detail, bonnie_fact_names[i], b->facts[i]);
}

void bonnie_csv_done(struct bonnie_csv *b)
{
	free(b->format);
	free(b->program);
	free(b->name);
	free(b->size_text);
	free(b->files_text);
	free(b->line);
	for (size_t i = 0; i < BONNIE_FACTS; i++)
		free(b->facts[i]);
	metric_list_done(&b->metrics);
	*b = (struct bonnie_csv){ 0 };
}
