"""Which names may share memory, and which memory is changed in place.

Names are grouped without regard to order: whoever may ever share memory is in one group. Numbers and
strings cannot be changed, so they are in no group.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Sequence, Static, Text
from autodiff.analysis.kinds import Kinds
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import walk

_CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard "
    "fill put itemset resize partition setflags byteswap setfield".split()
)
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
            if isinstance(node.func, gast.Attribute) and node.func.attr in _CHANGING:
                if isinstance(kinds.of(node.func.value), (Sequence, Record)):
                    grown |= _base(node.func)
                else:
                    changed |= _base(node.func)
                union(_base(node.func) | {n for argument in node.args for n in reads(argument)})
            for keyword in node.keywords:
                if keyword.arg == "out":
                    changed |= reads(keyword.value)
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
