# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page shows: its numbers with their places, its plots, its waterfalls."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Number:
    value: float
    at: str | None
    text: str = ""


@dataclass
class Row:
    """A comparison's row: where it is in the document, and its dots."""

    at: str
    low: float
    high: float
    dots: list[tuple[int, float, str]] = field(default_factory=list)  # index, cx, title


@dataclass
class Waterfall:
    test: str
    metric: str
    costs: list[Number] = field(default_factory=list)


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.numbers: list[Number] = []
        self.rows: list[Row] = []
        self.waterfalls: list[Waterfall] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self._scale = (0.0, 0.0)
        self._number: Number | None = None
        self._falls = False
        self._title = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = {key: value or "" for key, value in attrs}
        self.tags.add(tag)
        self.attributes |= a.keys()
        self.links += [a[key] for key in ("href", "src", "xlink:href", "action", "data") if key in a]
        if tag == "table":
            self._falls = "waterfall" in a.get("class", "")
            if self._falls:
                self.waterfalls.append(Waterfall(a["data-test"], a["data-metric"]))
            if "data-low" in a:
                self._scale = float(a["data-low"]), float(a["data-high"])
        elif tag == "tr" and "data-at" in a:
            self.rows.append(Row(a["data-at"], *self._scale))
        elif tag == "circle":
            self.rows[-1].dots.append((int(a["data-k"]), float(a["cx"]), ""))
        elif tag == "title":
            self._title = True
        elif tag == "span" and "data-v" in a:
            self._number = Number(float(a["data-v"]), a.get("data-at"))
            self.numbers.append(self._number)
            if self._falls:
                self.waterfalls[-1].costs.append(self._number)

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            self._number = None
        elif tag == "title":
            self._title = False

    def handle_data(self, data: str) -> None:
        if self._number:
            self._number.text += data
        if self._title and self.rows and self.rows[-1].dots:
            index, x, text = self.rows[-1].dots[-1]
            self.rows[-1].dots[-1] = index, x, text + data
