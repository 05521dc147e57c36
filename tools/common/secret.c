// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for secrets. Each has its own pages, so that locking and wiping are exact.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "common/secret.h"

static size_t pages_for(size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (len + 1 + page - 1) / page * page;
}

int secret_new(struct secret *s, size_t len)
{
	void *p = mmap(NULL, pages_for(len), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	if (mlock(p, pages_for(len)) < 0 && errno != EPERM && errno != ENOMEM) {
		int r = -errno;

		munmap(p, pages_for(len));
		return r;
	}
	madvise(p, pages_for(len), MADV_DONTDUMP);
	s->data = p;
	s->len = len;
	return 0;
}

int secret_random(struct secret *s, size_t len)
{
	size_t have = 0;
	int r = secret_new(s, len);

	while (r == 0 && have < len) {
		ssize_t n = getrandom(s->data + have, len - have, 0);

		if (n < 0 && errno != EINTR)
			r = -errno;
		else if (n > 0)
			have += (size_t)n;
	}
	if (r < 0)
		secret_done(s);
	return r;
}

// The mapping is sized by `len`, so what is shorter moves to one of its own.
static int shorten(struct secret *s, size_t len)
{
	struct secret exact = { 0 };
	int r = secret_new(&exact, len);

	if (exact.data)
		memcpy(exact.data, s->data, len);
	secret_done(s);
	*s = exact;
	return r;
}

static int no_memory(struct err *err, int r)
{
	return err_set(err, r, "no locked memory for a key: %s", strerror(-r));
}

int secret_read_file(struct secret *s, const char *path, size_t max, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;
	size_t have = 0;
	int r;

	if (fd < 0)
		return err_set(err, -errno, "cannot open key file %s: %s", path,
			       strerror(errno));
	r = secret_new(s, max + 1);
	if (r < 0)
		return no_memory(err, r);
	while (have <= max && n != 0) {
		n = read(fd, s->data + have, max + 1 - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		have += (size_t)n;
	}
	if (n >= 0 && have <= max) {
		r = shorten(s, have);
		return r < 0 ? no_memory(err, r) : 0;
	}
	r = n < 0 ? -errno : -EFBIG;
	secret_done(s);
	return err_set(err, r, "cannot read key file %s: %s", path, strerror(-r));
}

void secret_done(struct secret *s)
{
	if (!s->data)
		return;
	explicit_bzero(s->data, s->len);
	munmap(s->data, pages_for(s->len));
	*s = (struct secret){ 0 };
}
