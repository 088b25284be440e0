"""Which containers are mirrored: lists and dicts that change in other ways than by growing alone.

A container that only grows, under one name, is a value like any other. One whose items are replaced
or taken out, or that is changed under several names, gets a shadow, a container of slots
(`reverse/mirrors.py`), and so does every container that may hold it, be held by it or be the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.conflicts import Conflict
from autodiff.analysis.contents import holds
from autodiff.analysis.kind import Array, Kind, Mapping, Record, Sequence, differentiable
from autodiff.analysis.known import Kinds
from autodiff.analysis.moves import SNAPSHOTS, is_frozen
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.references import is_mutable, may_hold_slots, without_memory
from autodiff.runtime import sequence
from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The containers that have a shadow.

    arrays: arrays that are changed in place and may lie in such a container. others: what else may
    share memory with one, values that nothing changes.
    """

    names: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


_CHANGING_FORMS = (gast.Subscript, gast.Attribute, gast.AugAssign, gast.Call, gast.Assign)


def mirrored(
    tree: gast.FunctionDef,
    kinds: Kinds,
    aliases: Aliases,
    active: frozenset[str],
    conflicts: Iterable[Conflict],
) -> Mirrored:
    """The containers of a function in normal form that have a shadow."""
    if without_memory(tree, kinds):
        return Mirrored(frozenset(), frozenset(), frozenset())
    inside = of_class(tree, *_CHANGING_FORMS)
    changed = {n for node in inside for n in _changed(node, kinds, aliases)}
    grown = {root(n.func) for n in inside if is_growing(n)}
    crowded = {c.changed for c in conflicts if is_array(kinds, c.changed) and "@" not in c.other}
    fixed = _fixed(tree, kinds)
    groups = []
    for base in sorted(changed | crowded):
        group = frozenset(aliases.sharing(base))
        held = {n for n in group if holds(kinds.names.get(n))}
        if held and group & active and group not in groups:
            groups.append(group)
    in_place = any(group & crowded for group in groups)
    names: set[str] = set()
    arrays: set[str] = set()
    others: set[str] = set()
    for group in groups:
        held = {n for n in group if is_held(kinds.names.get(n), in_place)} - fixed
        inactive = {n for n in held if not differentiable(kinds.names[n])}
        held -= inactive if not inactive & (changed | grown) else set()
        own = {n for n in group if group & crowded and is_array(kinds, n)}
        own = {n for n in own if differentiable(kinds.names[n])}
        rest = group - held - own
        if group & crowded and any(is_mutable(kinds.names.get(n)) for n in rest - fixed - inactive):
            continue
        names |= held
        arrays |= own
        others |= {n for n in rest if not is_array(kinds, n)}
    return Mirrored(frozenset(names), frozenset(arrays), frozenset(others))


def is_held(kind: Kind | None, in_place: bool) -> bool:
    """Whether a value has a shadow that is a container."""
    is_tuple = isinstance(kind, (Record, Sequence)) and issubclass(kind.cls, tuple)
    return holds(kind) or in_place and is_tuple and is_mutable(kind)


def is_growing(node: gast.AST) -> bool:
    """Whether a node is a call of `append`."""
    is_method = isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
    return is_method and node.func.attr == "append"


def is_array(kinds: Kinds, name: str) -> bool:
    """Whether a name certainly holds an array."""
    return isinstance(kinds.names.get(name), Array)


def _changed(node: gast.AST, kinds: Kinds, aliases: Aliases) -> set[str]:
    """The containers that a node changes or repeats: that is more than growing alone."""
    targets: list[gast.expr] = []
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        targets = [node] if isinstance(node.ctx, (gast.Store, gast.Del)) else []
    elif isinstance(node, gast.AugAssign):
        targets = [node.target]
    elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        base = root(node.func)
        grows = node.func.attr == "append" and base is not None and aliases.grows_alone(base)
        targets = [node.func] if node.func.attr in CHANGING and not grows else []
    elif isinstance(node, gast.Assign) and isinstance(node.value, gast.BinOp):
        operands = [node.value.left, node.value.right]
        numeric = any(isinstance(kinds.of(operand), Array) for operand in operands)
        repeats = isinstance(node.value.op, gast.Mult) and not numeric  # `xs * n`
        targets = [*node.targets, *operands] if repeats else []
    found = {root(target) for target in targets}
    return {n for n in found if n is not None and n in kinds.local and holds(kinds.names.get(n))}


def _fixed(tree: gast.FunctionDef, kinds: Kinds) -> set[str]:
    """Names of lists of keys, and of snapshots: new lists that never change.

    A gradient that is differentiated again copies what it is given, to change it.
    """
    fresh: dict[str, bool] = {}
    for node in of_class(tree, gast.Assign):
        if isinstance(node.targets[0], gast.Name):
            name = node.targets[0].id
            own = name in kinds.scope.snapshots or not is_frozen(node.value, kinds)
            fresh[name] = fresh.get(name, True) and own and is_keys(node.value, kinds)
    return {n for n, is_fresh in fresh.items() if is_fresh}


def is_keys(value: gast.expr, kinds: Kinds) -> bool:
    """Whether an expression lists the keys of a dict, or copies such a list."""
    if not isinstance(value, gast.Call):
        return False
    operation = kinds.operation(value)
    if operation is not None and operation.function in SNAPSHOTS:
        return not any(may_hold_slots(kinds.of(own)) for own in value.args)  # to which is added
    if differentiable(item_kind(kinds, value)):
        return False
    if isinstance(value.func, gast.Attribute):
        base = kinds.of(value.func.value)
        is_dict = isinstance(base, Mapping) or isinstance(base, Record) and base.cls is dict
        return is_dict and value.func.attr == "keys"
    return operation is not None and operation.function in (list, sequence, sorted)


def item_kind(kinds: Kinds, value: gast.expr) -> Kind:
    """The kind of the items of a list; of all else, its own."""
    kind = kinds.known(value)
    return kind.item if isinstance(kind, Sequence) else kind
