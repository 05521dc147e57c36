// SPDX-License-Identifier: GPL-3.0-or-later
// Which modaliases are still to be served.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/mem.h"
#include "device/modalias.h"

#define DEPTH_MAX 48   // /sys/devices is about 20 deep behind several USB hubs
#define ALIAS_MAX 4096 // an input device's can be 1 KB long

enum modalias_rank modalias_rank(const char *alias)
{
	return strncmp(alias, "cpu:", 4) == 0 ? MODALIAS_LAST : MODALIAS_FIRST;
}

bool modalias_wants_ehci(const char *alias)
{
	// PCI base class 0C, subclass 03, interface 00 (uhci) or 10 (ohci)
	return strncmp(alias, "pci:", 4) == 0 && (strstr(alias, "bc0Csc03i00") != NULL ||
						  strstr(alias, "bc0Csc03i10") != NULL);
}

bool modalias_add(struct modalias_queue *q, const char *alias)
{
	if (!*alias || q->n >= MODALIAS_MAX)
		return false;
	for (size_t i = 0; i < q->n; i++)
		if (strcmp(q->seen[i], alias) == 0)
			return false;
	if (q->n == q->room) {
		q->room = q->room ? q->room * 2 : 64;
		q->seen = mem_grow(q->seen, q->room, sizeof(*q->seen));
	}
	q->seen[q->n++] = mem_strdup(alias);
	return true;
}

const char *modalias_take(struct modalias_queue *q, enum modalias_rank rank)
{
	while (q->next[rank] < q->n) {
		const char *alias = q->seen[q->next[rank]++];

		if (modalias_rank(alias) == rank)
			return alias;
	}
	return NULL;
}

struct walk {
	void (*found)(const char *alias, void *arg);
	void *arg;
	int n;
};

static void walk_file(struct walk *w, int dir)
{
	_cleanup_close_ int fd =
		openat(dir, "modalias", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char text[ALIAS_MAX];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (len <= 0)
		return;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (!*text)
		return;
	w->found(text, w->arg);
	w->n++;
}

// Takes over `fd`. A folder that vanishes meanwhile is a device that was unplugged.
static int walk_dir(struct walk *w, int fd, unsigned depth)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return -errno;
	}
	while ((entry = readdir(dir))) {
		int below;

		if (entry->d_name[0] == '.')
			continue;
		if (entry->d_type == DT_REG && strcmp(entry->d_name, "modalias") == 0)
			walk_file(w, fd);
		if (entry->d_type != DT_DIR || depth == DEPTH_MAX)
			continue;
		below = openat(fd, entry->d_name,
			       O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (below >= 0)
			walk_dir(w, below, depth + 1);
	}
	closedir(dir);
	return 0;
}

int modalias_walk(const char *dir, void (*found)(const char *alias, void *arg), void *arg)
{
	struct walk w = { .found = found, .arg = arg };
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	r = walk_dir(&w, fd, 0);
	return r < 0 ? r : w.n;
}

void modalias_done(struct modalias_queue *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->seen[i]);
	free(q->seen);
	*q = (struct modalias_queue){ 0 };
}
