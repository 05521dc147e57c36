// SPDX-License-Identifier: GPL-3.0-or-later
// What a disk's link carries at most, and equal read-ahead, on recorded trees.
#include "sysroot.h"

#include "device/link.h"
#include "stack/readahead.h"

#define PORT "sys/devices/pci0000:00/0000:00:1f.2"

static void put_disk(const char *name, const char *device)
{
	_cleanup_free_ char *path = mem_printf("sys/class/block/%s/device", name);

	sysroot_link(path, device);
}

static double rate(const char *name, const char *words)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	double r = device_link_rate(sysroot, name, &text);

	assert_string_equal(strbuf_str(&text), words);
	return r / 1e6;
}

static void each_bus_has_its_ceiling(void **state)
{
	(void)state;
	sysroot_file("sys/class/ata_link/link3/sata_spd", "3.0 Gbps\n");
	put_disk("sda", PORT "/ata3/host2/target2:0:0/2:0:0:0");
	assert_float_equal(rate("sda", "SATA 3 Gbit/s"), 300, 0.1);

	sysroot_file("sys/class/ata_link/link1/sata_spd", "<unknown>\n");
	sysroot_file("sys/class/ata_device/dev1.1/xfer_mode", "XFER_UDMA_5\n");
	put_disk("sdb", PORT "/ata1/host0/target0:0:1/0:0:1:0");
	assert_float_equal(rate("sdb", "ATA UDMA_5"), 100, 0.1);

	sysroot_file("sys/devices/pci0000:00/usb1/1-1/speed", "480\n");
	sysroot_file("sys/devices/pci0000:00/usb1/1-1/bDeviceClass", "00\n");
	sysroot_file("sys/devices/pci0000:00/usb1/speed", "10000\n");
	sysroot_file("sys/devices/pci0000:00/usb1/bDeviceClass", "09\n");
	put_disk("sdc", "sys/devices/pci0000:00/usb1/1-1/1-1:1.0/host4/t/4:0:0:0");
	assert_float_equal(rate("sdc", "USB 480 Mbit/s"), 60, 0.1);

	sysroot_file("sys/devices/pci0000:00/0000:00:1d.0/current_link_speed",
		     "8.0 GT/s PCIe\n");
	sysroot_file("sys/devices/pci0000:00/0000:00:1d.0/current_link_width", "4\n");
	put_disk("nvme0n1",
		 "sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0");
	assert_float_equal(rate("nvme0n1", "PCIe 8 GT/s x4"), 3938.5, 0.1);

	put_disk("vda", "sys/devices/pci0000:00/0000:00:05.0/virtio2");
	assert_float_equal(rate("vda", ""), 0, 0);
	assert_float_equal(rate("gone", ""), 0, 0);
}

static void the_narrowest_link_counts(void **state)
{
	(void)state;
	sysroot_file("sys/class/ata_link/link3/sata_spd", "6.0 Gbps\n");
	sysroot_file(PORT "/current_link_speed", "2.5 GT/s\n");
	sysroot_file(PORT "/current_link_width", "1\n");
	put_disk("sda", PORT "/ata3/host2/target2:0:0/2:0:0:0");
	assert_float_equal(rate("sda", "PCIe 2.5 GT/s x1"), 250, 0.1);
}

static void a_wide_sas_port_has_all_its_phys(void **state)
{
	static const char port[] = "sys/devices/pci0000:00/host0/port-0:0";
	_cleanup_free_ char *device = mem_printf("%s/end_device-0:0/0:0:0:0", port);

	(void)state;
	for (int i = 0; i < 2; i++) {
		_cleanup_free_ char *phy = mem_printf(
			"%s/phy-0:%d/sas_phy/phy-0:%d/negotiated_linkrate", port, i, i);

		sysroot_file(phy, "12.0 Gbit\n");
	}
	put_disk("sda", device);
	assert_float_equal(rate("sda", "SAS 12 Gbit/s x2"), 2400, 0.1);
}

static void read_ahead(const char *name, const char *value)
{
	_cleanup_free_ char *path =
		mem_printf("sys/class/block/%s/queue/read_ahead_kb", name);

	sysroot_file(path, value);
}

static int64_t read_ahead_of(const char *name)
{
	return io_read_number(-1, "%s/sys/class/block/%s/queue/read_ahead_kb", sysroot,
			      name);
}

// Read-ahead of dm differs from the disk's.
static void every_layer_reads_ahead_alike(void **state)
{
	_cleanup_strbuf_ struct strbuf odd = { 0 };

	(void)state;
	read_ahead("sda", "128\n");
	read_ahead("dm-0", "512\n"); // as long as 128: sysfs replaces, a file does not
	read_ahead("dm-1", "128\n");
	read_ahead("dm-7", "4096\n"); // not on this disk
	sysroot_file("sys/class/block/sda/sda1/partition", "1\n");
	sysroot_link("sys/class/block/sda1/holders/dm-0", "sys/class/block/dm-0");
	sysroot_link("sys/class/block/dm-0/holders/dm-1", "sys/class/block/dm-1");
	assert_int_equal(readahead_equal(sysroot, "sda", &odd), 128);
	assert_int_equal(odd.len, 0);
	assert_int_equal(read_ahead_of("dm-0"), 128);
	assert_int_equal(read_ahead_of("dm-1"), 128);
	assert_int_equal(read_ahead_of("dm-7"), 4096);
	assert_int_equal(readahead_equal(sysroot, "sdz", &odd), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_bus_has_its_ceiling, sysroot_new,
						sysroot_done),
		cmocka_unit_test_setup_teardown(the_narrowest_link_counts, sysroot_new,
						sysroot_done),
		cmocka_unit_test_setup_teardown(a_wide_sas_port_has_all_its_phys,
						sysroot_new, sysroot_done),
		cmocka_unit_test_setup_teardown(every_layer_reads_ahead_alike,
						sysroot_new, sysroot_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
