"""Functions of any number of arguments, with respect to one of these: `*args`, `**keywords`.

    def f(*args, **keywords): ...           grad(f, (1, "rate"))

    def f(args_0, args_1, *args, rate, **keywords):
        return own_f(args_0, args_1, *args, rate=rate, **keywords)

What is written so stands for the function. One that wraps another (`functools.wraps`) has the
parameters that `inspect.signature` says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature
from types import FunctionType
from typing import Any

from autodiff.frontend.source import Namespace
from autodiff.loader import load, place_of

_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def spread(function: Callable[..., Any], wrt: tuple[Any, ...]) -> Callable[..., Any]:
    """What stands for a function, with a parameter for all that `wrt` names; itself for most."""
    if not isinstance(function, FunctionType):
        return function
    own = inspect.signature(function, follow_wrapped=False)
    kinds = {p.kind for p in own.parameters.values()}
    if not kinds & {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD} or _has(own, wrt):
        return function
    said = inspect.signature(function)
    wanted = said if _has(said, wrt) or _lacks(said, own, wrt) else _with(own, wrt)
    return function if wanted is None else _written(function, wanted)


def _has(signature: Signature, wrt: tuple[Any, ...]) -> bool:
    """Whether all that is meant are parameters."""
    places = sum(p.kind in _BY_PLACE for p in signature.parameters.values())
    return all(
        item in signature.parameters
        if isinstance(item, str)
        else isinstance(item, int) and -places <= item < places
        for item in wrt
    )


def _lacks(said: Signature, own: Signature, wrt: tuple[Any, ...]) -> bool:
    """Whether a function that wraps another says of all its parameters, and one is not there."""
    kinds = {p.kind for p in said.parameters.values()}
    if kinds & {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}:
        return False
    return not all(_has(said, (item,)) or _has(own, (item,)) for item in wrt)


def _with(own: Signature, wrt: tuple[Any, ...]) -> Signature | None:
    """A signature with more parameters, for what `*args` and `**keywords` take; None if neither."""
    by_place = [p for p in own.parameters.values() if p.kind in _BY_PLACE]
    only = [p for p in own.parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    rest = {p.kind: p for p in own.parameters.values()}
    many, named = rest.get(Parameter.VAR_POSITIONAL), rest.get(Parameter.VAR_KEYWORD)
    names = [n for n in wrt if isinstance(n, str) and n.isidentifier() and n not in own.parameters]
    if (names and named is None) or any(isinstance(n, int) and n < 0 for n in wrt):
        return None
    last = max((n for n in wrt if isinstance(n, int)), default=-1)
    if last >= len(by_place):
        if many is None:
            return None
        by_place = [p.replace(default=Parameter.empty) for p in by_place]
        more = (f"{many.name}_{k}" for k in range(len(by_place), last + 1))
        by_place += [Parameter(name, Parameter.POSITIONAL_ONLY) for name in more]
        by_place = [p.replace(kind=Parameter.POSITIONAL_ONLY) for p in by_place]
    only += [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
    parameters = [*by_place, *filter(None, [many]), *only, *filter(None, [named])]
    return Signature(parameters)


def _written(function: FunctionType, signature: Signature) -> FunctionType:
    """A function of these parameters that passes them on."""
    parameters = [
        p.replace(annotation=Parameter.empty, default=Parameter.empty)
        for p in signature.parameters.values()
    ]
    given = []
    for p in parameters:
        many: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
        named = f"{p.name}=" if p.kind is Parameter.KEYWORD_ONLY else ""
        given.append(f"{many.get(p.kind, named)}{p.name}")
    title = function.__name__ if function.__name__.isidentifier() else "function"
    own = f"own_{title}"
    text = f"def {title}{Signature(parameters)}:\n    return {own}({', '.join(given)})\n"
    defaults = {p.name: p.default for p in signature.parameters.values()}
    only = [p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY]
    by_name = {name: defaults[name] for name in only if defaults[name] is not Parameter.empty}
    by_place = [defaults[p.name] for p in parameters if p.kind in _BY_PLACE]
    space = Namespace(
        function.__globals__,
        {},
        tuple(value for value in by_place if value is not Parameter.empty),
        by_name,
    )
    made = load(text, f"{title} {place_of(function.__code__)}", space, {own: function}, {})
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made
