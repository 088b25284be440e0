"""What parts were read and stored by has to hold once all calls are inlined.

`p.x` is the variable of a part because `p` is known to mean one object. A call that is inlined
later may put another object in the place that `p` was taken from. Then the function is specialized
anew, `patient`: parts are replaced only when no call is left to be inlined.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, part_name

Part = tuple[Parts, Any]


@dataclass(slots=True)
class Followed:
    """Each `p.x` and `d[k]` that was replaced, by its names, with the part that it was taken for.

    patient: parts are replaced only when no call is left to be inlined.
    failed: something was not what it was taken for.
    """

    patient: bool = False
    failed: bool = False
    parts: dict[tuple[str, str], tuple[Any, Part]] = field(default_factory=dict)

    def taken(self, node: Any, found: Part) -> None:
        """`node` was replaced by the variable of the part `found`."""
        index = getattr(node, "slice", None)
        if isinstance(node.value, gast.Name):
            key = index.id if isinstance(index, gast.Name) else ""
            self.parts.setdefault((node.value.id, key), (node, found))

    def mistaken(self, known: Kinds) -> tuple[str, Parts] | None:
        """A name that is not, or not only, what it was taken for, and the object it was not."""
        for (base, index), (node, (own, key)) in self.parts.items():
            if base not in known.names or index and index not in known.names:
                continue  # nothing is left of it
            now = part_name(known, node) if index else (known.names[base], key)
            if now != (own, key):
                return base if known.names[base] != own else index, own
        return None
