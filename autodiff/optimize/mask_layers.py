"""What a value is 0 by: the masks in one another, those of a sum, and where they are held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed
from autodiff.optimize.mask_conditions import Place
from autodiff.optimize.mask_parts import alike, is_mask, let_through, with_sides
from autodiff.syntax.expressions import expression
from autodiff.syntax.walk import clone, walk

_INDEX = (gast.BinOp, gast.Add, gast.Sub, gast.Load, gast.Store)


@dataclass(slots=True)
class Layer:
    """One of the masks that a name holds, by one condition.

    is_lost: the condition is not what it was any more; also: the places of masks in other branches,
        whose condition is to have the same name.
    """

    mask: Any
    place: Place
    is_lost: bool = False
    also: tuple[Place, ...] = ()


def place_of(node: gast.AST) -> str | None:
    """A name, or the text of a part of the array that a name holds; None for anything else."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        parts = walk(node.slice)
        if all(isinstance(part, (gast.Name, gast.Constant, *_INDEX)) for part in parts):
            return expression(node)
    return None


def copied(node: gast.expr) -> gast.expr:
    """What `x.copy()` or `np.broadcast_to(x, shape)` is a copy of; any other is itself."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return node
    own: gast.expr = node
    if node.func.attr == "copy" and not node.args:
        own = node.func.value
    elif node.func.attr == "broadcast_to" and len(node.args) == 2:
        own = node.args[0]
    return own


def copies(layers: list[Layer]) -> list[Layer]:
    return [replace(layer) for layer in layers]


def common(layers: list[Layer], others: list[Layer]) -> list[Layer]:
    """The layers of a sum: where both of its terms are 0."""
    found = []
    for layer in layers:
        for other in others:
            if alike(layer.mask, other.mask):
                lost = layer if layer.is_lost else other
                found.append(replace(lost, mask=layer.mask))
                break
    return found


def number_in(value: gast.expr) -> gast.expr | None:
    """The number that a mask, or the last of several in one another, lets through."""
    through = let_through(value) if is_mask(value) else None
    if through is None or is_mask(through):
        return number_in(through) if through is not None else None
    return through if literals.number(through) is not None else None


def around(mask: Any, value: gast.expr) -> gast.expr:
    """A mask by the same condition, of another value."""
    through = let_through(mask)
    return with_sides(mask, lambda part: value if part is through else clone(part))


def part_of(node: gast.expr, **parts: gast.expr) -> gast.expr:
    """The operation on other operands; itself if they are its own."""
    if all(getattr(node, field) is part for field, part in parts.items()):
        return node
    result: gast.expr = changed(node, **parts)
    return result
