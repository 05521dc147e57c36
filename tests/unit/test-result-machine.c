// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record's parts on recorded files: SMBIOS, power, sensors, image.
#include "sysroot.h"

#include "result/machine-moving.h"
#include "result/machine.h"
#include "result/smbios.h"

// One memory module of 8 GiB, one of 32 GiB by its long field, an empty slot, a
// processor; as firmware writes them: type, length, handle, fields, strings.
static void modules_are_listed(void **state)
{
	static const unsigned char table[] = "\x11\x28\x00\x11"
					     "\0\0\0\0\0\0\0\0"
					     "\x00\x20"
					     "\0\0"
					     "\1\0"
					     "\x1a\0\0"
					     "\x80\x0c"
					     "\2\0\0\3"
					     "\0\0\0\0\0"
					     "\x6a\x0a"
					     "\0\0\0\0\0\0"
					     "DIMM_A1\0Maker \0M378-X\0\0"
					     "\x11\x28\x01\x11"
					     "\0\0\0\0\0\0\0\0"
					     "\xff\x7f"
					     "\0\0"
					     "\1\0"
					     "\x22\0\0"
					     "\0\0"
					     "\0\0\0\0"
					     "\0\0\x80\0\0"
					     "\0\0"
					     "\0\0\0\0\0\0"
					     "DIMM_B1\0\0"
					     "\x11\x28\x02\x11"
					     "\0\0\0\0\0\0\0\0"
					     "\x00\x00"
					     "\0\0"
					     "\1\0"
					     "\2\0\0"
					     "\0\0"
					     "\0\0\0\0"
					     "\0\0\0\0\0"
					     "\0\0"
					     "\0\0\0\0\0\0"
					     "DIMM_C1\0\0"
					     "\x04\x18\x03\x11"
					     "\1\0\0\0"
					     "\0\0\0\0\0\0\0\0"
					     "\2\0"
					     "\x64\0"
					     "\xe4\x0c"
					     "\0\0"
					     "CPU 0\0Example Processor\0\0"
					     "\x7f\x04\xff\xfe\0\0";
	_cleanup_json_ struct json_object *o = json_new();
	struct json_object *modules, *one, *two, *cpu;

	(void)state;
	smbios_describe(table, sizeof(table) - 1, o);
	modules = json_get(o, "modules");
	assert_int_equal(json_object_array_length(modules), 2);
	one = json_object_array_get_idx(modules, 0);
	two = json_object_array_get_idx(modules, 1);
	assert_string_equal(json_get_str(one, "slot"), "DIMM_A1");
	assert_int_equal(json_get_int(one, "size", 0), INT64_C(8) << 30);
	assert_string_equal(json_get_str(one, "type"), "DDR4");
	assert_int_equal(json_get_int(one, "rated_mts", 0), 3200);
	assert_int_equal(json_get_int(one, "speed_mts", 0), 2666);
	assert_string_equal(json_get_str(one, "maker"), "Maker");
	assert_int_equal(json_get_int(two, "size", 0), INT64_C(32) << 30);
	assert_string_equal(json_get_str(two, "type"), "DDR5");
	cpu = json_object_array_get_idx(json_get(o, "processors"), 0);
	assert_string_equal(json_get_str(cpu, "version"), "Example Processor");
	assert_int_equal(json_get_int(cpu, "max_speed_mhz", 0), 3300);
	// whatever is cut off, nothing behind it is read (the sanitizers watch)
	for (size_t len = 0; len < sizeof(table); len++) {
		_cleanup_json_ struct json_object *part = json_new();
		_cleanup_free_ unsigned char *copy = mem_new(len ? len : 1, 1);

		memcpy(copy, table, len);
		smbios_describe(copy, len, part);
	}
}

static void power_is_the_machines_own(void **state)
{
	_cleanup_json_ struct json_object *supplies = json_new();

	(void)state;
	assert_string_equal(machine_power_source(sysroot, supplies), "mains");
	sysroot_file("sys/class/power_supply/mouse/type", "Battery\n");
	sysroot_file("sys/class/power_supply/mouse/scope", "Device\n");
	assert_string_equal(machine_power_source(sysroot, supplies), "mains");
	sysroot_file("sys/class/power_supply/BAT0/type", "Battery\n");
	assert_string_equal(machine_power_source(sysroot, supplies),
			    "battery or mains, it does not tell");
	sysroot_file("sys/class/power_supply/AC/type", "Mains\n");
	sysroot_file("sys/class/power_supply/AC/online", "0\n");
	assert_string_equal(machine_power_source(sysroot, supplies), "battery");
	sysroot_file("sys/class/power_supply/ucsi/type", "USB\n");
	sysroot_file("sys/class/power_supply/ucsi/online", "1\n");
	assert_string_equal(machine_power_source(sysroot, supplies), "mains");
}

static void put_sensors(void)
{
	sysroot_file("sys/class/hwmon/hwmon0/name", "drivetemp\n");
	sysroot_file("sys/class/hwmon/hwmon0/temp1_input", "41000\n");
	sysroot_file("sys/class/hwmon/hwmon0/temp1_max", "60000\n");
	sysroot_link("sys/class/hwmon/hwmon0/device", "sys/devices/0:0:0:0");
	sysroot_file("sys/class/hwmon/hwmon1/name", "nvme\n");
	sysroot_file("sys/class/hwmon/hwmon1/temp1_input", "38850\n");
	sysroot_file("sys/class/hwmon/hwmon1/temp1_label", "Composite\n");
	sysroot_link("sys/class/hwmon/hwmon1/device", "sys/devices/nvme0");
	sysroot_file("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
		     "3\n");
	sysroot_file("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count",
		     "4\n");
	sysroot_file("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "800000\n");
	sysroot_file("proc/meminfo", "MemAvailable: 100 kB\nDirty: 4 kB\n");
	sysroot_file("proc/loadavg", "0.10 0.20 0.30 1/90 77\n");
}

static void what_moves_is_read(void **state)
{
	_cleanup_json_ struct json_object *o = NULL;
	struct json_object *celsius;

	(void)state;
	put_sensors();
	o = machine_moving_json(sysroot);
	celsius = json_get(o, "celsius");
	assert_int_equal(json_object_object_length(celsius), 2);
	assert_float_equal(json_get_double(celsius, "drivetemp 0:0:0:0 temp1", 0), 41, 0);
	assert_float_equal(json_get_double(celsius, "nvme nvme0 Composite", 0), 38.85,
			   1e-9);
	assert_int_equal(json_get_int(o, "core_throttle_count", 0), 7);
	assert_null(json_get(o, "package_throttle_count"));
	assert_int_equal(json_get_int(o, "fastest_khz", 0), 800000);
	assert_int_equal(json_get_int(o, "dirty", 0), 4096);
	assert_string_equal(json_get_str(o, "power"), "mains");
}

static void put_kernel(void)
{
	static const unsigned char notes[] =
		"\4\0\0\0\6\0\0\0\1\1\0\0Xen\0linux\0\0\0"
		"\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xde\xad\xbe\xef";

	sysroot_data("sys/kernel/notes", notes, sizeof(notes) - 1);
	sysroot_file("etc/assay/kernel-config",
		     "sha256 00ff\nCONFIG_HZ=250\nCONFIG_NO_HZ_FULL=y\n");
	sysroot_file("etc/assay/image", "id 0123\nkernel 6.1.0-9\nbroken\n");
	sysroot_file("sys/block/sda/size", "1000\n");
	sysroot_file("sys/block/sda/queue/scheduler", "none [mq-deadline] kyber\n");
	sysroot_file("sys/block/sda/queue/read_ahead_kb", "128\n");
	sysroot_file("sys/block/loop0/size", "0\n");
	sysroot_file("sys/devices/system/node/node0/cpulist", "0-3\n");
	sysroot_file("proc/interrupts",
		     "           CPU0\n  24:  5  PCI-MSI 512000-edge  nvme0q1\n"
		     " NMI:  0  Non-maskable interrupts\n");
	sysroot_file("proc/irq/24/smp_affinity_list", "0-3\n");
	sysroot_file("sys/kernel/mm/transparent_hugepage/enabled",
		     "always [madvise] never\n");
}

static void kernel_image_and_queues(void **state)
{
	_cleanup_json_ struct json_object *o = NULL;
	struct json_object *kernel, *block;

	(void)state;
	put_kernel();
	o = machine_json(sysroot);
	kernel = json_get(o, "kernel");
	assert_string_equal(json_get_str(kernel, "build_id"), "deadbeef");
	assert_string_equal(json_get_str(kernel, "config_sha256"), "00ff");
	assert_string_equal(json_get_str(json_get(kernel, "config"), "HZ"), "250");
	assert_string_equal(json_get_str(kernel, "selinux"), "off");
	assert_string_equal(json_get_str(json_get(o, "image"), "id"), "0123");
	block = json_get(o, "block");
	assert_null(json_get(block, "loop0"));
	assert_string_equal(json_get_str(json_get(block, "sda"), "scheduler"),
			    "mq-deadline");
	assert_int_equal(json_get_int(json_get(block, "sda"), "read_ahead_kb", 0), 128);
	assert_string_equal(json_get_str(json_get(json_get(o, "cpu"), "numa"), "node0"),
			    "0-3");
	assert_string_equal(json_line(json_get(json_get(o, "interrupts"), "affinity")),
			    "{\"24 nvme0q1\":\"0-3\"}");
	assert_string_equal(json_get_str(json_get(o, "memory"), "huge_pages"), "madvise");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_listed),
		cmocka_unit_test_setup_teardown(power_is_the_machines_own, sysroot_new,
						sysroot_done),
		cmocka_unit_test_setup_teardown(what_moves_is_read, sysroot_new,
						sysroot_done),
		cmocka_unit_test_setup_teardown(kernel_image_and_queues, sysroot_new,
						sysroot_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
