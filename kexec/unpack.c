// SPDX-License-Identifier: GPL-3.0-or-later
// Decompression of initrds: which format, and the streams of zlib, liblzma and zstd.
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "common/mem.h"
#include "kexec/unpack-private.h"

// A dictionary or window that needs more is refused, as a hostile file would ask for it.
#define LZMA_MEMORY   (UINT64_C(192) << 20)
#define ZSTD_WINDOW   27 // 128 MiB, what zstd itself allows without asking
#define PROGRAM_MAGIC 2

static int bunzip2(struct unpack_in *in, unpack_sink sink, void *arg)
{
	static const char *const argv[] = { "bunzip2", "-c", NULL };

	return unpack_program(argv, in, sink, arg);
}

static int unlzop(struct unpack_in *in, unpack_sink sink, void *arg)
{
	static const char *const argv[] = { "lzop", "-dc", NULL };

	return unpack_program(argv, in, sink, arg);
}

static const struct unpack_format {
	const char *name, *magic;
	size_t len;
	int (*run)(struct unpack_in *in, unpack_sink sink, void *arg);
} formats[] = {
	{ "gzip", "\x1f\x8b", 2, unpack_gzip },
	{ "gzip", "\x1f\x9e", 2, unpack_gzip },
	{ "bzip2", "BZh", 3, bunzip2 },
	{ "lzma", "\x5d\x00\x00", 3, unpack_lzma },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  6, unpack_lzma },
	{ "lzo", "\x89LZO\0\r", 6, unlzop },
	{ "lz4", "\x02\x21\x4c\x18", 4, unpack_lz4 },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, unpack_zstd },
};

const struct unpack_format *unpack_find(const void *data, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (len >= formats[i].len &&
		    memcmp(data, formats[i].magic, formats[i].len) == 0)
			return &formats[i];
	return NULL;
}

const char *unpack_name(const struct unpack_format *f)
{
	return f->name;
}

int unpack_fill(struct unpack_in *in)
{
	uint64_t left = in->end > in->offset ? in->end - in->offset : 0;
	size_t want = left < sizeof(in->data) ? (size_t)left : sizeof(in->data);
	ssize_t n;

	if (in->at < in->n)
		return (int)(in->n - in->at);
	do
		n = want ? pread(in->fd, in->data, want, (off_t)in->offset) : 0;
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	in->offset += (uint64_t)n;
	in->at = 0;
	in->n = (size_t)n;
	return (int)n;
}

int unpack_take(struct unpack_in *in, void *to, size_t len)
{
	unsigned char *at = to;

	while (len) {
		int n = unpack_fill(in);
		size_t take = (size_t)n < len ? (size_t)n : len;

		if (n <= 0)
			return n < 0 ? n : -EBADMSG;
		memcpy(at, in->data + in->at, take);
		in->at += take;
		at += take;
		len -= take;
	}
	return 0;
}

int unpack_gzip(struct unpack_in *in, unpack_sink sink, void *arg)
{
	unsigned char *out = mem_new(1, UNPACK_PIECE);
	z_stream z = { 0 };
	int r = inflateInit2(&z, 15 + 16) == Z_OK ? 0 : -ENOMEM, end = Z_OK;

	while (r == 0 && end != Z_STREAM_END) {
		int n = unpack_fill(in);

		if (n <= 0) {
			r = n < 0 ? n : -EBADMSG;
			break;
		}
		z.next_in = in->data + in->at;
		z.avail_in = (unsigned)n;
		z.next_out = out;
		z.avail_out = UNPACK_PIECE;
		end = inflate(&z, Z_NO_FLUSH);
		in->at = in->n - z.avail_in;
		if (end != Z_OK && end != Z_STREAM_END)
			r = end == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
		else if (z.avail_out < UNPACK_PIECE)
			r = sink(arg, out, UNPACK_PIECE - z.avail_out);
	}
	inflateEnd(&z);
	free(out);
	return r;
}

int unpack_lzma(struct unpack_in *in, unpack_sink sink, void *arg)
{
	unsigned char *out = mem_new(1, UNPACK_PIECE);
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret end = lzma_auto_decoder(&z, LZMA_MEMORY, 0);
	int r = end == LZMA_OK ? 0 : -ENOMEM;

	while (r == 0 && end != LZMA_STREAM_END) {
		int n = unpack_fill(in);

		if (n < 0) {
			r = n;
			break;
		}
		z.next_in = in->data + in->at;
		z.avail_in = (size_t)n;
		z.next_out = out;
		z.avail_out = UNPACK_PIECE;
		end = lzma_code(&z, n ? LZMA_RUN : LZMA_FINISH);
		in->at = in->n - z.avail_in;
		if (end != LZMA_OK && end != LZMA_STREAM_END)
			r = end == LZMA_MEM_ERROR || end == LZMA_MEMLIMIT_ERROR
				    ? -ENOMEM
				    : -EBADMSG;
		else if (z.avail_out < UNPACK_PIECE)
			r = sink(arg, out, UNPACK_PIECE - z.avail_out);
		else if (n == 0 && end == LZMA_OK)
			r = -EBADMSG; // cut short
	}
	lzma_end(&z);
	free(out);
	return r;
}

int unpack_zstd(struct unpack_in *in, unpack_sink sink, void *arg)
{
	unsigned char *out = mem_new(1, UNPACK_PIECE);
	ZSTD_DCtx *z = ZSTD_createDCtx();
	size_t left = 1; // 0 at the end of the frame
	int r = z ? 0 : -ENOMEM;

	if (z)
		ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, ZSTD_WINDOW);
	while (r == 0 && left) {
		int n = unpack_fill(in);
		ZSTD_inBuffer from = { in->data + in->at, (size_t)n, 0 };
		ZSTD_outBuffer to = { out, UNPACK_PIECE, 0 };

		if (n <= 0) {
			r = n < 0 ? n : -EBADMSG;
			break;
		}
		left = ZSTD_decompressStream(z, &to, &from);
		in->at += from.pos;
		if (ZSTD_isError(left))
			r = -EBADMSG;
		else if (to.pos)
			r = sink(arg, out, to.pos);
	}
	ZSTD_freeDCtx(z);
	free(out);
	return r;
}

int unpack(const struct unpack_format *f, int fd, uint64_t offset, uint64_t end,
	   uint64_t *used, unpack_sink sink, void *arg, struct err *err)
{
	struct unpack_in *in = mem_new(1, sizeof(*in));
	int r;

	in->fd = fd;
	in->offset = offset;
	in->end = end;
	r = f->run(in, sink, arg);
	*used = in->offset - (in->n - in->at) - offset;
	free(in);
	if (r == 0)
		return 0;
	return err_set(err, r, "%s: %s", f->name,
		       r == -EBADMSG  ? "the compressed data is damaged or cut short"
		       : r == -ENOENT ? "the program that unpacks it is missing"
				      : strerror(-r));
}
