// SPDX-License-Identifier: GPL-3.0-or-later
// The key of an eCryptfs mount, as ecryptfs-utils derive it and the kernel wants it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define ECRYPTFS_KEY_BYTES 64
#define ECRYPTFS_SIG_CHARS 16

// What request_key() in the kernel finds under the signature: struct ecryptfs_auth_tok of
// include/linux/ecryptfs.h, which is no header for programs.
struct ecryptfs_password {
	uint32_t password_bytes;
	int32_t hash_algo;
	uint32_t hash_iterations;
	uint32_t session_key_encryption_key_bytes;
	uint32_t flags;
	uint8_t session_key_encryption_key[ECRYPTFS_KEY_BYTES];
	char signature[ECRYPTFS_SIG_CHARS + 1];
	uint8_t salt[8];
};

struct ecryptfs_auth_tok {
	uint16_t version;
	uint16_t token_type;
	uint32_t flags;
	struct {
		uint32_t flags, encrypted_key_size, decrypted_key_size;
		uint8_t encrypted_key[512];
		uint8_t decrypted_key[64];
	} session_key;
	uint8_t reserved[32];
	struct ecryptfs_password password;
} __attribute__((packed));

// Key = SHA-512 of the salt and the passphrase, 65536 times; signature = the first eight
// bytes of the key's own SHA-512 in hexadecimal. The salt is ecryptfs-utils' default.
// `tok` holds a secret: the caller wipes it. Returns 0 or -errno.
int ecryptfs_key_make(const char *passphrase, size_t len, struct ecryptfs_auth_tok *tok,
		      struct err *err);
