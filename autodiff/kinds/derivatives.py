"""Derivatives inside a function: what `grad(f)` is, and what a call of it returns."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from autodiff.errors import AutodiffError
from autodiff.kinds.kind import UNKNOWN, Bound, Derived, Kind, Local, Record, Scalar, Static
from autodiff.kinds.operation import Operation
from autodiff.kinds.unwound import bound
from autodiff.rules import registry

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


class _NotConstant(Exception):
    """An argument that is known when the code runs."""


def derivative(kinds: Kinds, operation: Operation) -> Kind | None:
    """The kind of `grad(f)` or of `df(x)` for a derivative `df`; None for all other calls.

    `grad(f)` of a function that is known is made while compiling, once for all such calls, so that
    it keeps what it compiles.
    """
    if hasattr(type(operation.function), "__result__"):
        known = [kinds.of(argument) for argument in operation.arguments]
        if operation.keywords or None in known:
            return UNKNOWN if operation.keywords else None
        returned: Kind = operation.function.__result__(known)
        return returned
    if not registry.is_maker(operation.function):
        return None
    if any(name is None for name, _ in operation.keywords):
        return UNKNOWN
    function = kinds.of(operation.arguments[0]) if operation.arguments else None
    if operation.arguments:
        function = bound(function, operation.arguments[0]) or function
    if isinstance(function, (Local, Bound, Derived)):
        return _derived(kinds, operation, function)
    try:
        given = tuple(_constant(kinds.known(argument)) for argument in operation.arguments)
        named = {str(own): _constant(kinds.known(value)) for own, value in operation.keywords}
    except _NotConstant:
        return UNKNOWN
    key = (operation.function, *map(_key, given), *((own, _key(v)) for own, v in named.items()))
    made = kinds.scope.made
    if key not in made:
        try:
            made[key] = Static(operation.function(*given, **named)), given, named
        except AutodiffError:  # it comes again when the call runs, if it ever does
            return UNKNOWN
    found: Kind = made[key][0]
    return found


def _derived(kinds: Kinds, operation: Operation, function: Local | Bound | Derived) -> Kind:
    """The kind of `grad(f)` of a function that is defined or bound inside."""
    maker: Any = operation.function
    keywords = dict(operation.keywords)
    try:
        found = inspect.signature(maker).bind(*operation.arguments, **keywords).arguments
        given = dict(found.pop("options", {}), **found)
        del given["f"]
        options = [(name, _constant(kinds.known(value))) for name, value in given.items()]
    except (_NotConstant, TypeError):
        return UNKNOWN
    return Derived(maker, function, tuple((name, _key(value)) for name, value in options))


def _constant(kind: Kind) -> Any:
    if isinstance(kind, Static):
        return kind.value
    if isinstance(kind, Scalar) and type(kind.value) in (bool, int):
        return kind.value
    if isinstance(kind, Record) and kind.cls in (tuple, list):
        return kind.cls(map(_constant, kind.items))
    raise _NotConstant


def _key(value: Any) -> Any:
    """Functions are compared by identity; `folded` keeps them alive."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_key, value))
    return value if isinstance(value, (bool, int, str, type(None))) else id(value)
