"""Refuses a derivative that would flow through a global: stored there, and read from there.

    HISTORY.append(x)                       stays: nothing of the function reads it
    HISTORY.append(x); y = HISTORY[-1]      refused: an adjoint of HISTORY would outlive the call

Globals are told by what they hold, so that it does not matter by which name, module or local
variable one is reached, nor whether a function that is called reads it.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from autodiff.analysis.activity import varied
from autodiff.analysis.known import Kinds
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.references import has_memory
from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline.unit import Unit
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import COMPOUND, children, statements

_WINDOWS = (gast.Subscript, gast.Attribute)


def check_outer(unit: Unit, known: Kinds) -> None:
    """Raise `UnsupportedSyntaxError` for such a store, or for a class that does as it likes."""
    _check_classes(unit, known)
    simple = [s for s in statements(unit.tree.body) if s.__class__ not in COMPOUND]
    stores = [(s, base) for s in simple for base in _stored(s)]
    if not stores:
        return
    outer = _Outer(unit, known, simple)
    outer.stored = {id(base) for s, base in stores if not _gives(s)}
    reached = [(s, base, held) for s, base in stores for held in outer.held(base)]
    if not reached:
        return
    depends = varied(unit.tree, known, unit.inputs)
    for statement, base, held in reached:
        if reads(statement) & depends and outer.is_read(held):
            raise UnsupportedSyntaxError(
                f"a value that carries a derivative is stored in the global `{_said(base)}`, which "
                "the function reads",
                origin_of(statement),
                why="its derivative would have to outlive the call",
                cure=f"pass `{_said(base)}` as an argument, or use a local variable",
            )


def _check_classes(unit: Unit, known: Kinds) -> None:
    """Refuse a class that is defined inside and whose methods read what may change or varies."""
    for statement in statements(unit.tree.body):
        if isinstance(statement, gast.ClassDef):
            depends = varied(unit.tree, known, unit.inputs)
            for own in sorted(reads(statement)):
                if own in depends or has_memory(own, known):
                    raise UnsupportedSyntaxError(
                        f"the class `{statement.name}`, which is defined inside, reads `{own}`",
                        origin_of(statement),
                        why="what its methods do to it, and when, autodiff does not follow",
                        cure=f"define the class outside, and give it `{own}`",
                    )


def _gives(statement: gast.stmt) -> bool:
    """Whether a statement takes something from what it changes: `x = xs.pop()`."""
    return isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Call)


def _stored(statement: gast.stmt) -> Iterator[gast.expr]:
    """What a statement may store something into."""
    if isinstance(statement, gast.Assign):
        yield from (t.value for t in statement.targets if isinstance(t, _WINDOWS))
    elif isinstance(statement, gast.AugAssign):
        target = statement.target
        yield target.value if isinstance(target, _WINDOWS) else target
    call = getattr(statement, "value", None)
    if not isinstance(call, gast.Call):
        return
    if isinstance(call.func, gast.Attribute) and call.func.attr in CHANGING:
        yield call.func.value
    elif isinstance(call.func, gast.Name) and call.func.id == "setattr" and call.args:
        yield call.args[0]


class _Outer:
    """What names that are not the function's own refer to."""

    def __init__(self, unit: Unit, known: Kinds, simple: list[gast.stmt]) -> None:
        self.unit = unit
        self.known = known
        self.lent: dict[str, list[Any]] = {}
        """What local names may be that are bound to such a value, or to a part of one."""
        self.binding: set[int] = set()
        self.stored: set[int] = set()
        for statement in simple:
            if isinstance(statement, gast.Assign) and not isinstance(statement.value, gast.Call):
                found = self.held(statement.value)
                for target in statement.targets:
                    if isinstance(target, gast.Name) and found:
                        self.lent.setdefault(target.id, []).extend(found)
                        if self.is_whole(statement.value):
                            self.binding.add(id(statement.value))

    def held(self, node: gast.expr) -> list[Any]:
        """The mutable value outside of the function that an expression is, or is a part of."""
        path = []
        while isinstance(node, _WINDOWS):
            path.append(node)
            node = node.value
        if not isinstance(node, gast.Name):
            return []
        if node.id in self.known.local:
            return self.lent.get(node.id, [])
        try:
            value = self.unit.scope.lookup(node.id)
        except (KeyError, ValueError):
            return []
        while isinstance(value, types.ModuleType) and path:
            step = path.pop()
            if not isinstance(step, gast.Attribute) or not hasattr(value, step.attr):
                return []
            value = getattr(value, step.attr)
        is_kept = not isinstance(value, (types.ModuleType, np.generic, int, float, str, tuple))
        return [value] if is_kept and not callable(value) or isinstance(value, type) else []

    def is_whole(self, node: gast.expr) -> bool:
        """Whether an expression is a name, or one that a module has."""
        if isinstance(node, gast.Attribute):
            owner = getattr(self.known.of(node.value), "value", None)
            return isinstance(owner, types.ModuleType)
        return isinstance(node, gast.Name)

    def is_stored(self, node: gast.expr) -> bool:
        """Whether a dotted name is that of a store, or of a method that stores, or a local one."""
        while isinstance(node, gast.Attribute):
            if id(node) in self.stored:
                return True
            node = node.value
        if not isinstance(node, gast.Name) or id(node) in self.stored:
            return True
        return node.id in self.known.local

    def is_read(self, held: Any) -> bool:
        """Whether the function, or one that it calls, reads the value."""
        waiting: list[Any] = list(self.unit.tree.body)
        while waiting:
            node = waiting.pop()
            if id(node) in self.binding or id(node) in self.stored:
                continue
            if isinstance(node, (gast.Name, gast.Attribute)) and not self.is_stored(node):
                if any(_are_one(held, value) for value in self.held(node)):
                    return True
            if isinstance(node, gast.Call):
                called = getattr(self.known.of(node.func), "value", None)
                if any(_are_one(held, value) for value in _referred(called)):
                    return True
            waiting.extend(children(node))
        return False


def _referred(function: Any) -> list[Any]:
    """What a function of the user's, and those that it calls, refer to by name."""
    found: list[Any] = []
    seen: set[Any] = set()
    todo = [function]
    while todo:
        item = todo.pop()
        if not isinstance(item, types.FunctionType) or item in seen or registry.is_pure(item):
            continue
        if is_library(module_of(item)):
            continue
        seen.add(item)
        names = inspect.getclosurevars(item)
        todo += [*names.globals.values(), *names.nonlocals.values(), *(item.__defaults__ or ())]
        found += todo
    return found


def _are_one(value: Any, other: Any) -> bool:
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        return np.may_share_memory(value, other)
    return value is other


def _said(node: gast.expr) -> str:
    """An expression as an error calls it."""
    while isinstance(node, gast.Subscript):
        node = node.value
    return f"{_said(node.value)}.{node.attr}" if isinstance(node, gast.Attribute) else node.id
