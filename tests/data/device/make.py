#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the recorded machines of this folder: small sys/ and proc/ trees, as the kernel
shows them, with the files that a scan reads. Run it here after a change and commit what
it wrote."""
import os
import shutil
import struct

MOUNT = "{} 1 {} / {} rw,relatime shared:1 - {} {} rw\n"


class Machine:
    def __init__(self, name):
        self.root = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        self.mounts, self.swaps = "", "Filename\tType\tSize\tUsed\tPriority\n"
        shutil.rmtree(self.root, ignore_errors=True)

    def file(self, path, data):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else f"{data}\n".encode())

    def link(self, path, target):
        """A symlink, relative as sysfs has them; `target` is below the root."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if not os.path.lexists(full):
            os.symlink(os.path.relpath(target, os.path.dirname(path)), full)

    def dev(self, path, subsystem=None, driver=None, **attributes):
        """A device below sys/devices; a double underscore in an attribute is a slash."""
        path = "sys/devices/" + path
        for name, value in attributes.items():
            self.file(f"{path}/{name.replace('__', '/')}", value)
        if subsystem:
            self.link(f"{path}/subsystem", f"sys/bus/{subsystem}")
        if driver:
            self.link(f"{path}/driver", f"sys/bus/{subsystem}/drivers/{driver}")
        return path

    def pci(self, address, cls, ident, driver=None, below="pci0000:00", **attributes):
        vendor, device = ident.split(":")
        path = f"{below}/{address}"
        self.dev(path, "pci", driver, vendor="0x" + vendor, device="0x" + device,
                 **{"class": "0x" + cls}, **attributes)
        self.link(f"sys/bus/pci/devices/{address}", f"sys/devices/{path}")
        return path

    def disk(self, device, name, devno, size, *, block="block/", ro=0, removable=0,
             rotational=0, lbs=512, pbs=512, seq=0, **attributes):
        """The block device of `device` (its folder below sys/devices)."""
        path = f"{device}/{block}{name}"
        self.dev(path, dev=devno, size=size // 512, ro=ro, removable=removable,
                 queue__rotational=rotational, queue__logical_block_size=lbs,
                 queue__physical_block_size=pbs, **attributes)
        if seq:
            self.file(f"sys/devices/{path}/diskseq", seq)
        if not device.startswith("virtual/block"):
            self.link(f"sys/devices/{path}/device", f"sys/devices/{device}")
        self.link(f"sys/block/{name}", f"sys/devices/{path}")
        return path

    def virtual(self, name, devno, size, slaves=(), **attributes):
        path = self.disk("virtual/block", name, devno, size, block="", **attributes)
        for slave in slaves:
            self.link(f"sys/devices/{path}/slaves/{slave.split('/')[-1]}",
                      f"sys/devices/{slave}")
            self.link(f"sys/devices/{slave}/holders/{name}", f"sys/devices/{path}")
        return path

    def part(self, disk, number, devno, size, name=None):
        base = os.path.basename(disk)
        name = name or f"{base}{'p' if base[-1].isdigit() else ''}{number}"
        self.dev(f"{disk}/{name}", dev=devno, size=size // 512, ro=0, partition=number)
        return f"{disk}/{name}"

    def ata(self, controller, port, host, name, devno, size, *, target=0, number=1,
            page89=None, kind="0", **attributes):
        """A disk behind libata's port `port`."""
        ata = f"{controller}/ata{port}"
        self.file(f"sys/devices/{ata}/ata_port/ata{port}/port_no", number)
        host_dir = f"{ata}/host{host}"
        self.dev(host_dir, "scsi")
        self.dev(f"{host_dir}/target{host}:0:{target}", "scsi")
        keys = {k: attributes.pop(k) for k in list(attributes)
                if k in ("vendor", "model", "rev", "wwid", "vpd_pg80", "vpd_pg83")}
        keys.setdefault("vendor", "ATA     ")
        device = f"{host_dir}/target{host}:0:{target}/{host}:0:{target}:0"
        self.dev(device, "scsi", type=kind, **keys)
        if page89:
            self.file(f"sys/devices/{device}/vpd_pg89", page89)
        return self.disk(device, name, devno, size, **attributes)

    def scsi(self, parent, host, name, devno, size, *, lun=0, **attributes):
        self.dev(f"{parent}/host{host}", "scsi")
        self.dev(f"{parent}/host{host}/target{host}:0:0", "scsi")
        keys = {k: attributes.pop(k) for k in list(attributes)
                if k in ("vendor", "model", "rev", "wwid", "vpd_pg80", "vpd_pg83")}
        device = f"{parent}/host{host}/target{host}:0:0/{host}:0:0:{lun}"
        self.dev(device, "scsi", **keys)
        return self.disk(device, name, devno, size, **attributes)

    def usb(self, controller, bus, port, serial=None):
        """A mass-storage interface; returns its folder."""
        hub = f"{controller}/usb{bus}"
        self.dev(hub, "usb", serial="0000:00:14.0")
        device = f"{hub}/{bus}-{port}"
        self.dev(device, "usb", idVendor="0781", **({"serial": serial} if serial else {}))
        self.dev(f"{device}/{bus}-{port}:1.0", "usb", bInterfaceClass="08")
        return f"{device}/{bus}-{port}:1.0"

    def mount(self, devno, where, fstype, source):
        where = where.replace(" ", "\\040")
        self.mounts += MOUNT.format(30 + self.mounts.count("\n"), devno, where, fstype,
                                    source)

    def done(self):
        self.file("proc/self/mountinfo",
                  ("21 1 0:20 / /proc rw - proc proc rw\n" + self.mounts).encode())
        self.file("proc/swaps", self.swaps.encode())


def page(code, payload):
    return bytes([0, code]) + struct.pack(">H", len(payload)) + payload


def serial_page(text):
    return page(0x80, text.rjust(20).encode())


def name_page(naa):
    t10 = b"ATA     " + b"DISK".ljust(16)
    return page(0x83, bytes([2, 1, 0, len(t10)]) + t10 + bytes([1, 3, 0, 8])
                + bytes.fromhex(naa))


def ata_page(model, serial, firmware, wwn=None, sata=False):
    words = [0] * 256

    def put(first, text, count):
        raw = text.ljust(2 * count).encode()
        for i in range(count):
            words[first + i] = raw[2 * i] << 8 | raw[2 * i + 1]

    put(10, serial.rjust(20), 10)
    put(23, firmware, 4)
    put(27, model, 20)
    words[76] = 6 if sata else 0
    if wwn:
        words[87] = 0x4100
        words[108:112] = struct.unpack(">4H", bytes.fromhex(wwn))
    return page(0x89, bytes(56) + struct.pack("<256H", *words))


GB = 10 ** 9
MB = 10 ** 6


def old_laptop():
    """IDE behind ata_piix: a disk, and a CD drive with Assay in it."""
    m = Machine("old-laptop")
    ide = m.pci("0000:00:1f.1", "01018a", "8086:24ca", "ata_piix")
    sda = m.ata(ide, 1, 0, "sda", "8:0", 40007761920, rotational=1, seq=1,
                model="IC25N040ATMR04-0", rev="MO2O", vpd_pg80=serial_page("MRG201K2H"),
                wwid="t10.ATA     IC25N040ATMR04-0                  MRG201K2H",
                page89=ata_page("IC25N040ATMR04-0 HITACHI", "MRG201K2H", "MO2OAD4A"))
    m.part(sda, 1, "8:1", 39 * GB)
    m.ata(ide, 2, 1, "sr0", "11:0", 650 * MB, number=2, kind="5", removable=1, seq=2,
          vendor="TOSHIBA", model="DVD-ROM SD-R9012", rev="1A35", lbs=2048, pbs=2048)
    m.mount("11:0", "/run/assay/medium", "iso9660", "/dev/sr0")
    m.done()


def server():
    """AHCI: md over two disks, and LUKS with LVM on one; a free, a read-only and a big
    disk."""
    m = Machine("server")
    ahci = m.pci("0000:00:1f.2", "010601", "8086:1c02", "ahci")

    def sata(port, letter, serial, wwn, **more):
        number = ord(letter) - ord("a")
        return m.ata(ahci, port, port - 1, f"sd{letter}", f"8:{16 * number}",
                     500107862016, number=port, rotational=1, seq=port, pbs=4096,
                     model="WDC WD5003ABYX-0", rev="1S02",
                     vpd_pg80=serial_page(serial), wwid=f"naa.{wwn}",
                     page89=ata_page("WDC WD5003ABYX-01WERA1", serial, "01.01S02", wwn,
                                     True), **more)

    sda = sata(1, "a", "WD-WMAYP0000001", "50014ee200000001")
    sdb = sata(2, "b", "WD-WMAYP0000002", "50014ee200000002")
    sata(3, "c", "WD-WMAYP0000003", "50014ee200000003")
    sata(4, "d", "WD-WMAYP0000004", "50014ee200000004", ro=1)
    a1, a2 = m.part(sda, 1, "8:1", GB), m.part(sda, 2, "8:2", 400 * GB)
    b1, b2 = m.part(sdb, 1, "8:17", GB), m.part(sdb, 2, "8:18", 400 * GB)
    m.virtual("md0", "9:0", GB, [a1, b1], md__level="raid1")
    crypt = m.virtual("dm-0", "254:0", 400 * GB, [a2], dm__name="cryptroot",
                      dm__uuid="CRYPT-LUKS2-1-cryptroot")
    m.virtual("dm-1", "254:1", 100 * GB, [crypt], dm__name="vg-root")
    # Swap on LVM directly: found although nothing of sdb2 is mounted.
    m.virtual("dm-2", "254:2", 8 * GB, [b2], dm__name="vg2-swap")
    m.mount("254:1", "/", "ext4", "/dev/mapper/vg-root")
    m.mount("9:0", "/boot", "ext4", "/dev/md0")
    m.swaps += "/dev/dm-2 partition 7812496 0 -2\n"
    # A held disk without a mount: LUKS on the whole disk, opened and idle.
    sde = sata(5, "e", "WD-WMAYP0000005", "50014ee200000005")
    m.virtual("dm-3", "254:3", 400 * GB, [sde], dm__name="backup")
    m.done()


def nvme():
    """Two namespaces of one drive; and controllers that no driver serves."""
    m = Machine("nvme")
    pci = m.pci("0000:01:00.0", "010802", "144d:a808", "nvme",
                below=m.pci("0000:00:1d.0", "060400", "8086:a330", "pcieport"))
    ctrl = f"{pci}/nvme/nvme0"
    m.dev(ctrl, "nvme", model="Samsung SSD 970 EVO Plus 1TB            ",
          serial="S4EWNX0R123456A     ", firmware_rev="2B2QEXM7")
    for n in (1, 2):
        m.disk(ctrl, f"nvme0n{n}", f"259:{n - 1}", 500 * GB, block="", seq=n,
               nsid=n, wwid=f"eui.002538510000000{n}")
    m.pci("0000:00:0e.0", "010400", "8086:9a0b")
    m.pci("0000:00:17.0", "010400", "8086:282a")
    m.pci("0000:00:18.0", "010601", "8086:a102", "ahci", remapped_nvme=1)
    m.pci("0000:00:19.0", "010700", "15ad:07c0")
    m.pci("0000:00:1a.0", "0c0330", "8086:a36d")
    m.pci("0000:00:1b.0", "020000", "8086:15bc")  # a network card: not ours to tell
    m.done()


def virtual():
    """A virtual machine: virtio, loop on a file, btrfs on two disks, eMMC, null_blk."""
    m = Machine("virtual")

    def virtio(slot, letter, size, serial):
        pci = m.pci(f"0000:00:0{slot}.0", "010000", "1af4:1001", "virtio-pci")
        m.dev(f"{pci}/virtio{slot}", "virtio", "virtio_blk", vendor="0x1af4")
        return m.disk(f"{pci}/virtio{slot}", f"vd{letter}",
                      f"253:{16 * (ord(letter) - ord('a'))}", size, seq=slot,
                      **({"serial": serial} if serial else {}))

    vda = virtio(4, "a", 20 * 2 ** 30, "VIRT-1")
    m.part(vda, 1, "253:1", 19 * 2 ** 30)
    virtio(5, "b", GB, "VIRT-2")
    virtio(6, "c", GB, "VIRT-3")
    virtio(7, "d", 2 * GB, None)
    m.mount("253:1", "/", "ext4", "/dev/root")
    m.mount("0:25", "/run", "tmpfs", "tmpfs")
    m.mount("0:50", "/data", "btrfs", "/dev/vdb")
    uuid = "5a6b7c8d-0000-4000-8000-000000000001"
    for name in ("vdb", "vdc"):
        m.link(f"sys/fs/btrfs/{uuid}/devices/{name}", f"sys/block/{name}")
    m.virtual("loop0", "7:0", 100 * MB, loop__backing_file="/srv/images/a.img")
    m.virtual("loop1", "7:1", 0)
    m.virtual("loop2", "7:2", 100 * MB, loop__backing_file="/run/b.img")
    m.virtual("nullb0", "252:0", 4 * GB)
    m.virtual("zram0", "251:0", 0)
    sd = m.pci("0000:00:0a.0", "080501", "1b36:0007", "sdhci-pci")
    card = f"{sd}/mmc_host/mmc0/mmc0:0001"
    m.dev(card, "mmc", name="BJTD4R", serial="0xa1b2c3d4", cid="15" * 16, fwrev="0x7")
    mmc = m.disk(card, "mmcblk0", "179:0", 32 * GB)
    m.disk(card, "mmcblk0boot0", "179:8", 4 * MB, block="block/mmcblk0/", ro=1)
    m.part(mmc, 1, "179:1", 31 * GB)
    # One disk seen through two controllers.
    for slot, host in (("b", 2), ("c", 3)):
        pci = m.pci(f"0000:00:0{slot}.0", "010000", "1af4:1004", "virtio-pci")
        bus = f"{pci}/virtio{host + 10}"
        m.dev(bus, "virtio", "virtio_scsi")
        m.scsi(bus, host, f"sd{chr(ord('a') + host - 2)}", f"8:{16 * (host - 2)}", 5 * GB,
               vendor="QEMU    ", model="QEMU HARDDISK   ", rev="2.5+",
               vpd_pg83=name_page("5000c50015ea71aa"))
    # Twelve and more disks: sdaa comes after sdb.
    m.scsi(bus, 3, "sdaa", "65:160", 5 * GB, lun=1, vendor="QEMU    ",
           model="QEMU HARDDISK   ", rev="2.5+", vpd_pg80=serial_page("LUN-1"))
    m.done()


def rack():
    """SAS with and without an expander, SATA behind a port multiplier, an NVMe drive
    that could have a second controller, a RAID controller's virtual disk."""
    m = Machine("rack")
    hba = m.pci("0000:03:00.0", "010700", "1000:0097", "mpt3sas")
    host = f"{hba}/host0"
    m.dev(host, "scsi")

    def sas(above, end, name, devno, phy, serial):
        at = f"{above}/{end}"
        m.file(f"sys/devices/{at}/sas_device/{end}/phy_identifier", phy)
        target = f"{at}/target0:0:{phy}"
        m.dev(target, "scsi")
        device = f"{target}/0:0:{phy}:0"
        m.dev(device, "scsi", vendor="SEAGATE ", model="ST4000NM0023    ", rev="0004",
              vpd_pg80=serial_page(serial), wwid=f"naa.5000c5008000000{phy}")
        m.disk(device, name, devno, 4000 * GB, rotational=1)

    sas(f"{host}/port-0:0", "end_device-0:0", "sda", "8:0", 2, "Z1Z00001")
    expander = f"{host}/port-0:1/expander-0:0"
    m.file(f"sys/devices/{expander}/sas_device/expander-0:0/sas_address",
           "0x500304800000003f")
    sas(f"{expander}/port-0:0:5", "end_device-0:0:5", "sdb", "8:16", 5, "Z1Z00002")
    ahci = m.pci("0000:00:17.0", "010601", "8086:a182", "ahci")
    ata = f"{ahci}/ata3"
    m.file(f"sys/devices/{ata}/ata_port/ata3/port_no", 3)
    m.dev(f"{ata}/host1", "scsi")
    m.dev(f"{ata}/host1/target1:1:0", "scsi")
    device = f"{ata}/host1/target1:1:0/1:1:0:0"
    m.dev(device, "scsi", vendor="ATA     ", model="ST2000DM001-1CH1", rev="CC27",
          vpd_pg80=serial_page("Z1E00003"))
    m.disk(device, "sdc", "8:32", 2000 * GB, rotational=1)
    raid = m.pci("0000:04:00.0", "010400", "1000:005d", "megaraid_sas")
    m.scsi(raid, 2, "sdd", "8:48", 8000 * GB, rotational=1, vendor="AVAGO   ",
           model="MR9361-8i       ", rev="4.68",
           vpd_pg83=name_page("600605b00d000001"))
    pci = m.pci("0000:05:00.0", "010802", "1344:51a2", "nvme")
    m.dev(f"{pci}/nvme/nvme0", "nvme")
    sub = "virtual/nvme-subsystem/nvme-subsys0"
    m.dev(sub, "nvme-subsystem", model="Micron_9300_MTFDHAL3T8TDP",
          serial="19502D000001", firmware_rev="11300DN0")
    m.link(f"sys/devices/{sub}/nvme0", f"sys/devices/{pci}/nvme/nvme0")
    m.disk(sub, "nvme0n1", "259:1", 3840 * GB, block="", nsid=1, hidden=0,
           wwid="eui.000000000000000100a0750000000001")
    m.disk(f"{pci}/nvme/nvme0", "nvme0c0n1", "259:0", 3840 * GB, block="", nsid=1,
           hidden=1)
    m.done()


def sticks():
    """USB: two sticks of one serial, one without any, and an empty card reader."""
    m = Machine("sticks")
    xhci = m.pci("0000:00:14.0", "0c0330", "8086:a12f", "xhci_hcd")

    def stick(host, port, letter, size, serial):
        at = m.usb(xhci, 1, port, serial)
        number = ord(letter) - ord("a")
        return m.scsi(at, host, f"sd{letter}", f"8:{16 * number}", size, removable=1,
                      seq=number + 1, vendor="SanDisk ", model="Cruzer Blade    ",
                      rev="1.26")

    sda = stick(0, "1", "a", 16 * GB, "AA00000000000489")
    stick(1, "2", "b", 8 * GB, "AA00000000000489")
    stick(2, "3.4", "c", 4 * GB, None)
    at = m.usb(xhci, 1, "5", "058F63666485")
    m.scsi(at, 3, "sdd", "8:48", 0, removable=1, vendor="Generic-",
           model="Multi-Card      ", rev="1.00")
    sde = stick(4, "6", "e", 32 * GB, "4C530001")
    m.part(sda, 1, "8:1", 15 * GB)
    m.part(sde, 1, "8:65", 31 * GB)
    m.mount("8:65", "/run/my stick", "vfat", "/dev/sde1")
    m.done()


if __name__ == "__main__":
    for machine in (old_laptop, server, nvme, rack, virtual, sticks):
        machine()
