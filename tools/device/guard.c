// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions of the one gate to writing: pure, on a list of devices.
#include <string.h>

#include "common/mem.h"
#include "device/guard-internal.h"

#define DEPTH_MAX 16

// Where stacks mount. The stick is mounted elsewhere below /run/assay, and is no
// leftover.
#define STACK_MOUNTS "/run/assay/mnt/"

// Does `d` (a disk, a partition, or something stacked on them) live on `disk`?
static bool lives_on(const struct device_list *list, const struct device *d,
		     const struct device *disk, size_t depth)
{
	const struct device *whole = device_disk(list, d);

	if (d == disk || whole == disk)
		return true;
	if (depth >= DEPTH_MAX)
		return true; // a knot: rather refuse
	if (whole && whole != d && lives_on(list, whole, disk, depth + 1))
		return true; // a partition of an md array
	for (char **p = d->slaves; p && *p; p++) {
		const struct device *below = device_find(list, *p);

		if (below && lives_on(list, below, disk, depth + 1))
			return true;
	}
	return false;
}

static int check_medium(const char *name, const char *what,
			const struct device_list *list, const struct device *disk,
			const char *title, struct err *err)
{
	const struct device *medium = name ? device_find(list, name) : NULL;

	if (medium && lives_on(list, medium, disk, 0))
		return err_set(err, -EBUSY, "%s: %s", title, what);
	return 0;
}

int guard_check_media(const struct guard_rules *rules, const struct device_list *list,
		      const struct device *disk, struct err *err)
{
	_cleanup_free_ char *title = device_title(disk);
	int r = 0;

	for (char *const *p = rules->boot_media; r == 0 && p && *p; p++)
		r = check_medium(*p,
				 "the medium that Assay was started from, or a copy of "
				 "it",
				 list, disk, title, err);
	return r < 0 ? r
		     : check_medium(rules->results_medium,
				    "the medium that takes the results", list, disk,
				    title, err);
}

// Namespaces of one NVMe drive share its serial, and their WWNs tell them apart.
static bool same_identity(const struct device *a, const struct device *b)
{
	bool namespaces = a->transport && b->transport &&
			  strcmp(a->transport, "nvme") == 0 &&
			  strcmp(b->transport, "nvme") == 0 && a->wwn && b->wwn;

	if (match_same_wwn(a->wwn, b->wwn))
		return true;
	return !namespaces && a->serial && b->serial && strcmp(a->serial, b->serial) == 0;
}

static int check_twins(const struct device_list *list, const struct device *disk,
		       const char *title, struct err *err)
{
	_cleanup_strbuf_ struct strbuf twins = { 0 };

	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		_cleanup_free_ char *other = device_title(d);

		if (d != disk && d->kind == DEVICE_DISK && same_identity(d, disk))
			strbuf_printf(&twins, "%s%s", twins.len ? ", " : "", other);
	}
	if (!twins.len)
		return 0;
	return err_set(err, -ENOTUNIQ,
		       "%s: has the same serial or WWN as %s: two disks that cannot be "
		       "told apart, or one disk seen twice; unplug one",
		       title, strbuf_str(&twins));
}

int guard_check(const struct guard_rules *rules, const struct device_list *list,
		const struct device *disk, const char *const *ours, struct err *err)
{
	_cleanup_free_ char *title = device_title(disk);
	int r;

	// A caller's copy may be older than the list; the list's own entry decides.
	disk = device_find(list, disk->name);
	if (!disk)
		return err_set(err, -ENODEV, "%s: is not in this machine (any more)",
			       title);
	if (disk->kind != DEVICE_DISK)
		return err_set(err, -EINVAL,
			       "%s: no whole disk, and only whole disks are targets",
			       title);
	r = guard_check_media(rules, list, disk, err);
	if (r == 0)
		r = check_twins(list, disk, title, err);
	if (r < 0)
		return r;
	if (disk->size == 0)
		return err_set(err, -ENOMEDIUM,
			       "%s: no medium, locked, or a sector size that Linux does "
			       "not take (520 or 528 bytes): it has no capacity",
			       title);
	if (disk->readonly)
		return err_set(err, -EROFS, "%s: read-only (write protected)", title);
	return guard_check_use(list, disk, ours, true, err);
}

int guard_may_write(const struct guard_rules *rules, const struct device_list *list,
		    const struct device *disk, struct err *err)
{
	return guard_check(rules, list, disk, NULL, err);
}

// What the plan should say to consent, by the best identity that the disk has.
static char *consent_words(const struct device *disk)
{
	if (disk->serial)
		return mem_printf("erase = serial:%s", disk->serial);
	if (disk->wwn)
		return mem_printf("erase = wwn:%s", disk->wwn);
	if (disk->by_path)
		return mem_printf("erase = path:%s", disk->by_path);
	return mem_printf("erase = size:%llu", (unsigned long long)disk->size);
}

// Does this one word of `erase` consent to `disk`? 1, 0 (it names another one), or a
// negative errno.
static int word_consents(const char *word, const struct device_list *list,
			 const struct device *disk, const char *title, struct err *err)
{
	const struct device *found;
	struct err why = { 0 };
	struct match m;
	int r = match_parse(&m, word, &why);

	if (r < 0)
		return err_set(err, -EACCES, "%s: erase: %s", title, why.text);
	if (!match_disk(&m, disk)) {
		r = 0;
	} else if (m.key == MATCH_MODEL ||
		   ((m.key == MATCH_PATH || m.key == MATCH_SIZE) &&
		    (disk->serial || disk->wwn))) {
		_cleanup_free_ char *words = consent_words(disk);

		r = err_set(err, -EACCES,
			    "%s: \"erase = %s\" would fit another disk in its place; "
			    "to consent write \"%s\"",
			    title, word, words);
	} else {
		r = match_one(&m, list, &found, &why);
		r = r < 0 ? err_set(err, r, "%s: erase: %s", title, why.text) : 1;
	}
	match_done(&m);
	return r;
}

static int check_consent(const struct device_list *list, const struct device *disk,
			 const char *erase, struct err *err)
{
	_cleanup_free_ char *copy = mem_strdup(erase ? erase : "");
	_cleanup_free_ char *title = device_title(disk), *words = consent_words(disk);
	char *rest = copy, *word;
	bool consented = false, said = false;

	while ((word = strsep(&rest, ","))) {
		int r;

		if (word[strspn(word, " \t")] == '\0')
			continue;
		said = true;
		r = word_consents(word, list, disk, title, err);
		if (r < 0)
			return r;
		consented = consented || r > 0;
	}
	if (consented)
		return 0;
	if (!said)
		return err_set(err, -EACCES,
			       "%s: the plan does not consent to erasing it, so nothing "
			       "is written; to consent write \"%s\" under [target]",
			       title, words);
	return err_set(err, -EACCES,
		       "%s: \"erase = %s\" consents to another disk, not to this one; to "
		       "consent write \"%s\" under [target]",
		       title, erase, words);
}

int guard_decide(const struct guard_rules *rules, const struct device_list *list,
		 const struct match *which, const char *erase, const struct device **ret,
		 struct err *err)
{
	const struct device *disk;
	int r = match_one(which, list, &disk, err);

	*ret = NULL;
	if (r == 0)
		r = check_consent(list, disk, erase, err);
	if (r == 0)
		r = guard_may_write(rules, list, disk, err);
	if (r == 0)
		*ret = disk;
	return r;
}

// Was it made by a stack of ours? Its name tells (dm doubles the '-' in a volume group's
// name, md puts its own word in front), and a mapping or partition may be mounted only
// where stacks mount.
static bool left_by_us(const struct device *d)
{
	for (char **m = d->mounts; m && *m; m++)
		if (strncmp(*m, STACK_MOUNTS, strlen(STACK_MOUNTS)) != 0)
			return false;
	if (d->swap)
		return false;
	return d->kind == DEVICE_PARTITION || d->kind == DEVICE_DISK ||
	       (d->kind == DEVICE_MD && strncmp(d->name, "md_assay-", 9) == 0) ||
	       (d->kind == DEVICE_DM && d->alias && strncmp(d->alias, "assay-", 6) == 0);
}

// Kernel names of all that on this disk; NULL-terminated, the caller frees the list only.
static const char **all_left_by_us(const struct device_list *list,
				   const struct device *disk)
{
	const char **ours = mem_new(list->n + 1, sizeof(*ours));
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (lives_on(list, &list->items[i], disk, 0) &&
		    left_by_us(&list->items[i]))
			ours[n++] = list->items[i].name;
	return ours;
}

int guard_decide_again(const struct guard_rules *rules, const struct device_list *list,
		       const struct match *which, const char *erase,
		       const struct device **ret, struct err *err)
{
	_cleanup_free_ const char **ours = NULL;
	const struct device *disk;
	int r = match_one(which, list, &disk, err);

	*ret = NULL;
	if (r == 0)
		r = check_consent(list, disk, erase, err);
	if (r < 0)
		return r;
	ours = all_left_by_us(list, disk);
	r = guard_check(rules, list, disk, ours, err);
	if (r == 0)
		*ret = disk;
	return r;
}

bool guard_is_own(const struct device *d)
{
	if (d->kind == DEVICE_DM)
		return d->alias && strncmp(d->alias, "assay-", 6) == 0 &&
		       !(d->slaves && *d->slaves);
	return d->kind == DEVICE_OTHER && !d->transport &&
	       (strncmp(d->name, "nullb", 5) == 0 || strncmp(d->name, "ram", 3) == 0);
}

int guard_decide_look_again(const struct guard_rules *rules,
			    const struct device_list *list, const struct match *which,
			    const struct device **ret, struct err *err)
{
	_cleanup_free_ const char **ours = NULL;
	const struct device *disk;
	int r = match_one(which, list, &disk, err);

	*ret = NULL;
	if (r == 0)
		r = guard_check_media(rules, list, disk, err);
	if (r < 0)
		return r;
	ours = all_left_by_us(list, disk);
	r = guard_check_use(list, disk, ours, true, err);
	if (r == 0)
		*ret = disk;
	return r;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool guard_still_there(const struct device_list *list, const struct device *was)
{
	const struct device *is = device_find(list, was->name);

	return is && is->devno == was->devno &&
	       (!is->diskseq || !was->diskseq || is->diskseq == was->diskseq);
}

int guard_verify(const struct target *t, const struct device_list *list,
		 const char *const *ours, struct err *err)
{
	struct guard_rules rules = { t->boot_media, t->results_medium };
	const struct device *was = &t->device, *is = device_find(list, was->name);
	_cleanup_free_ char *title = device_title(was);

	if (!is)
		return err_set(err, -ENODEV, "%s: has vanished since it was permitted",
			       title);
	if (!guard_still_there(list, was) || is->size != was->size ||
	    !same_text(is->serial, was->serial) || !same_text(is->wwn, was->wwn) ||
	    !same_text(is->by_path, was->by_path)) {
		_cleanup_free_ char *now = device_title(is);

		return err_set(err, -ESTALE,
			       "%s: another disk or medium has taken its name since it "
			       "was permitted: %s",
			       title, now);
	}
	if (t->look_only) { // it may be, and by now should be, read-only
		int r = guard_check_media(&rules, list, is, err);

		return r < 0 ? r : guard_check_use(list, is, ours, true, err);
	}
	return guard_check(&rules, list, is, ours, err);
}
