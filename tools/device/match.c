// SPDX-License-Identifier: GPL-3.0-or-later
// Names a disk by an identity that moves with it.
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/number.h"
#include "device/match.h"

static const char *const keys[] = {
	[MATCH_SERIAL] = "serial", [MATCH_WWN] = "wwn",   [MATCH_PATH] = "path",
	[MATCH_MODEL] = "model",   [MATCH_SIZE] = "size",
};

static char *trimmed(const char *s, size_t len)
{
	while (len && isspace((unsigned char)*s))
		s++, len--;
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	return mem_strndup(s, len);
}

// Names that the kernel gives in the order it meets the disks: another boot, another
// disk.
static bool is_kernel_name(const char *s)
{
	static const char *const prefixes[] = { "sd", "hd", "vd", "xvd" };
	static const char *const numbered[] = { "nvme", "mmcblk", "sr", "loop",
						"dm-",  "md",     "fd", "nullb" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = strlen(prefixes[i]), letters;

		if (strncmp(s, prefixes[i], len) != 0)
			continue;
		letters = strspn(s + len, "abcdefghijklmnopqrstuvwxyz");
		if (letters >= 1 && letters <= 2 &&
		    s[len + letters + strspn(s + len + letters, "0123456789")] == '\0')
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbered); i++) {
		size_t len = strlen(numbered[i]);

		if (strncmp(s, numbered[i], len) == 0 && isdigit((unsigned char)s[len]) &&
		    s[len + strspn(s + len, "0123456789np")] == '\0')
			return true;
	}
	return false;
}

static int refuse_name(const char *value, struct err *err)
{
	return err_set(err, -EINVAL,
		       "\"%s\" is the kernel's name for whatever disk it met in that "
		       "order, and may be another disk at the next boot: name the disk "
		       "by serial:, wwn:, path:, model: or size: (\"assay devices\" "
		       "shows them)",
		       value);
}

static int check_value(const struct match *m, bool bare, struct err *err)
{
	uint64_t size;

	if (*m->value == '\0')
		return err_set(err, -EINVAL, "nothing after \"%s:\": name the disk's %s",
			       keys[m->key], keys[m->key]);
	if (strncmp(m->value, "/dev/", 5) == 0 || (bare && is_kernel_name(m->value)))
		return refuse_name(m->value, err);
	if (m->key == MATCH_PATH && is_kernel_name(m->value))
		return refuse_name(m->value, err);
	if (m->key == MATCH_SIZE && number_size(m->value, &size) < 0)
		return err_set(err, -EINVAL,
			       "\"%s\" is no size: write bytes, or 160GB, or 20G "
			       "(powers of 1024)",
			       m->value);
	return 0;
}

int match_parse(struct match *m, const char *text, struct err *err)
{
	static const char by_path[] = "/dev/disk/by-path/";
	_cleanup_free_ char *all = trimmed(text, strlen(text));
	const char *value = all;
	bool bare = true;
	int r;

	*m = (struct match){ .key = MATCH_SERIAL };
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t len = strlen(keys[i]);

		if (strncmp(all, keys[i], len) == 0 && all[len] == ':') {
			m->key = (enum match_key)i;
			value = all + len + 1;
			bare = false;
			break;
		}
	}
	if (m->key == MATCH_PATH && strncmp(value, by_path, sizeof(by_path) - 1) == 0)
		value += sizeof(by_path) - 1;
	m->value = trimmed(value, strlen(value));
	r = check_value(m, bare, err);
	if (r < 0)
		match_done(m);
	return r;
}

static bool same_text(const char *want, const char *have)
{
	_cleanup_free_ char *a = trimmed(want, strlen(want));
	_cleanup_free_ char *b = have ? trimmed(have, strlen(have)) : NULL;

	return b && *b && strcmp(a, b) == 0;
}

static const char *bare_wwn(const char *wwn)
{
	static const char *const prefixes[] = { "naa.", "eui.", "0x" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (strncasecmp(wwn, prefixes[i], len) == 0)
			wwn += len;
	}
	return wwn;
}

bool match_same_wwn(const char *a, const char *b)
{
	return a && b && *bare_wwn(a) && strcasecmp(bare_wwn(a), bare_wwn(b)) == 0;
}

// Also udev's older names: "virtio-pci-...", and "...-ata-1" without master or slave.
static bool same_path(const char *want, const char *have)
{
	size_t len;

	if (!have)
		return false;
	if (strncmp(want, "virtio-pci-", 11) == 0)
		want += strlen("virtio-");
	if (strcmp(want, have) == 0)
		return true;
	len = strlen(want);
	return strstr(have, "-ata-") && strstr(want, "-ata-") &&
	       !strchr(strstr(want, "-ata-"), '.') && strncmp(have, want, len) == 0 &&
	       have[len] == '.';
}

// Disks are sold by three digits; nobody knows the bytes of "160 GB".
static bool same_size(const char *want, uint64_t have)
{
	_cleanup_strbuf_ struct strbuf a = { 0 }, b = { 0 };
	uint64_t bytes;

	if (have == 0 || number_size(want, &bytes) < 0)
		return false;
	number_format_bytes(&a, bytes);
	number_format_bytes(&b, have);
	return bytes == have || strcmp(strbuf_str(&a), strbuf_str(&b)) == 0;
}

bool match_disk(const struct match *m, const struct device *disk)
{
	if (disk->kind != DEVICE_DISK)
		return false;
	switch (m->key) {
	case MATCH_SERIAL:
		return same_text(m->value, disk->serial);
	case MATCH_WWN:
		return match_same_wwn(m->value, disk->wwn);
	case MATCH_PATH:
		return same_path(m->value, disk->by_path);
	case MATCH_MODEL:
		return same_text(m->value, disk->model);
	case MATCH_SIZE:
		return same_size(m->value, disk->size);
	}
	return false;
}

// Names every disk for which `m` holds (every disk at all without one); how many.
static size_t name_disks(const struct match *m, const struct device_list *list,
			 struct strbuf *to)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		_cleanup_free_ char *title = device_title(d);

		if (d->kind != DEVICE_DISK || (m && !match_disk(m, d)))
			continue;
		strbuf_printf(to, "%s%s", n++ ? ", " : "", title);
		if (d->by_path)
			strbuf_printf(to, " at %s", d->by_path);
	}
	return n;
}

int match_one(const struct match *m, const struct device_list *list,
	      const struct device **ret, struct err *err)
{
	_cleanup_free_ char *what = match_text(m);
	_cleanup_strbuf_ struct strbuf named = { 0 }, all = { 0 };
	size_t n = name_disks(m, list, &named);

	*ret = NULL;
	if (n > 1)
		return err_set(err, -ENOTUNIQ,
			       "%s matches %zu disks, so none is taken: %s; name one by "
			       "what only it has",
			       what, n, strbuf_str(&named));
	if (n == 0) {
		n = name_disks(NULL, list, &all);
		return err_set(err, -ENODEV, "no disk matches %s; %s%s", what,
			       n ? "here are: " : "no disk was found at all",
			       strbuf_str(&all));
	}
	for (size_t i = 0; i < list->n; i++)
		if (match_disk(m, &list->items[i]))
			*ret = &list->items[i];
	return 0;
}

char *match_text(const struct match *m)
{
	return mem_printf("%s:%s", keys[m->key], m->value);
}

void match_done(struct match *m)
{
	free(m->value);
	*m = (struct match){ 0 };
}
