# SPDX-License-Identifier: GPL-3.0-or-later
"""By network: boots, takes its plan from a web server, and sends its results to it."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from harness import Disk, Net, host
from harness.results import differences
from harness.web import Web
from plans import tiny

SERIAL = "RACK-7"  # of the machine, as its firmware tells
PLAN = tiny("serial:A", plan="results = serial")

WAYS: dict[str, dict[str, Any]] = {
    "ipxe bios": {"bootfile": "boot.ipxe", "memory": "384M"},
    "pxelinux bios": {"bootfile": "pxelinux.0", "memory": "384M"},
    "ipxe uefi": {"bootfile": "boot.ipxe", "firmware": "uefi", "nic": "virtio-net-pci",
                  "memory": "640M"},
    "grub uefi": {"bootfile": "shimx64.efi", "firmware": "uefi", "memory": "640M"},
    "grub secure": {"bootfile": "shimx64.efi", "firmware": "uefi", "secure_boot": True,
                    "nic": "virtio-net-pci", "rom": "", "memory": "640M"},
}
SAMPLE = {"ipxe bios"}


def server_folder(folder: Path, web: Web) -> None:
    """assay-pxe/ for a web server that is not at port 80 of the TFTP server."""
    shutil.copytree(host.built("assay-pxe", "pxe"), folder, dirs_exist_ok=True)
    for name in ("boot.ipxe", "grub/grub.cfg", "pxelinux.cfg/default"):
        file = folder / name
        text = file.read_text("ascii")
        for words in ("assay.server=http://${next-server}/",
                      "assay.server=http://$net_default_server/"):
            text = text.replace(words, f"assay.server={web.url}")
        if name.startswith("pxelinux"):
            text = text.replace("append rootfstype", f"append assay.server={web.url} rootfstype")
        file.write_text(text, "ascii")


def booted(machine: Any, tftp: Path, way: dict[str, Any]) -> Any:
    parts = dict(way)
    net = Net(nic=parts.pop("nic", "e1000"), rom=parts.pop("rom", None), tftp=tftp,
              bootfile=parts.pop("bootfile"), isolated=False)
    return machine(disks=[Disk(serial="A", bus="ahci")], boot="net", net=net,
                   extra=["-smbios", f"type=1,serial={SERIAL}"], **parts)


@pytest.mark.whole
@pytest.mark.parametrize("way", [
    pytest.param(way, marks=[] if way in SAMPLE else [pytest.mark.whole]) for way in WAYS])
def test_boots_measures_and_sends(machine, assay_host, tmp_path: Path, way: str) -> None:
    folder = tmp_path / "server"
    with Web(folder, failures=1) as web:
        server_folder(folder, web)
        (folder / "plans" / f"{SERIAL}.ini").write_text(PLAN, "ascii")
        out = booted(machine, folder, WAYS[way]).run()
        assert "VERDICT passed" in out.serial
        received = out.received(assay_host, tmp_path / "received")
        assert received.result["boot"]["started_from"].startswith("no medium")
        (sent,) = (folder / "assay").glob("*/*")
        files = {str(f.relative_to(sent)): f.read_bytes()
                 for f in sent.rglob("*") if f.is_file()}
    assert differences(received.files, files) == []
    assert any("503" in line for line in web.log), "a failed upload was not tried again"


@pytest.mark.whole
def test_boot_by_http(machine, tmp_path: Path) -> None:
    """Kernel and initramfs from the web server as well; nobody has a plan for this machine."""
    folder = tmp_path / "server"
    with Web(folder) as web:
        server_folder(folder, web)
        net = Net(bootfile=f"{web.url}boot.ipxe", isolated=False)
        m = machine(disks=[Disk(serial="A", bus="ahci")], boot="net", net=net, memory="384M")
        m.start()
        m.wait_serial("has no plan for this machine", 300)
    assert any("network.img" in line for line in web.log), web.log
