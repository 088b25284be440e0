"""Iterators, and the memory that may change before they are read."""

from __future__ import annotations

from itertools import pairwise

import gast

from autodiff.analysis.changes import changed_by
from autodiff.analysis.kind import Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.runtime import sequence
from autodiff.syntax.names import reads, writes


def read_at_once(block: list[gast.stmt], kinds: Kinds) -> set[int]:
    """Values that the statement after them reads to their end: `ys = map(f, x)`, `list(ys)`."""
    found = set()
    for first, then in pairwise(block):
        if isinstance(first, gast.Assign) and isinstance(then, (gast.Assign, gast.Expr)):
            value = then.value
            if not isinstance(value, gast.Call) or not reads(value.args) & writes(first):
                continue
            if kinds.known(value.func) != Static(sequence):
                found.add(id(first.value))
    return found


def changes(node: gast.AST, kinds: Kinds) -> bool:
    """Whether a piece of code changes memory in place."""
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        return not isinstance(kinds.of(node.target), Scalar)
    if isinstance(node, gast.Subscript):
        return isinstance(node.ctx, gast.Store)
    return isinstance(node, gast.Call) and bool(changed_by(node, kinds))
