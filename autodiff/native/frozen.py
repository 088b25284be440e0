"""Globals that Numba took for constants."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any

import gast

from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.frontend.source import Namespace
from autodiff.syntax.names import reads


def frozen(tree: gast.FunctionDef, known: Kinds) -> tuple[Callable[[], bool], ...]:
    """Checks that the numbers which the function reads from globals and cells are the same."""
    found: list[Callable[[], bool]] = []
    scope = known.scope
    for identifier in sorted(reads(tree.body) - known.local):
        if not isinstance(known.free(identifier), Scalar):
            continue
        helper = scope.helpers.get(identifier)
        if isinstance(helper, CellType):
            found.append(_same(lambda cell=helper: cell.cell_contents))  # type: ignore[misc]
        elif helper is None:
            found.append(_same(_lookup(scope.namespace, identifier)))
    return tuple(found)


def _lookup(namespace: Namespace, identifier: str) -> Callable[[], Any]:
    return lambda: namespace.lookup(identifier)


def _same(now: Callable[[], Any]) -> Callable[[], bool]:
    before = now()

    def holds() -> bool:
        value = now()
        return type(value) is type(before) and (value == before or value != value != before)

    return holds
