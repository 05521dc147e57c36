// SPDX-License-Identifier: GPL-3.0-or-later
// Who spent CPU time: every task of the machine, seen now and then.
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/cpu-ledger.h"

#define TICK_NS (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK))

// The pids of the benchmark's cgroup, as text between newlines: "\n12\n13\n".
static void own_pids(const char *cgroup, struct strbuf *to)
{
	_cleanup_free_ char *path = cgroup ? mem_printf("%s/cgroup.procs", cgroup) : NULL;

	strbuf_puts(to, "\n");
	if (path)
		io_read_file(path, to, 1 << 20);
}

static bool has_pid(const struct strbuf *pids, int pid)
{
	char word[16];

	snprintf(word, sizeof(word), "\n%d\n", pid);
	return strstr(strbuf_str(pids), word);
}

// A kernel thread's time in nanoseconds (the first word of schedstat) where the kernel
// has it; a program's is only in ticks for all its threads together.
static uint64_t task_ns(const struct cpu_task *t)
{
	_cleanup_free_ char *line =
		t->kernel ? io_read_line("%s/proc/%d/schedstat", cpu_root, t->pid) : NULL;
	uint64_t ns;

	if (line) {
		line[strcspn(line, " ")] = '\0';
		if (number_uint(line, &ns) == 0)
			return ns;
	}
	return t->ticks * TICK_NS;
}

static void add_share(struct cpu_account *a, const char *name, bool kernel, uint64_t ns)
{
	size_t i = 0;

	while (i < a->n_shares &&
	       (a->shares[i].kernel != kernel || strcmp(a->shares[i].name, name) != 0))
		i++;
	if (i == a->n_shares) {
		a->shares = mem_grow(a->shares, ++a->n_shares, sizeof(*a->shares));
		a->shares[i] = (struct cpu_share){ .kernel = kernel };
		snprintf(a->shares[i].name, sizeof(a->shares[i].name), "%s", name);
	}
	a->shares[i].ns += ns;
}

static struct cpu_known *find_known(struct cpu_known *known, size_t n, int pid)
{
	size_t low = 0, high = n;

	while (low < high) { // in the order of pids, sorted below
		size_t mid = low + (high - low) / 2;

		if (known[mid].pid == pid)
			return &known[mid];
		if (known[mid].pid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int by_pid(const void *a, const void *b)
{
	const struct cpu_known *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static bool is_worker(const struct cpu_task *t)
{
	return t->kernel && strncmp(t->name, "kworker/", strlen("kworker/")) == 0;
}

static void take_task(struct cpu_account *a, const struct cpu_task *t,
		      struct cpu_known *now, bool working)
{
	struct cpu_known *old = find_known(a->known, a->n_known, t->pid);
	bool same = old && old->start == t->start;

	*now = (struct cpu_known){ .pid = t->pid, .start = t->start, .ns = task_ns(t) };
	now->worker = is_worker(t);
	if (same) {
		old->seen = true;
		memcpy(now->queue, old->queue, sizeof(now->queue));
	}
	if (a->looks == 0 || now->ns == 0 || (same && now->ns <= old->ns))
		return;
	// one that began since the last look has used all it has since then
	if (t->kernel && (working || !*now->queue))
		cpu_task_class(t->name, now->queue);
	add_share(a, t->kernel ? now->queue : t->name, t->kernel,
		  now->ns - (same ? old->ns : 0));
}

static size_t count_gone(const struct cpu_account *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_known; i++)
		n += !a->known[i].seen;
	return n;
}

int cpu_ledger_look(struct cpu_account *a, bool working)
{
	_cleanup_free_ char *path = mem_printf("%s/proc", cpu_root);
	_cleanup_strbuf_ struct strbuf own = { 0 };
	struct cpu_known *now = NULL;
	struct dirent *e;
	size_t n = 0;
	DIR *dir = opendir(path);

	if (!dir)
		return -errno;
	own_pids(a->cgroup, &own);
	while ((e = readdir(dir))) {
		_cleanup_free_ char *line = NULL;
		struct cpu_task t;

		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		line = io_read_line("%s/%s/stat", path, e->d_name);
		if (!line || cpu_task_parse(line, &t) < 0)
			continue; // it ended just now
		if (!t.kernel && (t.pid == getpid() || has_pid(&own, t.pid)))
			continue;
		if ((n & (n - 1)) == 0) // grows at 0, 1, 2, 4, ...
			now = mem_grow(now, n ? 2 * n : 1, sizeof(*now));
		a->lazy_init |= t.kernel && strcmp(t.name, "ext4lazyinit") == 0;
		take_task(a, &t, &now[n++], working);
	}
	closedir(dir);
	a->ended += (unsigned)(a->looks ? count_gone(a) : 0);
	if (n)
		qsort(now, n, sizeof(*now), by_pid);
	free(a->known);
	a->known = now;
	a->n_known = n;
	a->looks++;
	return 0;
}

static void look_at_worker(struct cpu_account *a, struct cpu_known *k)
{
	_cleanup_free_ char *line = NULL;
	struct cpu_task t = { .pid = k->pid, .kernel = true };
	uint64_t ns = task_ns(&t);

	if (ns <= k->ns)
		return;
	line = io_read_line("%s/proc/%d/stat", cpu_root, k->pid);
	if (!line || cpu_task_parse(line, &t) < 0 || t.start != k->start)
		return;
	cpu_task_class(t.name, k->queue);
	add_share(a, k->queue, true, ns - k->ns);
	k->ns = ns;
}

void cpu_ledger_look_at_workers(struct cpu_account *a)
{
	for (size_t i = 0; i < a->n_known; i++)
		if (a->known[i].worker)
			look_at_worker(a, &a->known[i]);
	a->looks++;
}
