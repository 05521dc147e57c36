// SPDX-License-Identifier: GPL-3.0-or-later
// An initrd: segments, compressors, archives; then the handoff to it.
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/io.h"
#include "kexec/handoff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct secret secret = { .data = (char[]){ "k" }, .len = 1 };
	const struct handoff_key key = { .uuid = "aaaa-1", .secret = &secret };
	struct initrd_part p = { .fd = memfd_create("fuzz", MFD_CLOEXEC), .size = len };
	_cleanup_handoff_ struct handoff h = { 0 };
	_cleanup_initrd_ struct initrd i = { 0 };
	struct err err = { 0 };

	if (p.fd < 0 || io_write_all(p.fd, data, len) < 0)
		abort();
	initrd_read(&p, 1, &i, &err);
	handoff_plan(&i, "cryptdevice=UUID=aaaa-1:root", &key, 1, &h);
	close(p.fd);
	return 0;
}
