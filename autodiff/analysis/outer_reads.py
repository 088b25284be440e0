"""What a function, or what it calls, may read outside of itself: globals, cells, module attributes.

Told by the compiled code, which says nothing of whether a statement runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from autodiff.analysis.rebinding import ATTRIBUTE, codes, content, reached
from autodiff.rules.home import is_library


class Read(NamedTuple):
    """A name from outside: the cell, or the names of the module (a dict); what it holds now.

    Or the name of an attribute of whatever object, `ATTRIBUTE` being the owner.
    """

    owner: object
    name: str
    value: Any


def outer_reads(roots: Iterable[Any]) -> list[Read]:
    """The names that running these functions, objects may read, those of libraries left out."""
    return [read for function in reached(roots) for read in _named(function)]


def _named(function: FunctionType) -> Iterator[Read]:
    scope = function.__globals__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield Read(cell, name, content(cell))
    for code in codes(function.__code__):
        for name in code.co_names:
            yield Read(ATTRIBUTE, name, None)
            if name in scope:
                value = scope[name]
                yield Read(scope, name, value)
                if isinstance(value, ModuleType) and not is_library(value.__name__):
                    held = vars(value)
                    yield from (Read(held, own, held[own]) for own in code.co_names if own in held)
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        yield Read(function, "", value)
