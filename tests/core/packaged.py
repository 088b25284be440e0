"""A package that users call: its functions read what stands in its module."""

from __future__ import annotations

LIMIT = 2040.0


def by_limit(x, way):
    if x < LIMIT or way == "laminar":
        return 64.0 / x
    return x**-0.25
