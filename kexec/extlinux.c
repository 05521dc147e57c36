// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a SYSLINUX configuration: labels, includes, submenus.
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "kexec/extlinux.h"

#define INCLUDE_DEPTH_MAX 8
#define INCLUDES_MAX      64

struct extlinux {
	const struct tree_list *trees;
	size_t tree;
	char *dir; // of the first file: what relative paths begin at
	struct entry_list *to;
	struct entry entry; // of the label that is being read
	bool in_label;
	bool own_append;  // the label has APPEND, so the global one does not count
	bool not_linux;   // KERNEL names a module of SYSLINUX, or COM32, LOCALBOOT
	char *append;     // before the first label: of all
	char *initrd;     // likewise
	char *chosen;     // DEFAULT, or the label with MENU DEFAULT
	char *unattended; // ONTIMEOUT: goes before both when nobody chooses
	char *submenu;    // "Advanced > "
	bool menu_default;
	bool in_text;                  // TEXT HELP ... ENDTEXT
	char *open[INCLUDE_DEPTH_MAX]; // the files that include this one
	unsigned files;
};

static void read_file(struct extlinux *x, const char *path, unsigned depth);

static char *resolve(const struct extlinux *x, const char *path)
{
	return *path == '/' ? mem_strdup(path) : tree_join(x->dir, path);
}

static void replace(char **to, const char *value)
{
	free(*to);
	*to = mem_strdup(value);
}

// "a.img,b.img"
static void add_initrds(struct extlinux *x, const char *list)
{
	_cleanup_free_ char *copy = mem_strdup(list);
	char *save = NULL;

	for (char *word = strtok_r(copy, ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		_cleanup_free_ char *path = resolve(x, word);

		entry_add_initrd(&x->entry, x->tree, path);
	}
}

// SYSLINUX takes initrd= out of the command line only in meaning; the kernel ignores it.
static void set_append(struct extlinux *x, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *save = NULL;

	if (strcmp(text, "-") == 0) // not even the global one
		return;
	for (char *word = strtok_r(copy, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		if (strncasecmp(word, "initrd=", 7) == 0)
			add_initrds(x, word + 7);
		else
			entry_add_option(&x->entry, word);
	}
}

static void end_label(struct extlinux *x)
{
	bool wanted;

	if (!x->in_label)
		return;
	x->in_label = false;
	if (!x->own_append && x->append)
		set_append(x, x->append);
	if (x->entry.n_initrds == 0 && x->initrd)
		add_initrds(x, x->initrd);
	wanted = x->menu_default && x->entry.id;
	if (wanted)
		replace(&x->chosen, x->entry.id);
	if (x->entry.kernel.path && !x->not_linux) {
		if (!x->entry.title)
			x->entry.title = mem_printf("%s%s", x->submenu ? x->submenu : "",
						    x->entry.id ? x->entry.id : "");
		entry_add(x->to, &x->entry);
	}
	entry_done(&x->entry);
}

static void begin_label(struct extlinux *x, const char *name, const char *file)
{
	end_label(x);
	x->in_label = true;
	x->own_append = x->not_linux = x->menu_default = false;
	x->entry.id = mem_strdup(name);
	x->entry.source = mem_printf("%s on %s", file, x->trees->items[x->tree].device);
}

// "^" marks the hot key in a title.
static void set_title(struct extlinux *x, const char *text)
{
	_cleanup_strbuf_ struct strbuf title = { 0 };

	strbuf_puts(&title, x->submenu ? x->submenu : "");
	for (; *text; text++)
		if (*text != '^')
			strbuf_add(&title, text, 1);
	replace(&x->entry.title, strbuf_str(&title));
}

// The next word of a line, which is cut off it.
static char *take_word(char **line)
{
	char *word = *line + strspn(*line, " \t");
	size_t len = strcspn(word, " \t");

	*line = word + len;
	if (**line)
		*(*line)++ = '\0';
	*line += strspn(*line, " \t");
	return word;
}

static void menu_line(struct extlinux *x, char *rest, unsigned depth)
{
	char *word = take_word(&rest);

	if (strcasecmp(word, "LABEL") == 0 && x->in_label) {
		set_title(x, rest);
	} else if (strcasecmp(word, "DEFAULT") == 0 && x->in_label) {
		x->menu_default = true;
	} else if (strcasecmp(word, "INCLUDE") == 0) {
		end_label(x);
		read_file(x, take_word(&rest), depth + 1);
	} else if (strcasecmp(word, "BEGIN") == 0) {
		end_label(x);
		if (*rest) {
			free(x->submenu);
			x->submenu = mem_printf("%s > ", rest);
		}
	} else if (strcasecmp(word, "TITLE") == 0 && x->submenu && !x->in_label) {
		free(x->submenu);
		x->submenu = mem_printf("%s > ", rest);
	} else if (strcasecmp(word, "END") == 0) {
		end_label(x);
		free(x->submenu);
		x->submenu = NULL;
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcasecmp(text + n - m, end) == 0;
}

static void set_kernel(struct extlinux *x, const char *path)
{
	// A module, a boot sector: what only SYSLINUX itself can start.
	static const char *const ends[] = { ".c32", ".com", ".cbt", ".bin",
					    ".bs",  ".bss", ".0" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		x->not_linux = x->not_linux || ends_with(path, ends[i]);
	free(x->entry.kernel.path);
	x->entry.kind = ENTRY_LINUX;
	x->entry.kernel.tree = x->tree;
	x->entry.kernel.path = resolve(x, path);
}

static void take_line(struct extlinux *x, char *line, const char *file, unsigned depth)
{
	char *key = take_word(&line);

	if (strcasecmp(key, "LABEL") == 0) {
		begin_label(x, line, file);
	} else if (strcasecmp(key, "MENU") == 0) {
		menu_line(x, line, depth);
	} else if (strcasecmp(key, "INCLUDE") == 0) {
		end_label(x);
		read_file(x, take_word(&line), depth + 1);
	} else if (strcasecmp(key, "DEFAULT") == 0) {
		replace(&x->chosen, line);
	} else if (strcasecmp(key, "ONTIMEOUT") == 0) {
		replace(&x->unattended, line);
	} else if (strcasecmp(key, "APPEND") == 0) {
		if (x->in_label)
			x->own_append = true, set_append(x, line);
		else
			replace(&x->append, line);
	} else if (strcasecmp(key, "INITRD") == 0) {
		if (x->in_label)
			add_initrds(x, take_word(&line));
		else
			replace(&x->initrd, take_word(&line));
	} else if (x->in_label &&
		   (strcasecmp(key, "LINUX") == 0 || strcasecmp(key, "KERNEL") == 0)) {
		set_kernel(x, take_word(&line));
	} else if (strcasecmp(key, "COM32") == 0 || strcasecmp(key, "LOCALBOOT") == 0 ||
		   strcasecmp(key, "BOOT") == 0 || strcasecmp(key, "CONFIG") == 0) {
		x->not_linux = true;
	} else if (strcasecmp(key, "TEXT") == 0) {
		x->in_text = true;
	}
}

static int read_lines(struct extlinux *x, const char *path, unsigned depth)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL;
	int r = tree_read(&x->trees->items[x->tree], path, &text, TREE_TEXT_MAX);

	if (r < 0 || !text.data)
		return r;
	for (char *line = strtok_r(text.data, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save)) {
		size_t len;

		line += strspn(line, " \t");
		len = strlen(line);
		while (len && strchr(" \t", line[len - 1]))
			line[--len] = '\0';
		if (x->in_text)
			x->in_text = strncasecmp(line, "ENDTEXT", 7) != 0;
		else if (*line && *line != '#')
			take_line(x, line, path, depth);
	}
	return 0;
}

// One that is not there, or that includes itself, is left out.
static void read_file(struct extlinux *x, const char *path, unsigned depth)
{
	_cleanup_free_ char *full = resolve(x, path);

	if (depth >= INCLUDE_DEPTH_MAX || x->files++ >= INCLUDES_MAX)
		return;
	for (unsigned i = 1; i < depth; i++)
		if (strcmp(x->open[i], full) == 0)
			return;
	x->open[depth] = full;
	read_lines(x, full, depth);
}

// Both may be a label, or "LABEL options".
static size_t find_default(const struct extlinux *x, size_t first)
{
	const char *name = x->unattended ? x->unattended : x->chosen;
	size_t len = name ? strcspn(name, " \t") : 0;

	for (size_t i = first; len && i < x->to->n; i++) {
		const char *id = x->to->items[i].id;

		if (id && strlen(id) == len && strncasecmp(id, name, len) == 0)
			return i;
	}
	return first < x->to->n ? first : ENTRY_NONE;
}

int extlinux_load(const struct tree_list *trees, size_t tree, const char *path,
		  struct entry_list *to, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct extlinux x = {
		.trees = trees,
		.tree = tree,
		.to = to,
		.dir = mem_strndup(path, slash ? (size_t)(slash - path) : 0),
	};
	size_t before = to->n;
	int r;

	if (to->n == 0)
		to->chosen = ENTRY_NONE;
	r = read_lines(&x, path, 0);
	end_label(&x);
	if (to->chosen == ENTRY_NONE)
		to->chosen = find_default(&x, before);
	free(x.dir);
	free(x.append);
	free(x.initrd);
	free(x.chosen);
	free(x.unattended);
	free(x.submenu);
	return r < 0 ? err_set(err, r, "%s on %s: %s", path, trees->items[tree].device,
			       strerror(-r))
		     : 0;
}
