"""Adjoints of what lists hold, added to lists of adjoints."""

from __future__ import annotations

from typing import Any

import numpy as np


def add_items(bars: list[Any] | tuple[Any, ...], g: Any) -> None:
    """Adds to each item of a list of adjoints, arrays in place.

    bars: numbers or arrays, one for each item; in a tuple, arrays. g: as many adjoints, or one
    number for all.

    >>> bars = [1.0, 2.0]
    >>> add_items(bars, np.array([0.5, 0.25]))
    >>> [float(bar) for bar in bars]
    [1.5, 2.25]
    """
    parts = g if isinstance(g, (list, tuple)) or np.ndim(g) else [g] * len(bars)
    if isinstance(bars, tuple):  # of arrays: an item of a tuple of numbers stays what it is
        for bar, part in zip(bars, parts, strict=True):
            bar[...] += part
    else:
        for k, part in enumerate(parts):
            bars[k] += part
