"""Derivatives that are given as functions, `@custom(vjp=..., jvp=...)`: called, not read.

y = root(a)             a_bar = fitted(root_vjp(y_bar, y, a), a)        reverse
                        y_dot = fitted(root_jvp(a_dot, y, a), y)        forward
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar, Text
from autodiff.core import Apply, NotYet, Value, constant
from autodiff.primitives import Application, Builder, hole, number_of, primitive_of
from autodiff.rules.template import Rule
from autodiff.runtime import fitted
from autodiff.syntax.names import name


def adjoints(
    builder: Builder, op: Apply, rule: Rule, y: Any, g: Value, active: set[Value]
) -> list[tuple[Value, Value]]:
    """The active operands, and what the given function adds to the adjoint of each."""
    given = arguments(op, rule)
    if rule.vjp is None or not isinstance(y, Value):
        raise NotYet("a custom derivative of another form")
    bars = called(builder, f"{op.primitive.name}_vjp", rule.vjp, [g, y, *given])
    places = [None] if len(given) == 1 else range(len(given))
    return [
        (value, fit(builder, bars, place, value))
        for value, place in zip(given, places)
        if value in active
    ]


def tangent(builder: Builder, op: Apply, rule: Rule, dots: dict[Value, Value]) -> Value:
    """What the given function says of the tangent of the result."""
    given = arguments(op, rule)
    if rule.jvp is None:
        raise NotYet("a custom derivative of another form")
    along = [dots.get(value, constant(None)) for value in given]
    several = len(given) > 1
    own = [op.result, *given]
    dot = called(
        builder, f"{op.primitive.name}_jvp", rule.jvp, [*along, *own], len(along) * several
    )
    return fit(builder, dot, None, op.result)


def arguments(op: Apply, rule: Rule) -> list[Value]:
    """What the function is given, one for each of its parameters."""
    numbers = [number_of(node) for node in op.application.arguments]
    fits = len(numbers) == len(rule.parameters) and not op.application.keywords
    if not fits or rule.narrowed is not None or None in numbers:
        raise NotYet("a custom derivative of another form")
    given = [op.operands[number] for number in numbers if number is not None]
    if not all(is_plain(value.kind) for value in (op.result, *given)):
        raise NotYet("a custom derivative of what are no numbers and arrays")
    return given


def is_plain(kind: Kind) -> bool:
    """Whether something is a number or an array, as is known."""
    return isinstance(kind, (Array, Scalar))


def called(
    builder: Builder, own: str, function: Any, operands: Sequence[Value], grouped: int = 0
) -> Value:
    """A call of a given function. grouped: so many operands come first, as a tuple."""
    word = getattr(function, "__name__", "")
    word = word if word.isidentifier() else own
    holes: list[gast.expr] = [*map(hole, range(len(operands)))]
    if grouped:
        holes[:grouped] = [gast.Tuple(elts=holes[:grouped], ctx=gast.Load())]
    form = gast.Call(name(builder.references.use(word, function)), holes, [])
    return builder.apply(primitive_of(fitted), Application((form,)), form, operands, Text())


def fit(builder: Builder, found: Value, place: int | None, like: Value) -> Value:
    """What belongs to a value, in its form. It is copied: it may be anything that was given."""
    part: gast.expr = hole(0)
    if place is not None:
        part = gast.Subscript(part, gast.Constant(place, None), gast.Load())
    form = gast.Call(name(builder.references.use("fitted", fitted)), [part, hole(1)], [])
    kind = like.kind
    made = builder.apply(
        primitive_of(fitted), Application((part, hole(1))), form, [found, like], kind
    )
    if isinstance(kind, Array):
        return builder.call(".copy", np.copy, made, kind=kind)
    return made
