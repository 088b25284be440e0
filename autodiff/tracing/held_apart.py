"""Functions of a run as functions that stand alone: numbers that carry a derivative, which they
read around them, come first.

    lambda x: x**3 - a                  def function(a, x):
                                            return x**3 - a

They run as they are, without hooks, and are read like the user's.
"""

from __future__ import annotations

import functools
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autodiff.core import NotYet
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace, source
from autodiff.loader import load
from autodiff.runtime import assembled
from autodiff.runtime.structure import fields, is_record
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import name
from autodiff.syntax.walk import shallow
from autodiff.tracing.guard import writes
from autodiff.tracing.hooked import with_hooks
from autodiff.tracing.number import Number, carries
from autodiff.tracing.reach import holds_derivative, names_of
from autodiff.tracing.trace import Trace

_OPENED: dict[Any, FunctionType] = {}
_MADE: dict[Any, FunctionType] = {}


class Apart:
    """What values are made of. leaves: what carries a derivative, in order."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.leaves: list[Any] = []
        self.helpers: dict[str, Any] = {}

    def function(self, f: Any) -> tuple[Any, list[Any]]:
        """A function that stands alone, and what it is given first."""
        text = self.text(f)
        if not self.leaves:
            return self.helpers[text], []
        key = text, *((own, id(value)) for own, value in self.helpers.items())
        found = _MADE.get(key)
        if found is None:
            names = [f"held_{k}" for k in range(len(self.leaves))]
            body = f"return {text}(*given, **named)"
            given = ", ".join((*names, "*given", "**named"))
            helpers = {**self.helpers, "partial": functools.partial, "assembled": assembled}
            found = load(f"def around({given}):\n    {body}\n", "around", Namespace({}), helpers, {})
            _MADE[key] = found
        return found, self.leaves

    def text(self, x: Any) -> str:
        """An expression for a value."""
        if x.__class__ is Number or isinstance(x, np.ndarray) and carries(self.trace, x):
            self.leaves.append(x)
            return f"held_{len(self.leaves) - 1}"
        if isinstance(x, FunctionType):
            return self.of_function(x)
        if isinstance(x, MethodType):
            return f"partial({self.text(x.__func__)}, {self.text(x.__self__)})"
        if not holds_derivative(self.trace, x):
            return self.constant(x)
        if type(x) is functools.partial:
            named = [f"{key}={self.text(own)}" for key, own in x.keywords.items()]
            return f"partial({', '.join((self.text(x.func), *map(self.text, x.args), *named))})"
        if type(x) is tuple:
            return f"({''.join(f'{self.text(own)}, ' for own in x)})"
        if type(x) is list:
            return f"[{', '.join(map(self.text, x))}]"
        if type(x) is dict and all(type(key) in (str, int) for key in x):
            return f"{{{', '.join(f'{key!r}: {self.text(own)}' for key, own in x.items())}}}"
        if is_record(x) and not isinstance(x, (tuple, list, dict)):
            parts = [f"{key}={self.text(own)}" for key, own in fields(x).items()]
            return f"assembled({', '.join((self.constant(type(x)), *parts))})"
        raise self.trace.fail(f"a function that holds an object of {type(x).__name__}")

    def constant(self, x: Any) -> str:
        """The name of what carries no derivative."""
        for own, value in self.helpers.items():
            if value is x:
                return own
        own = f"value_{len(self.helpers)}"
        self.helpers[own] = x
        return own

    def of_function(self, f: FunctionType) -> str:
        """An expression for a function."""
        plain = with_hooks.without_hooks(f)
        if plain is None:
            raise self.trace.fail(f"two functions alike in the line of {f.__name__}")
        if not holds_derivative(self.trace, plain):
            return self.constant(plain)
        code = plain.__code__
        if holds_derivative(self.trace, (plain.__defaults__, plain.__kwdefaults__)):
            raise self.trace.fail("a function whose defaults carry a derivative")
        if writes(code):
            raise self.trace.fail(f"{plain.__name__}, which may change what carries a derivative")
        cells = dict(zip(code.co_freevars, plain.__closure__ or ()))
        given = {own: held(cell) for own, cell in cells.items()}
        there = plain.__globals__
        given |= {own: there[own] for own in sorted(names_of(code)) if own in there}
        given = {own: x for own, x in given.items() if holds_derivative(self.trace, x)}
        known = self.constant(opened(self.trace, plain, tuple(given)))
        return f"partial({', '.join((known, *map(self.text, given.values())))})"


def held(cell: CellType) -> Any:
    """What a variable around a function holds."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def opened(trace: Trace, function: FunctionType, names: tuple[str, ...]) -> FunctionType:
    """A function with variables around it as its first parameters."""
    others = [
        id(cell)
        for own, cell in zip(function.__code__.co_freevars, function.__closure__ or ())
        if own not in names
    ]
    key = function.__code__, id(function.__globals__), names, *others, function.__defaults__
    found = _OPENED.get(key)
    if found is None:
        try:
            read = source(function)
        except AutodiffError as why:
            raise trace.fail(why.what) from None
        space = read.namespace
        given = shallow(read.tree.args)
        given.args = [*(name(own) for own in names), *given.posonlyargs, *given.args]
        given.posonlyargs = []
        given.defaults, given.kw_defaults = [], [None for _ in given.kwonlyargs]
        emitted = emit(definition("function", given, read.tree.body))
        cells = {own: cell for own, cell in space.cells.items() if own not in names}
        around = Namespace(space.globals, cells, space.defaults, space.kwdefaults)
        try:
            found = load(emitted.text, "function", around, {}, emitted.origins)
        except (NotYet, SyntaxError) as why:
            raise trace.fail(str(why)) from None
        _OPENED[key] = found
    return found
