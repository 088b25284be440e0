"""What the patterns of a `match` statement accept."""

from __future__ import annotations

from typing import Any


def is_sequence(x: Any) -> bool:
    """Whether a sequence pattern accepts `x`: a sequence, but no string."""
    match x:
        case [*_]:
            return True
    return False


def is_mapping(x: Any) -> bool:
    """Whether a mapping pattern accepts `x`."""
    match x:
        case {}:
            return True
    return False
