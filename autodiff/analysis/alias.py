"""Which names may share memory, and which memory is changed in place.

Names are grouped without regard to order: whoever may ever share memory is in one group. Numbers
and strings cannot be changed, so they are in no group.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import gast

from autodiff.analysis.changes import changed_by, changed_in, told_to_change
from autodiff.analysis.growing import holds_containers, is_new_container
from autodiff.analysis.kind import Array, Record, Sequence, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.references import (
    borrowed,
    has_memory,
    is_array_entry,
    is_mutable,
    without_memory,
)
from autodiff.analysis.sharing import held_by
from autodiff.analysis.special import entering_changes, truth_changes
from autodiff.analysis.stacks import stacks
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import of_class, statements
from autodiff.syntax.windows import root


@dataclass(frozen=True, slots=True)
class Aliases:
    """Groups of names that may share memory."""

    group: dict[str, str]
    changed: frozenset[str]
    """Names whose own memory may change; an array in a list that grows does not."""
    shared_names: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()
    """Containers of which an item read later need not be the one that was read before."""
    containers: dict[str, str] = field(default_factory=dict)
    """The same groups of lists and dicts alone: arrays that two lists hold do not make them one."""

    stacks: frozenset[str] = frozenset()
    """Lists that are only pushed on and popped from: no other name means one of them."""

    def may_be_one(self, left: str, right: str) -> bool:
        """Whether two names may refer to one list or dict, or to one that the other holds."""
        own = self.containers.get(left)
        return left == right or own is not None and own == self.containers.get(right)

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

    def within(self, replaced: frozenset[str], values: frozenset[str]) -> Aliases:
        """The same, where the items of some containers are replaced, and `values` do not change."""
        return replace(self, changed=(self.changed - values) | replaced, replaced=replaced)

    def is_changed(self, name: str) -> bool:
        """Whether the memory of a name may be changed in place."""
        return name in self.changed


class _Groups:
    """Names in groups that may be joined."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def of(self, name: str) -> str:
        """What stands for the group of a name."""
        while self.parent.setdefault(name, name) != name:
            name = self.parent[name]
        return name

    def join(self, names: set[str]) -> None:
        first, *others = sorted({self.of(name) for name in names}) or [""]
        for other in others:
            self.parent[other] = first


def alias(tree: gast.FunctionDef, kinds: Kinds) -> Aliases:
    """The groups of a function in normal form."""
    if without_memory(tree, kinds):
        return Aliases({}, frozenset())
    memory, containers = _Groups(), _Groups()
    apart = stacks(tree)

    def union(names: set[str], is_new: bool = False) -> None:
        memory.join({n for n in names if has_memory(n, kinds)})
        if not is_new:
            held = {n for n in names if holds_containers(kinds.names.get(n))}
            containers.join({f"{n}[]" if n in apart else n for n in held})

    handed: set[str] | None = None
    changed: set[str] = set()
    grown: set[str] = set()
    for node in [*statements(tree), *of_class(tree, gast.Call)]:
        if isinstance(node, gast.stmt):
            changed |= _changed_here(node, kinds)
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if is_array_entry(node, kinds):
                continue
            if isinstance(target, (gast.Name, gast.Tuple)):
                union(writes(target) | borrowed(node.value, kinds), is_new_container(node, kinds))
            else:
                changed |= _base(target)
                if not all(isinstance(kinds.names.get(n), Array) for n in _base(target)):
                    union(_base(target) | borrowed(node.value, kinds))
        elif isinstance(node, gast.AugAssign):
            if not isinstance(node.target, gast.Name) or has_memory(node.target.id, kinds):
                changed |= _base(node.target)
        elif isinstance(node, gast.Call):
            if (
                isinstance(node.func, gast.Attribute)
                and node.func.attr in CHANGING
                and not isinstance(kinds.of(node.func.value), Static)  # `np.add(a, b)`
            ):
                if isinstance(kinds.of(node.func.value), (Sequence, Record)):
                    grown |= _base(node.func)
                else:
                    changed |= _base(node.func)
                union(_base(node.func) | {n for argument in node.args for n in reads(argument)})
            changed |= set(changed_by(node, kinds))
        elif isinstance(node, gast.Expr):
            changed |= told_to_change(node, kinds)
        elif isinstance(node, gast.FunctionDef) and node is not tree:
            handed = handed_on(tree) if handed is None else handed
            if node.name in handed:  # its value, or whoever gets hold of it, may be that memory
                union({node.name} | held_by(node))
        elif isinstance(node, gast.With):
            union(writes(node.items) | reads(node.items))
        elif isinstance(node, gast.Delete):
            for target in node.targets:
                if not isinstance(target, gast.Name):
                    changed |= _base(target)
    changed, grown = changed - apart, grown | changed & apart  # what they hold does not change
    group = {name: memory.of(name) for name in memory.parent}
    stored = {group.get(name, name) for name in changed}
    lists = {containers.of(name) for name in grown}
    own = {name for name in {*group, *changed, *grown} if group.get(name, name) in stored}
    own |= {
        name
        for name in {*group, *grown}
        if containers.of(name) in lists and holds_containers(kinds.names.get(name))
    }
    shared = frozenset(_shared_names(tree, kinds))
    one = {name: containers.of(name) for name in containers.parent}
    return Aliases(group, frozenset(own), shared, containers=one, stacks=apart)


def changed_at(
    name: str, body: list[gast.stmt], kinds: Kinds, aliases: Aliases
) -> Origin | None:
    """Where the memory of a name is changed first, as far as a statement shows it."""
    for statement in statements(body):
        if not hasattr(statement, "body"):
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            stored = {root(t) for t in targets if isinstance(t, (gast.Subscript, gast.Attribute))}
            stored |= writes(statement) if isinstance(statement, gast.AugAssign) else set()
            if any(aliases.share(name, str(n)) for n in (*stored, *changed_in(statement, kinds))):
                return origin_of(statement)
    return None


def handed_on(tree: gast.FunctionDef) -> set[str]:
    """Names that are read otherwise than by a call for its effect."""
    told = [node.value for node in of_class(tree, gast.Expr)]
    called = {id(call.func) for call in told if isinstance(call, gast.Call)}
    return {
        node.id
        for node in of_class(tree, gast.Name)
        if isinstance(node.ctx, gast.Load) and id(node) not in called
    }


def _changed_here(statement: gast.stmt, kinds: Kinds) -> set[str]:
    """The names whose memory calls and operators of a statement change, inner statements aside."""
    found: set[str] = set()
    if isinstance(statement, (gast.If, gast.While)):
        found.update(changed_in(statement.test, kinds))
        if truth_changes(statement.test, kinds):
            found |= reads(statement.test)
    elif isinstance(statement, gast.For):
        found.update(changed_in(statement.iter, kinds))
    elif isinstance(statement, gast.With):
        for item in statement.items:
            found.update(changed_in(item.context_expr, kinds))
            if entering_changes(item.context_expr, kinds):
                found |= reads(item.context_expr)
    elif not isinstance(statement, (gast.Try, gast.FunctionDef)):
        found.update(changed_in(statement, kinds))
    return found


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

    if not any(map(_may_grow, statements(tree))):
        return set()
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


def _may_grow(statement: gast.stmt) -> bool:
    """Whether a statement may change what a name stands for in place; most do not."""
    if statement.__class__ is gast.Assign:
        return False
    value = getattr(statement, "value", None)
    return isinstance(statement, gast.AugAssign) or isinstance(value, gast.Call)


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
    if not is_mutable(kinds.of(value)):
        return set()
    return borrowed(value, kinds)


def _takes_part(value: gast.expr, kinds: Kinds) -> bool:
    """Whether the value is a mutable part of a container, which still holds it."""
    if not isinstance(value, gast.Subscript) or isinstance(value.slice, gast.Slice):
        return False
    return is_mutable(kinds.of(value))


def _base(target: gast.expr) -> set[str]:
    base = root(target.value if isinstance(target, gast.Starred) else target)
    return set() if base is None else {base}
