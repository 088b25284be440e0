"""What the patterns of a `match` statement accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def is_sequence(x: Any) -> bool:
    """Whether a sequence pattern accepts `x`: a sequence, but no string."""
    return isinstance(x, Sequence) and not isinstance(x, (str, bytes, bytearray))


def is_mapping(x: Any) -> bool:
    """Whether a mapping pattern accepts `x`."""
    return isinstance(x, Mapping)
