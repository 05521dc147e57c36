// SPDX-License-Identifier: GPL-3.0-or-later
// What became of the last campaign, read from records.jsonl on the medium.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/campaign.h"
#include "result/past.h"
#include "result/record.h"
#include "result/store-private.h"

#define ORDER     "newest"
#define START_MAX (256u * 1024) // bytes within which the "start" record must end
#define FILE_MAX  (256u << 20)  // bytes of a records.jsonl
#define CHAIN_MAX 64            // campaigns that each went on with the one before

struct names {
	char **items;
	size_t n, room;
};

// The names in order.txt, as one text; "" when there is none.
static void read_order(const char *base, struct strbuf *to)
{
	_cleanup_free_ char *path = mem_printf("%s/" ORDER, base);

	if (io_read_file(path, to, FILE_MAX) < 0)
		to->len = 0;
	for (size_t i = 0; i < to->len; i++)
		if (to->data[i] == '\0') // zeros after a power cut
			to->data[i] = '\n';
}

int past_mark_newest(const char *campaign_dir)
{
	const char *slash = strrchr(campaign_dir, '/');
	_cleanup_strbuf_ struct strbuf order = { 0 };
	_cleanup_free_ char *base = NULL, *text = NULL;
	size_t len;

	if (!slash)
		return -EINVAL;
	base = mem_strndup(campaign_dir, (size_t)(slash - campaign_dir));
	text = mem_printf("\n%s\n", slash + 1); // the one before may be torn
	read_order(base, &order);
	len = strlen(text);
	if (order.len >= len && memcmp(order.data + order.len - len, text, len) == 0)
		return 0;
	return place_append(base, ORDER, text, len);
}

// Calls for each whole line; lines of NULs (FAT after a power cut) and torn ones count
// as damaged. `each` returns false to stop. The line is without NULs and "\n".
static unsigned each_record(const struct strbuf *text, bool to_the_end,
			    bool (*each)(struct json_object *record, void *arg),
			    void *arg)
{
	const char *p = strbuf_str(text), *end = p + text->len;
	unsigned damaged = 0;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl ? nl : end) - p);
		struct json_object *record;
		bool more = true;

		if (!nl && !to_the_end)
			break;                  // cut by us, not by the machine
		while (len > 0 && *p == '\0') { // zeros that a later line was put behind
			p++;
			len--;
		}
		record = record_parse_line(p, len);
		if (record)
			more = each(record, arg);
		else if (len > 0 || !nl)
			damaged++;
		json_object_put(record);
		if (!more || !nl)
			break;
		p = nl + 1;
	}
	return damaged;
}

// The first START_MAX bytes: enough for the "start" record.
static int read_start(const char *path, struct strbuf *to, bool *whole)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char chunk[8192];
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (to->len < START_MAX) {
		n = read(fd, chunk, sizeof(chunk));
		if (n <= 0)
			break;
		strbuf_add(to, chunk, (size_t)n);
		if (memchr(chunk, '\n', (size_t)n))
			break; // the start record is the first line as a rule
	}
	*whole = n == 0;
	return n < 0 ? -errno : 0;
}

struct start {
	bool found;
	int64_t fingerprint;
};

static bool is_kind(const struct json_object *record, const char *kind)
{
	const char *k = json_get_str(record, "kind");

	return k && strcmp(k, kind) == 0;
}

static bool look_for_start(struct json_object *record, void *arg)
{
	struct start *start = arg;

	if (!is_kind(record, "start"))
		return true;
	start->found = true;
	start->fingerprint = json_get_int(record, "fingerprint", -1);
	return false;
}

static bool same_plan(const char *base, const char *name, uint32_t fingerprint)
{
	_cleanup_free_ char *path = mem_printf("%s/%s/records.jsonl", base, name);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct start start = { 0 };
	bool whole = false;

	if (read_start(path, &text, &whole) < 0)
		return false;
	each_record(&text, whole, look_for_start, &start);
	if (!start.found && !whole) { // not in the first line: look through it all
		text.len = 0;
		if (io_read_file(path, &text, FILE_MAX) == 0)
			each_record(&text, true, look_for_start, &start);
	}
	return start.found && start.fingerprint == (int64_t)fingerprint;
}

static int newest_first(const void *a, const void *b)
{
	return -strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_names(const char *base, struct names *names)
{
	DIR *dir = opendir(base);
	struct dirent *e;

	if (!dir)
		return -errno;
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.' || strcmp(e->d_name, ORDER) == 0)
			continue;
		if (names->n == names->room) {
			names->room = names->room ? names->room * 2 : 64;
			names->items = mem_grow(names->items, names->room,
						sizeof(*names->items));
		}
		names->items[names->n++] = mem_strdup(e->d_name);
	}
	closedir(dir);
	if (names->n)
		qsort(names->items, names->n, sizeof(*names->items), newest_first);
	return 0;
}

static void names_done(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names->items);
}

static bool plain_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

// The folder's name of the newest campaign with that plan, or NULL; the caller frees.
static char *find_newest(const char *base, const struct names *names,
			 uint32_t fingerprint)
{
	_cleanup_strbuf_ struct strbuf order = { 0 };

	read_order(base, &order);
	while (order.len > 0) { // from the last name to the first
		char *name;

		order.data[order.len] = '\0';
		name = strrchr(order.data, '\n');
		name = name ? name + 1 : order.data;
		if (plain_name(name) && same_plan(base, name, fingerprint))
			return mem_strdup(name);
		order.len = name == order.data ? 0 : (size_t)(name - order.data) - 1;
	}
	for (size_t i = 0; i < names->n; i++)
		if (same_plan(base, names->items[i], fingerprint))
			return mem_strdup(names->items[i]);
	return NULL;
}

struct reading {
	struct past_campaign *past;
	bool end;
	char *resumes; // the campaign that this one goes on with
};

// A block that was repeated has its later runs only.
static void forget_block(struct past_campaign *past, int64_t block)
{
	struct json_object *kept = json_new_array();

	for (size_t i = 0; i < json_object_array_length(past->runs); i++) {
		struct json_object *run = json_object_array_get_idx(past->runs, i);

		if (json_get_int(run, "block", -1) != block)
			json_append(kept, json_object_get(run));
	}
	json_object_put(past->runs);
	past->runs = kept;
}

static bool take_record(struct json_object *record, void *arg)
{
	struct reading *reading = arg;
	struct past_campaign *past = reading->past;
	const char *arm = json_get_str(record, "arm");
	const char *test = json_get_str(record, "test");

	if (is_kind(record, "start")) {
		const char *wall = json_get_str(record, "wall");
		const char *resumes = json_get_str(record, "resumes");

		if (wall && !past->when)
			past->when = mem_strdup(wall);
		past->seed = (uint64_t)json_get_int(record, "seed", 0);
		if (resumes && !reading->resumes)
			reading->resumes = mem_strdup(resumes);
	} else if (is_kind(record, "end")) {
		reading->end = true;
	} else if (is_kind(record, "run")) {
		json_append(past->runs, json_object_get(record));
		json_object_put(TAKE_PTR(past->cut));
	} else if (is_kind(record, "cut")) {
		json_object_put(past->cut);
		past->cut = json_object_get(record);
	} else if (is_kind(record, "block") && json_get_str(record, "repeated")) {
		forget_block(past, json_get_int(record, "block", -1));
	}
	if (arm) {
		free(past->last);
		past->last = mem_printf("block %lld, arm %s%s%s",
					(long long)json_get_int(record, "block", 0), arm,
					test ? ", test " : "", test ? test : "");
	}
	return true;
}

// Reads one campaign's records into `ret` and says which one it went on with, or NULL.
static int read_campaign(const char *base, const char *name, struct past_campaign *ret,
			 char **resumes, struct err *err)
{
	_cleanup_free_ char *path = mem_printf("%s/%s/records.jsonl", base, name);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct reading reading = { .past = ret };
	int r = io_read_file(path, &text, FILE_MAX);

	if (r < 0)
		return err_set(err, r, "%s: cannot be read: %s", path, strerror(-r));
	ret->damaged += each_record(&text, true, take_record, &reading);
	ret->past = reading.end ? PAST_FINISHED : PAST_DIED;
	*resumes = reading.resumes;
	return 0;
}

// Adds the runs of the campaigns that a resumed one went on with, so that a second power
// cut does not make the runs before the first one be done again.
static void follow(const char *base, struct past_campaign *ret, char *resumes)
{
	for (int i = 0; resumes && i < CHAIN_MAX; i++) {
		const char *slash = strrchr(resumes, '/');
		_cleanup_free_ char *name = mem_strdup(slash ? slash + 1 : resumes);
		struct past_campaign older = { .runs = json_new_array() };

		free(TAKE_PTR(resumes));
		if (plain_name(name) &&
		    read_campaign(base, name, &older, &resumes, NULL) == 0) {
			ret->damaged += older.damaged;
			for (size_t k = 0; k < json_object_array_length(older.runs); k++)
				json_append(ret->runs,
					    json_object_get(json_object_array_get_idx(
						    older.runs, k)));
		}
		past_done(&older);
	}
	free(resumes);
}

int past_find(const char *medium_dir, const char *machine, uint32_t fingerprint,
	      struct past_campaign *ret, struct err *err)
{
	_cleanup_free_ char *base = mem_printf("%s/assay/%s", medium_dir, machine);
	_cleanup_free_ char *name = NULL;
	struct names names = { 0 };
	char *resumes = NULL;
	int r = list_names(base, &names);

	*ret = (struct past_campaign){ .past = PAST_NONE };
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return err_set(err, r, "%s: cannot be read: %s", base, strerror(-r));
	name = find_newest(base, &names, fingerprint);
	names_done(&names);
	if (!name)
		return 0;
	ret->runs = json_new_array();
	ret->dir = mem_printf("%s/%s", base, name);
	r = read_campaign(base, name, ret, &resumes, err);
	if (r < 0) {
		past_done(ret);
		return r;
	}
	if (ret->past == PAST_FINISHED)
		free(TAKE_PTR(ret->last));
	follow(base, ret, resumes);
	return 0;
}

void past_done(struct past_campaign *p)
{
	free(p->dir);
	free(p->when);
	free(p->last);
	json_object_put(p->runs);
	json_object_put(p->cut);
	*p = (struct past_campaign){ .past = PAST_NONE };
}
