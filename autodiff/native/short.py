"""Arithmetic of whole numbers of fewer than 64 bits, whose results have as many in NumPy."""

from __future__ import annotations

import gast
import numpy as np
from numba.extending import register_jitable

from autodiff.kinds.kind import Kind, Scalar
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import SHORT, NativeKinds, literal
from autodiff.syntax.change import changed
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote

CASTS = {getattr(np, dtype): 1 for dtype in SHORT}
"""How many arguments each may be given."""


def is_short(kind: Kind) -> bool:
    return getattr(kind, "dtype", None) in SHORT


@register_jitable
def within(x: int, low: int, high: int) -> int:
    """A number of Python's that meets one of fewer bits."""
    if x < low or x > high:
        raise OverflowError("Python integer out of bounds")
    return x


def shortened(
    node: gast.BinOp, new: gast.BinOp, known: NativeKinds, helpers: Helpers
) -> gast.expr | None:
    """A sum of numbers, which Numba has in 64 bits, with as many as NumPy's."""
    kind = known.of(node)
    if not isinstance(kind, Scalar):
        return None
    dtype, limits = str(kind.dtype), np.iinfo(str(kind.dtype))
    parts = []
    for old, part in ((node.left, new.left), (node.right, new.right)):
        own = known.of(old)
        value = literal(old, ...)
        fits = type(value) is int and limits.min <= value <= limits.max
        if isinstance(own, Scalar) and own.dtype is None and not fits:
            ends = [gast.Constant(value=int(end), kind=None) for end in (limits.min, limits.max)]
            use = helpers.use("within", within)
            part = gast.Call(func=use, args=[part, *ends], keywords=[])
            known.given[id(part)] = part, own
        parts.append(part)
    whole = changed(new, left=parts[0], right=parts[1])
    use = quote(f"np.{dtype}", np=helpers.use("np", np))
    return gast.Call(func=use, args=[whole], keywords=[])


def added_up(node: gast.AugAssign, known: NativeKinds) -> gast.stmt:
    """`n += m` of such a number as `n = n + m`."""
    if not isinstance(node.target, gast.Name) or not isinstance(known.of(node.target), Scalar):
        return node
    total = gast.BinOp(left=name(node.target.id), op=node.op, right=node.value)
    return gast.Assign(targets=[node.target], value=total, type_comment=None)
