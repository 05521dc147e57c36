// SPDX-License-Identifier: GPL-3.0-or-later
// The store: one campaign's results in RAM, on the stick and on serial at once.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "common/clock.h"
#include "common/mem.h"
#include "result/record.h"
#include "result/store-private.h"

void store_problem(struct store *s, bool *failed, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	if (*failed)
		return;
	*failed = true;
	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = ' ';
	strbuf_printf(&s->problems, "%s\n", text);
}

// Never waits: early at boot the kernel's generator may not be ready, and two campaigns
// that draw the same number still get folders of their own.
static uint32_t draw_id(void)
{
	uint64_t t = clock_mono_ns();
	uint32_t id;

	if (getrandom(&id, sizeof(id), GRND_NONBLOCK) != sizeof(id))
		id = (uint32_t)(t ^ t >> 32) * 2654435761u;
	return id;
}

int store_new(const struct store_config *config, struct store **ret, struct err *err)
{
	struct store *s = mem_new(1, sizeof(*s));
	char date[16];
	int r;

	snprintf(s->run_id, sizeof(s->run_id), "%08x", draw_id());
	clock_wall_compact(date);
	s->machine = mem_strdup(config->machine);
	s->ram_dir = mem_strdup(config->ram_dir);
	s->path = mem_printf("assay/%s/%s-%s", s->machine, date, s->run_id);
	if (config->medium)
		s->medium = *config->medium;
	for (size_t i = 0; config->serial && i < config->serial->n; i++)
		if (config->serial->lines[i].serial)
			s->serial.console = config->serial;
	r = place_make(s->ram_dir, &s->path);
	s->ram_path = mem_printf("%s/%s", s->ram_dir, s->path);
	if (r < 0) {
		err_set(err, r, "%s: cannot be created: %s", s->ram_path, strerror(-r));
		s->serial.console = NULL; // nothing to end there
		store_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

// Runs one write on the medium; a failure is noted once, and then the medium rests until
// store_catch_up(): what errno says after a stick was pulled means nothing (ENOSPC where
// nothing is full), so no attempt is made to read more out of it.
static void on_medium(struct store *s, const char *path, const void *data, size_t len,
		      int (*write_it)(const char *, const char *, const void *, size_t))
{
	_cleanup_free_ char *dir = NULL;
	struct err why = { 0 };
	int r;

	if (!s->medium.open || s->medium_failed)
		return;
	r = medium_open(s, &dir, &why);
	if (r == 0) {
		r = write_it(dir, path, data, len);
		if (r < 0)
			err_set(&why, r, "%s: %s", path, strerror(-r));
		r = medium_close(s, r, &why);
	}
	if (r < 0)
		store_problem(s, &s->medium_failed,
			      "%s: results can no longer be written to it (%s); they go "
			      "on in memory%s",
			      s->medium.name ? s->medium.name : "results medium",
			      why.text[0] ? why.text : strerror(-r),
			      s->serial.console ? " and on serial" : "");
}

static int outcome_of(const struct store *s, int ram, struct err *err)
{
	bool medium = s->medium.open && !s->medium_failed;
	bool serial = s->serial.console && !s->serial.failed;

	if (ram == 0 || medium || serial)
		return 0;
	return err_set(err, ram, "%s: cannot be written, and there is no other place: %s",
		       s->ram_path, strerror(-ram));
}

int store_record(struct store *s, struct json_object *record, struct err *err)
{
	_cleanup_json_ struct json_object *owned = record;
	_cleanup_strbuf_ struct strbuf line = { 0 };
	int ram;

	record_line(&line, owned, s->run_id, s->seq++, clock_mono_ns());
	ram = place_append(s->ram_path, STORE_RECORDS, line.data, line.len);
	if (ram < 0)
		store_problem(s, &s->ram_failed, "%s: cannot be written: %s", s->ram_path,
			      strerror(-ram));
	on_medium(s, STORE_RECORDS, line.data, line.len, place_append);
	serial_record(s, line.data, line.len);
	state_save(s);
	return outcome_of(s, ram, err);
}

// A name that FAT, tar and armour carry alike: other characters become "_".
static char *clean_path(const char *path)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789._+,=@-/";
	char *clean = mem_strdup(path);

	for (char *p = clean; *p; p++)
		if (!strchr(allowed, *p) || (*p == '.' && (p == clean || p[-1] == '/')))
			*p = '_';
	return clean;
}

int store_file(struct store *s, const char *path, const void *data, size_t len,
	       struct err *err)
{
	_cleanup_free_ char *clean = clean_path(path);
	int ram;

	if (clean[0] == '/' || strstr(clean, "//") || clean[0] == '\0' ||
	    strcmp(clean, STORE_RECORDS) == 0)
		return err_set(err, -EINVAL, "%s: no name for a result file", path);
	ram = place_file(s->ram_path, clean, data, len);
	if (ram < 0)
		store_problem(s, &s->ram_failed, "%s: cannot be written: %s", s->ram_path,
			      strerror(-ram));
	on_medium(s, clean, data, len, place_file);
	serial_file(s, clean, data, len);
	state_save(s);
	return outcome_of(s, ram, err);
}

bool store_lacks_medium(const struct store *s)
{
	return s->medium.open && s->medium_failed;
}

bool store_lasts(const struct store *s)
{
	return (s->medium.open && !s->medium_failed) ||
	       (s->serial.console && !s->serial.failed);
}

const char *store_run_id(const struct store *s)
{
	return s->run_id;
}

const char *store_path(const struct store *s)
{
	return s->path;
}

const char *store_ram_path(const struct store *s)
{
	return s->ram_path;
}

const char *store_problems(const struct store *s)
{
	return strbuf_str(&s->problems);
}

void store_free(struct store *s)
{
	if (!s)
		return;
	serial_end(s);
	state_forget(s);
	free(s->machine);
	free(s->ram_dir);
	free(s->path);
	free(s->ram_path);
	strbuf_done(&s->problems);
	free(s);
}
