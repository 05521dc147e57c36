// SPDX-License-Identifier: GPL-3.0-or-later
// What a store must know to be gone on with by another process after a crash: kept in RAM
// beside the results, renewed after each write.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/store-private.h"

#define STATE_MAX ((size_t)64 << 10)

static char *state_path(const char *ram_dir)
{
	return mem_printf("%s/store.json", ram_dir);
}

void state_save(const struct store *s)
{
	_cleanup_json_ struct json_object *o = json_new();
	_cleanup_free_ char *path = state_path(s->ram_dir);
	const char *text;

	json_set_str(o, "path", s->path);
	json_set_str(o, "run_id", s->run_id);
	json_set_uint(o, "seq", s->seq);
	json_set_bool(o, "medium_made", s->medium_made);
	json_set_uint(o, "dir_line", s->serial.dir_line);
	json_set_uint(o, "n_files", s->serial.n_files);
	json_set_uint(o, "record_line", s->serial.record_line);
	json_set_uint(o, "record_bytes", s->serial.record_bytes);
	json_set_uint(o, "record_crc", s->serial.record_crc);
	text = json_line(o);
	// Without it only the sequel of a crash suffers, which starts a store of its own.
	if (io_replace_file(path, text, strlen(text)) < 0)
		unlink(path);
}

void state_forget(const struct store *s)
{
	_cleanup_free_ char *path = state_path(s->ram_dir);

	unlink(path);
}

static void take(struct store *s, const struct json_object *o)
{
	snprintf(s->run_id, sizeof(s->run_id), "%s", json_get_str(o, "run_id"));
	s->seq = (uint64_t)json_get_int(o, "seq", 0);
	s->medium_made = json_get_bool(o, "medium_made", false);
	s->serial.dir_line = (unsigned)json_get_int(o, "dir_line", 0);
	s->serial.n_files = (unsigned)json_get_int(o, "n_files", 0);
	s->serial.record_line = (unsigned)json_get_int(o, "record_line", 0);
	s->serial.record_bytes = (uint64_t)json_get_int(o, "record_bytes", 0);
	s->serial.record_crc = (uint32_t)json_get_int(o, "record_crc", 0);
}

int store_reopen(const struct store_config *config, struct store **ret, struct err *err)
{
	_cleanup_free_ char *path = state_path(config->ram_dir);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_json_ struct json_object *o = NULL;
	struct store *s;

	if (io_read_file(path, &text, STATE_MAX) < 0)
		return err_set(err, -ENOENT, "no results were being written");
	o = json_parse_text(strbuf_str(&text), text.len, err);
	if (!o || !json_get_str(o, "path") || !json_get_str(o, "run_id"))
		return err_set(err, -EBADMSG, "%s: damaged", path);
	s = mem_new(1, sizeof(*s));
	s->machine = mem_strdup(config->machine);
	s->ram_dir = mem_strdup(config->ram_dir);
	s->path = mem_strdup(json_get_str(o, "path"));
	s->ram_path = mem_printf("%s/%s", s->ram_dir, s->path);
	if (config->medium)
		s->medium = *config->medium;
	for (size_t i = 0; config->serial && i < config->serial->n; i++)
		if (config->serial->lines[i].serial)
			s->serial.console = config->serial;
	take(s, o);
	*ret = s;
	return 0;
}
