"""What can be reached from a value in a run."""

from __future__ import annotations

import gc
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.rules.home import is_library, module_of
from autodiff.tracing.number import Number
from autodiff.tracing.trace import Trace, root_of

_ATOMS = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    bool,
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
    types.CodeType,
    np.generic,
    np.dtype,
    np.ufunc,
    Number,
)
PROXIES = (weakref.ProxyType, weakref.CallableProxyType)
_SKIPPED = (type, *PROXIES)
_MOST = 20_000


def holds_derivative(trace: Trace, x: Any) -> bool:
    """Whether something that can be reached from `x` carries a derivative."""
    return holds(x, lambda own: is_active(trace, own))


def every(x: Any) -> list[Any] | None:
    """All that can be reached from `x`; None if that is very much."""
    found: list[Any] = []
    return None if holds(x, lambda own: bool(found.append(own))) else found  # type: ignore[func-returns-value]


def is_discrete(x: Any) -> bool:
    """Whether there is nothing but whole numbers, truth values and texts; bytes may be memory."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "biuU" or x.dtype.kind == "O" and all(map(is_discrete, x.flat))
    if isinstance(x, (list, tuple, set, frozenset)):
        return all(map(is_discrete, x))
    if isinstance(x, dict):
        return all(map(is_discrete, (*x, *x.values())))
    return isinstance(x, (bool, int, str, np.bool_, np.integer, type(None)))


def is_active(trace: Trace, x: Any) -> bool:
    """Whether something carries a derivative itself."""
    if x.__class__ is Number:
        return True
    if trace.blind and id(x) in trace.blind:
        return True
    if isinstance(x, memoryview):
        return x.nbytes > 0 and trace.memory(np.asarray(x)) is not None
    if isinstance(x, np.void):
        x = x.base
    if not isinstance(x, np.ndarray) or trace.memory(x) is None:
        return False
    return bool(x.dtype.kind in "fcV") or not is_field(x)


def is_field(x: Any) -> bool:
    """Whether an array that is not of floats is a field of records."""
    return bool(root_of(x).dtype.kind == "V")


def holds_users(x: Any) -> bool:
    """Whether a function or an object of the user's can be reached from `x`."""
    return holds(x, _is_users)


def _is_users(x: Any) -> bool:
    if isinstance(x, types.FunctionType):
        return not is_library(x.__module__ or "")
    module = module_of(type(x))
    return module != "builtins" and not is_library(module)


def holds(x: Any, found: Callable[[Any], bool]) -> bool:
    """Whether something that can be reached from `x` is what is asked for."""
    seen: set[int] = set()
    todo = [x]
    while todo:
        own = todo.pop()
        if type(own) in PROXIES:  # what it stands for may be gone
            continue
        if found(own):
            return True
        if isinstance(own, _ATOMS) or id(own) in seen:
            continue
        seen.add(id(own))
        if len(seen) > _MOST:
            return True
        todo += _parts(own)
    return False


def _parts(x: Any) -> list[Any]:
    """What a value holds."""
    cls = type(x)
    if cls in (list, tuple, set, frozenset):
        return list(x)
    if cls is dict:
        return [*x.values(), *(key for key in x if not isinstance(key, (str, int)))]
    if isinstance(x, types.FunctionType):
        cells = [_held(cell) for cell in x.__closure__ or ()]
        given = [*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
        return [*cells, *given, *_globals(x)]
    if isinstance(x, np.ndarray):
        held = [*getattr(x, "__dict__", {}).values()]
        return [*x.flat, *held] if x.dtype.kind == "O" else held
    if isinstance(x, types.FrameType):
        return list(x.f_locals.values())
    return [own for own in gc.get_referents(x) if not issubclass(type(own), _SKIPPED)]


def _globals(function: types.FunctionType) -> list[Any]:
    """The variables outside that a function of the user's names."""
    if is_library(function.__module__ or ""):
        return []
    names = names_of(function.__code__)
    return [function.__globals__[name] for name in names if name in function.__globals__]


def names_of(code: types.CodeType) -> set[str]:
    """The names of variables outside and of attributes in some code."""
    names, todo = set[str](), [code]
    while todo:
        own = todo.pop()
        names.update(own.co_names)
        todo += [part for part in own.co_consts if isinstance(part, types.CodeType)]
    return names


def _held(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
