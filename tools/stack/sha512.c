// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-512 by the kernel.
#include <linux/if_alg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/macro.h"
#include "device/driver.h"
#include "stack/sha512.h"

// A socket that hashes: what is sent to it at once gives one digest. -errno on failure.
static int open_hash(void)
{
	const struct sockaddr_alg name = { .salg_family = AF_ALG,
					   .salg_type = "hash",
					   .salg_name = "sha512" };
	_cleanup_close_ int parent = -1;
	int fd;

	driver_load("algif_hash", NULL); // built in, or socket(2) fails
	parent = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (parent < 0 || bind(parent, (const struct sockaddr *)&name, sizeof(name)) < 0)
		return -errno;
	fd = accept4(parent, NULL, NULL, SOCK_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int sha512_rounds(const void *data, size_t len, unsigned rounds, unsigned char *to,
		  struct err *err)
{
	_cleanup_close_ int fd = open_hash();

	if (fd < 0)
		return err_set(err, fd, "the kernel does not give SHA-512: %s",
			       strerror(-fd));
	for (unsigned i = 0; i < rounds; i++) {
		if (send(fd, data, len, 0) != (ssize_t)len ||
		    read(fd, to, SHA512_BYTES) != SHA512_BYTES)
			return err_set(err, -EIO, "the kernel's SHA-512 fails: %s",
				       strerror(errno));
		data = to;
		len = SHA512_BYTES;
	}
	return 0;
}
