"""Derivatives inside that are not sweeps of Core's: tangents, Jacobians, products with Hessians.

    jvp(f, (x,), (v,))                  f_jvp(x, x_dot=v)

Each offers a function of Python's for the kinds of its arguments, which is lowered like the user's
code; of a function that is known while compiling, and of what a method of it is called on.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from autodiff.core import ABSENT, NotYet, Value, constant, constant_kind
from autodiff.errors import AutodiffError
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Kind, Record, record
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.callables import Derivation, is_derivative, parameters_of
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Entries,
    Entry,
    Keywords,
    Outer,
    Pack,
)
from autodiff.lower.entries.members import known_of
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.standalone import is_derivation, plain
from autodiff.lower.flow.lifted import Lifted


def offered(
    expressions: Expressions, offer: Any, held: list[Entry], given: Entries, *more: Any
) -> Entry:
    """What a call comes to. held: what its function holds. more: what else it is told."""
    try:
        kinds = [kind_of(expressions, entry) for entry in given]
        made, guards = offer(kinds, *more)
    except AutodiffError as refusal:
        raise NotYet(refusal.what, refusal) from refusal
    expressions.unit.checks += guards
    return expressions.unit.doors.inlined(expressions, made, [*held, *given], [])


def of_object(
    expressions: Expressions, target: Any, given: Entries, named: Keywords
) -> Entry | None:
    """A call of an object that offers a function for the kinds of its arguments, as the parts of
    an implicit function do; None for others. named: what it is told, all known.
    """
    own = None if is_derivative(target) else class_attribute(type(target), "__inlined__")
    if not isinstance(own, FunctionType):
        return None
    offer = own.__get__(target)
    told = {key: known_of(as_known(entry)) for key, entry in named}
    if any(value is ABSENT for value in told.values()):
        raise NotYet("an option of a derivative that is found at run time")
    return offered(expressions, offer, [], given, told)


def as_known(entry: Entry) -> Entry:
    """A tuple of constants as a constant."""
    if not isinstance(entry, Pack) or entry.cls is not tuple:
        return entry
    items = [known_of(as_known(item)) for item in entry.items]
    return entry if any(item is ABSENT for item in items) else constant((*items,))


def along(
    expressions: Expressions, offer: Any, function: Entry, given: Entries, call: Any
) -> Entry:
    """`jvp(f, primals, tangents)`."""
    known, held = plain(function)
    if held:
        check(expressions, innermost(function), expressions.parts(given[0]), call)
    kinds = [kind_of(expressions, entry) for entry in held]
    return offered(expressions, offer, held, [known, *given], {}, kinds)


def of_derivative(
    expressions: Expressions, derivation: Derivation, function: Entry, given: Entries, call: Any
) -> Entry:
    """A call of a derivative of a function."""
    (known, held), derivative = plain(innermost(function)), derivation.derivative
    if held:
        check(expressions, innermost(function), given, call)
    if derivation.made is not None and plain_of(derivative) is not known.constant:
        first = [None for _ in held]
        bare = functools.partial(known.constant, *first) if held else known.constant
        derivative = derivation.made(bare)
    if plain_of(derivative.bare) is not known.constant:
        raise NotYet("a derivative of a function that is not known")
    return offered(expressions, derivative.bare.__inlined__, [], [*held, *given], {})


def plain_of(derivative: Any) -> Any:
    """The function that a derivative of derivatives ... is of."""
    while is_derivative(derivative):
        derivative = derivative.primal
    return derivative


def check(expressions: Expressions, function: Entry, given: Entries, call: Any) -> None:
    """What a function holds is passed, as it is: nobody changes it."""
    lifted = Lifted(expressions)
    own = [lifted.argument(each, False) for each in given[: len(parameters_of(function))]]
    lifted.lower(lambda: call(expressions, function, Arguments.of(own)))


def innermost(function: Entry) -> Entry:
    """What derivatives of derivatives are of."""
    while isinstance(function, Bound) and is_derivation(function.function):
        function = function.arguments[0]
    return function


def kind_of(expressions: Expressions, entry: Entry) -> Kind:
    """The kind of what is passed."""
    if isinstance(entry, Value):
        return constant_kind(entry.constant) if entry.is_constant else entry.kind
    if isinstance(entry, Pack):
        kinds = [kind_of(expressions, item) for item in entry.items]
        return Record(entry.cls, record(*kinds).keys, tuple(kinds))
    if isinstance(entry, Outer):
        return expressions.frame.kind(entry.object)
    if isinstance(entry, Box) and entry.memory is None:
        items = tuple(kind_of(expressions, item) for item in entry.slots.values())
        return Record(entry.cls, tuple(entry.slots), items)
    raise NotYet("a derivative inside of what has no kind")
