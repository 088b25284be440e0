"""Several contributions of one statement are added together, as far as they fit in a line."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import gast

from autodiff.core import Accumulate, Apply, Block, Function, References, Value
from autodiff.dataflow.integers import place_of
from autodiff.emit.budget import DEPTH, WIDTH, Budget, Size, length
from autodiff.kinds.kind import Array, Scalar
from autodiff.lean.merged import touches
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import Builder

_OPERATOR = 3
"""The columns of ` + `."""
_WAITING = 8
"""So many elements are looked at, to which something was added last."""


@dataclass(slots=True)
class Line:
    """Steps of a sum, `x_bar += term`, that will be one; how wide and how deep it is so far."""

    steps: list[Apply]
    size: Size = field(default_factory=lambda: Size(0))


def sums(function: Function, references: References) -> None:
    """One statement for what would be several.

    before: `x_bar += a * b`, `x_bar += c`, `u_bar[i] += d`, `u_bar[i] -= e`
    after: `x_bar += a * b + c`, `u_bar[i] += d - e`
    """
    for block in function.body.blocks():
        once(function, references, block)
    work = Rewriting(function, references)
    budget = Budget(work.users, function.seeds is None)
    for block in list(function.body.blocks()):
        line: Line | None = None
        for op in list(block.operations):
            if is_call(op, operator.add, operator.sub) and is_step(work, op):
                size = needed(budget, op)
                if line is not None and goes_on(work, line, op) and fits(budget, line, size):
                    line.steps.append(op)
                    line.size = joined(line.size, size)
                    continue
                close(work, line)
                line = Line([op], size)
        close(work, line)


def is_step(work: Rewriting, op: Apply) -> bool:
    """Whether an operation adds a term of the same form to a sum."""
    if not op.reverse or op.reads or len(op.operands) != 2 or not hasattr(op.form, "left"):
        return False  # one that reads memory that changes later stays where it is
    total, term = op.operands
    if total.is_constant or term.is_constant or not op.result.hint or op.result.hint != total.hint:
        return False
    kind = op.result.kind
    if isinstance(kind, Array):
        return total.kind == term.kind == kind and None not in kind.shape
    return isinstance(kind, Scalar) and total.is_number and term.is_number


def needed(budget: Budget, op: Apply) -> Size:
    """What the term of a step takes."""
    term = op.operands[1]
    if budget.is_part(term, op):
        return budget.tree(term, True)[0]
    return Size(length(term))


def joined(one: Size, other: Size) -> Size:
    """What the sum of two terms takes."""
    return Size(one.width + _OPERATOR + other.width, max(one.depth, other.depth) + 1)


def goes_on(work: Rewriting, line: Line, op: Apply) -> bool:
    """Whether a step is the next of a line: of one statement of the user's."""
    last = line.steps[-1]
    follows = op.operands[0] is last.result and work.is_single(last.result)
    return follows and op.origin == last.origin


def fits(budget: Budget, line: Line, size: Size) -> bool:
    """Whether one more term fits in a line."""
    found = joined(line.size, size)
    room = budget.initial(line.steps[0]).width - length(line.steps[0].operands[1])
    return room + found.width <= WIDTH and found.depth < DEPTH


def close(work: Rewriting, line: Line | None) -> None:
    """The terms of a line, added up, are added to the sum."""
    if line is None or len(line.steps) < 2:
        return
    first, last = line.steps[0], line.steps[-1]
    block, minus = last.block, is_call(first, operator.sub)
    outer, block.operations = block.operations, []
    builder = Builder(block, work.references, last.origin, reverse=True)
    builder.source = last.source
    whole = first.operands[1]
    for op in line.steps[1:]:
        same = is_call(op, operator.sub) == minus
        whole = builder.binary(gast.Add() if same else gast.Sub(), whole, op.operands[1])
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    work.binary(last, gast.Sub() if minus else gast.Add(), first.operands[0], whole)
    for op in line.steps[:-1]:
        outer.remove(op)


def once(function: Function, references: References, block: Block) -> None:
    """What is added to one place twice is added up first."""
    waiting: list[Accumulate] = []
    for op in list(block.operations):
        if isinstance(op, Accumulate) and op.reverse and not op.scattered:
            other = next((w for w in waiting if is_alike(w, op)), None)
            if other is not None:
                together(references, other, op)
                waiting.remove(other)
        waiting = [w for w in waiting if not (op.block is w.block and touches(op, w.base))]
        if isinstance(op, Accumulate) and op.reverse and not op.scattered and op.value.is_number:
            waiting = [*waiting[-_WAITING:], op]


def is_alike(one: Accumulate, other: Accumulate) -> bool:
    """Whether two numbers are added to one element, for one statement."""
    return (
        one.base is other.base
        and one.window is not None
        and place_of(one) == place_of(other)
        and one.origin == other.origin
        and other.value.is_number
        and not (one.value.is_constant or other.value.is_constant)
    )


def together(references: References, first: Accumulate, last: Accumulate) -> None:
    """The second of two is their sum."""
    block = last.block
    outer, block.operations = block.operations, []
    builder = Builder(block, references, last.origin, reverse=True)
    builder.source = last.source
    same = first.sign == last.sign
    value: Value = builder.binary(gast.Add() if same else gast.Sub(), first.value, last.value)
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    last.operands[1], last.sign = value, first.sign
    outer.remove(first)
