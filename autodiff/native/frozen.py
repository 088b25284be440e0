"""Constants of compiled code: globals that Numba takes for them, and parts that get a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from types import CellType, CodeType, ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.core import MARK, LoadOuter
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Scalar
from autodiff.lower.flow.frame import Unit
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.vocabulary import CONSTANTS
from autodiff.syntax.names import reads

MOST = 1000
"""The elements of an array that may be a constant; it is compared at each call."""


def frozen(tree: gast.FunctionDef, known: NativeKinds) -> tuple[Callable[[], bool], ...]:
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


def is_constant(identifier: str, known: NativeKinds) -> bool:
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


_MISSING = object()


def named_constants(unit: Unit) -> Iterator[Callable[[], bool]]:
    """Names for them, and checks that they are what they were."""
    for op in unit.function.body.walk():
        if not isinstance(op, LoadOuter) or op.result.is_written:
            continue
        (root,) = re.findall(r"^[@\w]+", op.path)
        rest, lookup = op.path[len(root) :], unit.main.lookup
        read = partial(unit.references.objects.get if root.startswith(MARK) else lookup, root)
        found = read()
        if not rest or isinstance(found, ModuleType) and rest[1:] in CONSTANTS:
            continue
        now = partial(_now, read, compile(f"root{rest}", op.path, "eval"))
        value = now()
        if is_small(value):
            op.path = unit.references.use(re.findall(r"[^\W\d]\w*", op.path)[-1], value)
            yield same(now)


def _now(read: Callable[[], Any], code: CodeType) -> Any:
    """What a path means."""
    try:
        root = read()
        root = root.cell_contents if isinstance(root, CellType) else root
        return eval(code, {"root": root})
    except (LookupError, AttributeError, ValueError):
        return _MISSING
