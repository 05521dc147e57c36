// SPDX-License-Identifier: GPL-3.0-or-later
// Does a stack keep data on this machine?
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/node.h"
#include "stack/try.h"
#include "stack/volume.h"

#define DATA_BYTES ((size_t)1 << 20)
#define FILE_NAME  "assay-try"

// The same bytes each time, and no two blocks alike (xorshift64).
static void fill(uint64_t *data, size_t n)
{
	uint64_t x = 0x2545f4914f6cdd1d;

	for (size_t i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		data[i] = x;
	}
}

// The file, or the middle of a device without a filesystem, where no header is.
static int open_place(const struct stack *stack, bool write, off_t *at, struct err *err)
{
	_cleanup_free_ char *file = NULL;
	const char *path = stack_device(stack);
	uint64_t size = 0;
	int fd;

	*at = 0;
	if (stack_dir(stack)) {
		file = mem_printf("%s/%s", stack_dir(stack), FILE_NAME);
		path = file;
		fd = write ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
			   : open(path, O_RDONLY | O_CLOEXEC);
	} else {
		int r = node_size(path, &size, err);

		if (r < 0)
			return r;
		*at = (off_t)(size / 2 / DATA_BYTES * DATA_BYTES);
		fd = open(path, (write ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
	}
	return fd >= 0 ? fd
		       : err_set(err, -errno, "cannot open %s: %s", path,
				 strerror(errno));
}

static int write_data(const struct stack *stack, struct err *err)
{
	_cleanup_free_ uint64_t *data = mem_new(1, DATA_BYTES);
	off_t at;
	_cleanup_close_ int fd = open_place(stack, true, &at, err);
	int r;

	if (fd < 0)
		return fd;
	fill(data, DATA_BYTES / sizeof(*data));
	r = lseek(fd, at, SEEK_SET) < 0 ? -errno : io_write_all(fd, data, DATA_BYTES);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r == 0) // what is read later comes from the disk
		r = -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return r == 0 ? 0
		      : err_set(err, r, "writing to %s: %s", stack_device(stack),
				strerror(-r));
}

static int compare_data(const struct stack *stack, struct err *err)
{
	_cleanup_free_ uint64_t *data = mem_new(1, DATA_BYTES);
	_cleanup_free_ char *read = mem_new(1, DATA_BYTES);
	off_t at;
	_cleanup_close_ int fd = open_place(stack, false, &at, err);
	size_t have = 0;

	if (fd < 0)
		return fd;
	fill(data, DATA_BYTES / sizeof(*data));
	while (have < DATA_BYTES) {
		ssize_t n = pread(fd, read + have, DATA_BYTES - have, at + (off_t)have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_set(err, n < 0 ? -errno : -EIO,
				       "reading back from %s: %s", stack_device(stack),
				       n < 0 ? strerror(errno) : "it is too short");
		have += (size_t)n;
	}
	if (memcmp(data, read, DATA_BYTES) == 0)
		return 0;
	return err_set(err, -EILSEQ, "%s gives other data than were written",
		       stack_device(stack));
}

// Tears down and looks for what is left; keeps an earlier error.
static int end(struct stack *stack, int r, struct err *err)
{
	_cleanup_strbuf_ struct strbuf left = { 0 };
	struct err why = { 0 };
	int down = stack_down(stack, &why);

	if (down < 0 && r == 0)
		r = err_set(err, down, "%s", why.text);
	if (stack_leftovers(stack->targets, stack->n_targets, &left) && r == 0)
		r = err_set(err, -EBUSY, "something is left after the tear-down: %s",
			    strbuf_str(&left));
	stack_done(stack);
	return r;
}

// An arm that opens what `made` has made: a layer with volumes names its carrier.
static void open_layers(const struct plan_arm *made, struct plan_arm *to)
{
	*to = *made;
	to->open = true;
	to->key_file = mem_strdup("key");
	to->layers = mem_new(made->n, sizeof(*to->layers));
	for (size_t i = 0; i < made->n; i++) {
		const struct layer_ops *ops = layer_find(made->layers[i].kind);
		_cleanup_volumes_ struct volume_list list = { 0 };
		const struct volume *carrier;
		struct plan_param *p;

		to->layers[i] = made->layers[i];
		if (!ops || !ops->volumes)
			continue;
		volume_list_make(&list, &made->layers[i], ops->params, "data");
		carrier = volume_carrier(&list);
		p = mem_new(1, sizeof(*p));
		to->layers[i].params = p;
		to->layers[i].n = 1;
		p->key = mem_strdup(ops->carrier_key);
		p->value = ops->carrier_by_number
				   ? mem_printf("%zu", carrier - list.items + 1)
				   : mem_strdup(carrier->name);
	}
}

static void free_open_layers(const struct plan_arm *made, struct plan_arm *arm)
{
	for (size_t i = 0; i < arm->n; i++) {
		if (arm->layers[i].params == made->layers[i].params)
			continue;
		free(arm->layers[i].params->key);
		free(arm->layers[i].params->value);
		free(arm->layers[i].params);
	}
	free(arm->layers);
	free(arm->key_file);
}

static bool can_open(const struct plan_arm *arm)
{
	for (size_t i = 1; i < arm->n; i++) {
		const struct layer_ops *ops = layer_find(arm->layers[i].kind);

		if (!ops || !ops->open || ops->forgets)
			return false;
	}
	return true;
}

static int open_and_compare(const struct stack *made, unsigned *steps, struct err *err)
{
	struct plan_arm arm;
	struct stack stack = { .arm = &arm,
			       .targets = made->targets,
			       .n_targets = made->n_targets,
			       .keys = made->keys };
	int r;

	// The steps of opening are counted on: they can be made to fail as well.
	if (made->fail_step > *steps)
		stack.fail_step = made->fail_step - *steps;
	open_layers(made->arm, &arm);
	r = stack_up(&stack, err);
	*steps += stack.step;
	if (r == 0)
		r = compare_data(&stack, err);
	r = end(&stack, r, err);
	free_open_layers(made->arm, &arm);
	return r;
}

int stack_try(struct stack *stack, struct strbuf *to, struct err *err)
{
	unsigned steps;
	bool data, again = can_open(stack->arm);
	int r;

	stack->keep = again;
	r = stack_up(stack, err);
	steps = stack->step;
	data = r == 0 && again &&
	       stack->layers[stack->n - 1].ops->place != LAYER_MAKES_SWAP;
	if (r == 0)
		strbuf_puts(to, "built\n");
	if (data)
		r = write_data(stack, err);
	r = end(stack, r, err);
	if (r == 0)
		strbuf_puts(to, "torn down, nothing left\n");
	if (r == 0 && data)
		r = open_and_compare(stack, &steps, err);
	strbuf_printf(to, "steps %u\n", steps);
	if (r == 0)
		strbuf_puts(to, data ? "kept\n" : "not compared: it cannot be opened\n");
	return r;
}
