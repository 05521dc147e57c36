// SPDX-License-Identifier: GPL-3.0-or-later
// Armour on serial: there and back, through kernel messages, damage and cut logs.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/armour.h"
#include "unit.h"

#define RUN "0a1b2c3d"

static char tmp_root[64];

static int make_root(void **state)
{
	(void)state;
	snprintf(tmp_root, sizeof(tmp_root), "/tmp/assay-armour-XXXXXX");
	return mkdtemp(tmp_root) ? 0 : -1;
}

static int remove_root(void **state)
{
	_cleanup_free_ char *command = mem_printf("rm -r %s", tmp_root);

	(void)state;
	return system(command);
}

// A new empty folder.
static char *new_dir(void)
{
	static int n;
	char *dir = mem_printf("%s/%d", tmp_root, n++);

	assert_int_equal(mkdir(dir, 0755), 0);
	return dir;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *seed >> 33;
}

struct writer {
	struct strbuf log;
	const char *run;
	unsigned dir_line;
};

static void add_data(struct writer *w, unsigned file, unsigned *line, const char *data,
		     size_t len)
{
	size_t at = 0;

	do {
		size_t n = len - at < ARMOUR_BYTES ? len - at : ARMOUR_BYTES;

		armour_line(&w->log, w->run, file, (*line)++, data + at, n);
		at += n;
	} while (at < len);
}

static void add_text(struct writer *w, const char *text)
{
	add_data(w, 0, &w->dir_line, text, strlen(text));
}

static void add_file(struct writer *w, unsigned file, const char *path, const char *data,
		     size_t len)
{
	_cleanup_free_ char *open = mem_printf("open %u %s\n", file, path);
	_cleanup_free_ char *close =
		mem_printf("close %u %zu %08x\n", file, len, crc32_add(0, data, len));
	unsigned line = 0;

	add_text(w, open);
	add_data(w, file, &line, data, len);
	add_text(w, close);
}

static int receive(const struct strbuf *log, const char *dir, struct fault_list *faults)
{
	struct err err = { 0 };

	return armour_receive(strbuf_str(log), log->len, "log", dir, faults, &err);
}

static void assert_file(const char *dir, const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);
	_cleanup_strbuf_ struct strbuf got = { 0 };

	assert_int_equal(io_read_file(full, &got, 1 << 20), 0);
	assert_int_equal(got.len, len);
	assert_memory_equal(strbuf_str(&got), data, len);
}

static bool there(const char *dir, const char *path)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);

	return io_exists(full);
}

static bool says(const struct fault_list *faults, int line, const char *text)
{
	for (size_t i = 0; i < faults->n; i++)
		if ((line == 0 || faults->items[i].line == line) &&
		    strstr(faults->items[i].text, text))
			return true;
	return false;
}

static void line_is_as_documented(void **state)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	struct armour a;

	(void)state;
	armour_line(&b, RUN, 3, 12, "hello", 5);
	// printf '0a1b2c3d 3 12 aGVsbG8=' | crc32 /dev/stdin
	assert_string_equal(b.data, "=assay= 0a1b2c3d 3 12 aGVsbG8= 89bb247b\n");
	assert_int_equal(armour_parse(b.data, b.len, &a), 0);
	assert_string_equal(a.run_id, RUN);
	assert_int_equal(a.file, 3);
	assert_int_equal(a.line, 12);
	assert_int_equal(a.len, 5);
	assert_memory_equal(a.data, "hello", 5);
	b.len = 0;
	armour_line(&b, RUN, 1, 0, "", 0);
	assert_non_null(strstr(b.data, " . "));
	assert_int_equal(armour_parse(b.data, b.len, &a), 0);
	assert_int_equal(a.len, 0);
	assert_int_equal(armour_parse("kernel: hello", 13, &a), -ENOENT);
	assert_int_equal(armour_parse("=assay= what", 12, &a), -EBADMSG);
}

static void every_length_survives(void **state)
{
	unsigned char data[ARMOUR_BYTES];
	uint64_t seed = 1;

	(void)state;
	for (size_t len = 0; len <= ARMOUR_BYTES; len++) {
		_cleanup_strbuf_ struct strbuf b = { 0 };
		struct armour a;

		for (size_t i = 0; i < len; i++)
			data[i] = (unsigned char)next_random(&seed);
		strbuf_puts(&b, "[    1.5] in the middle of");
		armour_line(&b, RUN, 4294967295u, 4294967295u, data, len);
		assert_int_equal(armour_parse(b.data, b.len, &a), 0);
		assert_int_equal(a.len, len);
		assert_memory_equal(a.data, data, len);
	}
}

// A small campaign of three files; the same bytes on every call.
static void small_campaign(struct writer *w)
{
	add_file(w, 2, "assay/m/d-" RUN "/report.txt", "PASSED\n", 7);
	add_file(w, 3, "assay/m/d-" RUN "/raw/empty", "", 0);
	add_file(w, 4, "assay/m/d-" RUN "/raw/0001-x.bin",
		 "\0\1\2\3 some bytes, and some more than fit in one line\xff\n\r\n", 55);
	add_text(w, "end\n");
}

static void assert_small_campaign(const char *dir)
{
	assert_file(dir, "assay/m/d-" RUN "/report.txt", "PASSED\n", 7);
	assert_file(dir, "assay/m/d-" RUN "/raw/empty", "", 0);
	assert_file(dir, "assay/m/d-" RUN "/raw/0001-x.bin",
		    "\0\1\2\3 some bytes, and some more than fit in one line\xff\n\r\n",
		    55);
}

static void whole_log_gives_the_files(void **state)
{
	_cleanup_strbuf_ struct strbuf twice = { 0 };
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&w);
	assert_int_equal(receive(&w.log, dir, &faults), 3);
	assert_int_equal(faults.n, 0);
	assert_small_campaign(dir);
	// Again into the same folder, and a log that holds everything twice.
	strbuf_add(&twice, w.log.data, w.log.len);
	strbuf_add(&twice, w.log.data, w.log.len);
	assert_int_equal(receive(&twice, dir, &faults), 3);
	assert_int_equal(faults.n, 0);
	strbuf_done(&w.log);
}

// The log as a terminal program on a noisy machine has it: CR LF, NULs, kernel messages
// between lines, in the middle of lines, and several in one line.
static void make_noisy(struct strbuf *to, const struct strbuf *log, uint64_t seed)
{
	static const char *const messages[] = {
		"[    1.000000] usb 1-1: new high-speed USB device\r\n",
		"[12345.678901] sd 0:0:0:0: [sda] Attached SCSI disk\r\n",
		"[   99.5][  T123] EXT4-fs (dm-0): mounted (=no mark=)\r\n",
		"<6>[    7.25] with a level\n",
		"[    3.100000] \r\n",
	};

	for (size_t i = 0; i < log->len; i++) {
		bool fresh = i == 0 || log->data[i - 1] == '\n';

		if (next_random(&seed) % (fresh ? 4 : 150) == 0)
			for (size_t n = next_random(&seed) % 3 + 1; n > 0; n--)
				strbuf_puts(to, messages[next_random(&seed) % 5]);
		if (fresh && next_random(&seed) % 5 == 0)
			strbuf_puts(to, "login: ");
		if (next_random(&seed) % 200 == 0)
			strbuf_add(to, "", 1);
		if (log->data[i] == '\n')
			strbuf_puts(to, "\r");
		strbuf_add(to, &log->data[i], 1);
	}
}

static void kernel_messages_do_no_harm(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		_cleanup_free_ char *dir = new_dir();
		_cleanup_strbuf_ struct strbuf noisy = { 0 }, data = { 0 };
		struct writer w = { .run = RUN };
		struct fault_list faults = { 0 };
		uint64_t s = seed;

		for (size_t i = 0; i < 700; i++) {
			char c = (char)next_random(&s);

			strbuf_add(&data, &c, 1);
		}
		small_campaign(&w);
		add_file(&w, 5, "assay/m/d-" RUN "/random", data.data, data.len);
		make_noisy(&noisy, &w.log, seed);
		assert_int_equal(receive(&noisy, dir, &faults), 4);
		assert_int_equal(faults.n, 0);
		assert_small_campaign(dir);
		assert_file(dir, "assay/m/d-" RUN "/random", data.data, data.len);
		strbuf_done(&w.log);
	}
}

static int line_of(const struct strbuf *log, size_t at)
{
	int line = 1;

	for (size_t i = 0; i < at; i++)
		line += log->data[i] == '\n';
	return line;
}

// One flipped bit anywhere: that line is named and no other, and no file is wrong.
static void each_damaged_byte_is_named(void **state)
{
	struct writer w = { .run = RUN };
	size_t healed = 0;

	(void)state;
	small_campaign(&w);
	for (size_t at = 0; at < w.log.len; at++) {
		_cleanup_free_ char *dir = new_dir();
		struct fault_list faults = { 0 };
		int line = line_of(&w.log, at), r;
		bool named = false;

		w.log.data[at] ^= 4;
		r = receive(&w.log, dir, &faults);
		w.log.data[at] ^= 4;
		for (size_t i = 0; i < faults.n; i++) {
			const struct fault *f = &faults.items[i];

			named |= f->line == line;
			assert_true(f->line == 0 || f->line == line);
			assert_string_equal(f->file, "log");
		}
		if (w.log.data[at] == '\n')
			assert_int_equal(faults.n, 0);
		if (faults.n == 0) { // a lost line end, or a line without content
			assert_int_equal(r, 3);
			assert_small_campaign(dir);
			healed++;
		} else {
			assert_true(named);
		}
		assert_in_range(r, 2, 3);
		fault_done(&faults);
	}
	assert_in_range(healed, 10, 40);
	strbuf_done(&w.log);
}

static void good_copy_heals_a_damaged_one(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	_cleanup_strbuf_ struct strbuf log = { 0 };
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&w);
	strbuf_add(&log, w.log.data, w.log.len);
	memset(log.data + log.len / 2, '#', 3);
	strbuf_add(&log, w.log.data, w.log.len);
	assert_int_equal(receive(&log, dir, &faults), 3);
	assert_int_equal(faults.n, 0);
	assert_small_campaign(dir);
	strbuf_done(&w.log);
}

static void contradiction_is_a_fault(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&w);
	armour_line(&w.log, RUN, 2, 0, "FAILED\n", 7);
	assert_int_equal(receive(&w.log, dir, &faults), 3);
	assert_int_equal(faults.n, 1);
	assert_true(says(&faults, line_of(&w.log, w.log.len - 1), "contradicts"));
	assert_small_campaign(dir);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void two_campaigns_in_one_log(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer a = { .run = RUN }, b = { .run = "ffffffff" };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&a);
	add_file(&b, 2, "assay/other/file", "abc", 3);
	strbuf_add(&a.log, b.log.data, b.log.len);
	assert_int_equal(receive(&a.log, dir, &faults), 4);
	assert_int_equal(faults.n, 0);
	assert_small_campaign(dir);
	assert_file(dir, "assay/other/file", "abc", 3);
	strbuf_done(&a.log);
	strbuf_done(&b.log);
}

// Records stream in; the machine dies before they are closed.
static void unclosed_records_are_kept(void **state)
{
	static const char records[] = "{\"seq\":0}\n{\"seq\":1}\n";
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	unsigned line = 0;

	(void)state;
	add_text(&w, "open 1 assay/m/d/records.jsonl\n");
	add_data(&w, 1, &line, records, 10);
	add_data(&w, 1, &line, records + 10, 10);
	strbuf_puts(&w.log, "=assay= " RUN " 1 2 eyJzZ"); // power cut
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_file(dir, "assay/m/d/records.jsonl", records, 20);
	assert_true(says(&faults, 0, "not closed: the machine ended before"));
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void log_may_start_in_the_middle(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	_cleanup_strbuf_ struct strbuf tail = { 0 };
	const char *cut;

	(void)state;
	small_campaign(&w);
	cut = strstr(w.log.data, "UEFTU0VECg=="); // "PASSED\n"
	assert_non_null(cut);
	strbuf_puts(&tail, cut);
	assert_int_equal(receive(&tail, dir, &faults), 2);
	assert_true(says(&faults, 1, "missing: run 0a1b2c3d, file 0"));
	assert_file(dir, "assay/m/d-" RUN "/raw/empty", "", 0);
	assert_false(there(dir, "assay/m/d-" RUN "/report.txt"));
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void gap_goes_to_a_damaged_file(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	char data[200];
	char *line;

	(void)state;
	memset(data, 'x', sizeof(data));
	add_file(&w, 2, "a/b", data, sizeof(data));
	line = strstr(w.log.data, RUN " 2 1 ");
	line[20] = '!';
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_int_equal(faults.n, 1);
	assert_true(says(&faults, 3, "damaged: run 0a1b2c3d, file 2 (a/b), line 1"));
	assert_false(there(dir, "a/b"));
	assert_file(dir, "a/b.damaged", data, sizeof(data) - ARMOUR_BYTES);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void later_version_counts(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	add_file(&w, 2, "a/report.txt", "first", 5);
	add_file(&w, 3, "a/report.txt", "second", 6);
	assert_int_equal(receive(&w.log, dir, &faults), 1);
	assert_int_equal(faults.n, 0);
	assert_file(dir, "a/report.txt", "second", 6);
	strbuf_done(&w.log);
}

static void other_content_is_not_overwritten(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	_cleanup_free_ char *path = mem_printf("%s/a", dir);
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	assert_int_equal(io_replace_file(path, "mine", 4), 0);
	add_file(&w, 2, "a", "new content", 11);
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_true(says(&faults, 0, "left alone"));
	assert_file(dir, "a", "mine", 4);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void evil_paths_are_refused(void **state)
{
	static const char *const paths[] = {
		"/etc/passwd", "../x", "a/../../x", "a//b", "a/",    ".hidden",
		"a/.ssh/x",    "a b",  "a\\b",      "a\tb", "a/b:c", "\xc3\xa9",
		"a/.",         "..",   "a*",        "",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *dir = new_dir();
		struct writer w = { .run = RUN };
		struct fault_list faults = { 0 };

		add_file(&w, 2, paths[i], "evil", 4);
		assert_int_equal(receive(&w.log, dir, &faults), 0);
		assert_true(faults.n > 0);
		assert_file(dir, "lost-" RUN "/2", "evil", 4);
		fault_done(&faults);
		strbuf_done(&w.log);
	}
}

static void log_without_armour_is_an_error(void **state)
{
	struct fault_list faults = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(armour_receive("hello\n", 6, "log", tmp_root, &faults, &err),
			 -ENODATA);
	assert_int_equal(armour_receive("", 0, "log", tmp_root, &faults, &err), -ENODATA);
	assert_int_equal(faults.n, 0);
}

// The recipe of armour.h, through the real sed and base64.
static void sed_and_base64_are_enough(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	_cleanup_free_ char *log = mem_printf("%s/log", dir);
	_cleanup_free_ char *command = NULL;
	struct writer w = { .run = RUN };
	_cleanup_strbuf_ struct strbuf crlf = { 0 };
	char got[200];
	unsigned line = 0;
	size_t n;
	FILE *p;

	(void)state;
	add_text(&w, "open 3 x\n"); // pieces of any length, as records are
	add_data(&w, 3, &line, "one\n", 4);
	add_data(&w, 3, &line, "", 0);
	add_data(&w, 3, &line, "a second record that is longer than one line can be\n",
		 52);
	add_data(&w, 3, &line, "3", 1);
	for (size_t i = 0; i < w.log.len; i++) {
		if (i == 0 || w.log.data[i - 1] == '\n')
			strbuf_puts(&crlf, "[    1.0] kernel\r\nlogin: ");
		if (w.log.data[i] == '\n')
			strbuf_puts(&crlf, "\r");
		strbuf_add(&crlf, &w.log.data[i], 1);
	}
	assert_int_equal(io_replace_file(log, crlf.data, crlf.len), 0);
	command = mem_printf("sed -n 's/.*=assay= " RUN " 3 [0-9]* \\([^ .]*\\) "
			     "[0-9a-f]*\\r*$/\\1/p' %s | base64 -d",
			     log);
	p = popen(command, "r");
	assert_non_null(p);
	n = fread(got, 1, sizeof(got), p);
	assert_int_equal(pclose(p), 0);
	assert_int_equal(n, 57);
	assert_memory_equal(got,
			    "one\na second record that is longer than one line can "
			    "be\n3",
			    57);
	strbuf_done(&w.log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_is_as_documented),
		cmocka_unit_test(every_length_survives),
		cmocka_unit_test(whole_log_gives_the_files),
		cmocka_unit_test(kernel_messages_do_no_harm),
		cmocka_unit_test(each_damaged_byte_is_named),
		cmocka_unit_test(good_copy_heals_a_damaged_one),
		cmocka_unit_test(contradiction_is_a_fault),
		cmocka_unit_test(two_campaigns_in_one_log),
		cmocka_unit_test(unclosed_records_are_kept),
		cmocka_unit_test(log_may_start_in_the_middle),
		cmocka_unit_test(gap_goes_to_a_damaged_file),
		cmocka_unit_test(later_version_counts),
		cmocka_unit_test(other_content_is_not_overwritten),
		cmocka_unit_test(evil_paths_are_refused),
		cmocka_unit_test(log_without_armour_is_an_error),
		cmocka_unit_test(sed_and_base64_are_enough),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
