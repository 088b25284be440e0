"""Functions of a run as functions that stand alone: numbers that carry a derivative, which they
read around them, come first.

    lambda x: x**3 - a                  def function(a, x):
                                            return x**3 - a

They run as they are, without hooks, and are read like the user's.
"""

from __future__ import annotations

import functools
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autodiff.core import NotYet
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace, source
from autodiff.loader import load
from autodiff.rules.home import is_library, module_of
from autodiff.rules.taking import is_recipe
from autodiff.runtime import assembled
from autodiff.runtime.structure import fields, is_record
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import name
from autodiff.syntax.walk import shallow
from autodiff.tracing.guard import unwatched, writes
from autodiff.tracing.hooked import with_hooks
from autodiff.tracing.number import Number, value_of
from autodiff.tracing.reach import holds, holds_derivative, holds_users, names_of
from autodiff.tracing.special_methods import method
from autodiff.tracing.trace import Trace

_MOST = 1000


class Kept(dict[Any, Any]):
    """What was made before, which holds what it was made of: of very much all is forgotten."""

    def keep(self, key: Any, made: Any) -> Any:
        """What is found under a key from now on."""
        if len(self) >= _MOST:
            self.clear()
        self[key] = made
        return made


_OPENED, _MADE = Kept(), Kept()


class Apart:
    """What values are made of. leaves: what may carry a derivative, in order. again: functions are
    differentiated, so they run again.
    """

    def __init__(self, trace: Trace, again: bool = False) -> None:
        self.trace, self.again = trace, again
        self.leaves: list[Any] = []
        self.helpers: dict[str, Any] = {}
        self.inside: list[CodeType] = []

    def function(self, f: Any) -> tuple[Any, list[Any]]:
        """A function that stands alone, and what it is given first."""
        text = self.text(f)
        if not self.leaves:
            return self.evaluated(text), []
        key = text, *((own, id(value)) for own, value in self.helpers.items())
        found = _MADE.get(key)
        if found is None:
            names = [f"held_{k}" for k in range(len(self.leaves))]
            body = f"return {text}(*given, **named)"
            given = ", ".join((*names, "*given", "**named"))
            text = f"def around({given}):\n    {body}\n"
            found = _MADE.keep(key, load(text, "around", Namespace({}), self.known(), {}))
        return found, self.leaves

    def value(self, x: Any) -> Any:
        """A value beside the one that carries derivatives, also in what functions hold."""
        return self.evaluated(self.text(x))

    def evaluated(self, text: str) -> Any:
        held = {f"held_{k}": value_of(own) for k, own in enumerate(self.leaves)}
        with unwatched():
            return eval(text, {**self.known(), **held})

    def known(self) -> dict[str, Any]:
        """What expressions refer to."""
        return {**self.helpers, "partial": functools.partial, "assembled": assembled}

    def text(self, x: Any) -> str:
        """An expression for a value, as it is now."""
        if x is None or type(x) in (bool, int, str):
            return repr(x)
        if x.__class__ is Number or isinstance(x, (np.ndarray, np.generic, float, complex)):
            if isinstance(x, np.ndarray) and x.dtype.kind not in "fciub":
                return self.constant(x)
            self.leaves.append(x)
            return f"held_{len(self.leaves) - 1}"
        if isinstance(x, FunctionType):
            return self.of_function(x)
        if isinstance(x, MethodType):
            return f"partial({self.text(x.__func__)}, {self.text(x.__self__)})"
        if type(x) is functools.partial:
            named = [f"{key}={self.text(own)}" for key, own in x.keywords.items()]
            return f"partial({', '.join((self.text(x.func), *map(self.text, x.args), *named))})"
        if type(x) is tuple:
            return f"({''.join(f'{self.text(own)}, ' for own in x)})"
        if type(x) is list:
            return f"[{', '.join(map(self.text, x))}]"
        if type(x) is dict and all(type(key) in (str, int) for key in x):
            return f"{{{', '.join(f'{key!r}: {self.text(own)}' for key, own in x.items())}}}"
        if isinstance(x, _CONSTANT) or is_library(module_of(type(x))):
            if not holds_derivative(self.trace, x):
                return self.constant(x)
        if is_record(x) and method(type(x), "__new__") is _NEW:
            parts = [f"{key}={self.text(own)}" for key, own in fields(x).items()]
            return f"assembled({', '.join((self.constant(type(x)), *parts))})"
        raise self.trace.fail(f"a function that holds an object of {type(x).__name__}")

    def constant(self, x: Any) -> str:
        """The name of what carries no derivative, and does not change."""
        for own, value in self.helpers.items():
            if value is x:
                return own
        own = f"value_{len(self.helpers)}"
        self.helpers[own] = x
        return own

    def may_vary(self, x: Any) -> bool:
        """Whether a global may be another one when it is read again."""
        if not isinstance(x, FunctionType) or is_library(x.__module__ or ""):
            return not isinstance(x, _CONSTANT) and not isinstance(x, FunctionType)
        return holds(x, _is_data)

    def of_function(self, f: FunctionType) -> str:
        """An expression for a function."""
        plain = with_hooks.without_hooks(f)
        if plain is None:
            raise self.trace.fail(f"functions alike in the line of {f.__name__}")
        if is_library(plain.__module__ or "") and not is_recipe(plain):
            if not holds_derivative(self.trace, plain) and not holds_users(plain):
                return self.constant(plain)
        code, there = plain.__code__, plain.__globals__
        held = {own: content(x) for own, x in zip(code.co_freevars, plain.__closure__ or ())}
        names = sorted(own for own in names_of(code) if own in there)
        held |= {own: there[own] for own in names if self.may_vary(there[own])}
        left = {own: x for own, x in defaults_of(plain).items() if not isinstance(x, _PLAIN)}
        if writes(code) and (self.again or holds_derivative(self.trace, plain)):
            raise self.trace.fail(f"{plain.__name__}, which may change what it holds")
        if writes(code) or plain is f and not (held or left):
            return self.constant(plain)
        if code in self.inside:
            raise self.trace.fail(f"{plain.__name__}, which calls itself")
        self.inside.append(code)
        known = opened(self.trace, plain, tuple(held))
        own = [self.constant(known), *map(self.text, held.values())]
        own += [f"{key}={self.text(x)}" for key, x in left.items()]
        self.inside.pop()
        return f"partial({', '.join(own)})" if len(own) > 1 else own[0]


_NEW = vars(object)["__new__"]
_PLAIN = (bool, int, float, complex, str, type(None))
_CONSTANT = (type, ModuleType, BuiltinFunctionType, np.ufunc, np.dtype, range, bytes)


def _is_data(x: Any) -> bool:
    return not isinstance(x, (FunctionType, *_CONSTANT)) and x is not None


def defaults_of(function: FunctionType) -> dict[str, Any]:
    """What parameters are that a call leaves out."""
    code = function.__code__
    first, given = code.co_varnames[: code.co_argcount], function.__defaults__ or ()
    return dict(zip(first[len(first) - len(given) :], given)) | (function.__kwdefaults__ or {})


def content(cell: CellType) -> Any:
    """What a variable around a function holds."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def opened(trace: Trace, function: FunctionType, names: tuple[str, ...]) -> FunctionType:
    """A function with variables around it as its first parameters."""
    left = defaults_of(function).values()
    plain = tuple(own if isinstance(own, _PLAIN) else None for own in left)
    key = function.__code__, id(function.__globals__), names, plain
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
        _OPENED.keep(key, found)
    return found
