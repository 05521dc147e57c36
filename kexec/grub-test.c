// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's `test` and `[`: operators as in its manual, -a before -o, ! and ( ).
#include <string.h>
#include <sys/stat.h>

#include "common/macro.h"
#include "common/number.h"
#include "kexec/grub-private.h"

#define TEST_DEPTH_MAX 32

struct tester {
	const struct grub *g;
	char *const *argv;
	size_t argc, at;
	unsigned depth;
};

static bool test_or(struct tester *t);

static const char *peek(const struct tester *t, size_t ahead)
{
	return t->at + ahead < t->argc ? t->argv[t->at + ahead] : NULL;
}

static bool peek_is(const struct tester *t, const char *word)
{
	return peek(t, 0) && strcmp(peek(t, 0), word) == 0;
}

// A number as GRUB reads it: what is none counts as 0.
static int64_t number(const char *text)
{
	int64_t n;

	return number_int(text, &n) == 0 ? n : 0;
}

// -pgt and -plt compare the numbers that are left without a common prefix.
static int compare_prefixed(const char *a, const char *b)
{
	int64_t x, y;

	while (*a && *a == *b)
		a++, b++;
	x = number(a);
	y = number(b);
	return x < y ? -1 : x > y;
}

static int64_t modified(const struct grub *g, const char *text)
{
	const char *path;
	size_t tree = grub_locate(g, text, &path);
	int fd = tree_open(&g->trees->items[tree], path);
	struct stat st;
	int64_t when = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0)
		when = st.st_mtime;
	close(fd);
	return when;
}

static int compare(const struct tester *t, const char *op, const char *a, const char *b)
{
	int64_t x, y;

	if (op[0] == '-' && op[1] == 'p')
		return compare_prefixed(a, b);
	if (strcmp(op, "-nt") == 0 || strcmp(op, "-ot") == 0) {
		x = modified(t->g, a);
		y = modified(t->g, b);
	} else if (op[0] == '-') {
		x = number(a);
		y = number(b);
	} else {
		return strcmp(a, b);
	}
	return x < y ? -1 : x > y;
}

static const struct binary {
	const char *op;
	bool less, equal, greater; // true when the comparison gave that
} binaries[] = {
	{ "=", false, true, false },    { "==", false, true, false },
	{ "!=", true, false, true },    { "<", true, false, false },
	{ "<=", true, true, false },    { ">", false, false, true },
	{ ">=", false, true, true },    { "-eq", false, true, false },
	{ "-ne", true, false, true },   { "-lt", true, false, false },
	{ "-le", true, true, false },   { "-gt", false, false, true },
	{ "-ge", false, true, true },   { "-pgt", false, false, true },
	{ "-plt", true, false, false }, { "-nt", false, false, true },
	{ "-ot", true, false, false },
};

static const struct binary *find_binary(const char *op)
{
	for (size_t i = 0; op && i < ARRAY_SIZE(binaries); i++)
		if (strcmp(op, binaries[i].op) == 0)
			return &binaries[i];
	return NULL;
}

static bool is_unary(const char *op)
{
	return op[0] == '-' && op[1] && !op[2] && strchr("defsnz", op[1]);
}

static bool unary(const struct tester *t, char op, const char *value)
{
	const char *path;
	const struct tree *tree;

	if (op == 'n' || op == 'z')
		return (*value != '\0') == (op == 'n');
	tree = &t->g->trees->items[grub_locate(t->g, value, &path)];
	switch (op) {
	case 'd':
		return tree_is_dir(tree, path);
	case 's':
		return tree_size(tree, path) > 0;
	case 'f':
		return tree_is_file(tree, path);
	default: // e
		return tree_is_file(tree, path) || tree_is_dir(tree, path);
	}
}

static bool test_primary(struct tester *t)
{
	const char *first = peek(t, 0);
	const struct binary *b = find_binary(peek(t, 1));
	bool result;

	if (!first || t->depth > TEST_DEPTH_MAX)
		return false;
	if (b && peek(t, 2)) {
		int c = compare(t, b->op, first, peek(t, 2));

		t->at += 3;
		return c < 0 ? b->less : c > 0 ? b->greater : b->equal;
	}
	if (strcmp(first, "(") == 0) {
		t->at++;
		t->depth++;
		result = test_or(t);
		t->depth--;
		t->at += peek_is(t, ")");
		return result;
	}
	if (is_unary(first) && peek(t, 1)) {
		t->at += 2;
		return unary(t, first[1], t->argv[t->at - 1]);
	}
	t->at++;
	return *first != '\0';
}

static bool test_not(struct tester *t)
{
	bool negated = false;

	while (peek_is(t, "!") && !(find_binary(peek(t, 1)) && peek(t, 2))) {
		negated = !negated;
		t->at++;
	}
	return test_primary(t) != negated;
}

static bool test_and(struct tester *t)
{
	bool result = test_not(t);

	while (peek_is(t, "-a")) {
		t->at++;
		result = test_not(t) && result;
	}
	return result;
}

static bool test_or(struct tester *t)
{
	bool result = test_and(t);

	while (peek_is(t, "-o")) {
		t->at++;
		result = test_and(t) || result;
	}
	return result;
}

bool grub_test(const struct grub *g, char *const *argv, size_t argc)
{
	struct tester t = { .g = g, .argv = argv, .argc = argc };

	return argc > 0 && test_or(&t);
}
