// SPDX-License-Identifier: GPL-3.0-or-later
// Armour on serial: there and back, through kernel messages and damage.
#include "armour-log.h"

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
		cmocka_unit_test(sed_and_base64_are_enough),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
