"""What is computed from a choice between a value and zero is computed from the value.

    g = np.where(c, 1.0, 0.0)
    before: `x_bar = np.where(g, g * np.cos(x), 0.0)`
    after: `x_bar = np.where(c, np.cos(x), 0.0)`

Two choices that are zero where the other is not are one: `np.where(c, y_bar, z_bar)`. What a rule
leaves out stays left out, whatever it is multiplied by, as zero times infinity is no number:

    g = where(y == 0, 0.0, y_bar * y)                   of the template of a density
    before: `x_bar = -g * z`                            NaN where z is infinite
    after: `x_bar = where(y == 0, 0.0, -(y_bar * y) * z)`

Operations that are infinite for some operands, or not a number for zero and infinity.

Roots of sums of squares: where one is zero, so is what it is the root of, and its slope there.

    r = np.sqrt(np.sum(x**2))         r_bar = 2 * r
    y = r**2                          s_bar = r_bar / (2 * r) if r_bar else 0.0

An adjoint that is computed from the root may vanish with it; zero by an infinite slope is no
number, while any number would do: the squares multiply it by zero. `np.linalg.norm` does the same.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import gast
import numpy as np

from autodiff.core import Apply, Load, LoadOuter, Operation, Value, View, ends
from autodiff.emit.idioms import Choice, choice_of
from autodiff.kinds.kind import Array, Scalar, is_real
from autodiff.primitives import Application, Builder, argument, dotted, least, primitive_of


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


_FACTORS: dict[Any, tuple[int, ...]] = {
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
        factors = _FACTORS.get(op.primitive.function, ()) if isinstance(op, Apply) else ()
        number = next((k for k in factors if op.operands[k] in choices), None)
        if number is None:
            continue
        choice = choices[op.operands[number]]
        op.operands[number] = choice.kept
        made = choice.of(builder, op.result, op.result.kind)
        swapped[op.result], choices[made] = made, replace(choice, kept=op.result)
    return swapped


_QUOTIENTS = frozenset((operator.truediv, np.divide, np.reciprocal))
_PRODUCTS = frozenset((operator.mul, np.multiply))
POWERS = frozenset((operator.pow, np.power, pow))


def is_singular(op: Operation, bounds: dict[Value, float]) -> TypeGuard[Apply]:
    """Whether an operation may be infinite: a division, a power that may be negative. bounds: what
    values are never below.
    """
    if not isinstance(op, Apply) or not op.operands or op.guards:
        return isinstance(op, Apply) and op.guards
    function, last = op.primitive.function, op.operands[-1]
    if function in POWERS:
        known = last.constant if last.is_constant else None
        return not (isinstance(known, (int, float)) and known >= 0)
    known = last.is_constant and last.constant or least(last, bounds) > 0.0
    return function in _QUOTIENTS and not known


def divisor(op: Apply) -> Value:
    """What an operation is infinite for where that is zero: a power's base."""
    return op.operands[0 if op.primitive.function in POWERS else -1]


def has_run(source: Operation | None, strict: bool = False) -> bool:
    """Whether an operation was a quotient of Python's numbers, which is an error for zero; strict:
    so are those of NumPy's.
    """
    if not isinstance(source, Apply) or source.primitive.function is not operator.truediv:
        return False
    kinds = [value.kind for value in source.operands]
    return all(isinstance(kind, Scalar) and (strict or kind.dtype is None) for kind in kinds)


def is_product(op: Operation, bounds: dict[Value, float]) -> bool:
    """Whether an operation multiplies by what is not known to be a number."""
    if not isinstance(op, Apply) or op.primitive.function not in _PRODUCTS | _QUOTIENTS:
        return is_singular(op, bounds)
    return not any(operand.is_constant for operand in op.operands)


def is_wild(value: Value) -> bool:
    """Whether a number that is written down is none: infinite, or NaN."""
    op = value.op
    number = op.always if isinstance(op, LoadOuter) else value.constant
    if isinstance(op, Apply) and op.primitive.function is float and op.operands:
        number = op.operands[0].constant
        return isinstance(number, str)
    return isinstance(number, float) and not math.isfinite(number)


def made_of(value: Value) -> list[Value]:
    """What a number of the forward sweep comes from."""
    op = value.op
    if op is not None and op.reverse and op.again is None:
        return []
    if isinstance(op, Apply):
        return [own for own in op.operands if getattr(own.kind, "dtype", None) != "bool"]
    return [op.base] if isinstance(op, (Load, View)) else ends(value)


_ROOTS = frozenset((np.sqrt, math.sqrt))
_INNER = frozenset((operator.matmul, np.matmul, np.dot, np.vdot, np.inner))
_SUMS = frozenset((np.sum, np.mean, np.nansum, sum))
_FURTHEST = 200
"""So many values are looked at."""


def vanishes(op: Apply, g: Value) -> bool:
    """Whether the adjoint of a root of squares may be zero where the root is."""
    if op.primitive.function not in _ROOTS or not is_of_squares(op.operands[0]):
        return False
    seen, todo = {g}, [g]
    while todo and len(seen) < _FURTHEST:
        value = todo.pop()
        if value is op.result:
            return True
        found = value.op.operands if value.op is not None else []
        todo += [each for each in found if each not in seen]
        seen.update(found)
    return False


def is_of_squares(value: Value) -> bool:
    """Whether a real value is never below zero, and zero only where it has no slope either."""
    op = value.op
    if not is_real(value.kind) or value.is_written:
        return False
    if isinstance(op, (Load, View)):
        return is_of_squares(op.base)
    if not isinstance(op, Apply) or not op.operands:
        return False
    function, first, last = op.primitive.function, op.operands[0], op.operands[-1]
    if function in POWERS:
        return isinstance(last.constant, (int, float)) and last.constant in (2, 4, 6)
    if function is np.square or function is operator.mul and first is last:
        return True
    if function in _INNER:
        return first is last and isinstance(value.kind, Scalar)
    if function is operator.add:
        return is_of_squares(first) and is_of_squares(last)
    if function is operator.mul:
        return all(is_of_squares(each) or is_positive(each) for each in op.operands)
    if function is operator.truediv:
        return is_of_squares(first) and (is_of_squares(last) or is_positive(last))
    return (function in _SUMS or op.primitive.memory == "view") and is_of_squares(first)


def is_positive(value: Value) -> bool:
    """Whether a value is a positive constant."""
    return isinstance(value.constant, (int, float)) and value.constant > 0
