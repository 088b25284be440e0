"""Numbers multiply numbers before they multiply arrays.

    y_bar * (2 * x)      y_bar a number, x an array:  2 * y_bar * x
    -z_bar * (2 * x)     z_bar an array:              -2 * z_bar * x

Each saves one pass over an array. Scaling by 2 is exact; for other factors the last bit may differ
from the order in the template, in which nobody has a stake.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.known import Kinds
from autodiff.syntax.change import map_inner


def scalars_first(node: Any, kinds: Kinds) -> gast.expr:
    """The expression with constant factors of arrays moved to where they cost least."""
    new: gast.expr = map_inner(lambda child: scalars_first(child, kinds), node)
    return _product(new, kinds) if isinstance(new, gast.BinOp) else new


def _product(node: gast.BinOp, kinds: Kinds) -> gast.expr:
    right = node.right
    if not isinstance(node.op, gast.Mult) or not isinstance(right, gast.BinOp):
        return node
    if not isinstance(right.op, gast.Mult) or not _is_number(right.left):
        return node
    if not isinstance(kinds.of(right.right), Array):
        return node
    factor, array = right.left, right.right
    if isinstance(kinds.of(node.left), Scalar):
        if isinstance(node.left, gast.Constant):
            scaled: gast.expr = gast.Constant(value=node.left.value * factor.value, kind=None)
        else:
            scaled = gast.BinOp(left=factor, op=gast.Mult(), right=node.left)
        return gast.BinOp(left=scaled, op=gast.Mult(), right=array)
    if isinstance(node.left, gast.UnaryOp) and isinstance(node.left.op, gast.USub):
        minus = gast.Constant(value=-factor.value, kind=None)
        scaled = gast.BinOp(left=minus, op=gast.Mult(), right=node.left.operand)
        return gast.BinOp(left=scaled, op=gast.Mult(), right=array)
    return node


def _is_number(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float)
