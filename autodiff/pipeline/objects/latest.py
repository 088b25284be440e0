"""An object that is made in a loop: its parts are held for the latest one only.

So a name must mean the latest one wherever it is read; a name that may still mean the object of an
earlier iteration is refused.
"""

from __future__ import annotations

from typing import Any

from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.sites import Made
from autodiff.pipeline.objects.order import Order
from autodiff.pipeline.unit import Unit
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk


def check_latest(unit: Unit, known: Kinds) -> None:
    """Refuse names that may mean the object of an earlier iteration."""
    objects: dict[str, Made] = unit.scope.objects
    order = Order(unit.tree.body)
    for owner, making in order.making.items():
        loops = order.loops[id(making)]
        if not loops:
            continue
        kind = Parts(objects[owner].cls, owner)
        if order.guarded[id(making)]:
            raise refused(objects, kind, owner, making, "it is made in a loop within a `try`")
        inner = {id(node) for part in loops[-1].body for node in walk(part)}
        exposed = upward_exposed(loops[-1])
        for alias, own in known.names.items():
            uses = order.uses.get(alias, [])
            if own != kind or alias == owner or order.follows_making(alias, making, owner):
                continue
            if uses and (alias in exposed or any(id(use) not in inner for use in uses)):
                why = "it may be the object of an earlier iteration"
                raise refused(objects, kind, alias, uses[-1], why)


def refused(
    objects: dict[str, Made], kind: Parts | None, holder: str, statement: Any, why: str,
    other: Any = None,
) -> UnsupportedSyntaxError:
    """The error for an object that cannot be followed any further."""
    label = objects[kind.owner].prefix if kind is not None else holder
    line = "" if other is None else f" (line {other.line})"
    cls = kind.cls.__name__ if kind is not None else "object"
    return UnsupportedSyntaxError(
        f"the {cls} `{label}` is needed as a whole here, and {why}{line}",
        origin_of(statement),
        why="autodiff follows an object that changes by its attributes, under names that "
        "always mean the same object",
        cure="pass on its attributes, or make a new object instead of changing it",
    )
