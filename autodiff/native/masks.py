"""Elements where a mask is true: `x[mask]` and `x[mask] = v`, for masks of any axes."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np
from numba.core import types
from numba.extending import overload

from autodiff.kinds.kind import Array
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import walk

# Numba compares the signatures of overloads, with annotations.


def masked(x: Any, mask: Any) -> Any:
    """`x[mask]`, a new array."""


def set_masked(x: Any, mask: Any, value: Any) -> None:
    """`x[mask] = value`, of a number or an array that shares no memory with `x`."""


def is_masked(node: gast.AST, known: NativeKinds) -> bool:
    """Whether it is `x[mask]`, with a mask of the first axes of an array."""
    if not isinstance(node, gast.Subscript):
        return False
    mask, base = known.of(node.slice), known.of(node.value)
    if not isinstance(mask, Array) or not isinstance(base, Array) or mask.dtype != "bool":
        return False
    return 0 < len(mask.shape) <= len(base.shape)


def loaded(node: gast.Subscript, helpers: Helpers) -> gast.expr:
    """What stands for `x[mask]`."""
    return gast.Call(func=helpers.use("masked", masked), args=[node.value, node.slice], keywords=[])


def stored(
    target: gast.Subscript, op: gast.operator | None, value: gast.expr,
    known: NativeKinds, helpers: Helpers,
) -> list[gast.stmt]:  # fmt: skip
    """What stands for `x[mask] = value`, or `x[mask] += value`."""
    kind = known.of(value)
    if op is not None:
        read = loaded(target, helpers)
        known.given[id(read)] = read, known.of(target)
        value = gast.BinOp(left=read, op=op, right=value)
        known.given[id(value)] = value, known.of(target)
    elif isinstance(kind, Array) and _shares(target.value, value, known):
        value = quote("x.copy()", x=value)
        known.given[id(value)] = value, kind
    use, given = helpers.use("set_masked", set_masked), [target.value, target.slice, value]
    return [gast.Expr(value=gast.Call(func=use, args=given, keywords=[]))]


def _shares(base: gast.expr, value: gast.expr, known: NativeKinds) -> bool:
    """Whether a value may be memory of an array that is stored into."""
    plain = (gast.Name, gast.Subscript, gast.Attribute)
    names = [[p.id for p in walk(part) if isinstance(p, gast.Name)] for part in (base, value)]
    return isinstance(value, plain) and any(
        known.memory.share(one, other) for one in names[0] for other in names[1]
    )


@overload(masked)
def _masked(x, mask):  # type: ignore[no-untyped-def]
    axes, rest = mask.ndim, x.ndim - mask.ndim

    def numbers(x, mask):  # type: ignore[no-untyped-def]
        if mask.shape != x.shape:
            raise IndexError("a mask of another shape")
        result = np.empty(np.sum(mask), x.dtype)
        count = 0
        for at in np.ndindex(mask.shape):
            if mask[at]:
                result[count] = x[at]
                count += 1
        return result

    def parts(x, mask):  # type: ignore[no-untyped-def]
        if mask.shape != x.shape[:axes]:
            raise IndexError("a mask of another shape")
        result = np.empty((np.sum(mask),) + x.shape[axes:], x.dtype)
        count = 0
        for at in np.ndindex(mask.shape):
            if mask[at]:
                result[count] = x[at]
                count += 1
        return result

    return parts if rest else numbers


@overload(set_masked)
def _set_masked(x, mask, value):  # type: ignore[no-untyped-def]
    axes = mask.ndim
    many = isinstance(value, types.Array) and value.ndim == x.ndim - axes + 1
    if isinstance(value, types.Array) and value.ndim > x.ndim - axes + 1:
        return None

    def one(x, mask, value):  # type: ignore[no-untyped-def]
        if mask.shape != x.shape[:axes]:
            raise IndexError("a mask of another shape")
        for at in np.ndindex(mask.shape):
            if mask[at]:
                x[at] = value

    def each(x, mask, value):  # type: ignore[no-untyped-def]
        if mask.shape != x.shape[:axes]:
            raise IndexError("a mask of another shape")
        step = 0 if len(value) == 1 else 1
        if step and len(value) != np.sum(mask):
            raise ValueError("as many values as elements of the mask are needed")
        count = 0
        for at in np.ndindex(mask.shape):
            if mask[at]:
                x[at] = value[count]
                count += step

    return each if many else one
