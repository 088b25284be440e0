"""What code a call may run: the user's, where a function is the user's or runs text as code.

json.loads        a library's, which runs none but its own
timeit.timeit     one of `exec`, which its code calls: whatever the text says
"""

from __future__ import annotations

import builtins
import dis
import functools
import gc
import importlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff.rules.home import hashable, is_library

_RUNNING = (eval, exec, __import__)
"""By these Python runs text as code: all others that do call them."""


def is_of_library(found: Any) -> bool:
    """Whether an object runs no code of the user's by itself, as what is made of a function may."""
    if isinstance(found, np.ufunc):
        return getattr(np, found.__name__, None) is found
    if isinstance(found, functools._lru_cache_wrapper):
        return is_of_library(found.__wrapped__)
    owner = getattr(found, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return is_of_library(owner)
    if isinstance(found, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        found = found.__objclass__
    functions = types.FunctionType, types.BuiltinFunctionType, type(np.append)
    named = isinstance(found, (type, *functions))
    if callable(found) and not named:
        return False
    own = found if named else type(found)
    module = getattr(own, "__module__", None) or ""
    if module.partition(".")[0] not in (*sys.stdlib_module_names, "numpy", "scipy"):
        return False
    return not runs_text(own)


def runs_text(found: Any) -> bool:
    """Whether the code of a function, of the methods of a class, or of what these call in the same
    module, calls what runs text.

    >>> import timeit
    >>> runs_text(timeit.timeit), runs_text(functools.reduce)
    (True, False)
    """
    return hashable(found) and _runs_text(found)


@functools.lru_cache(maxsize=4096)
def _runs_text(found: Any) -> bool:
    if any(found is run for run in _RUNNING):
        return True
    todo, seen = [found], set[int]()
    while todo:
        own = todo.pop()
        if id(own) in seen:
            continue
        seen.add(id(own))
        if isinstance(own, type):
            methods = [each for base in own.__mro__ for each in vars(base).values()]
            todo += [getattr(each, "__func__", each) for each in methods]
        elif isinstance(own, types.FunctionType):
            outside = [*outside_of(own.__code__, own.__globals__)]
            if any(each is run for each in outside for run in _RUNNING):
                return True
            todo += [e for e in outside if getattr(e, "__module__", None) == own.__module__]
    return False


LOCALS = "f_locals"
"""The attribute of a frame that holds the variables of its function: there is no other way."""
_LEVELS = 4


def reads_variables(found: Any) -> bool:
    """Whether a function or method, or what it calls in its own package (and that, three times),
    reads the variables of functions that run. Those of a derivative are not those of the primal.

    >>> import inspect
    >>> reads_variables(inspect.getargvalues), reads_variables(inspect.currentframe)
    (True, False)
    """
    own = getattr(found, "__func__", found)
    return isinstance(own, types.FunctionType) and _reads_variables(own)


@functools.lru_cache(maxsize=4096)
def _reads_variables(found: types.FunctionType) -> bool:
    package = (found.__module__ or "").partition(".")[0]
    level, seen = [found], set[Any]()
    for _ in range(_LEVELS):
        seen.update(level)
        named = [(own, _names(own.__code__)) for own in level]
        if any(LOCALS in names for _, names in named):
            return True
        met = [each for own, names in named for each in _meant(names, own.__globals__)]
        making = [vars(e).get(word) for e in met if isinstance(e, type) for word in _MAKING]
        functions = {e for e in met + making if isinstance(e, types.FunctionType)}
        level = [e for e in functions - seen if (e.__module__ or "").partition(".")[0] == package]
    return False


_MAKING = ("__new__", "__init__")


def _names(code: types.CodeType) -> set[str]:
    """The globals and attributes that code, and that of functions inside of it, names."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return {*code.co_names}.union(*map(_names, inner))


def _meant(names: set[str], space: dict[str, Any]) -> Iterator[Any]:
    """The globals of these names, and what modules among these, or that are imported, have."""
    found = [space[own] for own in names if own in space]
    modules = [own for own in found if isinstance(own, types.ModuleType)]
    modules += [sys.modules[own] for own in names if "." in own and own in sys.modules]
    yield from found
    yield from (vars(module)[own] for module in modules for own in names if own in vars(module))


_REACHING = (setattr, delattr, getattr, vars, globals, locals)
"""Builtins by which a function may reach what it does not name."""
_EVERYTHING = (sys, gc, importlib, builtins)
"""Modules by which it may, too."""
_FRAMES = ("f_globals", LOCALS, "__globals__")
"""Attributes by which it may."""


def keeps_to_itself(function: Any) -> bool:
    """Whether a function changes nothing that others see, as long as it is given texts and numbers:
    it stores nowhere, and reads nothing but libraries and functions that do neither.
    """
    todo, seen = [function], list[Any]()
    while todo:
        own = todo.pop()
        if isinstance(own, types.FunctionType) and not is_library(own.__module__ or ""):
            if own.__code__.co_freevars or stores(own.__code__):
                return False
            todo += outside_of(own.__code__, own.__globals__) if own not in seen else []
            seen.append(own)
        elif isinstance(own, types.ModuleType):
            if not is_library(own.__name__) or own in _EVERYTHING:
                return False
        elif type(own) in (bool, int, float, str):
            continue
        elif not callable(own) or not is_of_library(own) or any(own is e for e in _REACHING):
            return False
    return True


def stores(code: types.CodeType) -> bool:
    """Whether code, or that of functions inside of it, stores elsewhere than in its variables."""
    for each in dis.get_instructions(code):
        if isinstance(each.argval, types.CodeType) and stores(each.argval):
            return True
        if each.argval in _FRAMES:
            return True
        if each.opname.startswith(("STORE_", "DELETE_", "IMPORT_")):
            if not each.opname.endswith(("_FAST", "_DEREF")):
                return True
    return False


def outside_of(code: types.CodeType, space: dict[str, Any]) -> Iterator[Any]:
    """What code, and that of functions inside of it, reads outside: globals, and what modules among
    these have; None for what is not there.
    """
    found: Any = None
    for each in dis.get_instructions(code):
        if each.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(found, types.ModuleType):
            found = getattr(found, each.argval, None)
            yield found
        elif each.opname == "LOAD_GLOBAL":
            found = space.get(each.argval, getattr(builtins, each.argval, None))
            yield found
        else:
            found = None
            if isinstance(each.argval, types.CodeType):
                yield from outside_of(each.argval, space)
