"""A sum of products is an inner product."""

from __future__ import annotations

import operator

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core.function import Function
from autodiff.core.operation import Apply
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.lean.rewriting import Rewriting, is_call


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
