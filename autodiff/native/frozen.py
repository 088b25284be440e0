"""Globals that Numba took for constants."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any

import gast
import numpy as np

from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Scalar
from autodiff.kinds.known import Kinds
from autodiff.syntax.names import reads

MOST = 1000
"""The elements of an array that may be a constant; it is compared at each call."""


def frozen(tree: gast.FunctionDef, known: Kinds) -> tuple[Callable[[], bool], ...]:
    """Checks that what the function reads from globals and cells is the same.

    Numbers, tuples of them, and arrays of a few numbers.
    """
    found: list[Callable[[], bool]] = []
    scope = known.scope
    for identifier in sorted(reads(tree.body) - known.local):
        if not is_constant(identifier, known):
            continue
        helper = scope.helpers.get(identifier)
        if isinstance(helper, CellType):
            found.append(same(lambda cell=helper: cell.cell_contents))  # type: ignore[misc]
        elif helper is None:
            found.append(same(_lookup(scope.namespace, identifier)))
        elif isinstance(helper, (np.ndarray, tuple)):
            found.append(same(lambda held=helper: held))  # type: ignore[misc]
    return tuple(found)


def is_constant(identifier: str, known: Kinds) -> bool:
    """Whether what a name of no local variable holds may be a constant of compiled code."""
    if isinstance(known.free(identifier), Scalar):
        return True
    try:
        return is_small(known.scope.lookup(identifier))
    except (KeyError, ValueError):
        return False


def is_small(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        plain = type(value) is np.ndarray and str(value.dtype) in ("float64", "int64", "bool")
        return plain and value.ndim > 0 and value.size <= MOST and value.flags.c_contiguous
    if type(value) is tuple:
        return bool(value) and all(map(is_small, value))
    return type(value) in (bool, int, float)


def _lookup(namespace: Namespace, identifier: str) -> Callable[[], Any]:
    return lambda: namespace.lookup(identifier)


def same(now: Callable[[], Any]) -> Callable[[], bool]:
    before = _copied(now())
    return lambda: _equal(now(), before)


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    return tuple(map(_copied, value)) if type(value) is tuple else value


def _equal(value: Any, before: Any) -> bool:
    if type(value) is not type(before):
        return False
    if isinstance(value, np.ndarray):
        if value.dtype != before.dtype or value.shape != before.shape:
            return False
        return bool(value.tobytes() == before.tobytes())
    if type(value) is tuple:
        return len(value) == len(before) and all(map(_equal, value, before))
    return bool(value == before or value != value != before)
