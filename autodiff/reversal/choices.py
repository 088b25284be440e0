"""What is computed from a choice between a value and zero is computed from the value.

    g = np.where(c, 1.0, 0.0)
    before: `x_bar = np.where(g, g * np.cos(x), 0.0)`
    after: `x_bar = np.where(c, np.cos(x), 0.0)`

Two choices that are zero where the other is not are one: `np.where(c, y_bar, z_bar)`. What a rule
leaves out stays left out, whatever it is multiplied by, as zero times infinity is no number:

    g = where(y == 0, 0.0, y_bar * y)                   of the template of a density
    before: `x_bar = -g * z`                            NaN where z is infinite
    after: `x_bar = where(y == 0, 0.0, -(y_bar * y) * z)`
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value
from autodiff.emit.idioms import Choice, choice_of
from autodiff.primitives.builder import Builder
from autodiff.primitives.primitive import Application, argument, dotted
from autodiff.primitives.table import primitive_of


def choice_among(g: Value) -> Choice | None:
    """The choice between elements that an adjoint is."""
    choice = choice_of(g.op) if g.op is not None and g.op.reverse else None
    if not isinstance(g.kind, Array) or None in g.kind.shape or choice is None:
        return None
    return None if choice.test is None else choice


def is_written(g: Value) -> bool:
    """Whether an adjoint is a choice between numbers that are written down."""
    choice = choice_among(g)
    return choice is not None and choice.kept.is_constant


def where(builder: Builder, test: Value, one: Value, other: Value) -> Value:
    """`np.where(test, one, other)`."""
    numpy = builder.references.use("np", np)
    operands: list[Value] = []
    arguments = tuple(argument(value, operands) for value in (test, one, other))
    form = gast.Call(dotted(f"{numpy}.where"), [*arguments], [])
    return builder.apply(primitive_of(np.where), Application(arguments), form, operands)


def through(
    builder: Builder,
    g: Value,
    made: Value,
    own: Sequence[Operation],
    gated: Callable[[Value, Value, int], Value],
) -> Value | None:
    """What `own` operations make of a choice, made of what was chosen; None if that is not the
    same. gated: keeps what is made of the chosen value at zero where that is.
    """
    choice = choice_among(g)
    if choice is None:
        return None
    since = len(builder.block.operations)
    known: dict[Value, Value] = {g: choice.kept}
    chosen: dict[Value, Value] = {}

    def outside(value: Value) -> Value:
        """The choice of what was made."""
        if value in chosen or value not in known:
            return chosen.get(value, value)
        inner = gated(choice.kept, known[value], since)
        chosen[value] = choice.of(builder, inner)
        return chosen[value]

    for op in own:
        used = [v for v in op.operands if v in known or v in chosen]
        if not used:
            continue
        if not isinstance(op, Apply) or op.primitive.memory != "new" or op.raises:
            return None
        if op.primitive.elementwise and not any(v in chosen for v in used):
            if getattr(op.result.kind, "shape", None) != getattr(g.kind, "shape", None):
                return None
            operands, target = [known.get(v, v) for v in op.operands], known
        else:
            operands, target = [outside(v) for v in op.operands], chosen
        target[op.result] = builder.apply(op.primitive, op.application, op.form, operands)
    found = outside(made)
    return found if found.kind == made.kind else None


def united(builder: Builder, one: Value, other: Value) -> Value | None:
    """The sum of two choices by one test of which always one is zero; None if they are not that."""
    a, b = choice_among(one), choice_among(other)
    if a is None or b is None or a.test is not b.test or a.first is b.first:
        return None
    if one.kind != other.kind:
        return None
    ends = (a.kept, b.kept) if a.first else (b.kept, a.kept)
    assert a.test is not None
    found = where(builder, a.test, *ends)
    return found if found.kind == one.kind else None


_PRODUCTS: dict[Any, tuple[int, ...]] = {
    operator.mul: (0, 1),
    operator.truediv: (0,),
    operator.neg: (0,),
}
"""By which operand an operation is zero."""


def left_out(builder: Builder, since: int) -> dict[Value, Value]:
    """Products that a rule has written stand inside of its choices, from an operation on; gives
    what the results are now.
    """
    operations, swapped = builder.block.operations[since:], dict[Value, Value]()
    del builder.block.operations[since:]
    choices: dict[Value, Choice] = {}
    for op in operations:
        op.operands = [swapped.get(value, value) for value in op.operands]
        builder.block.operations.append(op)
        found = choice_of(op)
        if found is not None:
            choices[op.result] = found
        factors = _PRODUCTS.get(op.primitive.function, ()) if isinstance(op, Apply) else ()
        number = next((k for k in factors if op.operands[k] in choices), None)
        if number is None:
            continue
        choice = choices[op.operands[number]]
        op.operands[number] = choice.kept
        made = choice.of(builder, op.result, op.result.kind)
        swapped[op.result], choices[made] = made, replace(choice, kept=op.result)
    return swapped
