"""What one operation adds to the adjoint of one operand, and how it is added."""

from __future__ import annotations

from typing import NamedTuple

import gast

from autodiff.instantiate import numerals as literals
from autodiff.kinds.kind import Kind
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, same


class Contribution(NamedTuple):
    """What one operation adds to the adjoint of one operand.

    at: the index at which it is added, None where it is added to the whole adjoint.
    """

    operand: str
    value: gast.expr
    kind: Kind
    fresh: bool
    at: gast.expr | None = None


def index_value(at: gast.expr) -> gast.expr:
    if isinstance(at, gast.Slice):
        given = [at.lower, at.upper, at.step] if at.step else [at.lower, at.upper]
        given = given if any(given) else [None]
        parts = [part or gast.Constant(value=None, kind=None) for part in given]
        return gast.Call(func=name("slice"), args=parts, keywords=[])
    if isinstance(at, gast.Tuple):
        return gast.Tuple(elts=[index_value(part) for part in at.elts], ctx=gast.Load())
    return at


def as_index(at: gast.expr) -> gast.expr:
    """An index that a template computes, as it is written: `:, k` for `(slice(None),) * 1 + (k,)`.

    A tuple of one stays a tuple: what is in it may be one, too.
    """
    parts = _parts(at)
    if parts is None:
        return at
    index = [gast.Slice(None, None, None) if _is_all(part) else part for part in parts]
    return gast.Tuple(elts=index, ctx=gast.Load())


def _parts(at: gast.expr) -> list[gast.expr] | None:
    """The items of tuples that are repeated and joined; None for what is none."""
    if isinstance(at, gast.Tuple):
        return list(at.elts)
    if not isinstance(at, gast.BinOp) or not isinstance(at.op, (gast.Add, gast.Mult)):
        return None
    left = _parts(at.left)
    if left is None:
        return None
    if isinstance(at.op, gast.Mult):
        if not isinstance(at.right, gast.Constant) or type(at.right.value) is not int:
            return None
        return [clone(part) for _ in range(at.right.value) for part in left]
    right = _parts(at.right)
    return None if right is None else [*left, *right]


def _is_all(part: gast.expr) -> bool:
    """Whether a part of an index is `slice(None)`."""
    return isinstance(part, gast.Call) and same(part, quote("slice(None)"))


def undone(at: gast.expr) -> gast.expr | None:
    """The index that undoes one that only adds axes and reverses them; None for any other.

    `0` for `None`, `:, 0` for `:, None`, `..., 0, :` for `..., None, :`, `::-1` for itself.
    """
    parts = list(at.elts) if isinstance(at, gast.Tuple) else [at]
    back: list[gast.expr] = []
    for part in parts:
        if isinstance(part, gast.Slice):
            if part.lower or part.upper or part.step and not _is_reversed(part):
                return None
            back.append(part)
        elif isinstance(part, gast.Constant) and part.value is None:
            back.append(gast.Constant(value=0, kind=None))
        elif isinstance(part, gast.Constant) and part.value is Ellipsis:
            back.append(part)
        else:
            return None
    if not any(isinstance(part, gast.Constant) and part.value is Ellipsis for part in back):
        while back and isinstance(back[-1], gast.Slice) and not back[-1].step:
            back.pop()
    if not any(
        _is_reversed(part) if isinstance(part, gast.Slice) else _is_number(part, 0) for part in back
    ):
        return None
    return back[0] if len(back) == 1 else gast.Tuple(elts=back, ctx=gast.Load())


def _is_reversed(part: gast.Slice) -> bool:
    return part.step is not None and literals.number(part.step) == -1


def _is_number(part: gast.expr, number: int) -> bool:
    return isinstance(part, gast.Constant) and part.value is not ... and part.value == number


def doubled(value: gast.expr) -> gast.expr:
    """`2.0 * a * b` for `a * b + a * b`: scaling by two is exact."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        return gast.BinOp(left=doubled(value.left), op=value.op, right=value.right)
    return gast.BinOp(left=gast.Constant(2.0, None), op=gast.Mult(), right=value)
