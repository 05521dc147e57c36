// SPDX-License-Identifier: GPL-3.0-or-later
// The archive format that the kernel unpacks at boot ("newc"), read from a stream and
// written. Format: Documentation/driver-api/early-userspace/buffer-format.rst.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/secret.h"
#include "common/strbuf.h"

#define CPIO_HEADER   110
#define CPIO_NAME_MAX 4096

// Takes an archive in pieces of any size, as it comes out of a decompressor.
struct cpio_reader {
	// Called for each file; true when its content is wanted.
	bool (*file)(void *arg, const char *name, uint32_t mode, uint64_t size);
	// Then called with that content, in pieces.
	void (*content)(void *arg, const void *data, size_t len);
	void *arg;

	enum { CPIO_AT_HEADER, CPIO_AT_NAME, CPIO_AT_DATA, CPIO_AT_PADDING } state;
	struct strbuf part; // of the header or name
	uint64_t offset;    // in the archive: what is padded to four
	uint64_t left;      // bytes of content still to come
	uint32_t mode;
	uint64_t size;
	size_t name_len;
	bool wanted;
};

// Takes up to `len` bytes; zeros between archives are skipped. `used` is less than that
// where, between two files, something else begins than another file. Returns 0, or
// -EBADMSG for a damaged header.
int cpio_read(struct cpio_reader *c, const void *data, size_t len, size_t *used);

// Is it between two files, so that the stream may end here?
bool cpio_is_complete(const struct cpio_reader *c);
void cpio_reader_done(struct cpio_reader *c);

// One file or folder to write. `data` is not owned.
struct cpio_file {
	char *path; // without a leading slash
	uint32_t mode;
	const void *data;
	size_t len;
};

// The whole archive with its trailer, in memory that is locked and wiped: it holds keys.
// Every byte depends on the input alone (no time, no owner). 0 or -errno.
int cpio_write(const struct cpio_file *files, size_t n, struct secret *ret);

// Zeros to append to an initrd of `size` bytes before another archive: to a multiple of
// 512, and at least four. (After an LZ4 initrd that is aligned already, fewer than four
// zero bytes make the kernel read our archive as more LZ4 and drop it.)
size_t cpio_padding(uint64_t size);
