"""Which names may share memory, and which memory is changed in place.

Names are grouped without regard to order: whoever may ever share memory is in one group. Numbers
and strings cannot be changed, so they are in no group.
"""

from __future__ import annotations

import types
from dataclasses import dataclass

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Bound,
    Kind,
    Local,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds, class_attribute
from autodiff.analysis.purity import CHANGING, may_change_arguments
from autodiff.rules import registry
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import walk

_VIEWS = frozenset(
    "reshape ravel transpose matrix_transpose permute_dims swapaxes squeeze expand_dims asarray "
    "asanyarray ascontiguousarray asfortranarray require atleast_1d atleast_2d atleast_3d "
    "broadcast_to broadcast_arrays moveaxis rollaxis diagonal diag real imag flip fliplr flipud "
    "rot90 split array_split hsplit vsplit dsplit unstack real_if_close nan_to_num trim_zeros "
    "meshgrid ix_ astype array".split()
)
"""Functions of NumPy whose result may share memory with an argument."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """Groups of names that may share memory."""

    group: dict[str, str]
    changed: frozenset[str]
    """Names whose own memory may change; an array in a list that grows does not."""
    shared_names: frozenset[str] = frozenset()

    def share(self, left: str, right: str) -> bool:
        """Whether two names may refer to the same memory."""
        own = self.group.get(left)
        return left == right or own is not None and own == self.group.get(right)

    def sharing(self, name: str) -> list[str]:
        """All names that may share memory with this one, itself included."""
        own = self.group.get(name, name)
        return [other for other, group in self.group.items() if group == own] or [name]

    def grows_alone(self, name: str) -> bool:
        """Whether memory is only ever changed, under this name, before another one refers to it."""
        return name not in self.shared_names

    def is_changed(self, name: str) -> bool:
        """Whether the memory of a name may be changed in place."""
        return name in self.changed


def alias(tree: gast.FunctionDef, kinds: Kinds) -> Aliases:
    """The groups of a function in normal form."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    def union(names: set[str]) -> None:
        roots = sorted({find(name) for name in names if _has_memory(name, kinds)})
        for other in roots[1:]:
            parent[other] = roots[0]

    changed: set[str] = set()
    grown: set[str] = set()
    for node in walk(tree):
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, (gast.Name, gast.Tuple)):
                union(writes(target) | _sources(node.value, kinds))
            else:
                changed |= _base(target)
                union(_base(target) | _sources(node.value, kinds))
        elif isinstance(node, gast.AugAssign):
            if not isinstance(node.target, gast.Name) or _has_memory(node.target.id, kinds):
                changed |= _base(node.target)
        elif isinstance(node, gast.Call):
            if isinstance(node.func, gast.Attribute) and node.func.attr in CHANGING:
                if isinstance(kinds.of(node.func.value), (Sequence, Record)):
                    grown |= _base(node.func)
                else:
                    changed |= _base(node.func)
                union(_base(node.func) | {n for argument in node.args for n in reads(argument)})
            changed |= set(changed_by(node, kinds))
        elif isinstance(node, gast.With):
            union(writes(node.items) | reads(node.items))
        elif isinstance(node, gast.Delete):
            for target in node.targets:
                if not isinstance(target, gast.Name):
                    changed |= _base(target)
    group = {name: find(name) for name in parent}
    stored = {group.get(name, name) for name in changed}
    lists = {group.get(name, name) for name in grown}
    own = {name for name in {*group, *changed, *grown} if group.get(name, name) in stored}
    own |= {
        name
        for name in {*group, *grown}
        if group.get(name, name) in lists and not isinstance(kinds.names.get(name), Array)
    }
    return Aliases(group, frozenset(own), frozenset(_shared_names(tree, kinds)))


def _shared_names(tree: gast.FunctionDef, kinds: Kinds) -> set[str]:
    """Names changed in place after, or in a loop around, another reference to the same memory."""
    made: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    grown: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    given: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    foreign: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    position = 0

    def visit(block: list[gast.stmt], loops: tuple[int, ...]) -> None:
        nonlocal position
        for statement in block:
            position += 1
            here = (position, loops)
            if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
                inner = loops
                if isinstance(statement, (gast.For, gast.While)):
                    inner = (*loops, position)
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, None) or [], inner)
                for handler in getattr(statement, "handlers", []):
                    visit(handler.body, inner)
                continue
            value = getattr(statement, "value", None)
            if isinstance(statement, gast.Assign):
                referred = _references(value, kinds)
                borrowed = referred or _takes_part(value, kinds)
                for target in writes(statement):
                    made.setdefault(target, []).append(here)
                    if borrowed and not isinstance(value, (gast.List, gast.Dict, gast.Tuple)):
                        foreign.setdefault(target, []).append(here)
                if not isinstance(statement.targets[0], (gast.Name, gast.Tuple)):
                    referred = reads(value)
                for source in referred:
                    given.setdefault(source, []).append(here)
            elif isinstance(statement, gast.AugAssign):
                for base in _base(statement.target):
                    grown.setdefault(base, []).append(here)
            elif isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
                for base in _base(value.func):
                    grown.setdefault(base, []).append(here)
                for argument in value.args:
                    for source in reads(argument):
                        given.setdefault(source, []).append(here)

    visit(tree.body, ())
    lists = {n for n in parameters(tree.args) if not isinstance(kinds.names.get(n), Array)}
    shared = set()
    for base, changes in grown.items():
        if base in lists:
            shared.add(base)
        for at, loops in foreign.get(base, []):
            if any(at < changed_at or _common(loops, around) for changed_at, around in changes):
                shared.add(base)
        for at, loops in given.get(base, []):
            for changed_at, changed_loops in changes:
                common = _common(loops, changed_loops)
                fresh = any(_common(m, common) == common for _, m in made.get(base, []))
                if changed_at > at or (common and not fresh):
                    shared.add(base)
    return shared


def _common(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    count = 0
    while count < min(len(left), len(right)) and left[count] == right[count]:
        count += 1
    return left[:count]


def _references(value: gast.expr, kinds: Kinds) -> set[str]:
    """Names whose memory the value of an expression may still refer to."""
    if isinstance(value, gast.Call):
        operation = kinds.operation(value)
        if operation is not None and operation.function in (list, sorted):
            return set()  # a new list, whatever it holds
    if isinstance(value, gast.Subscript):
        if isinstance(kinds.of(value.value), (Sequence, Record)):
            return set()  # a part, or a new list of parts
    if not _is_mutable(kinds.of(value)):
        return set()
    return {n for n in _sources(value, kinds) if _has_memory(n, kinds)}


def _takes_part(value: gast.expr, kinds: Kinds) -> bool:
    """Whether the value is a mutable part of a container, which still holds it."""
    if not isinstance(value, gast.Subscript) or isinstance(value.slice, gast.Slice):
        return False
    return _is_mutable(kinds.of(value))


_HARMLESS = frozenset(
    {"builtins", "functools", "logging", "math", "operator", "pprint", "time", "warnings"}
)
"""Modules whose functions leave the arrays and lists they are given as they are."""

_WRITERS = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})
"""Functions that write to their first argument."""


def changed_by(call: gast.Call, kinds: Kinds) -> tuple[str, ...]:
    """The names whose memory a call may change, as far as anyone can tell."""
    changed: set[str] = set()
    for keyword in call.keywords:
        if keyword.arg == "out":
            changed |= reads(keyword.value)
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    operation = kinds.operation(call)
    function = operation.function if operation is not None else None
    if isinstance(function, np.ufunc):
        changed |= {n for argument in call.args[function.nin :] for n in reads(argument)}
    if isinstance(call.func, gast.Attribute):
        base = kinds.known(call.func.value)
        if isinstance(base, (Sequence, Record)) and base.cls in (list, dict, tuple):
            arguments = []
        elif isinstance(base, Record):
            found = class_attribute(base.cls, call.func.attr)
            if isinstance(found, types.FunctionType) and may_change_arguments(found):
                changed |= _base(call.func)
        elif isinstance(base, Array) and (
            call.func.attr in CHANGING or call.func.attr.startswith("__")
        ):
            changed |= _base(call.func)
            arguments = []
        elif isinstance(base, (Array, Scalar, Text)):
            arguments = []
    elif isinstance(call.func, gast.Name) and call.func.id in kinds.local:
        own = kinds.names.get(call.func.id)
        if isinstance(own, Local):
            changed |= reads(own.node) if _stores(own.node) else set()
        elif not isinstance(own, (Static, Bound, OneOf)):
            changed.add(call.func.id)  # a bound method may change what it is bound to
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc) and getattr(function, "__name__", "") == "at":
        function = np.copyto
    module = (getattr(function, "__module__", None) or "").partition(".")[0]
    if _is_one_of(function, _WRITERS):
        changed |= reads(call.args[0]) if call.args else set()
    elif not (
        registry.is_pure(function) or registry.is_nondifferentiable(function) or module in _HARMLESS
        or not may_change_arguments(function)
    ):
        values = [a.value if isinstance(a, gast.Starred) else a for a in arguments]
        passed = [value for value in values if _is_mutable(kinds.of(value))]
        changed |= {n for argument in passed for n in reads(argument)}
    return tuple(sorted(name for name in changed if _has_memory(name, kinds)))


def _stores(node: gast.AST) -> bool:
    """Whether a nested function may change what it closes over."""
    return any(
        isinstance(part, (gast.Subscript, gast.Attribute))
        and isinstance(part.ctx, (gast.Store, gast.Del))
        or isinstance(part, gast.Call)
        and (
            isinstance(part.func, gast.Attribute)
            and (part.func.attr in CHANGING or part.func.attr.startswith("__"))
            or any(keyword.arg == "out" for keyword in part.keywords)
        )
        for part in walk(node)
    )


def changed_in(node: gast.AST, kinds: Kinds) -> tuple[str, ...]:
    """The names whose memory any call in a piece of code may change."""
    found: set[str] = set()
    for part in walk(node):
        if isinstance(part, gast.Call):
            found |= set(changed_by(part, kinds))
    return tuple(sorted(found))


def _is_one_of(function: object, functions: frozenset[object]) -> bool:
    try:
        return function in functions
    except TypeError:  # not hashable
        return False


def _base(target: gast.expr) -> set[str]:
    while isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)):
        target = target.value
    return {target.id} if isinstance(target, gast.Name) else set()


def _has_memory(name: str, kinds: Kinds) -> bool:
    return name in kinds.local and _is_mutable(kinds.names.get(name))


def _is_mutable(kind: Kind | None) -> bool:
    """Whether a value, or a part of it, can be changed in place."""
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return any(map(_is_mutable, kind.items))
    return not isinstance(kind, (Scalar, Text, Static))


def _sources(value: gast.expr, kinds: Kinds) -> set[str]:
    """Names whose memory the value of an expression may share."""
    if isinstance(value, (gast.Constant, gast.Compare, gast.JoinedStr, gast.UnaryOp, gast.BinOp)):
        return set()
    if isinstance(value, gast.Subscript):
        return reads(value.value)
    if isinstance(value, gast.Call):
        operation = kinds.operation(value)
        rule = operation.rule if operation is not None else None
        if rule is not None and rule.elementwise:
            return set()
        if operation is not None and operation.pure:
            own = getattr(operation.function, "__name__", "")
            module = getattr(operation.function, "__module__", "") or ""
            if module.startswith(("numpy", "math", "scipy")) and own not in _VIEWS:
                return set()
    return reads(value)
