"""Tapes in their own type; all that one push puts on several of them lies side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import gast
import numpy as np

from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.taped import new_tape, release
from autodiff.syntax.change import blocks, changed, map_blocks
from autodiff.syntax.make import LOAD, STORE, make
from autodiff.syntax.names import name, writes
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children, same, shared, statements, walk


def records(
    tree: gast.FunctionDef, stores: Iterable[str], known: NativeKinds, helpers: Helpers
) -> gast.FunctionDef:
    """The function with its tapes, the names `stores`, as `taped` has them.

        x_tape = np.empty(n)                   x_tape = new_tape(n, "float64 * 2")
        y_tape = np.empty(n)
        for ...:                               for ...:
            x_tape[count] = x                      x_tape[count] = x, y
            y_tape[count] = y                      count += 1
            count += 1
        for ...:                               for ...:
            count -= 1                             count -= 1
            x = x_tape[count]                      x, y = x_tape[count]
            y = y_tape[count]
                                               release(x_tape)

    What is found by a loop's counter, or from a count on, stays apart: vectors are read from there.
    """
    every = frozenset(stores)
    tree = _typed(tree, every, known, helpers)
    if groups := _groups(tree, every):
        tree = changed(tree, body=_joined(tree.body, groups))
    return _with_release(tree, every.intersection(_bound(tree)), helpers)


def _typed(
    tree: gast.FunctionDef, stores: frozenset[str], known: NativeKinds, helpers: Helpers
) -> gast.FunctionDef:
    """The function with its tapes made by `new_tape`."""

    def visit(node: gast.AST) -> gast.AST:
        made = isinstance(node, gast.Assign) and known.called(node.value) is np.empty
        if made and _id(node.targets[0]) in stores:
            dtype = node.value.args[1].attr.rstrip("_") if node.value.args[1:] else "float64"
            kinds = gast.Constant(value=dtype, kind=None)
            use = helpers.use("new_tape", new_tape)
            return changed(node, value=quote("f(n, k)", f=use, n=node.value.args[0], k=kinds))  # type: ignore[no-any-return]
        return shared(map_children(visit, node), node)  # type: ignore[no-any-return]

    result: gast.FunctionDef = changed(tree, body=[visit(statement) for statement in tree.body])
    return result


@dataclass(frozen=True, slots=True)
class _Use:
    """A statement that makes a tape, makes it longer, pushes to it or pops from it, and of which
    length or where."""

    role: str
    store: str
    place: gast.expr

    def is_beside(self, other: _Use) -> bool:
        return self.role == other.role and same(self.place, other.place)


def _groups(tree: gast.FunctionDef, stores: frozenset[str]) -> dict[str, list[str]]:
    """Tapes that are made, pushed to and popped from together, and nowhere else, by the first.

    Only that one may be asked how long it is, where they are made longer.
    """
    runs = [run for body in _bodies(tree) for run in _runs(body, stores)]
    counters = {_id(node.target) for node in walk(tree) if isinstance(node, gast.For)}
    uses = Counter(part.id for part in walk(tree) if isinstance(part, gast.Name))
    together = {
        role: [[use.store for use in run] for run in runs if run[0].role == role]
        for role in ("make", "grow", "pop")
    }
    grown = Counter(store for run in together["grow"] for store in run)
    found: dict[str, list[str]] = {}
    for run in runs:
        first, *others = group = [use.store for use in run]
        if run[0].role != "push" or not others or _id(run[0].place) in counters:
            continue
        is_whole = group in together["pop"] and all(
            any(set(each).issuperset(group) for each in together[role])
            for role in ("make", *(["grow"] if grown[first] else []))
        )
        only = all(uses[store] == 3 + 2 * grown[store] for store in others)
        if is_whole and only and uses[first] == 3 + 3 * grown[first]:
            found[first] = group
    return found


def _bodies(tree: gast.FunctionDef) -> list[list[gast.stmt]]:
    return [tree.body, *(body for node in statements(tree) for body in blocks(node))]


def _runs(body: list[gast.stmt], stores: Container[str]) -> list[list[_Use]]:
    """Neighbouring statements that do the same with several tapes."""
    runs: list[list[_Use]] = []
    before: _Use | None = None
    for node in body:
        use = _use(node, stores)
        if use is not None and before is not None and use.is_beside(before):
            runs[-1].append(use)
        elif use is not None:
            runs.append([use])
        before = use
    return runs


def _use(node: gast.stmt, stores: Container[str]) -> _Use | None:
    if not isinstance(node, gast.Assign) or len(node.targets) > 1:
        return None
    [target], value = node.targets, node.value
    if isinstance(target, gast.Name) and target.id in stores and isinstance(value, gast.Call):
        if _id(value.args[0]) == target.id:
            return _Use("grow", target.id, value.args[1])
        return _Use("make", target.id, value.args[0])
    for role, side in (("push", target), ("pop", value)):
        if isinstance(side, gast.Subscript) and _id(side.value) in stores:
            return _Use(role, side.value.id, side.slice) if _id(side.slice) else None
    return None


def _joined(body: list[gast.stmt], groups: dict[str, list[str]]) -> list[gast.stmt]:
    """A block in which the first tape of each group takes what all did."""
    grouped = {store for group in groups.values() for store in group}
    uses = [_use(node, grouped) for node in body]
    result: list[gast.stmt] = []
    for node, use in zip(body, uses):
        if use is None:
            result.append(map_blocks(partial(_joined, groups=groups), node))
        elif use.store in groups:
            alike = {u.store: n for u, n in zip(uses, body) if u and u.role == use.role}
            result.append(_one(use.role, [alike[store] for store in groups[use.store]]))
    return result


def _one(role: str, alike: list[Any]) -> gast.stmt:
    """What several statements do with a tape each, done with the first one's."""
    first, values = alike[0], [node.value for node in alike]
    if role == "push":
        result = changed(first, value=make(gast.Tuple, elts=values, ctx=LOAD))
    elif role == "pop":
        targets = [node.targets[0] for node in alike]
        result = changed(first, targets=[make(gast.Tuple, elts=targets, ctx=STORE)])
    elif role == "grow":
        result = first
    else:
        kinds = groupby(value.args[1].value for value in values)
        counted = [(kind, len(list(run))) for kind, run in kinds]
        text = ", ".join(kind if n == 1 else f"{kind} * {n}" for kind, n in counted)
        room = [values[0].args[0], gast.Constant(value=text, kind=None)]
        result = changed(first, value=changed(values[0], args=room))
    return result  # type: ignore[no-any-return]


def _with_release(
    tree: gast.FunctionDef, stores: frozenset[str], helpers: Helpers
) -> gast.FunctionDef:
    """The function that gives back the memory of its tapes before it returns."""
    if not stores:
        return tree
    *body, last = tree.body
    tapes = [name(store) for store in sorted(stores)]
    call = gast.Call(func=helpers.use("release", release), args=tapes, keywords=[])
    result: gast.FunctionDef = changed(tree, body=[*body, gast.Expr(value=call), last])
    return result


def _bound(tree: gast.FunctionDef) -> set[str]:
    """The names that statements of the function itself assign, not of blocks in it."""
    return set().union(*(writes([node]) for node in tree.body))


def _id(node: gast.AST) -> str:
    return node.id if isinstance(node, gast.Name) else ""
