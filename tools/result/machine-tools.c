// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: which very programs measured, by their SHA-256.
#include <fcntl.h>
#include <linux/if_alg.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "common/strbuf.h"
#include "result/machine-private.h"

#define DIGEST    32
#define SIZE_MOST ((off_t)64 << 20) // bytes; a larger file is none of ours

// An operation socket of the kernel's SHA-256 (linux/if_alg.h); -1 when it has none.
static int open_hash(void)
{
	_cleanup_close_ int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const struct sockaddr_alg to = {
		.salg_family = AF_ALG,
		.salg_type = "hash",
		.salg_name = "sha256",
	};

	if (fd < 0 || bind(fd, (const struct sockaddr *)&to, sizeof(to)) < 0)
		return -1;
	return accept4(fd, NULL, NULL, SOCK_CLOEXEC);
}

static bool hash_file(int file, off_t size, unsigned char *digest)
{
	_cleanup_close_ int hash = open_hash();
	off_t at = 0;

	while (hash >= 0 && at < size)
		if (sendfile(hash, file, &at, (size_t)(size - at)) <= 0)
			return false;
	return hash >= 0 && read(hash, digest, DIGEST) == DIGEST;
}

static bool add_tool(struct json_object *to, const char *root, const char *dir,
		     const char *name)
{
	_cleanup_free_ char *path = mem_printf("%s/%s/%s", root, dir, name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_strbuf_ struct strbuf hex = { 0 };
	unsigned char digest[DIGEST];
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (st.st_size > SIZE_MOST || !hash_file(fd, st.st_size, digest))
		return true;
	for (size_t i = 0; i < DIGEST; i++)
		strbuf_printf(&hex, "%02x", digest[i]);
	json_set_str(to, name, strbuf_str(&hex));
	return true;
}

struct json_object *machine_tools(const char *root)
{
	static const char *const names[] = {
		"bonnie++", "fio",    "hdparm",   "cryptsetup", "lvm",
		"mdadm",    "mke2fs", "mkfs.xfs", "smartctl",   "assay",
	};
	static const char *const dirs[] = { "usr/bin", "usr/sbin", "sbin", "bin" };
	struct json_object *o = json_new();

	json_set_str(o, "from", "SHA-256 of each program, by the kernel (AF_ALG)");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t k = 0; k < ARRAY_SIZE(dirs); k++)
			if (add_tool(o, root, dirs[k], names[i]))
				break;
	return o;
}
