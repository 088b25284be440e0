"""How often variables are read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import gast

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Frame


def loads(node: Any, frame: Frame) -> Counter[str]:
    """How often each name is read in a tree; found once for each loop."""
    found: Counter[str] | None = frame.loads.get(id(node))
    if found is None:
        found = frame.loads[id(node)] = Counter()
        for part in gast.walk(node):
            if isinstance(part, gast.AugAssign):
                part = part.target
            elif not isinstance(getattr(part, "ctx", None), gast.Load):
                continue
            if isinstance(part, gast.Name):
                found[part.id] += 1
    return found
