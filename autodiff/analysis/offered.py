"""Calls of objects that say, for kinds of arguments, which plain function they come to.

Such an object has a method `__inlined__(kinds, keywords)`, or is a function that is registered with
one: from the kinds of the positional
arguments and the values of the keywords, all constants, it tells the function that takes those
positional arguments, and checks that have to hold as long as the code is used. Derivatives are of
that sort. Where the first argument of such a function (`jvp`, `vjp`) is a function that is defined
inside, its offer is also told of what kinds what that reads is (`held`): these come first.
"""

from __future__ import annotations

from functools import partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import gast

from autodiff.analysis.kind import Bound, Derived, Kind, Local, Record, Static, Unknown
from autodiff.analysis.unwound import in_order, unwound
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.normalize.sites import Site
from autodiff.rules import registry
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import Origin, origin_of, place

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def offered(
    resolver: Resolver, kind: Kind | None, statement: gast.stmt, value: gast.Call
) -> Site | None:
    """The function that an object says it comes to, if the call carries a derivative."""
    kind, leading, more = unwound(kind, value.func)
    offer = registry.offer_of(kind.value) if isinstance(kind, Static) else None
    if offer is None or not isinstance(kind, Static):
        return None
    arguments = [*leading, *value.args]
    named = [*more, *((str(k.arg), k.value) for k in value.keywords)]
    takes_function = isinstance(kind.value, FunctionType)
    inside = resolver.kinds.of(arguments[0]) if takes_function and arguments else None
    read = {n for part in (value, *arguments, *dict(named).values()) for n in reads(part)}
    if not (read | sources(inside)) & resolver.varied:
        return None
    target = getattr(kind.value, "target", None)
    if target is not None and named:
        ordered = in_order(arguments, named, list(target.signature.parameters.values()))
        arguments, named = (arguments, named) if ordered is None else (ordered, [])
    keywords = {key: constant(resolver.kinds.known(own)) for key, own in named}
    kinds = [resolver.kinds.known(argument) for argument in arguments]
    if resolver.waits and any(isinstance(own, Unknown) for own in kinds):
        return None  # more is known in the end, when kinds of what is not inlined are asked for
    if takes_function and isinstance(inside, (Local, Bound)):
        own = alone(resolver, inside, 0, statement, value)
        if own.keywords:
            raise _unknown(place(value, origin_of(statement)))
        held = [resolver.kinds.known(first) for first in own.leading]
        offer, kinds[0] = partial(offer, held=held), Static(own.function)
        arguments = [*own.leading, *arguments]
    try:
        function, checks = offer(kinds, keywords)
    except AutodiffError as error:
        if error.origin is not None:
            raise
        here = place(value, origin_of(statement))
        raise type(error)(error.what, here, why=error.why, cure=error.cure) from error
    resolver.checks.extend(checks)
    if not takes_function:
        check_ending(resolver, kind.value, function, statement, value)
    return Site(resolver.callee(function, statement, value), (), tuple(arguments), ())


_OWNERS: WeakKeyDictionary[CodeType, Any] = WeakKeyDictionary()
"""The object that came to a piece of code."""

_DEEPEST = 4
"""So often an object may come again inside of what it comes to: constants may end that."""


def check_ending(
    resolver: Resolver,
    owner: Any,
    function: FunctionType,
    statement: gast.stmt,
    value: gast.expr,
) -> None:
    """Refuse what an object comes to where that is being inlined already, again and again."""
    _OWNERS[function.__code__] = owner
    chain = [c for c in resolver.chains.get(id(statement), ()) if isinstance(c, CodeType)]
    if sum(_OWNERS.get(code) is owner for code in chain) >= _DEEPEST:
        raise UnsupportedSyntaxError(
            "a derivative, inside of another one, of a function that calls itself",
            place(value, origin_of(statement)),
            why="autodiff inlines derivatives that are differentiated again, and this does not "
            "come to an end",
            cure="checkpoint what the function calls, not the function that calls itself",
        )


def sources(kind: Kind | None) -> set[str]:
    """The names that a function which is defined or bound inside reads."""
    if isinstance(kind, Local):
        return reads(kind.node)
    if not isinstance(kind, (Bound, Derived)):
        return set()
    held = (*kind.arguments, *dict(kind.keywords).values()) if isinstance(kind, Bound) else ()
    return sources(kind.function).union(*map(reads, held))


class Alone(NamedTuple):
    """A function that stands alone, what its calls have to give it first, or by name, and last."""

    function: FunctionType
    leading: list[gast.expr]
    keywords: list[tuple[str, gast.expr]]
    defaults: list[gast.expr]


def alone(
    resolver: Resolver, kind: Local | Bound, given: int, statement: gast.stmt, value: gast.Call
) -> Alone:
    """A function that is defined or bound inside, as one that takes what it reads or holds.

    `defaults` are those that a call with so many arguments leaves to it.
    """
    where = place(value, origin_of(statement))
    found = resolver.function(kind, value.func)
    if found is None:
        raise _unknown(where)
    function, held, keywords = found
    if not isinstance(function, gast.AST):
        return Alone(function, held, keywords, [])
    assert resolver.stands_alone is not None
    function, read, left = resolver.stands_alone(function, given + len(held), statement, where)
    return Alone(function, [*map(name, read), *held], keywords, list(left))


def _unknown(where: Origin | None) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        "a derivative of a function that holds arguments which autodiff cannot tell, or by name",
        where,
        why="what it holds becomes an argument of the derivative",
        cure="write a function that takes its arguments one by one",
    )


def constant(kind: Kind) -> object:
    """The value of a constant, or of a tuple of constants, by its kind."""
    if isinstance(kind, Record):
        return tuple(map(constant, kind.items))
    return getattr(kind, "value", None)
