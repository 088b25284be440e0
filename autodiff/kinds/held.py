"""The classes of the user's that his functions and methods name: whose objects they may hand out.

Of an object that is only known by its class, an attribute may be an object of any of them.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import gast

from autodiff.kinds.kind import (
    UNKNOWN,
    Instance,
    Kind,
    Static,
    Unknown,
    classes_of,
    maybe,
    parts_of,
)
from autodiff.rules.home import module_of

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def held_classes(classes: tuple[type, ...]) -> tuple[type, ...]:
    """The classes that the methods of these classes name, and those that theirs name, and so on."""
    return _reached(tuple(f for cls in classes for f in _functions(cls)))


def opaque(kinds: Kinds, call: gast.Call) -> Kind:
    """What a call of a function of the user's, of which nothing is known, may return."""
    callee = kinds.of(call.func)
    if isinstance(callee, Static) and isinstance(callee.value, types.FunctionType):
        given = [kinds.of(part) for part in (*call.args, *(k.value for k in call.keywords))]
        if any(type(kind) is Unknown for kind in given):
            return UNKNOWN
        inside = [cls for kind in given for cls in classes_inside(kind)]
        return maybe((*_reached((callee.value,)), *held_classes(tuple(inside)), *inside))
    base = kinds.of(call.func.value) if isinstance(call.func, gast.Attribute) else None
    return maybe(held_classes(base.classes)) if isinstance(base, Instance) else UNKNOWN


def classes_inside(kind: Kind | None) -> tuple[type, ...]:
    """The classes of the user's that a value may have, or something that it consists of."""
    todo, seen, own = [kind], {id(kind)}, dict[type, None]()
    while todo:
        kind = todo.pop()
        found = classes_of(kind)
        if isinstance(kind, Static) and not isinstance(kind.value, (type, types.FunctionType)):
            found = (type(kind.value),) if _is_written(type(kind.value)) else ()
        own |= dict.fromkeys(cls for cls in found if not _is_library(cls))
        parts = {id(part): part for part in reversed(parts_of(kind)) if id(part) not in seen}
        seen |= parts.keys()
        todo += parts.values()
    return tuple(own)


def _is_library(value: Any) -> bool:
    return module_of(value).partition(".")[0] in ("autodiff", "numpy", "scipy", "functools")


def _is_written(cls: type) -> bool:
    return module_of(cls) != "builtins" and cls.__flags__ & (1 << 9) != 0


@lru_cache(maxsize=1024)
def _reached(start: tuple[Any, ...]) -> tuple[type, ...]:
    seen: dict[Any, None] = {}
    todo: list[Any] = list(start)
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen[item] = None
        if isinstance(item, type):
            todo.extend(_functions(item))
        else:
            todo.extend(_named(item))
    return tuple(item for item in seen if isinstance(item, type))


def _functions(cls: type) -> list[types.FunctionType]:
    found = []
    for base in cls.__mro__[:-1]:
        for value in vars(base).values():
            for own in (value, getattr(value, "fget", None), getattr(value, "__func__", None)):
                if isinstance(own, types.FunctionType):
                    found.append(own)
    return found


def _named(function: types.FunctionType) -> Iterable[Any]:
    """Classes and functions of the user's that the text of a function refers to."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # not filled yet
            continue
    for value in (*(function.__globals__.get(n) for n in function.__code__.co_names), *cells):
        if isinstance(value, type) and _is_written(value):
            yield value
        elif isinstance(value, types.FunctionType):
            if value.__module__ == function.__module__:
                yield value
