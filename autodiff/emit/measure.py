"""About how wide an expression prints and how deep it nests, without printing it."""

from __future__ import annotations

import gast

from autodiff.syntax.memo import Memo
from autodiff.syntax.walk import children

WIDTH = 90
DEPTH = 6
"""Inlining and renaming make a statement of the user's somewhat longer than it was."""

_DEEPER = frozenset((gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp, gast.Call))
_COMMA = 2


def measure(node: gast.AST) -> tuple[int, int]:
    """The width in columns and the number of operators and calls inside each other."""
    cls = node.__class__
    if cls is gast.Name:
        return len(node.id), 0
    if cls is gast.Constant:
        return len(repr(node.value)), 0
    found: tuple[int, int] = _MEASURES[node]
    return found


def _measure(node: gast.AST) -> tuple[int, int]:
    cls = node.__class__
    if cls is gast.BinOp:  # most of them
        left, right = node.left, node.right
        wide, deep = measure(left)
        width, depth = measure(right)
        nested = (left.__class__ is gast.BinOp) + (right.__class__ is gast.BinOp)
        return wide + width + 2 * _COMMA + nested, max(deep, depth) + 1
    width = depth = 0
    for part in children(node):
        wide, deep = measure(part)
        width += wide + _COMMA
        if deep > depth:
            depth = deep
    if cls is gast.Attribute:
        width += len(node.attr) - 1
    elif cls is gast.keyword:
        width += len(node.arg or "") - 1
    elif cls is gast.Slice:
        bounds = sum(part is not None for part in (node.lower, node.upper, node.step))
        width += 1 - _COMMA * bounds + (node.step is not None)
    elif cls is gast.Subscript:
        width -= _COMMA
    elif cls is gast.UnaryOp:
        width += _COMMA if node.op.__class__ is gast.Not else -1
    return width, depth + (cls in _DEEPER)


_MEASURES = Memo(_measure)
