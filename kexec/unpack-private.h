// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the decompressors: where their input comes from.
#pragma once

#include "kexec/unpack.h"

#define UNPACK_PIECE ((size_t)64 << 10)

struct unpack_in {
	int fd;
	uint64_t offset, end; // of the file: next byte to read, and behind the last
	unsigned char data[UNPACK_PIECE];
	size_t at, n; // data[at .. n-1] is not used yet
};

// Reads more when the buffer is empty. Returns how many bytes are there (0 at the end),
// or -errno.
int unpack_fill(struct unpack_in *in);

// Exactly `len` bytes. Returns 0, -EBADMSG when there are fewer, or -errno.
int unpack_take(struct unpack_in *in, void *to, size_t len);

// Each decodes one stream and leaves `in` right behind it. 0 or -errno, with the sink's
// own answer passed on.
int unpack_gzip(struct unpack_in *in, unpack_sink sink, void *arg);
int unpack_lzma(struct unpack_in *in, unpack_sink sink, void *arg); // xz, too
int unpack_zstd(struct unpack_in *in, unpack_sink sink, void *arg);
int unpack_lz4(struct unpack_in *in, unpack_sink sink, void *arg);

// Through a program that reads the file itself, from in->offset to its end.
int unpack_program(const char *const *argv, struct unpack_in *in, unpack_sink sink,
		   void *arg);
