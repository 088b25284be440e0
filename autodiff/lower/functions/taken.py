"""Operations that are given functions: `rules/taking.py`.

    found = as_it_is((x,), brentq, f, 0.0, 5.0)     brentq(partial(function, a), 0.0, 5.0)
    root_of(f, found)                               solution(a, found)

With f = lambda x: x**3 - a, which as a function that stands alone is function(a, x).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast

from autodiff.core import NotYet, Value, constant
from autodiff.errors import MissingRuleError
from autodiff.kinds.kind import Kind, forget_values, number
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.callables import parameters_of
from autodiff.lower.entries.entry import Box, Entry, Pack, inner
from autodiff.lower.entries.members import known_of
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.expression.offers import innermost
from autodiff.lower.expression.standalone import held_by, is_function, plain, with_outer
from autodiff.lower.flow import opaque
from autodiff.lower.flow.lifted import Lifted
from autodiff.lower.functions.custom_calls import whole
from autodiff.lower.functions.standing_in import stand_in
from autodiff.primitives import OPAQUE, Application
from autodiff.primitives.executing import is_of_library
from autodiff.primitives.primitive import Primitive, argument
from autodiff.rules import registry
from autodiff.rules.home import public_name
from autodiff.rules.taking import (
    ANSWERS,
    arity_of,
    as_it_is,
    is_of_a_run,
    is_solver,
    maker_for,
    rather_followed,
    refused,
)
from autodiff.runtime import (
    assembled,
    claims,
    ended,
    formed,
    if_decided,
    if_settled,
    rests,
    size_of,
    standing,
)
from autodiff.syntax.names import name

Call = Callable[[Expressions, Entry, Arguments], Entry]

KINDS = {
    **dict.fromkeys((size_of, standing), number("int")),
    **dict.fromkeys((claims, ended, rests), number("bool")),
}
LIKE = {formed: 2, if_settled: 0, if_decided: 0}
"""Which argument has the form of what is given."""
_AS_IT_IS = Primitive(as_it_is, as_it_is.__name__, pure=False, raises=True)


def taken(expressions: Expressions, target: Any, arguments: Arguments, call: Call) -> Entry | None:
    """What a call of such an operation comes to; None for other callables."""
    if isinstance(target, FunctionType) and target.__module__ == "autodiff.transforms.vmapped":
        raise NotYet.saying(
            "a function of many examples that is made inside",
            "vmap is called inside of a function that is differentiated",
            "which function it makes is only known at run time",
            "make it outside: `many = vmap(f)`, and call that",
        )
    if target is as_it_is:
        return Run(expressions, call).of(arguments)
    if target is assembled:
        cls = known_of(arguments.positional[0])
        return boxed(expressions.unit, cls, dict(arguments.named))
    if any(target is each for each in (*LIKE, *ANSWERS)):
        given = [*map(expressions.as_value, arguments.positional)]
        kind: Kind = KINDS.get(target, OPAQUE)
        if target in LIKE:
            kind = forget_values(given[LIKE[target]].kind)
        return expressions.builder.call(target.__name__, target, *given, kind=kind)
    if target is arity_of:
        return constant(len(parameters_of(arguments.positional[0])))
    if target is rather_followed and is_of_a_run():
        return constant(None)
    if target is refused or target is rather_followed:
        what, why, cure = (str(known_of(each)) for each in arguments.positional)
        raise NotYet.saying(what, what, why, cure)
    maker = maker_for(target)
    if is_solver(target):
        check_solved(expressions, target, arguments)
    if maker is None:
        return None
    if expressions.unit.cells:
        raise stored_around()
    functions, held, others = list[Any](), list[Entry](), list[Entry]()
    for entry in arguments.positional:
        if is_function(entry):
            known, parts = alone(expressions, entry)
            functions.append((known, len(parts)))
            held += parts
        else:
            others.append(entry)
    made = maker(*functions)
    arguments.positional = [*held, *others]
    own = Value(made.__name__, expressions.frame.kind(made), constant=made)
    return call(expressions, own, arguments)


def stored_around() -> NotYet:
    """Something outside is stored into, which a function may read while it is called by another."""
    return NotYet.saying(
        "a function that is given to another, and places outside that change",
        "what is stored outside of the function may be read by one that a solver calls",
        "the derivative of that is known of arguments, and of variables around it",
        "pass the number to it by `args=`, or read it from a variable of the function around",
    )


def check_solved(expressions: Expressions, target: Any, arguments: Arguments) -> None:
    """Refuses a search with what carries a derivative, if there is no rule for this call."""
    count, keys = len(arguments.positional), [key for key, _ in arguments.named]
    if registry.rule_for(target) is not None or stand_in(target, count, keys) is not None:
        return
    given = [*arguments.positional, *(entry for _, entry in arguments.named)]
    parts = [part for entry in given if is_function(entry) for part in held_in(expressions, entry)]
    searches = any(map(is_function, given))
    if searches and any(opaque.is_derived(expressions.unit, part) for part in (*parts, *given)):
        title = public_name(target)
        words = MissingRuleError(
            f"no derivative rule for {title}",
            why="it searches with a function, and a search that is followed has no derivative",
            cure="find it with scipy.optimize.root, minimize or least_squares, or integrate.quad; "
            f"or put {title} in a function of its own with @implicit(residual) or @custom",
        )
        raise NotYet(f"no rule for {title}", words)


def held_in(expressions: Expressions, function: Entry) -> list[Entry]:
    """What a function is given that it holds; itself if that is not known."""
    try:
        return alone(expressions, function)[1]
    except NotYet:
        return [function]


class Run:
    """A call as it is, functions of the user's included."""

    def __init__(self, expressions: Expressions, call: Call) -> None:
        self.expressions, self.call = expressions, call
        self.operands: list[Value] = []

    def of(self, arguments: Arguments) -> Value:
        """What the call gives, of which nothing is known. First stands what it calls with."""
        expressions = self.expressions
        sample, *given = arguments.positional
        assert isinstance(sample, Pack)
        self.sample = [*sample.items]
        function, *positional = map(self.written, given)
        named = [gast.keyword(arg=key, value=self.written(each)) for key, each in arguments.named]
        form = gast.Call(func=function, args=positional, keywords=named)
        application = Application((*positional,), tuple((str(k.arg), k.value) for k in named))
        return expressions.builder.apply(
            _AS_IT_IS, application, form, self.operands, OPAQUE, hint="found"
        )

    def written(self, entry: Entry) -> gast.expr:
        """An argument as it prints: its values are operands."""
        expressions = self.expressions
        if is_function(entry):
            return self.function(entry)
        if any(map(is_function, parts_of(entry))):
            if isinstance(entry, Pack) and entry.cls is tuple:
                return gast.Tuple([*map(self.written, entry.items)], gast.Load())
            if isinstance(entry, Box) and entry.cls is list:
                return gast.List([*map(self.written, entry.slots.values())], gast.Load())
            if isinstance(entry, Box) and entry.cls is dict:
                keys = [gast.Constant(key, None) for key in entry.slots]
                return gast.Dict(keys, [*map(self.written, entry.slots.values())])
            if isinstance(entry, Box) and isinstance(entry.cls, type):
                return self.object(entry)
        value = expressions.loaded(expressions.as_value(whole(expressions, entry)))
        return argument(value, self.operands)

    def object(self, entry: Box) -> gast.expr:
        """An object that holds functions."""
        use = self.expressions.unit.references.use
        named = [
            gast.keyword(arg=str(field), value=self.written(part))
            for field, part in entry.slots.items()
        ]
        own = name(use(entry.cls.__name__, entry.cls))
        return gast.Call(name(use("assembled", assembled)), [own], named)

    def function(self, entry: Entry) -> gast.expr:
        """A function, given what it reads around it."""
        known, held = alone(self.expressions, entry)
        if any(map(may_change, held_by(entry))):
            self.check(entry)
        use = self.expressions.unit.references.use
        if not is_of_library(known):
            self.expressions.unit.runs = True
        word = getattr(known, "__name__", "function")
        own = name(use(word if word.isidentifier() else "function", known))
        if not held:
            return own
        parts = [self.written(part) for part in held]
        return gast.Call(name(use("partial", functools.partial)), [own, *parts], [])

    def check(self, function: Entry) -> None:
        """What a function holds is handed to it: it may not change that."""
        lifted = Lifted(self.expressions)
        try:
            count = len(parameters_of(innermost(function)))
        except NotYet:
            count = len(self.sample)
        own = [lifted.argument(each, False) for each in self.sample[:count]]
        lifted.lower(lambda: self.call(self.expressions, function, Arguments.of(own)))


def alone(expressions: Expressions, entry: Entry) -> tuple[Any, list[Entry]]:
    """A function that stands alone, whatever it is, and what it is given first."""
    if isinstance(entry, Value):
        return entry.constant, []
    known, held = plain(entry, parts=True)
    return with_outer(expressions, known.constant, held)


def may_change(entry: Entry) -> bool:
    """Whether something may be another one, without a variable being assigned."""
    return isinstance(entry, Box) or isinstance(entry, Value) and entry.memory is not None


def parts_of(entry: Entry) -> list[Entry]:
    """The parts of a container of which all are known, and theirs."""
    if not isinstance(entry, (Pack, Box)):
        return []
    return [each for part in inner(entry) for each in (part, *parts_of(part))]
