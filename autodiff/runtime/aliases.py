"""What occurs twice in what a function is given."""

from __future__ import annotations

from typing import Any

from autodiff.errors import SharedMemoryError
from autodiff.runtime.copying import IMMUTABLE, parts_in


def each_once(*values: Any) -> None:
    """Check that no list, dict, object or array occurs twice.

    Raises:
        SharedMemoryError: one does: copies of both would be one for `copy.deepcopy`.
    """
    seen: dict[int, Any] = {}
    waiting = [*values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, IMMUTABLE) or value is None:
            continue
        if id(value) in seen and not isinstance(value, tuple):
            raise SharedMemoryError(
                f"the same {type(value).__name__} occurs twice in what is copied",
                why="the copies would be one, which is not followed here",
                cure="copy its parts one by one",
            )
        seen[id(value)] = value
        waiting += parts_in(value)
