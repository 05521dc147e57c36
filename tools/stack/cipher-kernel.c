// SPDX-License-Identifier: GPL-3.0-or-later
// Does this kernel have a cipher?
#include <linux/if_alg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "stack/cipher-kernel.h"
#include <stdbool.h>

int cipher_kernel_has(const char *name, struct err *err)
{
	_cleanup_close_ int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_alg to = { .salg_family = AF_ALG };
	bool aead = strncmp(name, "authenc", 7) == 0 || strncmp(name, "aegis", 5) == 0 ||
		    strncmp(name, "gcm", 3) == 0;

	if (fd < 0)
		return err_set(err, -EAFNOSUPPORT,
			       "this kernel cannot be asked for ciphers");
	snprintf((char *)to.salg_type, sizeof(to.salg_type), "%s",
		 aead ? "aead" : "skcipher");
	snprintf((char *)to.salg_name, sizeof(to.salg_name), "%s", name);
	if (bind(fd, (const struct sockaddr *)&to, sizeof(to)) == 0)
		return 0;
	if (errno != ENOENT)
		return err_set(err, -EAFNOSUPPORT, "%s: %s", name, strerror(errno));
	return err_set(
		err, -ENOENT,
		"this kernel has no cipher %s: its module is missing in the image, "
		"or the name is wrong",
		name);
}
