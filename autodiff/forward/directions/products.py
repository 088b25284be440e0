"""Products of arrays, one of which is a tangent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.operation import Operation
from autodiff.forward.directions.batch import Batch, Unruled
from autodiff.forward.directions.indices import aligned
from autodiff.syntax.quote import quote

Lift = Callable[[Batch, gast.expr], gast.expr]


def matmul(batch: Batch, left: gast.expr, right: gast.expr, lift: Lift) -> gast.expr:
    """`a @ x_dot`, with the directions as a stack of matrices, or as the rows of one."""
    ranks = batch.rank(left), batch.rank(right)
    if min(ranks) < 1 or batch.carries(left) and batch.carries(right):
        raise Unruled
    if batch.carries(left):
        new = lift(batch, left)
        if ranks[1] > 2:
            if ranks[0] < 2:
                raise Unruled
            new = aligned(new, ranks[0], ranks[1])
        return quote("a @ b", a=new, b=lift(batch, right))
    new = lift(batch, right)
    own = lift(batch, left)
    if ranks[1] == 1:
        if ranks[0] > 2:
            raise Unruled
        return quote("b @ a" if ranks[0] == 1 else "b @ a.T", a=own, b=new)
    return quote("a @ b", a=own, b=aligned(new, ranks[1], max(ranks)))


def _operands(operation: Operation, count: int = 2) -> list[gast.expr]:
    if operation.keywords or len(operation.arguments) != count:
        raise Unruled
    return list(operation.arguments)


def _matmul(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    left, right = _operands(operation)
    return matmul(batch, left, right, lift)


def _dot(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    left, right = _operands(operation)
    ranks = batch.rank(left), batch.rank(right)
    if min(ranks) == 0:
        own, other = lift(batch, left), lift(batch, right)
        if batch.carries(left):
            own = aligned(own, ranks[0], max(ranks))
        if batch.carries(right):
            other = aligned(other, ranks[1], max(ranks))
        return quote("a * b", a=own, b=other)
    if max(ranks) > 2:
        raise Unruled
    return matmul(batch, left, right, lift)


def _inner(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    left, right = _operands(operation)
    if (batch.rank(left), batch.rank(right)) != (1, 1):
        raise Unruled
    return matmul(batch, left, right, lift)


def _outer(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    left, right = _operands(operation)
    if (batch.rank(left), batch.rank(right)) != (1, 1):
        raise Unruled
    one, other = lift(batch, left), lift(batch, right)
    one = quote("a[:, :, None]" if batch.carries(left) else "a[:, None]", a=one)
    other = quote("b[:, None]", b=other) if batch.carries(right) else other
    return quote("a * b", a=one, b=other)


def _einsum(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    if not node.args or not isinstance(node.args[0], gast.Constant):
        raise Unruled
    text = node.args[0].value
    operands = node.args[1:]
    if not isinstance(text, str) or "->" not in text:
        raise Unruled
    if any(keyword.arg != "optimize" for keyword in node.keywords):
        raise Unruled
    if "." in text:
        return _with_dots(batch, node, text.replace(" ", ""), lift)
    given, result = text.replace(" ", "").split("->")
    terms = given.split(",")
    if len(terms) != len(operands):
        raise Unruled
    letter = next(c for c in "kKabcdefghijlmnopqrstuvwxyz" if c not in text)
    for number, operand in enumerate(operands):
        if batch.carries(operand):
            terms[number] = letter + terms[number]
    text = f"{','.join(terms)}->{letter}{result}"
    new = [gast.Constant(value=text, kind=None), *(lift(batch, o) for o in operands)]
    return gast.Call(func=node.func, args=new, keywords=node.keywords)


def _with_dots(batch: Batch, node: gast.Call, text: str, lift: Lift) -> gast.expr:
    """`...i,...i->...`: the directions are the first of the axes that the dots stand for.

    So the tangent must have as many of these as any other operand.
    """
    given, result = text.split("->")
    operands = list(zip(given.split(","), node.args[1:]))
    if len(operands) != len(node.args) - 1 or not result.startswith("..."):
        raise Unruled
    axes = [batch.rank(operand) - len(term.replace("...", "")) for term, operand in operands]
    for (term, operand), own in zip(operands, axes):
        if batch.carries(operand) and (not term.startswith("...") or own < max(axes)):
            raise Unruled
    new = [node.args[0], *(lift(batch, operand) for _, operand in operands)]
    return gast.Call(func=node.func, args=new, keywords=node.keywords)


def _solve(batch: Batch, node: gast.Call, operation: Operation, lift: Lift) -> gast.expr:
    matrix, right = _operands(operation)
    if batch.carries(matrix) or batch.rank(matrix) != 2:
        raise Unruled
    new = lift(batch, right)
    rank = batch.rank(right)
    if rank == 1:
        return quote("f(a, b.T).T", f=node.func, a=lift(batch, matrix), b=new)
    if rank == 2:
        return quote("f(a, b)", f=node.func, a=lift(batch, matrix), b=new)
    raise Unruled


PRODUCTS: dict[Any, Callable[[Batch, gast.Call, Operation, Lift], gast.expr]] = {
    np.matmul: _matmul,
    np.dot: _dot,
    np.inner: _inner,
    np.outer: _outer,
    np.einsum: _einsum,
    np.linalg.solve: _solve,
}
