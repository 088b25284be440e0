"""`zip(*rows)`, as a list."""

from __future__ import annotations

from typing import Any


def zip_rows(rows: Any) -> Any:
    """The first items of all rows, the second ones ..., each a tuple: `list(zip(*rows))`."""
    listed = list(rows)
    return [tuple([row[k] for row in listed]) for k in range(fewest(listed))]


def fewest(rows: Any) -> int:
    """The length of the shortest of the rows; 0 if there are none."""
    return min(map(len, rows), default=0)
