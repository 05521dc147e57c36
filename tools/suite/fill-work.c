// SPDX-License-Identifier: GPL-3.0-or-later
// Random data by way of dm-crypt, and the proof that it is there.
#include <fcntl.h>
#include <inttypes.h>
#include <libcryptsetup.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/secret.h"
#include "stack/crypt.h"
#include "stack/node.h"
#include "suite/fill-work.h"
#include "suite/order.h"
#include "suite/work.h"

#define CHUNK       ((size_t)1 << 20)  // of one write
#define PIECE       ((size_t)64 << 10) // of one read back
#define ALIGN       4096
#define KEY_BYTES   64 // two keys of AES-256: XTS
#define THREADS_MAX 16

struct writer {
	int fd;
	uint64_t size;
	const void *zeros;
	atomic_uint_fast64_t next; // the first byte that nobody has taken yet
	atomic_uint_fast64_t done;
	atomic_int failed; // -errno of the first failure
	atomic_uint_fast64_t failed_at;
};

static int map(const struct fill *f, uint64_t *size, int out)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret key = { 0 };
	struct crypt_params_plain plain = { .sector_size = 512 };
	struct err err = { 0 };
	int r = crypt_handle_init(&h, f->device, &err);

	if (r == 0)
		r = node_size(f->device, size, &err);
	if (r < 0)
		return work_fail(out, r, "%s", err.text);
	if (*size % ALIGN == 0)
		plain.sector_size = ALIGN;
	plain.size = *size / 512;
	r = crypt_format(h.cd, CRYPT_PLAIN, "aes", "xts-plain64", NULL, NULL, KEY_BYTES,
			 &plain);
	if (r == 0)
		r = secret_random(&key, KEY_BYTES);
	if (r == 0)
		r = crypt_activate_by_volume_key(h.cd, f->mapping, key.data, key.len, 0);
	if (r < 0)
		return work_fail(out, r, "%s: no dm-crypt mapping: %s%s%s", f->device,
				 strerror(-r), h.words.len ? ": " : "",
				 strbuf_str(&h.words));
	return 0;
}

static int open_direct(const char *path, int flags, int out)
{
	int fd = open(path, flags | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		return work_fail(out, -errno, "%s cannot be opened: %s", path,
				 strerror(errno));
	return fd;
}

static int whole(ssize_t n, size_t want)
{
	if (n < 0)
		return -errno;
	return (size_t)n == want ? 0 : -EIO;
}

static void *write_zeros(void *arg)
{
	struct writer *w = arg;

	while (atomic_load(&w->failed) == 0) {
		uint64_t at = atomic_fetch_add(&w->next, CHUNK);
		size_t len = w->size - at < CHUNK ? (size_t)(w->size - at) : CHUNK;
		int r, none = 0;

		if (at >= w->size)
			break;
		r = whole(pwrite(w->fd, w->zeros, len, (off_t)at), len);
		if (r < 0 && atomic_compare_exchange_strong(&w->failed, &none, r))
			atomic_store(&w->failed_at, at);
		atomic_fetch_add(&w->done, len);
	}
	return NULL;
}

static size_t thread_count(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	// one more than CPUs, so that each has something while a write is on its way
	return cpus < 1 ? 2 : cpus < THREADS_MAX ? (size_t)cpus + 1 : THREADS_MAX;
}

static void write_all(struct writer *w, size_t threads, int out)
{
	const struct timespec step = { .tv_nsec = 200 * 1000 * 1000 };
	pthread_t t[THREADS_MAX];
	size_t n = 0;

	while (n < threads && pthread_create(&t[n], NULL, write_zeros, w) == 0)
		n++;
	if (n == 0)
		write_zeros(w);
	while (atomic_load(&w->done) < w->size && atomic_load(&w->failed) == 0) {
		work_progress(out, atomic_load(&w->done), w->size);
		nanosleep(&step, NULL);
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

uint64_t fill_where(uint64_t size, size_t piece, uint64_t n, uint64_t pieces,
		    uint64_t *state)
{
	uint64_t places = size > piece ? (size - piece) / ALIGN + 1 : 1;

	if (n == 0)
		return 0;
	if (n + 1 == pieces)
		return (places - 1) * ALIGN;
	return order_next(state) % places * ALIGN;
}

struct verifier {
	const struct fill *f;
	int above, below, out;
	size_t piece;
	char *buffer;
	uint64_t *seen; // the first word of each piece below: all different
};

static int read_piece(const struct verifier *v, int fd, uint64_t at)
{
	int r = whole(pread(fd, v->buffer, v->piece, (off_t)at), v->piece);

	return r < 0 ? work_fail(v->out, r,
				 "%s cannot be read back at byte %" PRIu64 ": %s",
				 v->f->device, at, strerror(-r))
		     : 0;
}

static bool all_zeros(const char *data, size_t len)
{
	return data[0] == 0 && memcmp(data, data + 1, len - 1) == 0;
}

// Its 512-byte sectors are all different from the first one, and its beginning from that
// of every piece before: a repeated buffer is found.
static bool looks_random(const struct verifier *v, uint64_t n, uint64_t at)
{
	uint64_t word;

	memcpy(&word, v->buffer, sizeof(word));
	for (size_t i = 512; i + 512 <= v->piece; i += 512)
		if (memcmp(v->buffer, v->buffer + i, 512) == 0)
			return false;
	for (uint64_t i = 0; i < n; i++)
		if (v->seen[2 * i] == word && v->seen[2 * i + 1] != at)
			return false;
	v->seen[2 * n] = word;
	v->seen[2 * n + 1] = at;
	return true;
}

static int verify_piece(const struct verifier *v, uint64_t n, uint64_t at)
{
	int r = read_piece(v, v->above, at);

	if (r < 0)
		return r;
	if (!all_zeros(v->buffer, v->piece))
		return work_fail(v->out, -EBADMSG,
				 "%s does not hold what was written at byte %" PRIu64,
				 v->f->device, at);
	r = read_piece(v, v->below, at);
	if (r < 0)
		return r;
	if (all_zeros(v->buffer, v->piece) || !looks_random(v, n, at))
		return work_fail(v->out, -EBADMSG,
				 "%s does not hold random data at byte %" PRIu64,
				 v->f->device, at);
	return 0;
}

static int verify(const struct verifier *v, uint64_t size)
{
	uint64_t state = v->f->seed;

	for (uint64_t n = 0; n < v->f->pieces; n++) {
		uint64_t at = fill_where(size, v->piece, n, v->f->pieces, &state);
		int r = verify_piece(v, n, at);

		if (r < 0)
			return r;
	}
	return 0;
}

static int write_part(const char *path, uint64_t size, struct json_object *o, int out)
{
	_cleanup_free_ void *zeros = aligned_alloc(ALIGN, CHUNK);
	struct writer w = { .size = size, .zeros = zeros };
	size_t threads = thread_count();
	uint64_t start = clock_mono_ns();
	_cleanup_close_ int fd = open_direct(path, O_RDWR, out);

	if (fd < 0)
		return fd;
	if (!zeros)
		return -ENOMEM;
	memset(zeros, 0, CHUNK);
	w.fd = fd;
	write_all(&w, threads, out);
	if (w.failed < 0)
		return work_fail(out, w.failed,
				 "%s cannot be written at byte %" PRIu64 ": %s", path,
				 (uint64_t)w.failed_at, strerror(-w.failed));
	if (fsync(fd) < 0)
		return work_fail(out, -errno, "%s does not take its data: %s", path,
				 strerror(errno));
	json_set_uint(o, "bytes", size);
	json_set_uint(o, "threads", threads);
	json_set_double(o, "write_s", (double)(clock_mono_ns() - start) / 1e9);
	return 0;
}

static int verify_part(const struct fill *f, const char *path, uint64_t size,
		       struct json_object *o, int out)
{
	_cleanup_free_ char *buffer = aligned_alloc(ALIGN, PIECE);
	_cleanup_free_ uint64_t *seen = mem_new(f->pieces, 2 * sizeof(*seen));
	uint64_t start = clock_mono_ns();
	_cleanup_close_ int above = open_direct(path, O_RDONLY, out);
	_cleanup_close_ int below = open_direct(f->device, O_RDONLY, out);
	struct verifier v = { .f = f,
			      .above = above,
			      .below = below,
			      .out = out,
			      .buffer = buffer,
			      .seen = seen };
	int r;

	if (above < 0 || below < 0 || !buffer)
		return -EIO;
	v.piece = size < PIECE ? ALIGN : PIECE;
	r = verify(&v, size);
	json_set_uint(o, "verified", f->pieces * v.piece);
	json_set_double(o, "verify_s", (double)(clock_mono_ns() - start) / 1e9);
	return r;
}

int fill_run(const struct fill *f, int out)
{
	_cleanup_free_ char *path = mem_printf("/dev/mapper/%s", f->mapping);
	struct json_object *o = json_new();
	struct err err = { 0 };
	uint64_t size = 0;
	int r = map(f, &size, out);

	if (r == 0 && node_wait(path, 0, &err) < 0)
		r = work_fail(out, -ENODEV, "%s", err.text);
	if (r == 0)
		r = write_part(path, size, o, out);
	if (r == 0)
		r = verify_part(f, path, size, o, out);
	if (r == 0)
		work_say(out, o);
	else
		json_object_put(o);
	return r;
}
