"""Which names a function, or what it calls, gives another value outside of itself.

    def reset():                    def refresh():               def update(**new):
        global STEP                     config.STEP = 0.1            globals().update(new)
        STEP = 0.1

Told by the compiled code, which says nothing of whether a statement runs.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Callable, Iterable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of

_STORES = frozenset(("STORE_GLOBAL", "DELETE_GLOBAL"))
_STORES_IN_CELLS = frozenset(("STORE_DEREF", "DELETE_DEREF"))
_ATTRIBUTES = frozenset(("STORE_ATTR", "DELETE_ATTR"))
_ANY_NAME = frozenset(("globals", "exec", "vars", "__dict__", "setattr", "delattr"))
"""What a function names that may store under a name which no code tells."""

ATTRIBUTE: Any = object()
"""Whose names attributes are, of objects and classes: which of them, the code does not tell."""

Rebinds = Callable[[object, str], bool]
"""Whether a name is given another value: of a cell, or in the names of a module (a dict)."""


def rebinding(roots: Iterable[Any]) -> Rebinds:
    """What running any of these functions, classes, objects may rebind.

    Of a library nothing is: it does not know the names of those who use it.
    """
    found = {stored for function in reached(roots) for stored in _stored(function)}

    def rebinds(owner: object, name: str) -> bool:
        return not found.isdisjoint(((id(owner), name), (id(owner), None)))

    return rebinds


def reached(roots: Iterable[Any]) -> Iterator[FunctionType]:
    """The user's functions that running these functions, classes, objects may run."""
    seen: set[int] = set()
    todo = list(roots)
    kept = []  # what is told apart by its id may not go
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        kept.append(item)
        if not isinstance(item, FunctionType):
            todo += _parts(item)
        elif not is_library(module_of(item)) and not registry.is_pure(item):
            yield item
            todo += _named(item)


def _parts(item: Any) -> list[Any]:
    """What may be run of something that is no function."""
    if isinstance(item, MethodType):
        return [item.__func__, item.__self__]
    if isinstance(item, functools.partial):
        return [item.func, *item.args, *item.keywords.values()]
    if isinstance(item, (staticmethod, classmethod)):
        return [item.__func__]
    if isinstance(item, property):
        return [item.fget, item.fset, item.fdel]
    if isinstance(item, (list, tuple)):
        return [value for value in item if callable(value)]
    if isinstance(item, dict):
        return [value for value in item.values() if callable(value)]
    if isinstance(item, type):
        mine = [cls for cls in item.__mro__ if not is_library(module_of(cls))]
        return [value for cls in mine for value in vars(cls).values()]
    is_other = item is None or isinstance(item, ModuleType) or is_library(module_of(type(item)))
    return [] if is_other else [type(item)]


def _named(function: FunctionType) -> list[Any]:
    """What a function can reach by the names in its code."""
    found = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    found += [content(cell) for cell in function.__closure__ or ()]
    for code in codes(function.__code__):
        here = [function.__globals__[n] for n in code.co_names if n in function.__globals__]
        found += here
        for module in here:
            if _is_own(module):
                found += [vars(module)[n] for n in code.co_names if n in vars(module)]
    return found


def _stored(function: FunctionType) -> Iterator[tuple[int, str | None]]:
    """The names that the code of a function stores under: whose they are, by id, and which."""
    scope = function.__globals__
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for code in codes(function.__code__):
        modules = [scope[n] for n in code.co_names if _is_own(scope.get(n))]
        if not _ANY_NAME.isdisjoint(code.co_names):
            yield from ((id(vars(module)), None) for module in modules)
            if {"globals", "exec", "sys"}.intersection(code.co_names):  # `sys.modules[...]`
                yield id(scope), None
            if {"setattr", "delattr", "__dict__", "vars"}.intersection(code.co_names):
                yield id(ATTRIBUTE), None
        if not (modules or _OPCODES.intersection(code.co_code[::2])):
            continue
        before = ""
        for step in dis.get_instructions(code):
            if step.opname in _STORES:
                yield id(scope), step.argval
            elif step.opname in _STORES_IN_CELLS and step.argval in cells:
                yield id(cells[step.argval]), None
            elif step.opname in _ATTRIBUTES:
                if not (code.co_name in _MAKING and before.startswith("LOAD_FAST")):  # `self.x = x`
                    yield id(ATTRIBUTE), step.argval
                yield from ((id(vars(module)), step.argval) for module in modules)
            before = step.opname if step.opname != "CACHE" else before


_MAKING = ("__init__", "__new__", "__post_init__")
_STORING = _STORES | _STORES_IN_CELLS | _ATTRIBUTES
_OPCODES = frozenset(dis.opmap[name] for name in _STORING if name in dis.opmap)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of what is defined inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


def _is_own(value: Any) -> bool:
    return isinstance(value, ModuleType) and not is_library(value.__name__)
