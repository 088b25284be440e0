"""What an expression may be, or share memory with, while it is asked what a call changes outside.

An object from outside stands for itself: an array also for its views, a number for nothing. What
the code makes is a `Made` if it may hold such objects, and nothing at all if it is a new array.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.known import Kinds
from autodiff.analysis.memory_shared import NEVER_CHANGING
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import children

Refs = dict[int, Any]
"""Objects by their id."""

_MOST = 500
"""Of how many items each is looked at; a larger container is its own item."""


CODE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)


class Made:
    """What is made at one place of the code; `cls` where that is a class of the user's.

    Or `list`, for any list, tuple, dict or set; None where nothing is known.
    """

    def __init__(self, cls: type | None = None) -> None:
        self.cls = cls
        self.held: Refs = {}


class Method:
    """A method that is not written in Python; the owner is None if it is new and holds nothing."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name


FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


class Code:
    """One text: where the names come from that it does not bind itself."""

    def __init__(
        self, tree: Any, namespace: Any, kinds: Kinds | None = None, around: Code | None = None
    ) -> None:
        self.namespace = namespace
        self.kinds = kinds
        self.around = around
        self.local: set[str] = set(parameters(tree.args)) if hasattr(tree, "args") else set()
        self.loose: set[str] = set()
        """Names of comprehensions, which may mean something else around them."""
        outer: set[str] = set()
        body = tree if isinstance(tree, list) else tree.body
        todo = list(body) if isinstance(body, list) else [body]
        while todo:
            node = todo.pop()
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                self.local.add(node.id)
            elif isinstance(node, (gast.Global, gast.Nonlocal)):
                outer |= {*node.names}
            elif isinstance(node, (gast.Import, gast.ImportFrom)):
                own = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
                self.local |= own
            elif isinstance(node, gast.comprehension):
                self.loose |= writes(node.target)
            if isinstance(node, FUNCTIONS):
                self.local.add(node.name)
            if not isinstance(node, (gast.Lambda, *FUNCTIONS)):
                todo += children(node)
        self.local = self.local - outer | set(() if kinds is None else kinds.local)
        self.loose &= self.local

    def place(self, name: str) -> tuple[Code | None, int]:
        """The text that binds a name, and what tells it from names of others."""
        code: Code | None = self
        while code is not None and name not in code.local:
            code = code.around
        space = getattr(self.namespace, "namespace", self.namespace)
        return code, id(space.globals) if code is None else id(code)

    def outside(self, name: str) -> Any:
        try:
            return self.namespace.lookup(name)
        except (KeyError, ValueError):
            return None


class Inner:
    """Code that is defined inside of other code, and runs when it is called, or iterated over."""

    def __init__(self, node: Any, text: Any) -> None:
        self.node = node
        self.text = text


OF_CONTAINERS = frozenset(dir(list)) | frozenset(dir(dict)) | frozenset(dir(set))
"""What is called on something that the code made is taken for a method of a container."""

INSIDE = (Made, Method, Inner)
FIXED = (*INSIDE, *CODE)
"""What does not change in place: attributes of modules and classes are told by their names."""


def refs(*values: Any) -> Refs:
    plain = (type(None), types.MemberDescriptorType, *NEVER_CHANGING)
    return {id(value): value for value in values if not isinstance(value, plain)}


def joined(parts: Iterable[Refs]) -> Refs:
    return {key: value for part in parts for key, value in part.items()}


def written_class(value: Any) -> type | None:
    """The class of an object, if it is one of the user's."""
    cls = value.cls if isinstance(value, Made) else type(value)
    if cls is None or isinstance(value, (type, Method, Inner)) or is_library(module_of(cls)):
        return None
    return cls


def held_by(value: Any) -> Iterator[Any]:
    """What an object from outside, or one made by the code, holds itself.

    Nobody's `__iter__` is run.
    """
    if isinstance(value, Made):
        yield from value.held.values()
    elif isinstance(value, Method):
        yield value.owner
    elif isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, np.ndarray):
        yield from value.ravel() if value.dtype == object and value.size <= _MOST else ()
    elif isinstance(value, _CONTAINERS):
        if type(value) not in _CONTAINERS:
            yield from vars(value).values() if hasattr(value, "__dict__") else ()
        if type(value).__iter__ not in _ITERATING or len(value) > _MOST or is_space(value):
            yield value
        else:
            yield from [*value, *value.values()] if isinstance(value, dict) else [*value]
    elif not (isinstance(value, FIXED) or registry.is_receiver(value) or _is_code(value)):
        yield from [*getattr(value, "__dict__", {}).values()]


def _is_code(value: Any) -> bool:
    return callable(value) and is_library(module_of(type(value)))


def is_space(value: Any) -> bool:
    """Whether a value is the names of a module: what `globals()` gives."""
    return isinstance(value, dict) and "__builtins__" in value


_CONTAINERS = (tuple, list, set, frozenset, deque, dict, types.MappingProxyType)
_ITERATING = [cls.__iter__ for cls in (*_CONTAINERS, OrderedDict)]


def items(value: Any) -> Iterator[Any]:
    """What iterating over an object, or indexing it, may give."""
    if isinstance(value, _CONTAINERS) or isinstance(value, Made) and value.cls is list:
        yield from held_by(value)
    else:
        yield from (value, *held_by(value))


def attribute(owner: Any, name: str) -> Iterator[Any]:
    """What an attribute of an object may be, beside what it holds; a property as it is."""
    cls = written_class(owner)
    if cls is not None:
        found = class_attribute(cls, name)
        if found is None:
            found = class_attribute(cls, "__getattr__")
            found = property(found) if isinstance(found, types.FunctionType) else None
        if isinstance(found, types.FunctionType):
            found = types.MethodType(found, owner)
        yield found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        own = getattr(owner, "__dict__", {})
        yield own.get(name)
        if name == "__dict__":
            yield own
        if issubclass(cls, (np.ndarray, list, dict, tuple)):
            yield from (owner, Method(owner, name))
    elif isinstance(owner, Made):
        own = None if owner.cls is None else class_attribute(owner.cls, name)
        if not isinstance(own, types.MemberDescriptorType):  # as of a `Slot`: what it holds
            yield from (owner, Method(owner, name))
    elif isinstance(owner, type) and not is_library(module_of(owner)):
        found = class_attribute(owner, name)
        yield found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
    elif isinstance(owner, (Method, Inner)):
        yield owner
    else:
        found = None
        with contextlib.suppress(Exception):  # of whatever a library's property may raise
            found = getattr(owner, name, None)
        if is_built_in_method(found):
            yield Method(owner, name)
        elif isinstance(owner, np.ndarray):
            yield None if isinstance(found, (tuple, *NEVER_CHANGING)) else owner
        else:
            yield found
            is_part = refs(found) and not callable(found)
            if is_part and not isinstance(owner, (types.ModuleType, type)):
                yield owner


def is_built_in_method(value: Any) -> bool:
    """Whether a value is a method of an object, and not written in Python."""
    if isinstance(value, types.MethodType):  # of a compiled extension
        of_library = is_library(module_of(type(value.__self__)))
        return of_library and not isinstance(value.__func__, types.FunctionType)
    if not isinstance(value, (types.BuiltinMethodType, types.MethodWrapperType)):
        return False
    return not isinstance(value.__self__, (types.ModuleType, type(None), np.ufunc))


@functools.lru_cache(maxsize=1024)
def special_methods(cls: type) -> tuple[types.FunctionType, ...]:
    """The methods of a class of the user's that operators and functions run of themselves."""
    left_out = ("__init__", "__new__", "__call__", "__post_init__", "__enter__", "__exit__")
    return tuple(
        method
        for base in cls.__mro__
        if not is_library(module_of(base))
        for name, method in vars(base).items()
        if name.startswith("__") and isinstance(method, types.FunctionType)
        if name not in left_out and not is_library(method.__globals__.get("__name__", ""))
    )


def is_outer(node: gast.expr, code: Code) -> bool:
    """Whether an expression is a name from outside, or an attribute of one."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and code.place(node.id)[0] is None


def gives_number(index: gast.expr, base: Refs) -> bool:
    """Whether an index takes one number of the arrays: `w[0]`, `w[i, j]`, `w[-1]`."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(map(_is_integer, parts)) and all(
        isinstance(v, np.ndarray) and v.dtype != object and v.ndim <= len(parts)
        for v in base.values()
    )


def _is_integer(node: gast.expr) -> bool:
    if isinstance(node, gast.UnaryOp):
        node = node.operand
    return isinstance(node, gast.Constant) and isinstance(node.value, int)
