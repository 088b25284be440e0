"""What a call can be replaced by, and what is known of objects that are made on the way."""

from __future__ import annotations

from typing import Any

import gast

MARKER = "<object>"
"""What the statement calls that says where an object is made; it is gone when all is inlined."""


def is_marker(node: Any) -> bool:
    """Whether an expression stands for the making of an object."""
    return (
        isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == MARKER
    )
