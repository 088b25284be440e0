"""From a function to its tree, and to the names it can see."""

from __future__ import annotations

import ast
import builtins
import importlib
import linecache
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CellType, FunctionType, MethodType
from typing import Any

import gast

from autodiff import runtime
from autodiff.errors import SourceNotFoundError
from autodiff.frontend.match import Definition, select
from autodiff.frontend.origins import give_origins
from autodiff.frontend.text import file_of, texts
from autodiff.frontend.tree import mangle, to_gast

MARK = "$"
"""Begins the names by which the compiler calls its own helpers: no name of the user's does."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where the names of a function that are not its own are looked up: live, never copied."""

    globals: dict[str, Any]
    cells: Mapping[str, CellType] = field(default_factory=dict)
    defaults: tuple[object, ...] = ()
    kwdefaults: Mapping[str, object] = field(default_factory=dict)
    imports: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    """Cells that stand for an attribute of a module, or for a module: they follow these."""

    def lookup(self, name: str) -> object:
        """What the name means now: a closure cell, a global or a builtin; KeyError if none."""
        if name in self.imports:
            self.cells[name].cell_contents = imported(*self.imports[name])
        cell = self.cells.get(name)
        if cell is not None:
            try:
                return cell.cell_contents
            except ValueError:  # the variable of the enclosing function is not assigned yet
                raise KeyError(name) from None
        if name in self.globals:
            return self.globals[name]
        if name.startswith(MARK):
            return vars(runtime)[name.removeprefix(MARK)]
        found = self.globals.get("__builtins__", builtins)
        return (found if isinstance(found, dict) else vars(found))[name]

    def renewed(self) -> bool:
        """True, once the cells of imports hold what their modules hold now."""
        for name in self.imports:
            self.lookup(name)
        return True


def imported(module: str, attribute: str | None) -> object:
    """What an import statement binds now; ImportError as the statement raises it."""
    found = sys.modules.get(module) or importlib.import_module(module)
    if attribute is None:
        return found
    try:
        return getattr(found, attribute)
    except AttributeError:
        raise ImportError(f"cannot import name {attribute!r} from {module!r}") from None


@dataclass(frozen=True, slots=True)
class Source:
    """A function as a tree, with the place it came from.

    Decorators are gone; a lambda has become a definition named `function` that returns its body.
    The tree of an `async def` is a `gast.AsyncFunctionDef`; `fence` refuses it.
    """

    tree: gast.FunctionDef
    namespace: Namespace
    file: str
    line: int


def source(function: object) -> Source:
    """The source of a function, method or lambda.

    Lines and columns in the tree are those of the user's file, and every statement has an origin.
    A function made by a decorator is taken as it is: the wrapper, not what it wraps.

    Raises:
        SourceNotFoundError: there is no source text, or it is no longer that of the function.

    >>> import gast
    >>> def square(x):
    ...     return x * x
    >>> [statement.origin.text for statement in source(square).tree.body]
    ['return x * x']
    """
    plain = _plain(function)
    code = plain.__code__
    found = definition_in_text(plain)
    tree = _definition(found.node)
    mangle(tree, found.owner)
    file = file_of(code, plain.__globals__)
    give_origins(tree, file, found.lines)
    namespace = Namespace(
        plain.__globals__,
        dict(zip(code.co_freevars, plain.__closure__ or ())),
        plain.__defaults__ or (),
        plain.__kwdefaults__ or {},
    )
    return Source(tree, namespace, file, found.node.lineno)


def has_text(function: FunctionType) -> bool:
    """Whether there is source text of a function; there is none of what `dataclass` writes.

    >>> import dataclasses
    >>> point = dataclasses.make_dataclass("point", ["x"])
    >>> has_text(source), has_text(point.__init__)
    (True, False)
    """
    code = function.__code__
    if not code.co_filename.startswith("<"):
        return True
    return any(select(text, code) is not None for text in texts(code, function.__globals__))


def _plain(function: object) -> FunctionType:
    """The function behind a method."""
    while isinstance(function, (MethodType, staticmethod, classmethod)):
        function = function.__func__
    if isinstance(function, FunctionType):
        return function
    name = getattr(function, "__qualname__", None) or repr(function)
    if isinstance(function, type):
        cure = "differentiate a function that makes the object and uses it"
    elif isinstance(vars(type(function)).get("__call__"), FunctionType):
        cure = "differentiate its `__call__` method"
    else:
        cure = "write a function around it, or give it a rule with `adjoint`"
    raise SourceNotFoundError(
        f"{name} has no Python source", why=f"it is a {type(function).__name__}", cure=cure
    )


def definition_in_text(function: FunctionType) -> Definition:
    """The definition in the text of the file, as it was when the function was made."""
    code = function.__code__
    for attempt in ("as last seen", "as it is now"):
        if attempt == "as it is now":
            linecache.checkcache(file_of(code, function.__globals__))
        known = list(texts(code, function.__globals__))
        found = next(filter(None, (select(text, code) for text in known)), None)
        if found is not None:
            return found
    place = f"{code.co_filename}:{code.co_firstlineno}"
    name = function.__qualname__ if code.co_name.startswith("<") else code.co_name
    if not known or code.co_filename.startswith("<"):
        raise SourceNotFoundError(
            f"the source of {name} ({place}) is not available",
            why="derivatives are made from source, and this code came from a string or a prompt",
            cure="put the function in a file, a notebook cell or a doctest (what another process "
            "is sent, in a file), or give it a derivative with @adjoint",
        )
    raise SourceNotFoundError(
        f"the text at {place} is not that of {code.co_name}",
        why="the file has changed since it was imported, or something rewrote the function",
        cure="import the module again, or restart Python",
    )


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> gast.FunctionDef:
    new = to_gast(node)
    if not isinstance(node, ast.Lambda):
        new.decorator_list = []
        return new
    body = gast.copy_location(gast.Return(new.body), new.body)
    tree = gast.FunctionDef("function", new.args, [body], [], None, None, [])
    return gast.copy_location(tree, new)
