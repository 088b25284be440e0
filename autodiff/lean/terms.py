"""Equal terms are added up by a factor; a sum of products is an inner product."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core.function import Function
from autodiff.core.operation import Apply
from autodiff.core.references import References
from autodiff.core.value import Value, constant
from autodiff.lean.rewriting import Rewriting, is_call


def like_terms(function: Function, references: References) -> None:
    """Twice a number, where it is added to itself.

    before: `x_bar = scale * y + scale * y`
    after: `x_bar = 2.0 * scale * y`
    """
    work = Rewriting(function, references)
    for op in work.operations():
        if is_call(op, operator.add) and len(op.operands) == 2:
            one, other = op.operands
            if one is other and one.is_number and one.kind == op.result.kind:
                double(work, op, one)


def double(work: Rewriting, op: Apply, term: Value) -> None:
    """An operation is twice a term from now on: of a product of its own, of the first factor."""
    inner = term.op
    users = set(work.used_by(term))
    if not is_call(inner, operator.mul) or users != {op}:
        work.binary(op, gast.Mult(), constant(2.0), term)
        return
    assert op.block is not None
    left, right = inner.operands
    first = Value("", term.kind)
    operands = [constant(2.0), left]
    made = Apply(inner.primitive, inner.application, inner.form, operands, [first], op.origin)
    made.block, made.reverse, made.source = op.block, True, op.source
    first.block = op.block
    op.block.operations.insert(op.block.operations.index(op), made)
    work.users.setdefault(left, []).append(made)
    work.binary(op, gast.Mult(), first, right)


def inner_products(function: Function, references: References) -> None:
    """`np.vdot` in place of a sum over a temporary array.

    before: `r_bar += np.sum(total_bar * total)`
    after: `r_bar += np.vdot(total_bar, total)`
    """
    work = Rewriting(function, references)
    for op in work.operations():
        if not is_call(op, np.sum) or len(op.operands) != 1:
            continue
        product = op.operands[0]
        if len(op.application.arguments) != 1 or op.application.keywords:
            continue
        inner = product.op
        if not is_call(inner, operator.mul) or not work.is_single(product):
            continue
        left, right = inner.operands
        if are_alike(left, right):
            multiplied(work, op, left, right)


def multiplied(work: Rewriting, op: Apply, left: Value, right: Value) -> None:
    """An operation is an inner product from now on."""
    work.become(op, lambda builder: builder.call("np.vdot", np.vdot, left, right))


def are_alike(one: Value, two: Value) -> bool:
    """Whether both are arrays of doubles that are known to be of one shape."""
    a, b = one.kind, two.kind
    return (
        isinstance(a, Array)
        and isinstance(b, Array)
        and a.dtype == b.dtype == "float64"
        and a.shape == b.shape
        and None not in a.shape
        and len(a.shape) > 0
    )
