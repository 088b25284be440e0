"""Counters that begin with a number which is written there."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.kinds.kind import Array
from autodiff.native.helpers import exact
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.taped import longer, times
from autodiff.syntax.walk import children, statements

_TAKEN = (exact, len, longer, range, times)
"""What takes a number as well as one that is a constant."""


def counters(tree: gast.FunctionDef, known: NativeKinds) -> list[str]:
    """The names that Numba is told to be ints of 64 bits.

        y_count = 0
        for k in range(n):
            y_tape[y_count] = y
            y_count += 1

    For Numba the first one has the type of the constant 0, and all others another: that takes one
    more round through all statements until the types are found. Every value that is assigned is an
    int, and none of the uses could do with the constant alone.
    """
    begun: set[str] = set()
    moved: set[str] = set()
    other: set[str] = set()
    for node in statements(tree):
        if isinstance(node, gast.For) and isinstance(node.target, gast.Name):
            other.add(node.target.id)
        for target, value in _assigned(node):
            if isinstance(node, gast.AugAssign) and not isinstance(node.op, (gast.Add, gast.Sub)):
                other.add(target)
            elif isinstance(node, gast.Assign) and _is_int(value):
                begun.add(target)
            else:
                (moved if _gives_int(value, known) else other).add(target)
        for part in children(node):
            if isinstance(part, gast.expr):
                other.update(_as_they_are(part, known, False))
    return sorted((begun & moved) - other)


def _assigned(node: gast.stmt) -> Iterator[tuple[str, gast.expr]]:
    """The names that a statement assigns, each with the expression."""
    if isinstance(node, gast.Assign):
        for target in node.targets:
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            yield from ((part.id, node.value) for part in parts if isinstance(part, gast.Name))
    elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        yield node.target.id, node.value


def _is_int(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is int


def _gives_int(node: gast.expr, known: NativeKinds) -> bool:
    """Whether it is an element of a tape of ints, or counted with lengths."""
    if isinstance(node, gast.Subscript):
        kind = known.of(node.value)
        return isinstance(kind, Array) and kind.dtype == "int64" and len(kind.shape) == 1
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub, gast.Mult)):
        return _gives_int(node.left, known) and _gives_int(node.right, known)
    if isinstance(node, gast.Call):
        return known.called(node) is len
    return _is_int(node)


def _as_they_are(node: gast.AST, known: NativeKinds, plain: bool) -> Iterator[str]:
    """Names in an expression whose type may matter; `plain`: that of this one does not."""
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load) and not plain:
            yield node.id
        return
    inside = isinstance(node, (gast.BinOp, gast.Compare))
    if isinstance(node, gast.Call):
        called = known.called(node)
        inside = any(called is taken for taken in _TAKEN)
    for part in children(node):
        index = isinstance(node, gast.Subscript) and part is node.slice
        if index and isinstance(known.of(node.value), Array):
            parts = part.elts if isinstance(part, gast.Tuple) else [part]
            for one in parts:
                for bound in children(one) if isinstance(one, gast.Slice) else [one]:
                    yield from _as_they_are(bound, known, True)
        else:
            yield from _as_they_are(part, known, inside)
