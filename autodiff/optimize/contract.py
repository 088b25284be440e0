"""Sums over matrix products sum first: a vector is multiplied in place of a matrix."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import changed, map_parts
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse, sums
from autodiff.syntax.quote import quote

_TESTS = (gast.Compare, gast.BoolOp, gast.IfExp)
_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_NUMPY = ("np", "numpy")


def contract(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where the rows of `a @ b` are added up, add up those of `a`.

        np.sum(a @ b, axis=0)                becomes     np.sum(a, axis=0) @ b
        np.sum(a @ b, axis=1)                (np.sum(a, axis=1, keepdims=True) @ b)[:, 0]

    The second for stacks of matrices. Where the value of the primal is not returned, the forward
    sweep may round otherwise, too, and sums over the last axis need no array for the products:

        np.sum(a * b, axis=1)                np.einsum("...i,...i->...", a, b)

        np.sum(a * v[None, :], axis=1)       a @ v

    In the reverse sweep, a sum over all products of two arrays of one shape is `np.vdot(a, b)`.

    The last bits may differ; the forward sweep stays as it is.
    """
    if not sums(tree):
        return tree
    new = map_reverse(_Contract(facts).part, tree, facts)
    return new if facts.exact else _squares_summed(new, facts)


class _Contract:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def part(self, node: gast.AST) -> gast.AST:
        if isinstance(node, _SCOPES) or isinstance(node, gast.stmt) and not sums(node):
            return node
        new: gast.AST = map_parts(self.part, node)
        if isinstance(new, gast.Call):
            return self.total(new) or new
        return new

    def total(self, call: gast.Call) -> gast.expr | None:
        func = call.func
        if not isinstance(func, gast.Attribute) or func.attr != "sum" or len(call.args) != 1:
            return None
        product = call.args[0]
        options = {keyword.arg: _constant(keyword.value) for keyword in call.keywords}
        if not isinstance(product, gast.BinOp):
            return None
        if isinstance(product.op, gast.Mult) and not options:
            return self.inner(call, product)
        if isinstance(product.op, gast.Mult):
            return self.weighted(call, product, options)
        if not isinstance(product.op, gast.MatMult):
            return None
        if set(options) - {"axis", "keepdims"} or not self.facts.pure(call):
            return None
        whole, left = self.facts.shape(product), self.facts.shape(product.left)
        if whole is None or left is None or len(whole) != len(left):
            return None
        rank, axis = len(whole), options.get("axis")
        if rank < 2 or type(axis) is not int or axis % rank != rank - 2:
            return None
        kept = options.get("keepdims", False)
        if type(kept) is not bool:
            return None
        total = changed(call, args=[product.left])
        result: gast.expr = changed(product, left=total)
        if rank > 2 and not kept:
            keyword = gast.keyword(arg="keepdims", value=gast.Constant(value=True, kind=None))
            total.keywords = [*(k for k in call.keywords if k.arg == "axis"), keyword]
            index = [gast.Slice(lower=None, upper=None, step=None) for _ in range(rank - 2)]
            zero = gast.Constant(value=0, kind=None)
            place = gast.Tuple(elts=[*index, zero], ctx=gast.Load())
            result = gast.Subscript(value=result, slice=place, ctx=gast.Load())
        return result


    def weighted(
        self, call: gast.Call, product: gast.BinOp, options: dict[str | None, Any]
    ) -> gast.expr | None:
        """`np.sum(a * v[None, :], axis=1)` as `a @ v`, `np.sum(a * v[:, None], axis=0)` as `v @ a`.

        For a matrix and a vector of doubles.
        """
        whole, axis, kept = self.facts.shape(product), options.get("axis"), options.get("keepdims")
        if whole is None or len(whole) != 2 or set(options) - {"axis", "keepdims"}:
            return None
        if type(axis) is not int or None in whole or not self.facts.pure(call):
            return None
        if kept not in (None, True, False) or call.func.value.id not in _NUMPY:
            return None
        for matrix, other in ((product.left, product.right), (product.right, product.left)):
            vector = _vector(other, axis % 2)
            if vector is None or self.facts.shape(vector) != (whole[axis],):
                continue
            if self.facts.shape(matrix) != whole:
                continue
            if self.facts.wide(matrix) and self.facts.wide(vector):
                sides = (matrix, vector) if axis % 2 else (vector, matrix)
                total = gast.BinOp(left=sides[0], op=gast.MatMult(), right=sides[1])
                if not kept:
                    return total
                return quote("t[:, None]" if axis % 2 else "t[None]", t=total)
        return None

    def inner(self, call: gast.Call, product: gast.BinOp) -> gast.expr | None:
        """`np.sum(a * b)` as `np.vdot(a, b)`."""
        left, right = product.left, product.right
        shape = self.facts.shape(left)
        if not shape or None in shape or self.facts.shape(right) != shape:
            return None
        if not self.facts.wide(left) or not self.facts.wide(right) or not self.facts.pure(call):
            return None
        if not isinstance(call.func.value, gast.Name) or call.func.value.id not in _NUMPY:
            return None
        result: gast.expr = changed(call, func=changed(call.func, attr="vdot"), args=[left, right])
        return result


def _vector(node: gast.expr, axis: int) -> gast.expr | None:
    """The vector that varies along this axis alone, in `v[None, :]`, `v[None]` or `v[:, None]`."""
    if not isinstance(node, gast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    forms = [
        "new" if isinstance(part, gast.Constant) and part.value is None
        else "all" if isinstance(part, gast.Slice) and not (part.lower or part.upper or part.step)
        else "other"
        for part in parts
    ]
    fitting = (["new", "all"], ["new"]) if axis else (["all", "new"],)
    return node.value if forms in fitting else None


def _squares_summed(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, (*_SCOPES, *_TESTS)) or isinstance(node, gast.stmt) and not sums(node):
            return node
        new: gast.AST = map_parts(part, node)
        return (_products_summed(new, facts) or new) if isinstance(new, gast.Call) else new

    return map_reverse(part, tree, facts, whole=True)


def _products_summed(call: gast.Call, facts: Facts) -> gast.expr | None:
    """`np.sum(a * b, axis=-1)` or `np.sum(a**2, axis=-1)` as an `einsum`."""
    func = call.func
    if not isinstance(func, gast.Attribute) or func.attr != "sum" or len(call.args) != 1:
        return None
    product = call.args[0]
    if not isinstance(func.value, gast.Name) or not isinstance(product, gast.BinOp):
        return None
    left, right = product.left, product.right
    if isinstance(product.op, gast.Pow) and literals.number(right) == 2:
        right = left
    elif not isinstance(product.op, gast.Mult):
        return None
    if not isinstance(left, gast.Name) or not isinstance(right, gast.Name):
        return None
    shape = facts.shape(left)
    if shape is None or len(shape) < 2 or None in shape or facts.shape(right) != shape:
        return None
    if not facts.wide(left) or not facts.wide(right):  # np.sum is more careful with few digits
        return None
    axes = [_constant(keyword.value) for keyword in call.keywords if keyword.arg == "axis"]
    if len(call.keywords) != 1 or axes not in ([len(shape) - 1], [-1]) or not facts.pure(call):
        return None
    text = gast.Constant(value="...i,...i->...", kind=None)
    new = changed(func, attr="einsum")
    result: gast.expr = changed(call, func=new, args=[text, left, right], keywords=[])
    return result


def _constant(node: gast.expr) -> Any:
    number = literals.number(node)
    if number is not None:
        return number
    return node.value if isinstance(node, gast.Constant) else ...
