"""Whether what was resolved while compiling still holds."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autodiff.analysis.arguments import kind_of
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Scalar, Static
from autodiff.frontend.defaults import defaults_now, holds
from autodiff.frontend.source import Namespace
from autodiff.pipeline.unit import Unit


def guards(unit: Unit) -> tuple[Callable[[], bool], ...]:
    """Checks that what was resolved while compiling still holds."""
    found: list[Callable[[], bool]] = []
    seen: set[tuple[int, str]] = set()
    namespace = unit.scope.namespace
    resolved = [(namespace, n, v) for n, v in unit.scope.found.items()] + unit.guards
    for space, identifier, value in resolved:
        if (id(space), identifier) in seen or isinstance(value, types.ModuleType):
            continue
        seen.add((id(space), identifier))
        if identifier not in space.cells and identifier not in space.globals:
            continue
        found.append(_guard(space, identifier, value))
    found.extend(_method_guard(*key, value) for key, value in unit.scope.methods.items())
    return (*found, *unit.checks)


def _method_guard(cls: type, attribute: str, value: Any) -> Callable[[], bool]:
    return lambda: class_attribute(cls, attribute) is value


def _guard(space: Namespace, identifier: str, value: Any) -> Callable[[], bool]:
    if isinstance(value, types.FunctionType) and defaults_now(value) != (None, None):
        given, identity = defaults_now(value), _identity(space, identifier, value)
        return lambda: identity() and holds(value, given)
    if callable(value) and isinstance(kind_of(value), Static):
        return _identity(space, identifier, value)
    expected = kind_of(value)
    if isinstance(expected, Scalar):
        cls = type(value)
        return lambda: type(space.lookup(identifier)) is cls
    return lambda: kind_of(space.lookup(identifier)) == expected


def _identity(space: Namespace, identifier: str, value: Any) -> Callable[[], bool]:
    scope = space.globals
    if identifier in space.cells:
        cell = space.cells[identifier]
        return lambda: cell.cell_contents is value
    return lambda: scope.get(identifier) is value
