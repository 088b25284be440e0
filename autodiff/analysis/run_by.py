"""The functions, classes and objects of the user's that running a piece of code may run.

What it calls and hands on, and the methods that no call names: properties, `__bool__` ...
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Bound,
    Kind,
    Local,
    Numeric,
    OneOf,
    Scalar,
    Static,
    Text,
    classes_of,
)
from autodiff.analysis.known import Kinds
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import reads
from autodiff.syntax.walk import children, of_class

_PLAIN = frozenset((Array, Scalar, Numeric, Text, Local, type(None)))
_NO_OBJECTS = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
_MAKING = ("__init__", "__new__", "__call__")


def run_by(node: gast.AST, kinds: Kinds) -> list[Any]:
    """What a part of a function in normal form may run; nothing where it only calls libraries."""
    if kinds.numbers.issuperset(reads(node)):
        return []  # nothing is called, and operators on numbers run nobody's code
    roots = [root for call in of_class(node, gast.Call) for root in called_by(call, kinds)]
    for part in of_class(node, gast.Name, gast.Attribute):
        roots += _special(kinds.of(part))
    return roots


def called_by(call: gast.Call, kinds: Kinds) -> list[Any]:
    """What a call calls, and what it is given that may be called."""
    given = (call.func, *call.args, *(keyword.value for keyword in call.keywords))
    return [root for node in given for root in _callables(node, kinds)]


def _special(kind: Kind | None) -> list[Any]:
    """Methods of an object of the user's that no call names: properties, `__bool__` ..."""
    if kind.__class__ in _PLAIN:
        return []
    if isinstance(kind, Static):
        classes = [] if isinstance(kind.value, _NO_OBJECTS) else [type(kind.value)]
    else:
        classes = [*classes_of(kind), *filter(None, [getattr(kind, "cls", None)])]
    return [
        value
        for cls in classes
        for base in cls.__mro__
        if not is_library(module_of(base))
        for own, value in vars(base).items()
        if isinstance(value, property) or own.startswith("__") and own not in _MAKING
    ]


def _callables(node: gast.AST, kinds: Kinds) -> Iterator[Any]:
    todo = [kinds.of(node)] if isinstance(node, gast.expr) else []
    while todo:
        kind = todo.pop()
        if isinstance(kind, Bound):
            todo.append(kind.function)
            for given in (*kind.arguments, *(value for _, value in kind.keywords)):
                yield from _callables(given, kinds)
        elif isinstance(kind, OneOf):
            todo += kind.options
        elif isinstance(kind, Local):
            for part in of_class(kind.node, gast.Name):
                yield from _given(kinds.scope.meant(part.id))
        else:
            for value in (
                getattr(kind, "value", None),
                getattr(kind, "cls", None),
                *getattr(kind, "classes", ()),
            ):
                yield from _given(value)
            todo += getattr(kind, "items", ())
    if isinstance(node, (gast.Attribute, gast.Starred, gast.Tuple, gast.List, gast.Dict)):
        for child in children(node):
            yield from _callables(child, kinds)


def _given(value: Any) -> Iterator[Any]:
    if value is not None and not isinstance(value, np.ufunc) and not is_library(module_of(value)):
        yield value
