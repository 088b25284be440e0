"""What is written as an update of what is there: `x += y`."""

from __future__ import annotations

import gast

from autodiff.core.operation import LoadOuter, Store


def is_product(node: gast.BinOp) -> bool:
    """Whether it is `a @ b`, which no compiled code does in place."""
    return isinstance(node.op, gast.MatMult)


def is_own(op: Store) -> bool:
    """Whether an update may be written to what holds the array: a global is no variable here."""
    return not isinstance(op.base.op, LoadOuter)


def apart_from(own: str, e: gast.expr) -> tuple[gast.operator, gast.expr] | None:
    """What is added to a name, or taken from it, in a sum that begins with it."""
    if not isinstance(e, gast.BinOp) or not isinstance(e.op, (gast.Add, gast.Sub)):
        return None
    if getattr(e.left, "id", None) == own:
        return e.op, e.right
    inner = apart_from(own, e.left)
    if inner is None:
        return None
    alike = type(inner[0]) is type(e.op)
    return inner[0], gast.BinOp(inner[1], gast.Add() if alike else gast.Sub(), e.right)
