# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real browser: on a desk, on a phone, on paper.

ASSAY_SCREENSHOTS=DIR keeps pictures of it.
"""

import base64
import json
import os
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

WIDTHS = {"desktop": 1000, "phone": 360}


@pytest.fixture(scope="module")
def browser():
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_page_load_timeout(120)
    yield driver
    driver.quit()


def show(browser, page: Path, width: int) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    browser.get_log("performance")
    browser.get(page.as_uri())


def keep(browser, name: str, selector: str) -> None:
    """A picture of the part under a heading, when pictures are wanted."""
    if not os.environ.get("ASSAY_SCREENSHOTS"):
        return
    box = browser.execute_script(
        "var r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.left + window.scrollX, r.top + window.scrollY];", selector)
    width = browser.execute_script("return document.documentElement.clientWidth")
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "format": "webp", "quality": 70, "captureBeyondViewport": True,
        "clip": {"x": 0, "y": max(0, box[1] - 8), "width": width, "height": 900, "scale": 1}})
    folder = Path(os.environ["ASSAY_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(base64.b64decode(shot["data"]))


def requests(browser) -> list[str]:
    """What the page asked for, from the browser's own log."""
    entries = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [entry["params"]["request"]["url"] for entry in entries
            if entry["method"] == "Network.requestWillBeSent"]


@pytest.mark.parametrize("form", WIDTHS)
def test_shows_everything_at_this_width(browser, layers, form: str) -> None:
    show(browser, layers.page, WIDTHS[form])
    assert requests(browser) == [layers.page.as_uri()]
    assert [entry for entry in browser.get_log("browser") if entry["level"] != "INFO"] == []
    assert browser.execute_script("return document.compatMode") == "CSS1Compat"
    wide, window = browser.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= window == WIDTHS[form]  # nothing has to be pushed aside to be read
    drawn = browser.execute_script(
        "return [].map.call(document.querySelectorAll('circle,path,rect,line'), function (e) {"
        "  var r = e.getBoundingClientRect(), s = e.ownerSVGElement.getBoundingClientRect();"
        "  return r.left >= s.left - 6 && r.right <= s.right + 6 && s.width > 30; })")
    assert len(drawn) > 1000 and all(drawn)
    covered = browser.execute_script(
        "return [].filter.call(document.querySelectorAll('svg text'), function (e) {"
        "  var r = e.getBoundingClientRect(), s = e.ownerSVGElement.getBoundingClientRect();"
        "  return r.left < s.left - 1 || r.right > s.right + 1; }).length")
    assert covered == 0
    for part in ("h1", "#layers", "#latency", "#ciphers", "#bonnie"):
        keep(browser, f"{form}-{part.strip('#')}.webp", part)


def test_prints(browser, layers) -> None:
    show(browser, layers.page, WIDTHS["desktop"])
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF") and len(pdf) > 20000


@pytest.mark.parametrize("form", WIDTHS)
def test_fleet_page(browser, fleet: Path, form: str) -> None:
    show(browser, fleet, WIDTHS[form])
    assert requests(browser) == [fleet.as_uri()]
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= WIDTHS[form]
    slow = browser.execute_script(
        "return [].map.call(document.querySelectorAll('circle.ds title'), function (e) {"
        "  return e.textContent; })")
    assert "machine-00040: -31 %" in slow
    keep(browser, f"fleet-{form}.webp", "h1")


def test_published_pages_open(browser, published) -> None:
    for report in published:
        show(browser, report.page, WIDTHS["phone"])
        assert requests(browser) == [report.page.as_uri()]
        assert browser.execute_script("return document.querySelectorAll('h1').length") == 1
