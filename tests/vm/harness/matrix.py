# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices of tests: a sample runs by default, the whole with `--whole`."""

from collections.abc import Sequence
from typing import Any

import pytest


def matrix(names: str, rows: Sequence[Any], sample: int = 1) -> pytest.MarkDecorator:
    """Like `pytest.mark.parametrize`; only the first `sample` rows run without `--whole`."""
    marked = [pytest.param(*(row if isinstance(row, tuple) else (row,)),
                           marks=[] if number < sample else [pytest.mark.whole])
              for number, row in enumerate(rows)]
    return pytest.mark.parametrize(names, marked)
