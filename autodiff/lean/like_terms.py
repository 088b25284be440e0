"""Equal terms are added up by a factor."""

from __future__ import annotations

import operator

import gast

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
    """An operation is twice a term from now on: of a product that nobody else needs, of the first
    factor.
    """
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
