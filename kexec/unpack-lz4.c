// SPDX-License-Identifier: GPL-3.0-or-later
// The "legacy" LZ4 frame, which is the one that the kernel reads: blocks of up to 8 MiB,
// each with its length before it, and no mark at the end.
#include <lz4.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/unpack-private.h"

#define LZ4_MAGIC 0x184c2102u
#define LZ4_BLOCK ((size_t)8 << 20) // of plain data

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

// The next block's length. 0 at the end: no more input, zeros, or what cannot be one
// (another archive that was put right behind it). It is only taken when it is a length.
static int next_block(struct unpack_in *in, uint32_t *len)
{
	unsigned char word[4] = { 0 };
	int n = unpack_fill(in);

	*len = 0;
	if (n <= 0)
		return n;
	if (n >= 4) {
		memcpy(word, in->data + in->at, 4);
		if (get32(word) != LZ4_MAGIC &&
		    get32(word) > (uint32_t)LZ4_compressBound((int)LZ4_BLOCK))
			return 0;
		in->at += 4;
	} else if (unpack_take(in, word, 4) < 0) {
		return 0; // a tail too short for anything
	}
	*len = get32(word);
	return 0;
}

int unpack_lz4(struct unpack_in *in, unpack_sink sink, void *arg)
{
	size_t room = (size_t)LZ4_compressBound((int)LZ4_BLOCK);
	char *from = mem_new(1, room), *to = mem_new(1, LZ4_BLOCK);
	int r = unpack_take(in, from, 4); // the magic
	uint32_t len = 0;

	while (r == 0) {
		int n;

		r = next_block(in, &len);
		if (r < 0 || len == 0)
			break;
		if (len == LZ4_MAGIC)
			continue; // frames may follow each other
		r = len > room ? -EBADMSG : unpack_take(in, from, len);
		if (r < 0)
			break;
		n = LZ4_decompress_safe(from, to, (int)len, (int)LZ4_BLOCK);
		r = n < 0 ? -EBADMSG : sink(arg, to, (size_t)n);
	}
	free(from);
	free(to);
	return r;
}
