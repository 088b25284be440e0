"""Derivatives that are called inside: their sweeps stand where the call does, as operations like
others.

    x - 0.1 * grad(loss)(x, k)
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Scalar
from autodiff.core import Function, NotYet, Value, constant
from autodiff.core.statements import Stays
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.callables import Derivation, parameters_of
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Closure,
    Entries,
    Entry,
    Keywords,
    Pack,
    Unbound,
    leaves,
    mapped,
)
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.offers import along, of_derivative, offered
from autodiff.lower.expression.pulled_inside import Pulled
from autodiff.lower.flow.lifted import Lifted
from autodiff.primitives.containing import is_container
from autodiff.rules import registry
from autodiff.syntax.names import captured

Call = Callable[["Expressions", Entry, Arguments], Entry]


def made(
    expressions: Expressions, maker: Any, positional: Entries, named: Keywords, call: Call
) -> Entry:
    """`grad(f, wrt=...)`, of a function that is an entry; `vjp(f, x)`, which is called at once."""
    function, *others = positional
    if named and not registry.is_maker(maker):
        offer: Any = registry.offer_of(maker)  # which refuses them
        offer = functools.partial(offer, keywords=dict(named))
        return offered(expressions, offer, [], [])
    if registry.is_pulling(maker):
        names = [each.name for each in parameters_of(function)][: len(others)]
        if len(names) < len(others):
            raise NotYet("a pullback of another form")
        return pulled(expressions, tuple(names), function, others, call)
    if not registry.is_maker(maker):
        return along(expressions, registry.offer_of(maker), function, others, call)
    settings = [known(entry) for entry in others]
    options = {key: known(entry) for key, entry in named}
    if isinstance(function, Value) and function.is_constant:
        stand_in = function.constant
    else:
        stand_in = with_parameters(parameters_of(function))
    again = functools.partial(made_of, maker, settings, options)
    return of(again(stand_in), stand_in, function, again)


def made_of(maker: Any, settings: list[Any], options: dict[str, Any], function: Any) -> Any:
    """A derivative of a function."""
    try:
        return maker(function, *settings, **options)
    except Exception:
        raise NotYet("a derivative that cannot be made") from None


def of(derivative: Any, stand_in: Any, function: Entry, again: Any = None) -> Entry:
    """A derivative of a derivative ... of a function for which another one stands in."""
    if derivative is stand_in:
        return function
    inner = of(derivative.primal, stand_in, function)
    return Bound(constant(Derivation(derivative, again)), (inner,))


def known(entry: Entry) -> Any:
    """An option of a derivative."""
    if isinstance(entry, Value) and entry.is_constant:
        return entry.constant
    if isinstance(entry, Pack) and entry.cls is tuple:
        return tuple(map(known, entry.items))
    raise NotYet("an option of a derivative that is found at run time")


def with_parameters(parameters: list[inspect.Parameter]) -> Any:
    """A function that has these parameters, for what asks for those alone."""

    def stand_in() -> None:
        """It is not called."""

    stand_in.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return stand_in


# Calls -----------------------------------------------------------------------------------------


def called(
    expressions: Expressions,
    derivation: Derivation,
    function: Entry,
    arguments: Arguments,
    call: Call,
) -> Entry:
    """A call of a derivative of a function."""
    derivative = derivation.derivative
    form, single = derivative.__derivation__()
    if derivative.has_aux:
        raise NotYet("a derivative inside: aux")
    if form not in ("grad", "value_and_grad", "elementwise"):
        if arguments.named:
            raise NotYet("a derivative by an argument that is left out")
        return of_derivative(expressions, derivation, function, arguments.positional, call)
    if form == "elementwise":
        call, form = summed(call), "grad"
    value, adjoints = Sweep(expressions, derivative.wrt, function, arguments, call).run(form)
    slopes = adjoints[0] if single else Pack(tuple(adjoints))
    return slopes if value is None else Pack((value, slopes))


def pulled(
    expressions: Expressions,
    names: tuple[str, ...],
    function: Entry,
    primals: Entries,
    call: Call,
) -> Entry:
    """The value, where the call stands, and what runs the reverse sweep later."""
    kept = [lasting(expressions, each) for each in primals]
    around = held(function)
    sweep = Sweep(expressions, names, function, Arguments.of(primals), call)

    def again(expressions: Expressions, seed: Value, since: Stays) -> list[Entry]:
        """Both sweeps once more, of the function times a seed, where all that it reads is there."""
        same = around is not None and all(map(operator.is_, around, held(function) or around))
        if not same or None in kept:
            raise NotYet("a pullback that is called again, of what reads what changes")
        own: list[Entry] = [each for each in kept if each is not None]
        other = Sweep(expressions, names, function, Arguments.of(own), paired(call, seed))
        expressions.builder.add(Stays(other.lifted.read_beside([*own, seed]), since))
        return other.run("grad")[1]

    made = sweep.differentiated("vjp")
    if not isinstance(made.result, Value) or made.seeds is None:
        raise NotYet("a pullback of a result of another form")
    body, boundary = made.body, made.boundary
    sweep.lifted.put(body.operations[:boundary])
    body.operations = body.operations[boundary:]
    value = sweep.given_out(made.result)
    read = [*leaves(Pack((*primals,))), *sweep.lifted.operands.values()]
    given = tuple(each for each in read if each.memory is not None)
    return Pack((value, constant(Pulled(sweep, value, given, again))))


def held(function: Entry) -> list[Entry] | None:
    """What a function reads of the variables around it, as they are now; None for what is not known
    to stay as it is.
    """
    found: list[Entry] = []
    if isinstance(function, Closure) and not function.defaults:
        for each in captured(function.node):
            frame, own = function.frame.resolve(each)
            if frame is not None:
                found.append(frame.names.get(own, Unbound()))
    elif not isinstance(function, Value) or not function.is_constant:
        return None
    return found if all(isinstance(each, Value) for each in found) else None


def lasting(expressions: Expressions, entry: Entry) -> Value | None:
    """What an argument holds now; None for containers."""
    return expressions.loaded(entry) if isinstance(entry, Value) else None


def paired(call: Call, seed: Value) -> Call:
    """Calls what gives a value for the sum of that times a seed."""

    def called(expressions: Expressions, function: Entry, arguments: Arguments) -> Entry:
        value = expressions.loaded(expressions.as_value(call(expressions, function, arguments)))
        product = expressions.builder.binary(gast.Mult(), value, seed)
        if isinstance(product.kind, Scalar):
            return product
        return expressions.builder.call("np.sum", np.sum, product)

    return called


def summed(call: Call) -> Call:
    """Calls what gives an array, for the sum of that."""

    def called(expressions: Expressions, function: Entry, arguments: Arguments) -> Entry:
        value = expressions.loaded(expressions.as_value(call(expressions, function, arguments)))
        return expressions.builder.call("np.sum", np.sum, value)

    return called


class Sweep:
    """A function and its reverse sweep, for one call."""

    def __init__(
        self,
        expressions: Expressions,
        wrt: tuple[str, ...],
        function: Entry,
        arguments: Arguments,
        call: Call,
    ) -> None:
        self.expressions = expressions
        self.lifted = Lifted(expressions)
        signature = inspect.Signature(parameters_of(function))
        try:
            bound = signature.bind(*arguments.positional, **dict(arguments.named))
        except TypeError:
            raise NotYet("a call that does not fit") from None
        if any(own not in bound.arguments for own in wrt):
            raise NotYet("a derivative by an argument that is left out")
        for own, entry in bound.arguments.items():
            bound.arguments[own] = self.lifted.argument(entry, own in wrt)
        self.wrt = [bound.arguments[own] for own in wrt]
        given = Arguments.of([*bound.args])
        given.named = [*bound.kwargs.items()]
        self.lifted.lower(lambda: call(expressions, function, given))

    def differentiated(self, form: str) -> Function:
        """Both sweeps, whose parameters are what they are where the call stands."""
        lifted, unit = self.lifted, self.expressions.unit
        own = [*leaves(Pack((*self.wrt,)), lambda box: True)]
        unit.doors.differentiated(unit, lifted.function, own, form)
        lifted.enter()
        return lifted.function

    def run(self, form: str) -> tuple[Entry | None, list[Entry]]:
        """Value and adjoints, where the call stands."""
        function = self.differentiated(form)
        self.lifted.put(function.body.operations)
        value = None if function.result is None else self.given_out(function.result)
        return value, self.adjoints()

    def adjoints(self) -> list[Entry]:
        """The adjoints of the arguments, in their structure."""
        bars = iter([self.given_out(bar) for bar in self.lifted.function.outputs])
        return [self.structured(entry, bars) for entry in self.wrt]

    def given_out(self, value: Any) -> Value:
        """A result of its own, which others may change."""
        if not isinstance(value, Value) or is_container(value.kind):
            raise NotYet("a result of another form")
        if value.memory is None:
            return value
        return self.expressions.builder.version(value, value.hint, value.named)

    def structured(self, entry: Entry, bars: Any) -> Entry:
        """The adjoints in the structure of an argument."""
        if isinstance(entry, Value):
            found: Entry = next(bars)
            return found
        if not isinstance(entry, Box):
            return mapped(entry, lambda part: self.structured(part, bars))
        slots = {key: self.structured(item, bars) for key, item in entry.slots.items()}
        return boxes.boxed(self.expressions.unit, entry.cls, slots)
