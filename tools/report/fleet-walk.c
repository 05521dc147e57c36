// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the campaigns below a folder.
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "report/fleet-private.h"
#include "report/load.h"

#define DEPTH_MAX 8 // stick/assay/machine/campaign, with room above

static void take_file(struct fleet *f, const char *path, bool baseline,
		      struct fault_list *faults)
{
	struct err err = { 0 };
	_cleanup_json_ struct json_object *result = report_load(path, &err);

	if (result)
		fleet_take(f, path, result, baseline);
	else
		fault_add(faults, NULL, 0, "%s", err.text);
}

static int no_dots(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

// In the order of names, so that the same folders give the same report.
// NOLINTNEXTLINE(misc-no-recursion)
static void walk(struct fleet *f, const char *dir, bool baseline,
		 struct fault_list *faults, int depth)
{
	_cleanup_free_ char *own = mem_printf("%s/result.json", dir);
	struct dirent **entries = NULL;
	struct stat st;
	int n;

	if (lstat(own, &st) == 0 && S_ISREG(st.st_mode)) {
		take_file(f, own, baseline, faults);
		return;
	}
	n = depth < DEPTH_MAX ? scandir(dir, &entries, no_dots, alphasort) : 0;
	if (n < 0)
		fault_add(faults, NULL, 0, "cannot read %s: %s", dir, strerror(errno));
	for (int i = 0; i < n; i++) {
		_cleanup_free_ char *path = mem_printf("%s/%s", dir, entries[i]->d_name);

		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			walk(f, path, baseline, faults, depth + 1);
		free(entries[i]);
	}
	free(entries);
}

void fleet_add(struct fleet *f, const char *path, bool baseline,
	       struct fault_list *faults)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		take_file(f, path, baseline, faults);
	else
		walk(f, path, baseline, faults, 0);
}
