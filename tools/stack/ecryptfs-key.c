// SPDX-License-Identifier: GPL-3.0-or-later
// The key of an eCryptfs mount.
#include <stdio.h>
#include <string.h>

#include "common/secret.h"
#include "stack/ecryptfs-key.h"
#include "stack/sha512.h"

#define ROUNDS         65536
#define PASSPHRASE_MAX 64 // ECRYPTFS_MAX_PASSPHRASE_BYTES

// Numbers of include/linux/ecryptfs.h.
#define VERSION            0x0004 // major 0, minor 4
#define HASH_SHA512        10     // PGP_DIGEST_ALGO_SHA512
#define SESSION_KEY_IS_SET 0x02   // ECRYPTFS_SESSION_KEY_ENCRYPTION_KEY_SET

static const uint8_t default_salt[8] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77 };

int ecryptfs_key_make(const char *passphrase, size_t len, struct ecryptfs_auth_tok *tok,
		      struct err *err)
{
	_cleanup_secret_ struct secret salted = { 0 };
	unsigned char key[SHA512_BYTES] = { 0 }, sig[SHA512_BYTES] = { 0 };
	struct ecryptfs_password p = { 0 };
	int r;

	if (len == 0 || len > PASSPHRASE_MAX)
		return err_set(
			err, -EINVAL,
			"a passphrase for eCryptfs has 1 to %d characters, not %zu",
			PASSPHRASE_MAX, len);
	r = secret_new(&salted, sizeof(default_salt) + len);
	if (r < 0)
		return err_set(err, r, "no memory for the passphrase");
	memcpy(salted.data, default_salt, sizeof(default_salt));
	memcpy(salted.data + sizeof(default_salt), passphrase, len);
	r = sha512_rounds(salted.data, salted.len, ROUNDS, key, err);
	if (r == 0)
		r = sha512_rounds(key, sizeof(key), 1, sig, err);
	if (r < 0)
		return r;
	p.hash_algo = HASH_SHA512;
	p.session_key_encryption_key_bytes = sizeof(key);
	p.flags = SESSION_KEY_IS_SET;
	memcpy(p.session_key_encryption_key, key, sizeof(key));
	memcpy(p.salt, default_salt, sizeof(default_salt));
	for (size_t i = 0; i < ECRYPTFS_SIG_CHARS / 2; i++)
		snprintf(p.signature + 2 * i, 3, "%02x", sig[i]);
	*tok = (struct ecryptfs_auth_tok){ .version = VERSION, .password = p };
	explicit_bzero(&p, sizeof(p));
	explicit_bzero(key, sizeof(key));
	return 0;
}
