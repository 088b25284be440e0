"""What a compilation gives, and whether what was resolved meanwhile still holds."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError, Place
from autodiff.frontend.defaults import defaults_now, holds
from autodiff.frontend.source import Namespace
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.kind import Kind, Scalar, Static, parts_of
from autodiff.rules.home import is_library
from autodiff.runtime.reals import of_complex_power
from autodiff.runtime.structure import fields, is_record


@dataclass(slots=True)
class Made:
    """What a derivative was loaded from, and what was read for it, for who keeps it.

    loads: text, name, namespace, helpers, origins and function of each. outside, members: as in
    `holding`. others: whether anything else has to hold. power: as in `checked_real`.
    """

    loads: list[tuple[Any, ...]] = field(default_factory=list)
    outside: list[tuple[Any, str, Any]] = field(default_factory=list)
    members: list[tuple[Any, str]] = field(default_factory=list)
    others: bool = False
    power: Any = None


@dataclass(frozen=True, slots=True)
class Compiled:
    """A derivative: the function, its text, the text after each pass, and what must still hold."""

    function: types.FunctionType
    source: str
    stages: tuple[tuple[str, str], ...]
    guards: tuple[Callable[[], bool], ...]
    native: Any = None
    """The dispatcher of Numba's, which other jitted functions may call; None for Python."""
    generated: tuple[types.FunctionType, ...] = ()
    """The functions that `source` is the text of, where `function` calls them."""
    beside: Mapping[str, object] = field(default_factory=dict)
    """What the source reads outside of functions."""
    batched: str | None = None
    """For tangents along several directions: empty if there are such, else why there are none."""
    least: int = 1
    """So many directions are taken at once, fewer one by one."""
    kinds: tuple[Kind, ...] = ()
    """Those of the arguments that it was made for."""
    followed: str = ""
    """Why each run is followed instead; then there is no text of what it computes."""
    left: tuple[AutodiffError, ...] = ()
    """What it raises where it comes to a path that was left out."""
    meets: bool = False
    """Whether it may meet what is no number, and can be run again then."""
    made: Made | None = None
    """What it was loaded from; None where it is more than that."""
    unmarked: bool = False
    """Whether checkpointed loops were made plain, to be differentiated again."""


Offer = tuple[types.FunctionType, tuple[Callable[[], bool], ...]]
"""A function that a call comes to, and checks that hold as long as it does."""


def bound(kinds: Iterable[Kind]) -> Iterator[Callable[[], bool]]:
    """Checks that methods that are passed are bound to what holds values of the same kinds."""
    for value in (method for kind in kinds for method in _methods(kind)):
        yield _guard(value, partial(_itself, value))


def holding(
    found: list[tuple[Namespace, str, Any]], members: dict[tuple[int, str], tuple[Any, Any]]
) -> tuple[Callable[[], bool], ...]:
    """Checks that names of outside, and attributes of modules and classes, mean what they meant."""
    checks: list[Callable[[], bool]] = []
    for space in {id(space): space for space, *_ in found}.values():
        if space.imports:
            checks.append(space.renewed)
    for space, identifier, value in found:
        if not _is_fixed(value) and (identifier in space.cells or identifier in space.globals):
            checks.append(_guard(value, _reader(space, identifier)))
    for (_, attribute), (owner, value) in members.items():
        if not _is_fixed(value) and not is_library(getattr(owner, "__name__", "")):
            checks.append(_guard(value, partial(getattr, owner, attribute, None)))
    return tuple(checks)


def _methods(kind: Kind) -> Iterator[types.MethodType]:
    """The bound methods in a kind: what they are bound to may hold other kinds of values later."""
    if isinstance(kind, Static) and isinstance(kind.value, types.MethodType):
        yield kind.value
    for part in parts_of(kind):
        yield from _methods(part)


def _is_fixed(value: Any) -> bool:
    """Whether a value is a module that no name stands for another one of."""
    return isinstance(value, types.ModuleType) and is_library(value.__name__)


def _guard(value: Any, now: Callable[[], Any]) -> Callable[[], bool]:
    """Whether what is read now means the same as what was found while compiling."""
    if isinstance(value, types.ModuleType):
        return lambda: now() is value
    held = _held(value)
    if held:
        checks = [_guard(part, partial(_itself, part)) for part in held]
        return lambda: _is_made_of(now(), held) and all(check() for check in checks)
    if isinstance(value, types.FunctionType) and defaults_now(value) != (None, None):
        given = defaults_now(value)
        return lambda: now() is value and holds(value, given)
    expected = kind_of(value)
    if callable(value) and isinstance(expected, Static):
        return lambda: now() is value
    if isinstance(expected, Scalar):
        cls = type(value)
        return lambda: type(now()) is cls
    return lambda: kind_of(now()) == expected


def _held(value: Any) -> tuple[Any, ...]:
    """What a bound method or a partial function is made of: each access may make it anew."""
    if isinstance(value, types.MethodType):
        return value.__func__, value.__self__
    if isinstance(value, partial):
        return value.func, *value.args, *value.keywords, *value.keywords.values()
    return ()


def _is_made_of(value: Any, held: tuple[Any, ...]) -> bool:
    found = _held(value)
    return len(found) == len(held) and all(map(operator.is_, found, held))


def _itself(value: Any) -> Any:
    return value


def _reader(space: Namespace, identifier: str) -> Callable[[], Any]:
    """What reads a name of a namespace; None if nothing has that name any more."""
    if identifier in space.cells:
        cell = space.cells[identifier]
        return lambda: cell.cell_contents
    scope = space.globals
    return lambda: scope.get(identifier)


def checked_real(function: types.FunctionType, where: Place | None) -> types.FunctionType:
    """The derivative, which raises NonDifferentiableError where its result is complex: powers of
    Python's numbers may be, whose kinds say what they are for positive bases.
    """

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        result = function(*args, **keywords)
        if result.__class__ is float:
            return result
        _check(result, where)
        if result.__class__ is tuple and len(result) == 2:
            value, pullback = result
            if pullback.__class__ is types.FunctionType:
                return value, _checked_pullback(pullback, where)
        return result

    return checked  # type: ignore[return-value]


def _checked_pullback(pullback: types.FunctionType, where: Place | None) -> Any:
    def checked(seed: Any) -> Any:
        adjoints = pullback(seed)
        _check(adjoints, where)
        return adjoints

    return checked


def _check(result: Any, where: Place | None) -> None:
    if _is_complex(result):
        raise of_complex_power(where)


def _is_complex(x: Any) -> bool:
    """Whether a structure of numbers and arrays holds a complex one."""
    if isinstance(x, (tuple, list)):
        return any(map(_is_complex, x))
    if isinstance(x, dict):
        return any(map(_is_complex, x.values()))
    if isinstance(x, (complex, np.ndarray, np.generic)):
        return np.iscomplexobj(x)
    return is_record(x) and any(map(_is_complex, fields(x).values()))
