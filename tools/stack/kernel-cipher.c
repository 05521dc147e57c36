// SPDX-License-Identifier: GPL-3.0-or-later
// Does this kernel have a cipher?
#include <linux/if_alg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/macro.h"
#include "device/driver.h"
#include "stack/kernel-cipher.h"

#define KEY_MAX 128 // bytes, twice the largest that a plan can ask for

void kernel_cipher_name(const struct cipher *c, struct strbuf *to)
{
	strbuf_add(to, c->mode, strcspn(c->mode, "-"));
	strbuf_printf(to, "(%s)", c->name);
}

int kernel_cipher_check(const struct cipher *c, unsigned bits, struct err *err)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG, .salg_type = "skcipher" };
	_cleanup_strbuf_ struct strbuf name = { 0 };
	const unsigned char key[KEY_MAX] = { 1, 2, 3 }; // XTS refuses two equal halves
	_cleanup_close_ int fd = -1;

	kernel_cipher_name(c, &name);
	if (name.len >= sizeof(sa.salg_name) || bits / 8 > KEY_MAX)
		return 0;
	memcpy(sa.salg_name, strbuf_str(&name), name.len);
	driver_load("algif_skcipher", NULL); // built in, or socket(2) fails
	fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	if (bind(fd, (const struct sockaddr *)&sa, sizeof(sa)) < 0)
		return errno != ENOENT ? 0
				       : err_set(err, -ENOENT,
						 "this kernel has no cipher %s, which "
						 "%s-%s needs",
						 strbuf_str(&name), c->name, c->mode);
	if (bits && setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, bits / 8) < 0 &&
	    errno == EINVAL)
		return err_set(err, -EINVAL,
			       "this kernel's %s does not take a key of %u bits",
			       strbuf_str(&name), bits);
	return 0;
}
