"""Parts of ranges, in Python, lowered like the user's code."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations


def range_backwards(first, stop):
    """`range(first, stop)[::-1]`."""
    return range(stop - 1, first - 1, -1)


def part_of_range(first, stop, step, low, high, by):
    """`range(first, stop, step)[...]`, of which the items `low:high:by` are taken."""
    return range(first + low * step, first + high * step, step * by)


def stretch_of_range(first, stop, step, low, high):
    """The same, one after the other."""
    return range(first + low * step, first + high * step, step)
