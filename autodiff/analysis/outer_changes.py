"""Which objects outside of it a function, or what it calls, may change in place.

    def refill():                   def restart():               def log(step):
        STATE.w += 1.0                  fill(TABLE["w"], 0.0)        STEPS.append(step)

Judged by the text: what is stored into, added to, given to a method or function that changes it is
followed back to the names from outside of which it may be a part. In doubt it is changed.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Bound, Kind, Local, Static, Unknown
from autodiff.analysis.known import Kinds
from autodiff.analysis.memory_shared import NEVER_CHANGING
from autodiff.analysis.outer_reads import outer_reads
from autodiff.analysis.purity import CHANGING, READING, may_change_arguments
from autodiff.analysis.reaching import Reach, Windows, is_dotted, looking
from autodiff.analysis.special import entering_changes, told_operands, truth_changes
from autodiff.errors import AutodiffError
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.walk import of_class, walk

_WRITERS = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal, setattr)

def outer_changes(roots: Iterable[Any]) -> list[Any]:
    """The objects outside that running these functions may change: arrays, lists, objects ..."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        item = todo.pop()
        if isinstance(item, types.MethodType):
            if may_change_arguments(item.__func__, (type(item.__self__),)):
                found.append(item.__self__)
            item = item.__func__
        if isinstance(item, functools.partial):
            if item.func in _WRITERS or may_change_arguments(item.func):
                found += [*item.args, *item.keywords.values()]
            item = item.func
        item = getattr(item, "__wrapped__", item)  # `lru_cache`
        if isinstance(item, type):
            item = class_attribute(item, "__init__")
        elif not isinstance(item, types.FunctionType):
            method = class_attribute(type(item), "__call__")
            if isinstance(method, types.FunctionType):
                found += [item] if may_change_arguments(method, (type(item),)) else []
                item = method
        if not isinstance(item, types.FunctionType) or id(item) in seen:
            continue
        seen.add(id(item))
        if is_library(module_of(item)) or registry.is_pure(item) or registry.rule_for(item):
            continue
        try:
            look, tree = looking(item, _Changes)
        except AutodiffError:  # no text: it may do anything with what it reads
            if "<string>" not in item.__code__.co_filename:  # as a dataclass's own `__init__` is
                found += [name.value for name in outer_reads([item])]
            continue
        look.changed(tree.body)
        found += look.found
        todo += look.called
    return found


def changed_by(node: gast.AST, sources: Windows, kinds: Kinds) -> list[Any]:
    """The objects outside of a function in normal form that a part of its text may change.

    sources: the `windows` of the function.
    """
    look = _Changes(sources, kinds.scope, {}, kinds.local)
    look.stored([node])
    for part in walk(node):
        if isinstance(part, gast.Call):
            look.call(part, kinds.of(part.func))
            for argument in (part.func, *part.args, *(k.value for k in part.keywords)):
                look.handed(kinds.of(argument))
        operands = told_operands(part, kinds)
        if isinstance(part, gast.withitem) and entering_changes(part.context_expr, kinds):
            operands = [part.context_expr]
        for operand in operands:
            look.reach(operand)
    if isinstance(node, gast.expr) and truth_changes(node, kinds):  # it is a test
        look.reach(node)
    return [*look.found, *outer_changes(look.called)]


class _Changes(Reach):
    """What a text changes; `called` are the functions from outside that it runs."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.called: list[Any] = []

    def changed(self, body: list[Any]) -> None:
        """Note what is stored into and called anywhere in a text."""
        self.stored(body)
        for node in of_class(body, gast.Call):
            self.call(node)

    def stored(self, body: list[Any]) -> None:
        for node in of_class(body, gast.Subscript, gast.AugAssign):
            if isinstance(node, gast.AugAssign):
                if not isinstance(self.value(node.target), (*NEVER_CHANGING, tuple)):
                    self.reach(node.target)
            elif isinstance(node.ctx, (gast.Store, gast.Del)):
                self.reach(node.value)

    def call(self, node: gast.Call, kind: Kind | None = None) -> None:
        """Note what a call may change; `kind` is that of what is called, where it is local."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        function = kind.value if isinstance(kind, Static) else self.value(node.func)
        for keyword in node.keywords:
            if keyword.arg == "out":
                self.reach(keyword.value)
        if isinstance(function, np.ufunc):
            for extra in node.args[function.nin :]:
                self.reach(extra)
        elif isinstance(node.func, gast.Attribute) and _is_unseen(function):
            if node.func.attr not in READING:
                self.reach(node.func.value)
        if _is_unbound(function) or any(function is writer for writer in _WRITERS):
            for argument in given[:1] if node.args else given:
                self.reach(argument)
        elif function is not None:
            self.called.append(function)
            plain = getattr(function, "__func__", function)
            if not is_library(module_of(function)) and may_change_arguments(plain):
                for argument in given:
                    if not is_dotted(argument) or not callable(self.value(argument)):
                        self.reach(argument)
        elif isinstance(node.func, gast.Name) and (kind is None or type(kind) is Unknown):
            # what is called is only known when it runs
            for argument in given:
                self.reach(argument)
            for source, _ in self.sources.get(node.func.id, ()):
                if isinstance(source, gast.Attribute) and source.attr not in READING:
                    self.reach(source.value)  # `put = LOG.append`
        for argument in given:  # a function that is handed on may be run
            handed = self.value(argument) if is_dotted(argument) else None
            if callable(handed):
                self.called.append(handed)

    def handed(self, kind: Kind | None) -> None:
        """A function that is defined inside, or bound to arguments: what it is given is run."""
        given: list[gast.expr] = []
        while isinstance(kind, Bound):
            given += [*kind.arguments, *(value for _, value in kind.keywords)]
            kind = kind.function
        if isinstance(kind, Local):
            self.changed([kind.node])
        elif given and isinstance(kind, Static):
            self.called.append(kind.value)
            values = [self.value(part) if is_dotted(part) else None for part in given]
            classes = [None if value is None else type(value) for value in values]
            if not may_change_arguments(kind.value, classes):
                return
        for part in given:
            self.reach(part)


def _is_unseen(function: Any) -> bool:
    """Whether a function is a method that is not written in Python, or not known."""
    if function is None:
        return True
    owner = getattr(function, "__self__", None)
    is_built_in = isinstance(function, (types.BuiltinMethodType, types.MethodWrapperType))
    return is_built_in and not isinstance(owner, (types.ModuleType, type(None)))


def _is_unbound(function: Any) -> bool:
    """Whether a function changes its first argument: `list.append`, `np.add.at`."""
    own = getattr(function, "__name__", "")
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return own == "at"
    if getattr(function, "__module__", None) == "_operator":
        return own in ("setitem", "delitem") or own[:1] == "i" and own not in _READING_OPERATORS
    return isinstance(function, types.MethodDescriptorType) and own in CHANGING


_READING_OPERATORS = ("is_", "is_not", "index", "indexOf", "inv", "invert", "itemgetter")
