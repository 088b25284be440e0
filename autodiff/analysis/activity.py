"""Which names depend on an input (varied), influence the result (useful), or both (active)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.changes import changed_by, changed_in
from autodiff.analysis.dict_keys import (
    are_keys,
    check_keys_put,
    made_of_keys,
    may_carry,
    may_tell,
)
from autodiff.analysis.flow import influences, keys_read
from autodiff.analysis.kind import (
    UNKNOWN,
    Bound,
    Derived,
    Kind,
    Local,
    OneOf,
    Record,
    Sequence,
    Text,
    differentiable,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.special import truth_changes
from autodiff.normalize.sites import is_marker
from autodiff.syntax.names import caught, reads, writes
from autodiff.syntax.walk import children, of_class, walk
from autodiff.syntax.windows import root


@dataclass(frozen=True, slots=True)
class Activity:
    """The varied, the useful and the active names of a function."""

    varied: frozenset[str]
    useful: frozenset[str]

    @property
    def active(self) -> frozenset[str]:
        """Names that are both varied and useful: those that have an adjoint."""
        return self.varied & self.useful


def activity(
    tree: gast.FunctionDef,
    kinds: Kinds,
    aliases: Aliases,
    inputs: Iterable[str],
    result: str | None,
    constant: frozenset[str] = frozenset(),
) -> Activity:
    """The activity of all names; `inputs` are varied to begin with, `result` is useful.

    What is stored into memory is stored for every name that may share that memory. Names in
    `constant` depend on inputs, but the result does not depend on them.
    """
    edges = [edge for edge in _edges(tree.body, kinds) if edge[0] not in constant]
    by_keys = _by_keys(tree, kinds) if may_carry(kinds) else []
    keys = made_of_keys(tree, {id(value) for _, _, value in by_keys}, kinds) if by_keys else set()
    for name, sources in list(edges):
        if aliases.is_changed(name):
            edges.extend(
                (other, sources)
                for other in aliases.sharing(name)
                if other != name and aliases.is_changed(other) and other not in keys
            )
            # What is stored under one name may be read under another.
            edges.extend(
                (other, {name})
                for other in aliases.sharing(name)
                if other != name and aliases.is_changed(other) and other not in keys
            )
    found = _found(edges, kinds, inputs, result)
    if by_keys:
        all_edges = [*edges, *((own, sources) for own, sources, _ in by_keys)]
        read = _found(all_edges, kinds, inputs, result).useful
        check_keys_put(tree, kinds, found.varied & read)
    return found


def _by_keys(tree: gast.FunctionDef, kinds: Kinds) -> list[tuple[str, set[str], gast.expr]]:
    """The names that are assigned keys, the dicts whose keys they are, and the expressions."""
    return [
        (own, sources, statement.value)
        for statement in of_class(tree.body, gast.Assign)
        for sources in [keys_read(statement.value, kinds)]
        for own in _targets(statement.targets[0])
        if sources
    ]


def _found(
    edges: list[tuple[str, set[str]]], kinds: Kinds, inputs: Iterable[str], result: str | None
) -> Activity:
    return Activity(
        varied=frozenset(_closure(set(inputs), _forward(edges, kinds))),
        useful=frozenset(_closure({result} if result else set(), _backward(edges))),
    )


def varied(tree: gast.FunctionDef, kinds: Kinds, inputs: Iterable[str]) -> frozenset[str]:
    """The names that may depend on an input."""
    return frozenset(_closure(set(inputs), _forward(list(_edges(tree.body, kinds)), kinds)))


def _edges(statements: list[gast.stmt], kinds: Kinds) -> Iterable[tuple[str, set[str]]]:
    """Pairs of a defined name and the names whose derivative flows into it."""
    for statement in statements:
        yield from _hidden(statement, kinds)
        if isinstance(statement, gast.Assign):
            sources = influences(statement.value, kinds)
            if is_marker(statement.value):
                owner = statement.value.args[0].value
                sources = set(kinds.scope.objects[owner].fields.values())
            sources = sources | _keys(statement.targets[0], kinds)
            for name in _targets(statement.targets[0]):
                yield name, sources
            yield from _put(statement.value, kinds)
        elif isinstance(statement, gast.AugAssign):
            sources = influences(statement.value, kinds)
            for name in _targets(statement.target):
                yield name, sources
            yield from _put(statement.value, kinds)
        elif isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
            for field in ("body", "orelse", "finalbody"):
                yield from _edges(getattr(statement, field, None) or [], kinds)
            for handler in getattr(statement, "handlers", []):
                for name in caught(handler):
                    yield name, _raised(statement.body)
                yield from _edges(handler.body, kinds)
            if isinstance(statement, gast.With):
                for name in writes(statement.items):
                    yield name, reads(statement.items)
        elif isinstance(statement, gast.Expr):
            yield from _effects(statement.value, kinds)
        elif isinstance(statement, gast.FunctionDef):
            yield statement.name, reads(statement)
        else:
            sources = reads(statement)
            for name in writes(statement):
                yield name, sources


def _hidden(statement: gast.stmt, kinds: Kinds) -> Iterable[tuple[str, set[str]]]:
    """What calls put into memory that stand in tests, in `assert`, text and other expressions."""
    if isinstance(statement, (gast.Assign, gast.AugAssign, gast.Expr)):
        inside = children(statement.value)  # what the value itself does is asked elsewhere
    elif isinstance(statement, (gast.If, gast.While)):
        inside = [statement.test]
    elif isinstance(statement, gast.For):
        inside = [statement.iter]
    elif isinstance(statement, (gast.With, gast.Try, gast.FunctionDef, gast.Pass, gast.Break)):
        return
    else:
        inside = children(statement)
    for part in inside:
        if part.__class__ not in _QUIET:
            changed = set(changed_in(part, kinds))
            if truth_changes(part, kinds):
                changed |= reads(part)
            for name in changed:
                yield name, reads(part)


_QUIET = frozenset((gast.Name, gast.Constant, gast.Lambda))


def _keys(target: gast.expr, kinds: Kinds) -> set[str]:
    """What a key of a dict is computed from, if it may be read back as a number."""
    if not isinstance(target, gast.Subscript) or isinstance(target.slice, (gast.Slice, gast.Tuple)):
        return set()
    is_table = are_keys(kinds.known(target.value))
    return reads(target.slice) if is_table and may_tell(kinds.known(target.slice)) else set()


def _raised(body: list[gast.stmt]) -> set[str]:
    """Names that an exception may carry out of a block."""
    found: set[str] = set()
    for statement in body:
        for node in walk(statement):
            if isinstance(node, gast.Raise):
                found |= reads(node)
    return found


def _effects(call: gast.expr, kinds: Kinds) -> Iterable[tuple[str, set[str]]]:
    """A call for its effect may put its arguments into its receiver, or into each other."""
    if not isinstance(call, gast.Call):
        return
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    sources: set[str] = set()
    for argument in arguments:
        sources |= influences(argument, kinds)
    if isinstance(call.func, gast.Attribute):
        for base in _targets(call.func):
            if base in kinds.local:
                yield base, sources
    elif isinstance(call.func, gast.Name) and call.func.id in kinds.local:
        yield call.func.id, sources
    for base in changed_by(call, kinds):
        yield base, sources


def _put(value: gast.expr, kinds: Kinds) -> Iterable[tuple[str, set[str]]]:
    """What a call that gives a value puts into its arguments: `found = put(table, x**2)`."""
    if _tells(value):
        yield from _effects(value, kinds)
    elif isinstance(value, gast.Call):
        for base in changed_by(value, kinds):
            yield base, reads(value)


def _tells(value: gast.expr) -> bool:
    """Whether a value is that of a method which changes its object: `n = xs.append(y)`."""
    if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Attribute):
        return False
    return value.func.attr in CHANGING


def _targets(target: gast.expr) -> list[str]:
    """Names that an assignment target defines; a store into `x[i]` or `x.a` changes `x`."""
    if isinstance(target, gast.Tuple):
        return [part.id for part in target.elts]
    base = root(target)
    return [] if base is None else [base]


def _forward(edges: list[tuple[str, set[str]]], kinds: Kinds) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for name, sources in edges:
        kind = kinds.names.get(name, UNKNOWN)
        if differentiable(kind) or _carries(kind):
            for source in sources:
                graph.setdefault(source, set()).add(name)
    return graph


def _carries(kind: Kind) -> bool:
    """Whether a value without derivative of its own may still hand on what varies.

    Containers are filled, functions close over variables, text may be read back as a number.
    """
    if isinstance(kind, Record):
        return kind.cls in (list, dict) or any(map(_carries, kind.items))
    return isinstance(kind, (Sequence, Local, Derived, Bound, OneOf, Text, Parts))


def _backward(edges: list[tuple[str, set[str]]]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for name, sources in edges:
        graph.setdefault(name, set()).update(sources)
    return graph


def _closure(start: set[str], graph: dict[str, set[str]]) -> set[str]:
    reached, todo = set(start), list(start)
    while todo:
        for other in graph.get(todo.pop(), ()):
            if other not in reached:
                reached.add(other)
                todo.append(other)
    return reached
