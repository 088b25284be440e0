"""Plain values in place of the numbers of a run that is over."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.rules.home import is_library
from autodiff.runtime.structure import as_tuple
from autodiff.tracing.hooked.hooked_expressions import HOOKS
from autodiff.tracing.number import Number
from autodiff.tracing.reach import PROXIES
from autodiff.tracing.trace import Trace

_BUILT_IN = (list, dict, set, frozenset, types.FunctionType, types.MethodType)
_IN_C = types.BuiltinFunctionType


def clean(trace: Trace) -> None:
    """Leaves no number of the run in what it wrote to."""
    seen: set[int] = set()
    for own in [*trace.touched.values()]:
        plain(vars(own) if isinstance(own, types.ModuleType) else own, seen)
    for scope, names in trace.scopes:
        for name in names:
            if name in scope:
                scope[name] = plain(scope[name], seen)
    for cell in trace.cells.values():
        _of_cell(cell, seen)


def clean_error(error: BaseException) -> None:
    """Leaves no number of the run in an error, or in one that it comes from."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        own = todo.pop()
        if own is not None and id(own) not in seen:
            own.args = plain(own.args, set())
            plain(own, seen)
            seen.add(id(own))
            todo += [own.__cause__, own.__context__]


def plain(x: Any, seen: set[int]) -> Any:
    """The value without numbers of the run: tuples are new ones, others are changed."""
    cls = type(x)
    if cls in PROXIES:
        return x
    if cls is Number:
        return x.value
    if isinstance(x, tuple):
        parts = [plain(own, seen) for own in x]
        if hasattr(x, "__dict__"):  # what SciPy's results keep beside their items
            plain(vars(x), seen)
        if all(a is b for a, b in zip(parts, x)):
            return x
        return as_tuple(x, parts)
    if cls is frozenset:
        held = [plain(own, seen) for own in x]
        return x if all(a is b for a, b in zip(held, x)) else frozenset(held)
    if id(x) in seen:
        return x
    if isinstance(x, type):
        _of_class(x, seen)
        return x
    if cls.__module__ == "builtins" and cls not in _BUILT_IN:
        if isinstance(x, _IN_C) and not isinstance(x.__self__, types.ModuleType):
            plain(x.__self__, seen)
        if not isinstance(x, BaseException):
            return x
        x.args = plain(x.args, seen)
    seen.add(id(x))
    if isinstance(x, (list, deque)):
        for k, own in enumerate(x):
            new = plain(own, seen)
            if new is not own:
                x[k] = new
    elif isinstance(x, dict):
        for key, own in [*x.items()]:
            new = plain(own, seen)
            if type(key) is Number or isinstance(key, tuple) and plain(key, seen) is not key:
                del x[key]
                key, own = plain(key, seen), x
            if new is not own:
                dict.__setitem__(x, key, new)
    elif isinstance(x, set):
        for own in list(x):
            new = plain(own, seen)
            if new is not own:
                x.discard(own)
                x.add(new)
    elif isinstance(x, np.ndarray) and x.dtype.kind == "O":
        for index in np.ndindex(x.shape):
            x[index] = plain(x[index], seen)
    elif cls is types.MethodType:
        plain(x.__self__, seen)
        plain(x.__func__, seen)
    elif cls is types.FunctionType:
        _of_function(x, seen)
    elif cls is functools.partial:
        _, _, (function, args, keywords, held) = x.__reduce__()
        new = tuple(plain(own, seen) for own in (function, args, keywords))
        x.__setstate__((*new, plain(held, seen)))
    if not isinstance(x, np.ndarray) and cls not in (types.FunctionType, types.MethodType):
        _of_object(x, seen)
    return x


def _of_cell(cell: types.CellType, seen: set[int]) -> None:
    try:
        held = cell.cell_contents
    except ValueError:
        return
    new = plain(held, seen)
    if new is not held:
        cell.cell_contents = new


def _of_function(x: types.FunctionType, seen: set[int]) -> None:
    if is_library(x.__module__ or ""):
        return
    for name, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
        if name != HOOKS:
            _of_cell(cell, seen)
    x.__defaults__ = plain(x.__defaults__, seen)
    for held in (x.__kwdefaults__, x.__dict__):
        plain(held, seen)


def _of_class(x: type, seen: set[int]) -> None:
    if is_library(x.__module__ or ""):
        return
    seen.add(id(x))
    _put(vars(x), functools.partial(type.__setattr__, x), seen)


def _put(held: Any, put: Callable[[str, Any], None], seen: set[int]) -> None:
    """Writes plain values over what is held by name."""
    for name, own in [*held.items()]:
        new = plain(own, seen)
        if new is not own:
            put(name, new)


def _of_object(x: Any, seen: set[int]) -> None:
    held = getattr(x, "__dict__", None)
    if isinstance(held, dict):
        plain(held, seen)
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                own = object.__getattribute__(x, _mangled(cls, name))
            except (AttributeError, TypeError):  # not set; not where a class in C says it is
                continue
            new = plain(own, seen)
            if new is not own:
                object.__setattr__(x, _mangled(cls, name), new)


def _mangled(cls: type, name: str) -> str:
    """The attribute of a slot that is private to its class."""
    if name.startswith("__") and not name.endswith("__"):
        return f"_{cls.__name__.lstrip('_')}{name}"
    return name
