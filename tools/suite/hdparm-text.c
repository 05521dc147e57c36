// SPDX-License-Identifier: GPL-3.0-or-later
// What `hdparm -t -T` prints.
#include <string.h>

#include "common/macro.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/hdparm-text.h"

#define MIB 1048576.0

// Words, not columns: hdparm's numbers outgrow their widths.
static bool read_numbers(char *text, struct hdparm_timing *t)
{
	static const char *const want[] = {
		NULL, "MB", "in", NULL, "seconds", "=", NULL
	};
	char *words[ARRAY_SIZE(want) + 1], *save = NULL;
	size_t n = 0;
	double rate;

	for (char *w = strtok_r(text, " \t\r", &save); w && n < ARRAY_SIZE(words);
	     w = strtok_r(NULL, " \t\r", &save))
		words[n++] = w;
	if (n < ARRAY_SIZE(words))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (want[i] && strcmp(words[i], want[i]) != 0)
			return false;
	if (number_double(words[0], &t->bytes) < 0 ||
	    number_double(words[3], &t->seconds) || number_double(words[6], &rate) < 0)
		return false;
	if (t->bytes < 0 || t->seconds < 0 || rate < 0)
		return false;
	t->bytes *= MIB;
	if (strcmp(words[7], "MB/sec") == 0)
		t->rate = rate * MIB;
	else if (strcmp(words[7], "kB/sec") == 0)
		t->rate = rate * 1024;
	else
		return false;
	return true;
}

static bool read_line(char *line, struct hdparm_timing *t)
{
	char *what = strstr(line, "Timing "), *colon;

	if (!what)
		return false;
	colon = strchr(what, ':');
	if (!colon)
		return false;
	*colon = '\0';
	t->cached = strstr(what, "cached") != NULL;
	t->direct = strstr(what, "O_DIRECT") != NULL;
	return (t->cached || strstr(what, "disk")) && read_numbers(colon + 1, t);
}

size_t hdparm_text_parse(const char *text, size_t len, struct hdparm_timing *to)
{
	_cleanup_free_ char *copy = mem_strndup(text ? text : "", text ? len : 0);
	char *next = copy;
	size_t n = 0;

	while (next && n < HDPARM_TIMINGS) {
		char *line = strsep(&next, "\n");

		if (read_line(line, &to[n]))
			n++;
	}
	return n;
}
