"""Functions that are defined inside others, as functions that may stand anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import CellType, FunctionType

import gast

from autodiff.analysis.kind import Bound, Local
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Namespace, Source
from autodiff.loader import load, place_of
from autodiff.normalize.normal import defaults_of, normalized, remember
from autodiff.normalize.sites import Callee
from autodiff.pipeline.unit import Unit
from autodiff.reverse.definitions import certain_before
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import Names, parameters, reads, scope_names
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import nodes, statements, walk


@dataclass(frozen=True, slots=True)
class Nested:
    """Functions that the function being compiled defines, and what they read of it.

    definitions: the statement that makes each of them, by name, in the order of the text.
    values: the other names, variables of the function around them.
    """

    definitions: dict[str, gast.stmt]
    values: tuple[str, ...]


def nested(
    unit: Unit,
    known: Kinds,
    names: set[str],
    where: Origin | None,
    beside: tuple[gast.stmt, ...] = (),
) -> Nested:
    """The functions that are reached from some, or from statements, and the variables read."""
    made = definitions_in(unit, known)
    reached: set[str] = set()
    values: set[str] = set()
    todo = sorted(names | {n for s in beside for n in reads(s) & known.local})
    while todo:
        own = todo.pop()
        if own in reached:
            continue
        if not isinstance(known.names.get(own), (Local, Bound)):
            values.add(own)
            continue
        reached.add(own)
        if len(made.get(own, ())) != 1:
            raise UnsupportedSyntaxError(
                f"a nested function `{own}` that is not defined in one place",
                where,
                why="it is handed to, or is itself, a function that calls itself, which is "
                "compiled for one function of that name",
                cure=f"define `{own}` once, with the choice inside",
            )
        todo.extend(sorted(reads(made[own][0]) & known.local))
    definitions = {n: made[n][0] for n in made if n in reached}
    for own, definition_ in definitions.items():
        _check(unit, known, own, definition_, where)
    ordered = [n for n in _in_order(unit.tree) if n in values]
    return Nested(definitions, tuple(ordered))


def definitions_in(unit: Unit, known: Kinds) -> dict[str, list[gast.stmt]]:
    """The statements that bind each nested function."""
    found: dict[str, list[gast.stmt]] = {}
    for statement in statements(unit.tree.body):
        if isinstance(statement, gast.FunctionDef):
            found.setdefault(statement.name, []).append(statement)
        elif isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            own = statement.targets[0].id
            if isinstance(known.names.get(own), (Local, Bound)):
                found.setdefault(own, []).append(statement)
    return found


def _in_order(tree: gast.FunctionDef) -> list[str]:
    """The names that a function binds, parameters first."""
    found = dict.fromkeys(parameters(tree.args))
    for node in nodes(tree):
        if isinstance(node, gast.Name):
            found.setdefault(node.id)
    return list(found)


def _check(unit: Unit, known: Kinds, own: str, made: gast.stmt, where: Origin | None) -> None:
    """Refuse what would mean something else elsewhere."""
    changing = [n for n in walk(made) if isinstance(n, (gast.Nonlocal, gast.Global))]
    if changing:
        raise UnsupportedSyntaxError(
            f"`{own}` assigns `{changing[0].names[0]}` of the function around it, and calls itself "
            "or is called by a function that does",
            where,
            why="what the other calls read depends on when it does so",
            cure=f"let `{own}` return the value, or pass a list and change its item",
        )
    if isinstance(made, gast.FunctionDef) and made.decorator_list:
        raise UnsupportedSyntaxError(
            f"the nested function `{own}`, which calls itself, has a decorator",
            where,
            why="it is compiled as a function of its own, without one",
            cure="leave the decorator out; keep results that are needed again in a dict or table, "
            "or write the recursion as a loop over the table",
        )
    if isinstance(made, gast.FunctionDef) or isinstance(made.value, gast.Lambda):
        return
    for identifier in reads(made) & known.local:  # what a partial holds is what was there then
        times = sum(identifier in _bound(s) for s in statements(unit.tree.body))
        times += identifier in parameters(unit.tree.args)
        looped = any(
            isinstance(s, (gast.For, gast.While)) and identifier in _bound_in_loop(s)
            for s in statements(unit.tree.body)
        )
        if times > 1 or looped:
            raise UnsupportedSyntaxError(
                f"`{own}` holds what `{identifier}` was when it was made",
                where,
                why=f"`{identifier}` is assigned in more than one place or iteration",
                cure=f"use a lambda, or another name for the `{identifier}` that is meant",
            )


def _bound(statement: gast.stmt) -> set[str]:
    if isinstance(statement, gast.For):
        return {statement.target.id}
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    found = {n.id for t in targets if t is not None for n in walk(t) if isinstance(n, gast.Name)}
    return found | ({statement.name} if isinstance(statement, gast.FunctionDef) else set())


def _bound_in_loop(loop: gast.stmt) -> set[str]:
    return set().union(*(_bound(s) for s in statements(loop)))


def check_values(
    unit: Unit, values: tuple[str, ...], statement: gast.stmt, where: Origin | None
) -> None:
    """Refuse to hand over a variable that may have no value yet."""
    certain: dict[int, frozenset[str]] = {}
    certain_before(unit.tree.body, frozenset(parameters(unit.tree.args)), certain)
    for value in values:
        if value not in certain.get(id(statement), frozenset((value,))):
            raise UnsupportedSyntaxError(
                f"`{value}` may have no value where a function that reads it is called",
                where,
                why="the function calls itself, and is compiled with what it reads as arguments",
                cure=f"assign `{value}` before, on all paths",
            )


def as_definition(statement: gast.stmt, own: str) -> gast.stmt:
    """`f = lambda x: e` as `def f(x): return e`; any other statement as it is."""
    node = getattr(statement, "value", None)
    if not isinstance(node, gast.Lambda):
        return statement
    result = gast.copy_location(gast.Return(value=node.body), node)
    result.origin = origin_of(statement)
    new = definition(own, node.args, [result])
    new.origin = origin_of(statement)
    return gast.copy_location(new, node)


def inner_names(tree: gast.AST) -> set[str]:
    """All names that a function and what is nested in it bind for themselves."""
    return set().union(*(scope_names(node) for node in walk(tree)))


def renaming(names: Iterable[str], hidden: set[str], taken: set[str]) -> dict[str, str]:
    """For each name itself, or another one if something else is called that inside."""
    found: dict[str, str] = {}
    fresh = Names(hidden | taken | {*names})
    for identifier in names:
        found[identifier] = fresh.fresh(identifier) if identifier in hidden else identifier
    return found


def made_of(
    unit: Unit, trees: dict[str, gast.FunctionDef], namespace: Namespace
) -> dict[str, FunctionType]:
    """The functions of some trees, which read no local names and may call each other.

    The same trees give the same functions, so that a recursion meets itself again.
    """
    texts = tuple(emit(tree).text for tree in trees.values())
    read = sorted(set().union(*map(reads, trees.values())) & namespace.cells.keys() - set(trees))
    meaning = tuple((n, _content(namespace.cells[n])) for n in read)
    key = (texts, meaning, id(namespace.globals))
    known = unit.recursion.lifted.get(key)
    if known is not None:
        return known[0]
    own = {n: CellType() for n in trees}
    free = replace(namespace, cells={**namespace.cells, **own})
    made: dict[str, FunctionType] = {}
    for identifier, tree in trees.items():
        emitted = emit(tree)
        line = origin_of(tree)
        title = f"{identifier} {place_of(unit.main)}"
        if line is not None:
            title = f"{identifier} {line.file.rpartition('/')[2]}:{line.line}"
        function = load(emitted.text, title, free, own, emitted.origins)
        own[identifier].cell_contents = function
        made[identifier] = function
        unit.recursion.trees[function.__code__] = tree, free
    for identifier, tree in trees.items():
        new, temporaries = normalized(tree, free)
        defaults = defaults_of(Source(tree, free, "", 0))
        code = made[identifier].__code__
        remember(made[identifier], Callee(new, free, defaults, code, temporaries))
    unit.recursion.lifted[key] = made, namespace
    return made


def _content(cell: CellType) -> int:
    """What tells apart what a cell holds."""
    try:
        return id(cell.cell_contents)
    except ValueError:  # nothing yet
        return id(cell)


def around(unit: Unit) -> Namespace:
    """What the names mean that the function being compiled does not bind."""
    scope = unit.scope
    helpers = {
        n: value if isinstance(value, CellType) else CellType(value)
        for n, value in scope.helpers.items()
    }
    namespace = scope.namespace
    return Namespace(
        namespace.globals, {**namespace.cells, **helpers}, imports=namespace.imports
    )
