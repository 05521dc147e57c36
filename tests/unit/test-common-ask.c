// SPDX-License-Identifier: GPL-3.0-or-later
// Asking on several consoles at once, played on pseudo terminals.
#include "unit.h"

#include <fcntl.h>
#include <pty.h>
#include <string.h>
#include <termios.h>

#include "common/ask.h"
#include "common/clock.h"

// A console of two lines, and the other ends of both.
struct world {
	struct console console;
	int person[2];
};

static int setup(void **state)
{
	static struct world w;

	w = (struct world){ .console = { .n = 2 } };
	for (int i = 0; i < 2; i++) {
		struct console_line *l = &w.console.lines[i];

		if (openpty(&w.person[i], &l->fd, NULL, NULL, NULL) < 0)
			return -1;
		fcntl(l->fd, F_SETFL, O_NONBLOCK);
	}
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 2; i++) {
		close(w->person[i]);
		close(w->console.lines[i].fd);
	}
	return 0;
}

// A person who waits for the prompt and then types.
static pid_t type(const struct world *w, int line, const char *prompt, const char *keys)
{
	pid_t pid = fork();
	char seen[256] = "";
	size_t len = 0;

	if (pid != 0)
		return pid;
	while (!strstr(seen, prompt) && len < sizeof(seen) - 1) {
		ssize_t n = read(w->person[line], seen + len, sizeof(seen) - 1 - len);

		if (n <= 0)
			_exit(1);
		len += (size_t)n;
	}
	_exit(write(w->person[line], keys, strlen(keys)) < 0);
}

static void the_second_console_answers(void **state)
{
	struct world *w = *state;
	struct secret got = { 0 };
	struct err err = { 0 };
	struct termios t;
	char text[256] = "";
	pid_t pid = type(w, 1, "Passphrase: ", "wrong\025se\303\266\177cret\r");

	assert_true(pid > 0);
	assert_int_equal(ask_secret(&w->console, "Passphrase: ",
				    clock_mono_ns() + 30 * CLOCK_SECOND, &got, &err),
			 0);
	assert_string_equal(got.data, "secret");
	assert_int_equal(got.len, 6);
	secret_done(&got);
	// Nothing of it was echoed, and echo is on again.
	fcntl(w->person[1], F_SETFL, O_NONBLOCK);
	assert_true(read(w->person[1], text, sizeof(text) - 1) >= -1);
	assert_null(strstr(text, "secret"));
	assert_int_equal(tcgetattr(w->console.lines[1].fd, &t), 0);
	assert_true(t.c_lflag & ECHO);
}

static void nobody_answers(void **state)
{
	struct world *w = *state;
	struct secret got = { 0 };
	struct err err = { 0 };

	assert_int_equal(ask_secret(&w->console, "Passphrase: ",
				    clock_mono_ns() + CLOCK_SECOND / 20, &got, &err),
			 -ETIMEDOUT);
	assert_string_equal(err.text, "nobody answered: Passphrase: ");
	assert_null(got.data);
}

static void a_line_is_edited_by_the_terminal(void **state)
{
	struct world *w = *state;
	_cleanup_free_ char *got = NULL;
	struct err err = { 0 };
	pid_t pid = type(w, 0, "Number: ", "13\1772\n");

	assert_true(pid > 0);
	assert_int_equal(ask_line(&w->console, "Number: ",
				  clock_mono_ns() + 30 * CLOCK_SECOND, &got, &err),
			 0);
	assert_string_equal(got, "12");
}

static void a_long_answer_is_cut(void **state)
{
	char text[ASK_MAX + 1] = "";
	int len = 0;

	(void)state;
	for (int i = 0; i < ASK_MAX + 10; i++)
		len = ask_take(text, len, 'x');
	assert_int_equal(len, ASK_MAX);
	assert_int_equal(ask_take(text, len, '\n'), -1);
	assert_int_equal(ask_take(text, 0, '\177'), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_second_console_answers, setup,
						teardown),
		cmocka_unit_test_setup_teardown(nobody_answers, setup, teardown),
		cmocka_unit_test_setup_teardown(a_line_is_edited_by_the_terminal, setup,
						teardown),
		cmocka_unit_test(a_long_answer_is_cut),
	};

	return cmocka_run_group_tests_name("common/ask", tests, NULL, NULL);
}
