"""A package that users call: its functions read what stands in its module."""

from __future__ import annotations

LIMIT = 2040.0


def by_limit(x, way):
    if x < LIMIT or way == "laminar":
        return 64.0 / x
    return x**-0.25


FACTORS = [1.0 + 0.05 * k for k in range(40)]
WAYS = frozenset(["laminar", "turbulent", "mixed"])
KNOWN = {f"way {k}": k for k in range(200)}


def first_above(x, least):
    """The first of many factors by which `x` is above the least."""
    for factor in FACTORS:
        if x * factor > least:
            break
    return x * factor * factor


def polynomial(x, coefficients):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def in_a_known_way(x, way):
    if way not in WAYS or way in KNOWN:
        return x
    return x * x if "way 7" in KNOWN else x * x * x
