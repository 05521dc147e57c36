# SPDX-License-Identifier: GPL-3.0-or-later
"""report.html: valid, complete in itself, and every number in it that of result.json."""

import math
import re
import statistics
import subprocess

import pytest
from page import Page

UNITS = {"%": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B/s": 1.0, "kB/s": 1e3,
         "MB/s": 1e6, "GB/s": 1e9, "/s": 1.0, "s/GiB": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9,
         "µs": 1e-6, "": 1.0}


def everything(layers, published, odd):
    return [layers, *published, *odd]


def at(document, place: str):
    for part in place.split("/"):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def test_valid(layers, published, odd, fleet) -> None:
    for page in [fleet, *(report.page for report in everything(layers, published, odd))]:
        done = subprocess.run(["tidy", "-quiet", "-errors", "-utf8", page], check=False,
                              capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), page


def test_nothing_from_elsewhere_and_no_script(layers, published, odd) -> None:
    for report in everything(layers, published, odd):
        page = Page(report.html)
        assert all(link.startswith("#") for link in page.links), page.links
        assert not page.tags & {"script", "link", "img", "iframe", "object", "embed", "base"}
        assert not [name for name in page.attributes if name.startswith("on")]
        assert not re.search(r"url\(|@import|https?:", report.html)


def test_old_browsers_know_the_style(layers) -> None:
    style = re.search(r"<style>(.*?)</style>", layers.html, re.S).group(1)
    assert not re.search(r"grid|flex|var\(|calc\(|clamp\(|:is\(|:where\(|\brem\b|vw\b|--", style)


def shown(text: str) -> tuple[float, float]:
    """A number as it is printed, and how far it may be from what it stands for."""
    match = re.fullmatch(r"(?:[≥≤>=<~]+\s*)?([+-]?[0-9.]+(?:e[+-]?[0-9]+)?)\s*(\S*)",
                         text.replace("\xa0", " ").strip())
    assert match, text
    digits, unit = match.groups()
    mantissa, _, exponent = digits.partition("e")
    decimals = len(mantissa.partition(".")[2])
    scale = UNITS[unit] * 10 ** int(exponent or 0)
    return float(mantissa) * scale, 0.5000001 * 10 ** -decimals * scale


def test_every_number_is_that_of_the_document(layers, published) -> None:
    places = 0
    for report in [layers, *published]:
        page = Page(report.html)
        assert page.numbers or not report.result["runs"]
        for number in page.numbers:
            value, slack = shown(number.text)
            assert abs(value - number.value) <= slack, number
            if number.at:
                assert at(report.result, number.at) == number.value, number
                places += 1
    assert places > 500


def test_every_dot_is_a_block(layers) -> None:
    page = Page(layers.html)
    comparisons = layers.result["comparisons"]
    drawn = {int(row.at.split("/")[1]) for row in page.rows}
    assert drawn == {i for i, c in enumerate(comparisons) if c["change"] is not None}
    for row in page.rows:
        c = at(layers.result, row.at)
        points = [p for p in c["points"] if not p["both_bound"]]
        assert len(row.dots) == len(points), row.at
        for index, x, title in row.dots:
            point = c["points"][index]
            speed = math.log1p(point["change"] / 100) * (-1 if c["better"] == "lower" else 1)
            wanted = 8 + (speed - row.low) / (row.high - row.low) * 304
            assert abs(x - wanted) <= 0.051, (row.at, index)
            block, change = re.match(r"block (\d+): ([+-][0-9.e+-]+) %", title).groups()
            assert int(block) == point["block"]
            assert math.isclose(float(change), point["change"], rel_tol=0.006)


def test_every_verdict_is_there_with_its_word(layers) -> None:
    for i, c in enumerate(layers.result["comparisons"]):
        row = re.search(rf'<tr data-at="comparisons/{i}">.*?</tr>', layers.html, re.S)
        if c["change"] is None:
            assert row is None and c["metric"] in layers.html
        else:
            assert c["verdict"] in row.group(0)


def test_waterfalls_are_medians(layers) -> None:
    page = Page(layers.html)
    chain = ["raw", "crypt", "lvm", "ext4"]
    assert {(w.test, w.metric) for w in page.waterfalls} == {
        ("seqread", "read"), ("seqread", "cpu_per_gib"), ("bonnie", "put_block"),
        ("bonnie", "get_block"), ("bonnie", "rewrite")}
    for fall in page.waterfalls:
        assert len(fall.costs) == len(chain)
        for arm, cost in zip(chain, fall.costs):
            values = [m["value"] for run in layers.result["runs"] for m in run["metrics"]
                      if (run["arm"], run["test"], m["name"]) == (arm, fall.test, fall.metric)]
            wanted = statistics.median(values)
            wanted = wanted if fall.metric == "cpu_per_gib" else 2 ** 30 / wanted
            assert math.isclose(cost.value, wanted, rel_tol=1e-12)


def test_the_parts_are_there_in_order(layers) -> None:
    ids = re.findall(r'<h2 id="([a-z]+)"', layers.html)
    assert ids == ["comparisons", "layers", "latency", "ciphers", "bonnie", "warnings", "plan", "runs",
                   "disks", "machine"]
    assert layers.html.index('class="v passed"') < layers.html.index("<h2")


@pytest.mark.parametrize("text", ["Example CPU &lt;2.0 GHz&gt; &amp; &quot;more&quot;",
                                  "seqread &lt;not dropped&gt;"])
def test_text_is_escaped(layers, text: str) -> None:
    assert text in layers.html


def test_same_document_same_page(layers, tmp_path) -> None:
    from conftest import assay
    assert assay("report", "--html", layers.folder) == layers.html
