"""What gives no more than a shape is a value that is there, not one computed for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.analysis.size import is_plural
from autodiff.optimize.change import changed, map_inner
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import children

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_MADE = (gast.BinOp, gast.UnaryOp, gast.Call)
_NUMPY = ("np", "numpy")
_LENGTHS: dict[Any, str] = {"valid": "abs(len(a) - len(v)) + 1", "same": "max(len(a), len(v))"}
_LENGTHS["full"] = "len(a) + len(v) - 1"
_LENGTHS |= dict(enumerate(_LENGTHS.values()))
"""How long a convolution or correlation of two vectors is, by its mode or the mode's number."""


def likes(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, a part of an expression in place of the expression, for its shape.

        unbroadcast(g, t**2)           becomes          unbroadcast(g, t)
        1.0 / len(y * y)               becomes          1.0 / len(y)
        np.convolve(a, v).shape        becomes          (len(a) + len(v) - 1,)
        unbroadcast(g, np.convolve(a, v, "valid"))      becomes
        g if len(a) != len(v) else np.sum(g, keepdims=True)

    The last where `g` is a vector of two numbers or more: what it met was as long, or had one.
    Only between arrays of doubles, where numbers are all that the other operands are, or where
    the names of all sizes say that both have one shape.
    """

    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, _SCOPES):
            return node
        new: gast.AST = map_inner(part, node)
        if isinstance(new, gast.Attribute) and new.attr in ("shape", "size", "ndim"):
            length = _length(new.value, facts)
            if length is not None and new.attr != "ndim":
                return quote("(n,)", n=length) if new.attr == "shape" else length
            like = _smaller(new.value, facts)
            return new if like is new.value else changed(new, value=like)
        return call(new) if isinstance(new, gast.Call) else new

    def call(node: gast.Call) -> gast.expr:
        if not isinstance(node.func, gast.Name):
            return node
        if node.func.id == "len" and len(node.args) == 1 and facts.pure(node):
            length = _length(node.args[0], facts)
            if length is not None:
                return length
            like = _smaller(node.args[0], facts)
            return node if like is node.args[0] else changed(node, args=[like])
        if not facts.fits(node):
            return node
        single = _single(node, facts)
        if single is not None:
            return single
        args = [*node.args[:1], *(_smaller(arg, facts) for arg in node.args[1:])]
        keywords = [changed(own, value=_smaller(own.value, facts)) for own in node.keywords]
        result: gast.Call = changed(node, args=args, keywords=keywords)
        return result

    return map_reverse(part, tree, facts)


def _smaller(node: gast.expr, facts: Facts) -> gast.expr:
    """The expression, or a part of it that has its shape and dtype."""
    while isinstance(node, _MADE) and facts.shape(node) and facts.wide(node):
        shape = facts.shape(node)
        alike = [
            own
            for own in _names(node)
            if facts.wide(own) and shape == facts.shape(own) and None not in (shape or ())
        ]
        inner = alike[0] if alike else _only_array(node, facts)
        if inner is None:
            break
        node = inner
    length = _length(node, facts)
    if length is not None and facts.wide(node):
        return quote("np.empty(n)", np=node.func.value, n=length)
    return node


def _length(node: gast.expr, facts: Facts) -> gast.expr | None:
    """How long a convolution of two vectors is, which need not be computed for that."""
    mode = _mode(node, facts)
    return None if mode is None else quote(_LENGTHS[mode], a=node.args[0], v=node.args[1])


def _mode(node: gast.expr, facts: Facts) -> Any:
    """The mode of a convolution of two vectors, or its number; None for all else."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return None
    defaults = {"convolve": "full", "correlate": "valid"}
    if node.func.attr not in defaults or not 2 <= len(node.args) <= 3 or not facts.pure(node):
        return None
    if not isinstance(node.func.value, gast.Name) or node.func.value.id not in _NUMPY:
        return None
    modes = [*node.args[2:], *(own.value for own in node.keywords if own.arg == "mode")]
    words = [getattr(mode, "value", None) for mode in modes] or [defaults[node.func.attr]]
    both = node.args[:2]
    if len(words) != 1 or words[0] not in _LENGTHS or len(node.keywords) > 1:
        return None
    if not all(isinstance(one, gast.Name) and len(facts.shape(one) or ()) == 1 for one in both):
        return None
    return words[0]


def _single(node: gast.Call, facts: Facts) -> gast.expr | None:
    """The adjoint of a convolution that has one element, or as many as its adjoint."""
    if len(node.args) != 2 or node.keywords or not isinstance(node.args[0], gast.Name):
        return None
    g, like = node.args
    shape = facts.shape(g) or ()
    if len(shape) != 1 or not is_plural(shape[0]) or not facts.wide(g) or not facts.wide(like):
        return None
    if _mode(like, facts) not in ("valid", 0):  # others are longer than 1 where an operand is
        return None
    a, v = like.args[:2]
    text = "g if len(a) != len(v) else np.sum(g, keepdims=True)"
    return quote(text, np=like.func.value, g=g, a=a, v=v)


def _only_array(node: gast.expr, facts: Facts) -> gast.expr | None:
    """The operand of an operation whose other operand, if there is one, is a number."""
    if isinstance(node, gast.UnaryOp):
        return node.operand if facts.wide(node.operand) else None
    if not isinstance(node, gast.BinOp) or isinstance(node.op, gast.MatMult):
        return None
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if facts.wide(one) and facts.shape(one) and facts.scalar(other):
            return one
    return None


def _names(node: gast.AST) -> Iterator[gast.Name]:
    """The names that an expression certainly reads."""
    for child in children(node):
        if isinstance(child, gast.Name) and isinstance(child.ctx, gast.Load):
            yield child
        elif isinstance(child, (*_MADE, gast.keyword)):
            yield from _names(child)
