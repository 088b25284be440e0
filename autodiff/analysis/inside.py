"""Calls of derivatives of functions that are defined inside the function being compiled."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import Bound, Derived, Kind, Local, Static
from autodiff.analysis.offered import alone, offered, sources
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.sites import Site
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def derived_call(
    resolver: Resolver, kind: Derived, statement: gast.stmt, value: gast.Call
) -> Site | None:
    """The call as one of a derivative that takes what the function reads around it first.

        slope = grad(lambda t: k * t**3)         slope_of(k, x)
        y = slope(x)

    That is what the variables hold at the call, as Python has it. A bound method, or a partial, is
    given what it holds in the same way.
    """
    innermost = _innermost(kind)
    if not (reads(value) | sources(innermost)) & resolver.varied:
        return None
    where = place(value, origin_of(statement))
    own = alone(resolver, innermost, len(value.args), statement, value)
    derivative = _made(resolver, kind, own.function, len(own.leading))
    call = gast.Call(
        func=value.func,
        args=[*own.leading, *value.args, *own.defaults],
        keywords=[*(gast.keyword(arg=k, value=v) for k, v in own.keywords), *value.keywords],
    )
    site = offered(resolver, derivative, statement, call)
    if site is None and not resolver.waits:
        raise UnsupportedSyntaxError(
            "a derivative of a function that is defined inside is called with what is not known "
            "while compiling",
            where,
            why="its code is made for what it is given",
            cure="define the function outside, with what it reads as arguments",
        )
    return site


def _innermost(kind: Derived) -> Local | Bound:
    found: Kind = kind
    while isinstance(found, Derived):
        found = found.function
    assert isinstance(found, (Local, Bound))
    return found


def _made(resolver: Resolver, kind: Derived, function: Any, leading: int) -> Static:
    """The derivative of a function that takes so much more first; the same one each time."""
    if isinstance(kind.function, Derived):
        function = _made(resolver, kind.function, function, leading).value
    options = dict(kind.options)
    wrt = options.get("wrt", 0)
    several = wrt if isinstance(wrt, tuple) else (wrt,)
    names = [p.name for p in signature(function).parameters.values() if p.kind in _POSITIONAL]
    names = names[leading:]
    moved = tuple(names[w] if isinstance(w, int) and w < len(names) else w for w in several)
    options["wrt"] = moved if isinstance(wrt, tuple) else moved[0]
    made = resolver.kinds.scope.made
    key = (kind.maker, id(function), *options.items())
    if key not in made:
        made[key] = Static(kind.maker(function, **options)), function, options
    found: Static = made[key][0]
    return found
