// SPDX-License-Identifier: GPL-3.0-or-later
// Reads entries of the Boot Loader Specification, one file each.
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/bls.h"
#include "kexec/version.h"

#define BLS_FILE_MAX ((size_t)64 << 10)

struct bls_file {
	struct entry entry;
	char *sort_key, *machine_id;
	bool bad; // its boot counter has run out
};

// Values as blscfg sees them: "root=... $kernelopts". Several words may come of one.
static char *expand(const struct bls_source *s, const char *value)
{
	struct strbuf out = { 0 };

	if (!s->expand)
		return mem_strdup(value);
	while (*value) {
		bool brace = value[0] == '$' && value[1] == '{';
		const char *name = value + 1 + brace;
		_cleanup_free_ char *key = NULL, *text = NULL;
		size_t len = 0;

		while (*value == '$' &&
		       (isalnum((unsigned char)name[len]) || name[len] == '_'))
			len++;
		if (len == 0 || (brace && name[len] != '}')) {
			strbuf_add(&out, value++, 1);
			continue;
		}
		key = mem_strndup(name, len);
		text = s->expand(key, s->arg);
		strbuf_puts(&out, text ? text : "");
		value = name + len + brace;
	}
	return out.data ? strbuf_take(&out) : mem_strdup("");
}

static void replace(char **to, const char *value)
{
	free(*to);
	*to = mem_strdup(value);
}

// Paths are of the filesystem that holds the entries; some write them without a slash.
static void set_kernel(struct bls_file *f, const struct bls_source *s,
		       enum entry_kind kind, const char *path)
{
	free(f->entry.kernel.path);
	f->entry.kind = kind;
	f->entry.kernel.tree = s->tree;
	f->entry.kernel.path = *path == '/' ? mem_strdup(path) : mem_printf("/%s", path);
}

static void add_initrds(struct bls_file *f, const struct bls_source *s, char *value)
{
	char *save = NULL;

	for (char *word = strtok_r(value, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		_cleanup_free_ char *path =
			*word == '/' ? mem_strdup(word) : mem_printf("/%s", word);

		entry_add_initrd(&f->entry, s->tree, path);
	}
}

static void take_key(struct bls_file *f, const struct bls_source *s, const char *key,
		     const char *raw)
{
	_cleanup_free_ char *value = expand(s, raw);

	if (strcmp(key, "title") == 0)
		replace(&f->entry.title, value);
	else if (strcmp(key, "version") == 0)
		replace(&f->entry.version, value);
	else if (strcmp(key, "sort-key") == 0)
		replace(&f->sort_key, value);
	else if (strcmp(key, "machine-id") == 0)
		replace(&f->machine_id, value);
	else if (strcmp(key, "linux") == 0)
		set_kernel(f, s, ENTRY_LINUX, value);
	else if (strcmp(key, "uki") == 0 || strcmp(key, "efi") == 0)
		set_kernel(f, s, ENTRY_UKI, value);
	else if (strcmp(key, "initrd") == 0)
		add_initrds(f, s, value);
	else if (strcmp(key, "options") == 0)
		entry_add_option(&f->entry, value);
}

static void parse(struct bls_file *f, const struct bls_source *s, char *text)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save)) {
		size_t blanks = strspn(line, " \t"), len;
		char *key = line + blanks, *value;

		len = strcspn(key, " \t");
		if (!*key || *key == '#' || !key[len])
			continue;
		key[len] = '\0';
		value = key + len + 1;
		value += strspn(value, " \t");
		len = strlen(value);
		while (len && strchr(" \t", value[len - 1]))
			value[--len] = '\0';
		take_key(f, s, key, value);
	}
}

// "debian-6.1+2-1.conf" is "debian-6.1", tried once, two tries left (Automatic Boot
// Assessment). Gives the id without both.
static char *file_id(const char *name, bool *bad)
{
	size_t len = strlen(name) - strlen(".conf");
	char *id = mem_strndup(name, len);
	char *plus = strrchr(id, '+'), *dash;
	uint64_t left;

	*bad = false;
	if (!plus)
		return id;
	dash = strchr(plus, '-');
	if (dash)
		*dash = '\0';
	if (number_uint(plus + 1, &left) == 0) {
		*bad = left == 0;
		*plus = '\0';
	} else if (dash) {
		*dash = '-';
	}
	return id;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int order(const void *a, const void *b)
{
	const struct bls_file *x = a, *y = b;
	int r = x->bad - y->bad;

	// Entries with a sort-key come first.
	if (r == 0)
		r = (y->sort_key != NULL) - (x->sort_key != NULL);
	if (r == 0 && x->sort_key) {
		r = text_order(x->sort_key, y->sort_key);
		if (r == 0)
			r = text_order(x->machine_id, y->machine_id);
		if (r == 0)
			r = version_compare(y->entry.version ? y->entry.version : "",
					    x->entry.version ? x->entry.version : "");
	}
	if (r == 0)
		r = version_compare(y->entry.id, x->entry.id);
	return r;
}

static void finish(struct bls_file *f, const struct bls_source *s, const char *path)
{
	struct entry *e = &f->entry;

	if (e->title && e->version && !strstr(e->title, e->version)) {
		char *title = mem_printf("%s (%s)", e->title, e->version);

		free(e->title);
		e->title = title;
	}
	e->source = mem_printf("%s on %s", path, s->trees->items[s->tree].device);
}

int bls_load(const struct bls_source *source, struct entry_list *to, struct err *err)
{
	char **names = tree_names(&source->trees->items[source->tree], source->dir);
	struct bls_file *files = NULL;
	size_t n = 0;

	if (!names)
		return err_set(err, -ENOENT, "%s: there is no such folder", source->dir);
	for (size_t i = 0; names[i] && n < ENTRY_MAX; i++) {
		_cleanup_free_ char *path = tree_join(source->dir, names[i]);
		_cleanup_strbuf_ struct strbuf text = { 0 };

		if (fnmatch("?*.conf", names[i], 0) != 0 ||
		    tree_read(&source->trees->items[source->tree], path, &text,
			      BLS_FILE_MAX) < 0 ||
		    !text.data)
			continue;
		files = mem_grow(files, n + 1, sizeof(*files));
		files[n] = (struct bls_file){ 0 };
		files[n].entry.id = file_id(names[i], &files[n].bad);
		parse(&files[n], source, text.data);
		finish(&files[n], source, path);
		n++;
	}
	tree_names_free(names);
	if (n)
		qsort(files, n, sizeof(*files), order);
	for (size_t i = 0; i < n; i++) {
		if (files[i].entry.kernel.path)
			entry_add(to, &files[i].entry);
		else
			entry_done(&files[i].entry);
		free(files[i].sort_key);
		free(files[i].machine_id);
	}
	free(files);
	return 0;
}

void bls_choose(const struct tree *tree, const char *path, struct entry_list *list,
		size_t first)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL, *pattern = NULL;

	if (list->n <= first || list->chosen != ENTRY_NONE)
		return;
	list->chosen = first;
	if (tree_read(tree, path, &text, BLS_FILE_MAX) < 0 || !text.data)
		return;
	for (char *line = strtok_r(text.data, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save)) {
		char *rest = NULL, *key = strtok_r(line, " \t", &rest);

		if (key && strcmp(key, "default") == 0)
			pattern = strtok_r(NULL, " \t", &rest);
	}
	for (size_t i = first; pattern && i < list->n; i++) {
		const char *id = list->items[i].id ? list->items[i].id : "";
		_cleanup_free_ char *conf = mem_printf("%s.conf", id);

		if (fnmatch(pattern, id, 0) == 0 || fnmatch(pattern, conf, 0) == 0) {
			list->chosen = i;
			return;
		}
	}
}
