"""Masks of which a part is known: `(z > 0) | (z == 0) & (a == 1)` where `a` is the number 2."""

from __future__ import annotations

import gast

from autodiff.syntax.names import reads


def known_mask(node: gast.BinOp) -> gast.expr | None:
    """A conjunction or disjunction of comparisons without the constant in it; None without one.

    What goes has to have the shape of what stays: it reads nothing else.

    >>> import ast
    >>> node = gast.parse("(z > 0) | (z == 0) & False", mode="eval").body
    >>> ast.unparse(gast.gast_to_ast(known_mask(node)))
    'z > 0'
    """
    if isinstance(node.op, gast.BitAnd) and _is_mask(node.left) and _is(node.right, True):
        kept: gast.expr = node.left
        return kept
    if not isinstance(node.op, gast.BitOr) or not isinstance(node.right, gast.BinOp):
        return None
    right = node.right
    empty = isinstance(right.op, gast.BitAnd) and _is(right.right, False) and _is_mask(right.left)
    if empty and _is_mask(node.left) and reads(right.left) <= reads(node.left):
        kept = node.left
        return kept
    return None


def _is(node: gast.expr, value: bool) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def _is_mask(node: gast.expr) -> bool:
    """Whether an expression compares names with numbers: all of it is bool."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.BitAnd, gast.BitOr)):
        return _is_mask(node.left) and _is_mask(node.right)
    if not isinstance(node, gast.Compare):
        return False
    atoms = (gast.Name, gast.Constant, gast.Attribute)
    return all(isinstance(part, atoms) for part in (node.left, *node.comparators))
