"""`zip(*rows)`: its rows, how many items it has, and each of them."""

from __future__ import annotations

from typing import Any

from autodiff.runtime.structure import sequence


def zip_rows(rows: Any) -> Any:
    """The rows, which stay these while the loop replaces them where they come from."""
    return list(rows)


def zip_length(rows: Any) -> int:
    """The length of the shortest of the rows; 0 if there are none."""
    return min(map(len, rows), default=0)


def zip_item(rows: Any, k: int) -> Any:
    """The items `k` of all rows, as a tuple."""
    return tuple([sequence(row)[k] for row in rows])
