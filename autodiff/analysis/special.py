"""The user's code that operators, tests and attributes run: special methods and properties.

What counts here is only whether it may change something. `o[0]` of a class whose `__getitem__`
keeps a count is then a statement with an effect, like a call of that method.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.held import named_classes
from autodiff.analysis.kind import (
    Array,
    Bound,
    Kind,
    Local,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    Unknown,
    classes_of,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.analysis.operation import BINARY, UNARY
from autodiff.analysis.purity import may_change_arguments
from autodiff.frontend.source import MARK
from autodiff.normalize.sugar.context import HELPERS
from autodiff.rules import registry
from autodiff.rules.home import module_of
from autodiff.runtime import distinct

_TRUTH = ("bool", "len")
_ASKING: tuple[tuple[Any, tuple[str, ...]], ...] = (
    *((function, ()) for function in (isinstance, issubclass, id, type)),
    (len, ("len",)),
    (next, ("next",)),
    (iter, ("iter",)),
    (abs, ("abs",)),
    (hash, ("hash",)),
    (bool, ("bool", "len")),
    (float, ("float", "index")),
    (int, ("int", "index", "trunc")),
    (repr, ("repr",)),
    (str, ("str", "repr")),
    (copy.copy, ("copy",)),
    (copy.deepcopy, ("deepcopy",)),
)
"""Functions that run certain methods only of what they are given."""

_MAKING = frozenset(
    "__init__ __new__ __post_init__ __init_subclass__ __class_getitem__ __set_name__ __del__ "
    "__enter__ __exit__ __call__ __reduce__ __reduce_ex__ __getstate__ __setstate__".split()
)
"""Special methods that a function that is given an object does not run as a matter of course."""


def told_operands(node: gast.AST, kinds: Kinds) -> list[gast.expr]:
    """The operands of an expression whose own methods it runs, if those may change something.

    With an object of a class that is known, the operands it is joined with may change, too.
    """
    cls = node.__class__
    if cls is gast.BinOp and kinds.of(node.left).__class__ in _SILENT:  # most of all
        if kinds.of(node.right).__class__ in _SILENT:
            return []
    asked = _ASKED.get(cls)
    if asked is None:
        return []
    for part in asked(node):
        if kinds.of(part).__class__ not in _SILENT:
            break
    else:
        return []
    found: list[gast.expr] = []
    operands = list(_run(node))
    for operand, words in operands:
        certain = bool(list(_classes(kinds.of(operand), None)))
        if _any_changes(operand, words, kinds):
            found += [other for other, _ in operands] if certain else [operand]
    if isinstance(node, gast.Call):
        function = getattr(kinds.of(node.func), "value", None)
        if function is distinct or _is_helper(function) or registry.is_vouched_for(function):
            return found  # it runs no method, or its rule says that it changes nothing
        words = next((own for builtin, own in _ASKING if builtin is function), ("",))
        given = _given(node)
        if any(_given_changes(part, words, kinds) for part in given):
            found += given
    elif isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
        for cls in _classes(kinds.of(node.value), kinds, inside=False):
            if _changes_on_reading(cls, node.attr):
                found.append(node.value)
    return found


def _is_helper(function: Any) -> bool:
    """Whether a function is one of ours that works on numbers and arrays, or makes copies."""
    if not registry.is_pure(function) or not module_of(function).startswith("autodiff."):
        return False
    return MARK + function.__name__ not in HELPERS  # which take the place of the user's own loops


def _given(node: gast.Call) -> list[gast.expr]:
    return [*node.args, *[keyword.value for keyword in node.keywords]]


def _any_changes(operand: gast.expr, words: tuple[str, ...], kinds: Kinds) -> bool:
    for cls in _classes(kinds.of(operand), kinds):
        for word in words:
            method = class_attribute(cls, f"__{word}__")
            if isinstance(method, types.FunctionType) and may_change_arguments(method, (cls,)):
                return True
    return False


def _given_changes(given: gast.expr, words: tuple[str, ...], kinds: Kinds) -> bool:
    """Whether a function that is given a value may run a method that changes something."""
    asked = words != ("",)  # else it is a function of which nothing is known
    for cls in _classes(kinds.of(given), kinds if asked else None):
        for method in _any_method(cls):
            if not asked or method.__name__.strip("_") in words:
                return True
    return False


def truth_changes(test: gast.expr, kinds: Kinds) -> bool:
    """Whether asking if a value is true may change something."""
    for cls in _classes(kinds.of(test), kinds, inside=False):
        for word in _TRUTH:
            method = class_attribute(cls, f"__{word}__")
            if isinstance(method, types.FunctionType):
                return may_change_arguments(method, (cls,))
    return False


def entering_changes(manager: gast.expr, kinds: Kinds) -> bool:
    """Whether `with` of a value may change something when it is entered or left."""
    return any(
        isinstance(method, types.FunctionType) and may_change_arguments(method, (cls,))
        for cls in _classes(kinds.of(manager), kinds, inside=False)
        for method in (class_attribute(cls, "__enter__"), class_attribute(cls, "__exit__"))
    )


def _run(node: gast.AST) -> Iterator[tuple[gast.expr, tuple[str, ...]]]:
    """Operands, and the special methods that the expression asks them for."""
    if isinstance(node, gast.BinOp):
        word = BINARY[type(node.op)].__name__.strip("_")
        yield node.left, (word,)
        yield node.right, (f"r{word}",)
    elif isinstance(node, gast.AugAssign):
        word = BINARY[type(node.op)].__name__.strip("_")
        yield node.target, (f"i{word}", word)
        yield node.value, (f"r{word}",)
    elif isinstance(node, gast.UnaryOp):
        is_not = isinstance(node.op, gast.Not)
        yield node.operand, _TRUTH if is_not else (UNARY[type(node.op)].__name__.strip("_"),)
    elif isinstance(node, gast.Subscript):
        words = {gast.Store: "setitem", gast.Del: "delitem"}
        yield node.value, (words.get(type(node.ctx), "getitem"),)
    elif isinstance(node, gast.comprehension):
        yield node.iter, ("iter", "next", "getitem")
        for test in node.ifs:
            yield test, _TRUTH
    elif type(node) in _WORDS:
        for operand in _ASKED[type(node)](node):
            yield operand, _WORDS[type(node)]


_WORDS: dict[type, tuple[str, ...]] = {
    gast.Compare: ("eq", "ne", "lt", "le", "gt", "ge", "contains", "iter", "getitem"),
    **dict.fromkeys((gast.IfExp, gast.If, gast.While, gast.Assert, gast.BoolOp), _TRUTH),
    gast.FormattedValue: ("format", "str", "repr"),
    gast.Starred: ("iter", "next", "len", "getitem"),
}
"""Where all operands are asked for the same."""

_ASKED: dict[type, Callable[[Any], Iterable[gast.expr]]] = {
    gast.BinOp: lambda node: (node.left, node.right),
    gast.Call: _given,
    gast.Attribute: lambda node: (node.value,),
    gast.Subscript: lambda node: (node.value,),
    gast.UnaryOp: lambda node: (node.operand,),
    gast.Compare: lambda node: (node.left, *node.comparators),
    gast.AugAssign: lambda node: (node.target, node.value),
    **dict.fromkeys((gast.IfExp, gast.If, gast.While, gast.Assert), lambda node: (node.test,)),
    gast.BoolOp: lambda node: node.values,
    gast.FormattedValue: lambda node: (node.value,),
    gast.Starred: lambda node: (node.value,),
    gast.comprehension: lambda node: (node.iter, *node.ifs),
}
"""The operands whose own methods an expression may run; those of no others."""

_SILENT = frozenset({Array, Bound, Local, Numeric, Scalar, Static, Text, type(None)})
"""The kinds of values in which there are no objects of the user's classes."""


def _classes(kind: Kind | None, kinds: Kinds | None, inside: bool = True) -> Iterator[type]:
    """The user's classes among a value and what it consists of.

    Where nothing is known, the object may be of any class that the program names, if `kinds` tells.
    """
    yield from classes_of(kind)
    if kinds is not None and type(kind) is Unknown:
        yield from named_classes(kinds)
    if isinstance(kind, Parts):
        if kind.cls not in (tuple, list, dict):
            yield kind.cls
    elif isinstance(kind, Record) and inside:
        for item in kind.items:
            yield from _classes(item, kinds)
    elif isinstance(kind, Sequence) and inside:
        yield from _classes(kind.item, kinds)


def _changes_on_reading(cls: type, attribute: str) -> bool:
    found = class_attribute(cls, attribute)
    methods = [getattr(found, "fget", None), getattr(found, "func", None)]
    if found is None:
        methods.append(class_attribute(cls, "__getattr__"))
    else:
        methods.append(class_attribute(type(found), "__get__"))
    methods.append(class_attribute(cls, "__getattribute__"))
    return any(
        isinstance(m, types.FunctionType) and may_change_arguments(m, (cls,)) for m in methods
    )


@lru_cache(maxsize=1024)
def _any_method(cls: type) -> tuple[types.FunctionType, ...]:
    """All methods that a function may run that is given an object of the class."""
    return tuple(
        method
        for base in cls.__mro__
        for name, method in vars(base).items()
        if name.startswith("__") and name.endswith("__") and name not in _MAKING
        and isinstance(method, types.FunctionType) and may_change_arguments(method, (cls,))
    )
