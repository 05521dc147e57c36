// SPDX-License-Identifier: GPL-3.0-or-later
// The store: RAM, a medium that can fail on demand, and a file that plays serial.
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/armour.h"
#include "result/record.h"
#include "result/store-private.h"

static char tmp_root[64];

static int make_root(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	snprintf(tmp_root, sizeof(tmp_root), "/tmp/assay-store-XXXXXX");
	return mkdtemp(tmp_root) ? 0 : -1;
}

static int remove_root(void **state)
{
	_cleanup_free_ char *command = mem_printf("rm -r %s", tmp_root);

	(void)state;
	return system(command);
}

// A stick: a folder, with a way to fail.
struct stick {
	char *dir;
	int fail_open, fail_close; // what to return
	int opened, closed;
};

static int stick_open(void *arg, const char **dir, struct err *err)
{
	struct stick *stick = arg;

	if (stick->fail_open)
		return err_set(err, stick->fail_open, "cannot be mounted");
	stick->opened++;
	*dir = stick->dir;
	return 0;
}

static int stick_close(void *arg, struct err *err)
{
	struct stick *stick = arg;

	stick->closed++;
	return stick->fail_close ? err_set(err, stick->fail_close, "cannot be unmounted")
				 : 0;
}

// A fresh store with everything.
struct bench {
	char *ram, *serial_path;
	struct stick stick;
	struct store_medium medium;
	struct console console;
	struct store *store;
};

static char *sub_dir(const char *name)
{
	static int n;
	char *dir = mem_printf("%s/%d-%s", tmp_root, n++, name);

	assert_int_equal(mkdir(dir, 0755), 0);
	return dir;
}

static void bench_init(struct bench *b)
{
	struct store_config config = { .machine = "box-1" };
	struct err err = { 0 };

	*b = (struct bench){ .ram = sub_dir("ram"),
			     .stick = { .dir = sub_dir("stick") } };
	b->serial_path = mem_printf("%s.log", b->ram);
	b->console.n = 1;
	b->console.lines[0].serial = true;
	b->console.lines[0].fd =
		open(b->serial_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(b->console.lines[0].fd >= 0);
	b->medium = (struct store_medium){ "stick Foo 123", stick_open, stick_close,
					   &b->stick };
	config.ram_dir = b->ram;
	config.medium = &b->medium;
	config.serial = &b->console;
	assert_int_equal(store_new(&config, &b->store, &err), 0);
}

static void bench_done(struct bench *b)
{
	store_free(b->store);
	console_close(&b->console);
	assert_int_equal(b->stick.opened, b->stick.closed); // never left mounted
	free(b->ram);
	free(b->serial_path);
	free(b->stick.dir);
}

static int add_record(struct bench *b, const char *kind)
{
	struct json_object *o = json_new();
	struct err err = { 0 };

	json_set_str(o, "kind", kind);
	return store_record(b->store, o, &err);
}

static void read_below(const char *dir, const struct bench *b, const char *name,
		       struct strbuf *to)
{
	_cleanup_free_ char *path =
		mem_printf("%s/%s/%s", dir, store_path(b->store), name);

	if (io_read_file(path, to, 1 << 22) < 0)
		strbuf_puts(to, "(cannot be read)");
}

static void assert_same(const struct bench *b, const char *name)
{
	_cleanup_strbuf_ struct strbuf ram = { 0 }, stick = { 0 };

	read_below(b->ram, b, name, &ram);
	read_below(b->stick.dir, b, name, &stick);
	assert_true(ram.len > 0);
	assert_string_equal(ram.data, stick.data);
}

static size_t count_good(const char *text)
{
	size_t n = 0;

	for (const char *p = text, *nl; (nl = strchr(p, '\n')); p = nl + 1)
		n += record_check_line(p, (size_t)(nl - p)) == 0;
	return n;
}

static void everything_goes_everywhere(void **state)
{
	_cleanup_strbuf_ struct strbuf log = { 0 }, records = { 0 }, again = { 0 };
	_cleanup_free_ char *out = sub_dir("out");
	struct fault_list faults = { 0 };
	struct err err = { 0 };
	char path[200];
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(store_prove(b.store, 1000, &err), 0);
	assert_int_equal(add_record(&b, "start"), 0);
	assert_int_equal(store_file(b.store, "raw/0001-a.txt", "hello", 5, &err), 0);
	assert_int_equal(store_file(b.store, "raw/odd:name*", "x", 1, &err), 0);
	assert_int_equal(store_file(b.store, "empty", "", 0, &err), 0);
	assert_int_equal(add_record(&b, "end"), 0);
	assert_same(&b, "records.jsonl");
	assert_same(&b, "raw/0001-a.txt");
	assert_same(&b, "raw/odd_name_");
	read_below(b.ram, &b, "records.jsonl", &records);
	assert_int_equal(count_good(records.data), 2);
	assert_non_null(strstr(records.data, "\"seq\":1,"));
	assert_string_equal(store_problems(b.store), "");
	assert_int_equal(strncmp(store_path(b.store), "assay/box-1/", 12), 0);
	assert_non_null(strstr(store_path(b.store), store_run_id(b.store)));
	snprintf(path, sizeof(path), "%s/%s/records.jsonl", out, store_path(b.store));
	store_free(TAKE_PTR(b.store));
	assert_int_equal(io_read_file(b.serial_path, &log, 1 << 20), 0);
	assert_int_equal(armour_receive(log.data, log.len, "log", out, &faults, &err), 4);
	assert_int_equal(faults.n, 0);
	assert_int_equal(io_read_file(path, &again, 1 << 20), 0);
	assert_string_equal(again.data, records.data);
	bench_done(&b);
}

static void pulled_stick_is_noted_once(void **state)
{
	_cleanup_strbuf_ struct strbuf ram = { 0 };
	struct err err = { 0 };
	const char *first;
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	assert_int_equal(add_record(&b, "start"), 0);
	b.stick.fail_open = -EIO;
	for (int i = 0; i < 5; i++)
		assert_int_equal(add_record(&b, "run"), 0);
	assert_true(store_lasts(b.store)); // on serial
	first = strstr(store_problems(b.store), "stick Foo 123");
	assert_non_null(first);
	assert_null(strstr(first + 1, "stick Foo 123"));
	read_below(b.ram, &b, "records.jsonl", &ram);
	assert_int_equal(count_good(ram.data), 6);
	b.stick.fail_open = 0; // back again, but not used before it is caught up
	assert_int_equal(add_record(&b, "run"), 0);
	assert_int_equal(store_catch_up(b.store, NULL, &err), 0);
	assert_same(&b, "records.jsonl");
	assert_int_equal(add_record(&b, "end"), 0);
	assert_same(&b, "records.jsonl");
	bench_done(&b);
}

static void torn_tail_on_the_stick_is_mended(void **state)
{
	_cleanup_free_ char *path = NULL;
	struct err err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	add_record(&b, "start");
	b.stick.fail_close = -EIO; // written, but who knows
	add_record(&b, "run");
	assert_true(*store_problems(b.store));
	path = mem_printf("%s/%s/records.jsonl", b.stick.dir, store_path(b.store));
	assert_int_equal(truncate(path, 37), 0);
	assert_int_equal(truncate(path, 4096), 0); // zeros, as FAT leaves them
	b.stick.fail_close = 0;
	assert_int_equal(store_catch_up(b.store, NULL, &err), 0);
	assert_same(&b, "records.jsonl");
	bench_done(&b);
}

static void another_stick_gets_everything(void **state)
{
	struct stick other = { .dir = sub_dir("other") };
	struct store_medium medium = { "stick Bar", stick_open, stick_close, &other };
	struct err err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	add_record(&b, "start");
	store_file(b.store, "raw/a", "1", 1, &err);
	b.stick.fail_open = -ENODEV;
	add_record(&b, "run");
	assert_int_equal(store_catch_up(b.store, &medium, &err), 0);
	free(b.stick.dir);
	b.stick.dir = other.dir;
	assert_same(&b, "records.jsonl");
	assert_same(&b, "raw/a");
	assert_int_equal(other.opened, other.closed);
	bench_done(&b);
}

// A file size limit stands for a full stick: writes come back short, then fail.
static void full_stick_is_found_before(void **state)
{
	struct rlimit old, small = { 4096, RLIM_INFINITY };
	struct err err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b);
	getrlimit(RLIMIT_FSIZE, &old);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(store_prove(b.store, 0, &err), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_non_null(strstr(err.text, "stick Foo 123"));
	assert_non_null(strstr(err.text, "nothing was done to any disk"));
	assert_int_equal(store_prove(b.store, UINT64_C(1) << 60, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "bytes are free"));
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	bench_done(&b);
}

static void stick_that_fills_up_loses_nothing_else(void **state)
{
	_cleanup_free_ char *big = mem_new(1, 20000);
	_cleanup_strbuf_ struct strbuf serial = { 0 };
	struct rlimit old, small = { 16384, RLIM_INFINITY };
	struct err err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	setrlimit(RLIMIT_FSIZE, &small);
	// Neither the RAM nor the stick takes it: no place is left but serial.
	store_file(b.store, "big", big, 20000, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_non_null(strstr(store_problems(b.store), "stick Foo 123"));
	assert_int_equal(add_record(&b, "run"), 0);
	assert_int_equal(io_read_file(b.serial_path, &serial, 1 << 20), 0);
	assert_non_null(strstr(serial.data, "=assay= "));
	bench_done(&b);
}

static void nothing_is_overwritten(void **state)
{
	_cleanup_free_ char *stick = sub_dir("twice");
	char *path = mem_strdup("assay/box/20260331-120000-0a1b2c3d");
	_cleanup_free_ char *file = NULL;
	_cleanup_strbuf_ struct strbuf text = { 0 };

	(void)state;
	assert_int_equal(place_make(stick, &path), 0);
	assert_string_equal(path, "assay/box/20260331-120000-0a1b2c3d");
	assert_int_equal(
		place_file(stick, "assay/box/20260331-120000-0a1b2c3d/f", "one", 3), 0);
	assert_int_equal(place_make(stick, &path), 0);
	assert_string_equal(path, "assay/box/20260331-120000-0a1b2c3d-2");
	free(path);
	path = mem_strdup("assay/box/20260331-120000-0a1b2c3d");
	assert_int_equal(place_make(stick, &path), 0);
	assert_string_equal(path, "assay/box/20260331-120000-0a1b2c3d-3");
	file = mem_printf("%s/assay/box/20260331-120000-0a1b2c3d/f", stick);
	assert_int_equal(io_read_file(file, &text, 10), 0);
	assert_string_equal(text.data, "one");
	free(path);
}

static void name_taken_on_the_stick_moves_both(void **state)
{
	_cleanup_free_ char *taken = NULL, *file = NULL, *before = NULL;
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct err err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b);
	before = mem_strdup(store_path(b.store));
	taken = mem_printf("%s/records.jsonl", before);
	assert_int_equal(place_file(b.stick.dir, taken, "older", 5), 0);
	assert_int_equal(store_prove(b.store, 0, &err), 0);
	add_record(&b, "start");
	assert_string_not_equal(store_path(b.store), before);
	assert_same(&b, "records.jsonl");
	file = mem_printf("%s/%s", b.stick.dir, taken);
	assert_int_equal(io_read_file(file, &text, 100), 0);
	assert_string_equal(text.data, "older");
	bench_done(&b);
}

static void no_medium_and_no_serial_is_fine(void **state)
{
	_cleanup_free_ char *ram = sub_dir("only");
	struct store_config config = { .machine = "box", .ram_dir = ram };
	struct err err = { 0 };
	struct store *s;

	(void)state;
	assert_int_equal(store_new(&config, &s, &err), 0);
	assert_int_equal(store_prove(s, 1, &err), 0);
	assert_int_equal(store_record(s, json_new(), &err), 0);
	assert_false(store_lasts(s)); // but RAM is gone with the power
	assert_int_equal(store_catch_up(s, NULL, &err), 0);
	assert_int_equal(store_file(s, "../x", "x", 1, &err), 0); // renamed, stays below
	assert_int_equal(store_file(s, "/x", "x", 1, &err), -EINVAL);
	assert_int_equal(store_file(s, "", "x", 1, &err), -EINVAL);
	assert_int_equal(store_file(s, "records.jsonl", "x", 1, &err), -EINVAL);
	store_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_goes_everywhere),
		cmocka_unit_test(pulled_stick_is_noted_once),
		cmocka_unit_test(torn_tail_on_the_stick_is_mended),
		cmocka_unit_test(another_stick_gets_everything),
		cmocka_unit_test(full_stick_is_found_before),
		cmocka_unit_test(stick_that_fills_up_loses_nothing_else),
		cmocka_unit_test(nothing_is_overwritten),
		cmocka_unit_test(name_taken_on_the_stick_moves_both),
		cmocka_unit_test(no_medium_and_no_serial_is_fine),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
