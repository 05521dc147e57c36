// SPDX-License-Identifier: GPL-3.0-or-later
// Private to GRUB's interpreter: its state, and what its files offer each other.
#pragma once

#include "kexec/grub-script.h"
#include "kexec/grub.h"

// Bounds on what a script may do: grub-mkconfig's run some hundred commands.
#define GRUB_STEPS_MAX 200000
#define GRUB_CALLS_MAX 24        // nested functions, sources and submenus
#define GRUB_ARGS_MAX  4096      // of a command
#define GRUB_TEXT_MAX  (1 << 17) // bytes of all arguments of a command

struct grub_var {
	char *name, *value;
};

struct grub_vars {
	struct grub_var *items;
	size_t n;
};

struct grub_function {
	char *name;
	const struct grub_node *body;
};

// The arguments of a command or function; argv[0] is its name. NULL-terminated.
struct grub_args {
	char **argv;
	size_t argc;
};

// A menuentry or submenu whose body is run once the script is at its end, as GRUB does
// when it is chosen: then the variables have their last values.
struct grub_item {
	bool loaded; // not a menuentry: entries that blscfg added
	char *title, *id;
	struct grub_args params; // $1 is the title
	const struct grub_node *body;
	const char *file; // the script, and the tree that it is on
	size_t home;
	struct grub_menu *sub; // of a submenu; owned
	size_t first, n;       // the entries that came of it
};

struct grub_menu {
	struct grub_item *items;
	size_t n;
	const char *title; // of the submenus so far: "Advanced options > "
	const char *id;    // "gnulinux-advanced>"
};

enum grub_flow { GRUB_GO, GRUB_BREAK, GRUB_CONTINUE, GRUB_RETURN, GRUB_STOP };

struct grub {
	const struct tree_list *trees;
	size_t home; // tree of the running file: where an unknown device is looked for
	struct entry_list *to;
	struct err *err; // GRUB_STOP: why

	struct grub_vars vars;
	struct grub_function *functions;
	size_t n_functions;
	struct grub_node **scripts; // parsed and kept: functions point into them
	char **files;               // their paths
	size_t n_scripts;

	const char *file;        // running now
	struct grub_args params; // $1 ...
	struct grub_menu *menu;  // that entries are added to
	struct entry *entry;     // whose body is running, or NULL
	struct entry own;        // what the script boots without a menu
	unsigned steps, calls;
	int status;          // $?, 0 is success
	enum grub_flow flow; // what the last command asks of the loops around it
	unsigned levels;     // how many loops `break` still has to leave
};

// grub-vars.c
const char *grub_get(const struct grub *g, const char *name); // "" when unset
void grub_set(struct grub *g, const char *name, const char *value);
void grub_unset(struct grub *g, const char *name);
void grub_vars_copy(const struct grub_vars *from, struct grub_vars *to);
void grub_vars_done(struct grub_vars *v);

// grub-expand.c: words to arguments, as GRUB splits them. Returns 0 or -E2BIG.
int grub_expand(const struct grub *g, const struct grub_node *n, struct grub_args *ret);
void grub_args_add(struct grub_args *a, const char *text);
void grub_args_done(struct grub_args *a);

// grub-run.c
void grub_run_list(struct grub *g, const struct grub_node *list);
int grub_run_file(struct grub *g, const char *path); // "(dev)/path"; 0 or -errno
void grub_stop(struct grub *g, int code, const char *fmt, ...) _printf_(3, 4);

// grub-command.c: runs one command; its status, 0 is success.
int grub_command(struct grub *g, const struct grub_args *a, const struct grub_node *n);

// grub-boot.c: linux, initrd, chainloader ...; -1: no such command.
int grub_boot_command(struct grub *g, const struct grub_args *a);

// grub-search.c: search, search.fs_uuid, probe, and where a path lies.
int grub_search(struct grub *g, const struct grub_args *a);
int grub_probe(struct grub *g, const struct grub_args *a);
char *grub_device(size_t tree); // "assay0"; the caller frees
// Takes "(dev)/path" or "/path" apart. Gives the tree, and the path within it.
size_t grub_locate(const struct grub *g, const char *text, const char **path);

// grub-test.c: [ ] and test, with argv[0] the first operand. True or false.
bool grub_test(const struct grub *g, char *const *argv, size_t argc);

// grub-menu.c
void grub_menu_add(struct grub *g, const struct grub_args *a, const struct grub_node *n);
void grub_menu_add_loaded(struct grub *g, size_t first); // entries from there on
void grub_menu_run(struct grub *g, struct grub_menu *m); // the bodies of its items
void grub_entry_end(struct grub *g, struct entry *e); // adds it when it boots something
// The entry that `name` ("1>2", an id, a title) means in this menu; ENTRY_NONE.
size_t grub_menu_find(const struct grub_menu *m, const char *name);
void grub_menu_done(struct grub_menu *m);
