// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of stacks, and the unwinding of a stack that needs no disk.
#include "unit.h"

#include <string.h>

#include "common/mem.h"
#include "common/strbuf.h"
#include "stack/stack.h"

#define _cleanup_plan_ _cleanup_(plan_done)

// A plan with that one stack in arm "a", to be freed with plan_done().
static struct plan plan_of(const char *text)
{
	struct fault_list faults = { 0 };
	struct plan plan = { .file = mem_strdup("t.ini"),
			     .arms = mem_new(1, sizeof(*plan.arms)),
			     .n_arms = 1 };

	plan.arms->name = mem_strdup("a");
	plan_parse_stack(plan.arms, text, "t.ini", 3, &faults);
	assert_int_equal(faults.n, 0);
	return plan;
}

// One stack's faults, each ended by a newline.
static char *faults_of(const char *text, bool open, size_t n_targets)
{
	_cleanup_plan_ struct plan plan = plan_of(text);
	_cleanup_strbuf_ struct strbuf all = { 0 };
	struct fault_list faults = { 0 };

	plan.arms->open = open;
	plan.n_targets = n_targets;
	stack_check(&plan, &faults);
	plan.n_targets = 0; // there are none to free
	for (size_t i = 0; i < faults.n; i++)
		strbuf_printf(&all, "%s\n", faults.items[i].text);
	fault_done(&faults);
	return strbuf_take(&all);
}

static void good_stacks(void **state)
{
	static const char *const good[] = {
		"disk",
		"disk/ext4",
		"disk/gpt/ext3",
		"disk/gpt,boot=200M,root=rest,home=1G/ext2",
		"disk/mbr,a=1M,b=1M,c=1M,d=rest/xfs",
		"disk/gpt/dmcrypt,cipher=aes-cbc-essiv:sha256,key-size=256/lvm,boot=200M,"
		"swap=512M,home=rest/ext3",
		"disk/luks1,iterations=1000/vfat",
		"disk/luks1,cipher=aes,key-size=256,hash=sha256/lvm/xfs",
		"disk/"
		"luks2,pbkdf=argon2id,pbkdf-memory=32M,iterations=4,sector-size=4096,"
		"no-read-workqueue,no-write-workqueue/lvm/ext4,block-size=4096",
		"disk/gpt,a=10G/swap,on=yes",
		"disk/ext4,mount=data=writeback+nobarrier+errors=remount-ro+commit=30",
		"disk/dmcrypt,cipher=twofish-xts-plain64,key-size=256/dmcrypt",
		"disk/gpt/ext4,encrypt/fscrypt,contents=adiantum",
		"disk/gpt/xfs/ecryptfs,ecryptfs_key_bytes=32,filenames",
		"disk/gpt/tcrypt,hash=sha512/ext4",
		"disk/loopaes,key-size=128/btrfs",
		"disk/gpt/luks2,integrity=hmac-sha256/f2fs",
		"disk/integrity,mode=bitmap/exfat",
		"disk/gpt/linear,offset=16M/ext4",
		"disk/delay,read-ms=5/ext2",
		"disk/zero,size=1G/dmcrypt",
		"disk/null_blk,size=1G,latency-ns=20000",
		"disk/brd,size=64M/luks2/ext2",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		_cleanup_free_ char *text = faults_of(good[i], false, 1);

		assert_string_equal(text, "");
	}
}

static void bad_stacks(void **state)
{
	static const struct {
		const char *stack;
		const char *says; // in the one fault that there must be
	} bad[] = {
		{ "disk/luks3", "unknown layer \"luks3\"; did you mean" },
		{ "disk/ext4/lvm", "lvm cannot stand on ext4" },
		{ "disk/swap/ext4", "nothing goes on top of swap space" },
		{ "disk/gpt/disk", "disk comes first" },
		{ "disk/luks2/gpt", "gpt must come right after disk" },
		{ "disk/gpt/gpt/ext4", "gpt must come right after disk" },
		{ "disk/gpt,a=1M,b=1M/ext4", "the size `rest`" },
		{ "disk/mbr,a=1M,b=1M,c=1M,d=1M,e=rest", "at most 4 volumes, 5" },
		{ "disk/luks2,key-size=128",
		  "512 bits (XTS counts both halves), not 128" },
		{ "disk/luks2,cipher=aes", "write name-mode-iv in full" },
		{ "disk/luks2,cipher=aes-cbc", "does not name its IV" },
		{ "disk/luks1,sector-size=4096", "unknown parameter \"sector-size\"" },
		{ "disk/luks1,iterations=10", "at least 1000 iterations" },
		{ "disk/tcrypt,veracrypt", "can be opened, not made" },
		{ "disk/tcrypt,hash=md5", "hash = \"md5\"" },
		{ "disk/ecryptfs", "ecryptfs stands on a filesystem" },
		{ "disk/ext4/ecryptfs/ecryptfs", "ecryptfs stands on a filesystem" },
		{ "disk/ext4/fscrypt", "the feature encrypt" },
		{ "disk/xfs/fscrypt", "the feature encrypt" },
		{ "disk/ext4/luks2", "luks2 cannot stand on ext4" },
		{ "disk/gpt/zero", "zero must come right after disk" },
		{ "disk/loopaes,key-size=512", "key-size = \"512\"" },
		{ "disk/luks2,pbkdf=scrypt", "pbkdf = \"scrypt\"" },
		{ "disk/ext4,mount=data=writeback+journal_dev=0x810",
		  "journal_dev=0x810 is not for a plan: it names another device" },
		{ "disk/xfs,mount=logdev=sdb", "it names another device" },
		{ "disk/ext4,mount=errors=panic", "it stops the machine" },
		{ "disk/ext4,mount=init_itable=10", "it works in the background" },
		{ "disk/ext3,mount=noload", "a log that is not replayed" },
		{ "disk/vfat,mount=remount", "another kind of mount" },
		{ "disk/luks2,sector-size=4096/ext4,block-size=1024",
		  "block-size=1024 cannot be on a layer with sector-size=4096" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_free_ char *text = faults_of(bad[i].stack, false, 1);
		const char *end = strchr(text, '\n');

		if (!strstr(text, bad[i].says))
			fail_msg("%s: \"%s\" is not in: %s", bad[i].stack, bad[i].says,
				 text);
		assert_non_null(end);
		assert_string_equal(end, "\n"); // one fault only
	}
}

static void open_makes_nothing(void **state)
{
	_cleanup_free_ char *good =
		faults_of("disk/gpt,part=2/luks2/lvm,lv=r/ext4", true, 1);
	_cleanup_free_ char *swap = faults_of("disk/gpt/swap", true, 1);
	_cleanup_free_ char *size = faults_of("disk/lvm,boot=10M/ext4", true, 1);

	(void)state;
	assert_string_equal(good, "");
	assert_non_null(strstr(swap, "swap cannot be opened"));
	assert_non_null(strstr(size, "boot=10M would make a volume"));
}

static void several_disks(void **state)
{
	static const struct {
		const char *stack;
		size_t disks;
		const char *says; // the whole of it
	} rows[] = {
		{ "disk/raid10,layout=f2,chunk=256K/luks1/lvm/xfs", 4, "" },
		{ "disk/luks1/raid10,layout=f2,chunk=256K/lvm/xfs", 4, "" },
		{ "disk/gpt/raid1,metadata=1.0,assume-clean=no/ext4", 2, "" },
		{ "disk,use=1/gpt/ext4", 4, "" },
		{ "disk,use=1", 4, "" },
		{ "disk,use=2/raid0,chunk=64K/ext4", 4, "" },
		{ "disk/gpt/ext4", 2,
		  "arm a: ext4 takes one device, but below it are 2 disks side by side: "
		  "join them (raid0, raid1, raid10), or say disk,use=1\n" },
		{ "disk", 2,
		  "arm a: tests run on one device, but its stack ends in 2: join them "
		  "(raid0, raid1, raid10), or say disk,use=1\n" },
		{ "disk/raid10,layout=f2/xfs", 1,
		  "arm a: raid10 joins at least 2 devices, and there is 1: [target] disk "
		  "takes a list\n" },
		{ "disk/raid0/raid1/xfs", 4,
		  "arm a: raid1 joins at least 2 devices, and there is 1: [target] disk "
		  "takes a list\n" },
		{ "disk,use=5/raid0", 4, "arm a: use=5, but the plan names 4 disks\n" },
		{ "disk,size=5/raid0", 2,
		  "arm a, layer disk: unknown parameter \"size\"; known is use" },
		{ "disk/raid10,chunk=3K/xfs", 4,
		  "arm a, layer raid10: chunk = 3K must be at least 4096" },
		{ "disk/raid10,chunk=96K/xfs", 4,
		  "layer raid10: chunk = 96K: md takes a power of two from 4K "
		  "on" },
		{ "disk/raid10,layout=f3/xfs", 4,
		  "arm a, layer raid10: layout = \"f3\" is not n2, f2 or o2" },
		{ "disk/raid1,chunk=64K/xfs", 2,
		  "arm a, layer raid1: unknown parameter \"chunk\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text =
			faults_of(rows[i].stack, false, rows[i].disks);

		if (strncmp(text, rows[i].says, strlen(rows[i].says)) != 0 ||
		    (*text && !*rows[i].says))
			fail_msg("%s: %s", rows[i].stack, text);
	}
}

static void null_up_and_down(void **state)
{
	_cleanup_plan_ struct plan plan = plan_of("disk/null/null");
	struct stack s = { .arm = plan.arms };
	_cleanup_json_ struct json_object *o = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(stack_up(&s, &err), 0);
	assert_int_equal(s.n_up, 2);
	assert_string_equal(s.layers[1].name, "assay-a-2");
	assert_string_equal(stack_device(&s), "/dev/null");
	assert_null(stack_dir(&s));
	o = stack_json(&s);
	assert_int_equal(json_object_array_length(o), 2);
	assert_string_equal(json_get_str(json_object_array_get_idx(o, 1), "kind"),
			    "null");
	assert_int_equal(stack_down(&s, &err), 0);
	assert_int_equal(s.n_up, 0);
	assert_int_equal(stack_down(&s, &err), 0);
	assert_int_equal(stack_up(&s, &err), 0); // the same stack, once more
	assert_int_equal(s.n_up, 2);
	assert_int_equal(stack_down(&s, &err), 0);
	stack_done(&s);
}

// Every step is made to fail in turn, until there are no more.
static void every_step_can_fail(void **state)
{
	_cleanup_plan_ struct plan plan = plan_of("disk/null/null/null");
	unsigned step = 1;

	(void)state;
	for (;; step++) {
		struct stack s = { .arm = plan.arms, .fail_step = step };
		struct err err = { 0 };
		int r = stack_up(&s, &err);

		if (r == 0) {
			assert_int_equal(s.n_up, 3);
			assert_int_equal(stack_down(&s, &err), 0);
			stack_done(&s);
			break;
		}
		assert_int_equal(r, -EIO);
		assert_non_null(strstr(err.text, "layer null on /dev/null: step"));
		assert_int_equal(s.n_up, 0);
		stack_done(&s);
	}
	assert_int_equal(step, 3 * 3 + 1); // three steps that every kind has
}

static void failure_unwinds(void **state)
{
	_cleanup_plan_ struct plan plan = plan_of("disk/null/null,fail=up/null");
	struct stack s = { .arm = plan.arms };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(stack_up(&s, &err), -EIO);
	assert_string_equal(err.text,
			    "layer null on /dev/null: failing as the plan asks");
	assert_int_equal(s.n_up, 0);
	stack_done(&s);
}

static void leftover_is_named(void **state)
{
	_cleanup_plan_ struct plan plan = plan_of("disk/null/null,fail=down/null");
	struct stack s = { .arm = plan.arms };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(stack_up(&s, &err), 0);
	assert_int_equal(stack_down(&s, &err), -EBUSY);
	assert_string_equal(err.text, "layer null is left: failing as the plan asks");
	assert_int_equal(s.n_up, 2); // the stuck one is still there to be tried again
	assert_true(s.layers[1].up);
	assert_false(s.layers[0].up);
	stack_done(&s);
}

static void no_disk_no_layer(void **state)
{
	_cleanup_plan_ struct plan plan = plan_of("disk/gpt/ext4");
	struct stack s = { .arm = plan.arms };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(stack_up(&s, &err), -EINVAL);
	assert_string_equal(err.text, "layer gpt needs a disk, and none is given");
	stack_done(&s);
}

static void table_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; layer_kinds[i]; i++) {
		const struct layer_ops *k = layer_kinds[i];

		assert_ptr_equal(layer_find(k->kind), k);
		assert_non_null(k->help);
		assert_non_null(k->up);
		assert_non_null(k->down);
		assert_non_null(k->describe);
	}
	assert_null(layer_find("disk"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_stacks),
		cmocka_unit_test(bad_stacks),
		cmocka_unit_test(open_makes_nothing),
		cmocka_unit_test(several_disks),
		cmocka_unit_test(null_up_and_down),
		cmocka_unit_test(failure_unwinds),
		cmocka_unit_test(leftover_is_named),
		cmocka_unit_test(every_step_can_fail),
		cmocka_unit_test(no_disk_no_layer),
		cmocka_unit_test(table_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
