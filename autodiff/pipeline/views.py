"""Views of dicts that have a name are lists, as long as the dict does not change meanwhile.

    pairs = d.items()                   items_d = d.items()
    for key, value in pairs:            pairs = list(items_d)
        ...                             for key, value in pairs:
                                            ...

What goes over the items of a view needs no list; a view that sees a change is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.analysis.changes import changed_in
from autodiff.analysis.kind import Mapping, Record
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.whereabouts import Whereabouts
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.anf import hint
from autodiff.normalize.build import assign
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import of_class, shallow, walk
from autodiff.syntax.windows import root

_VIEWS = frozenset(("items", "values", "keys"))
_GOING_OVER = frozenset("list tuple sum len set frozenset any all dict".split())
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


def views(unit: Unit, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Make lists of such views; whether there were any."""
    made = [s for s in of_class(unit.tree.body, gast.Assign) if _is_view(s)]
    if not made:
        return False
    order = list(_in_order(unit.tree.body))
    pairs = {s.targets[0].id for s in made if s.value.func.attr == "items"}
    kept = _kept(unit.tree, pairs)
    handed = _handed_on(unit)
    made = [s for s in made if s.targets[0].id in kept or len(_while_used(order, s, handed)) > 1]
    if not made:
        return False
    known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
    made = [s for s in made if _is_dict(known, s.value.func.value)]
    for statement in made:
        _check(unit, known, _while_used(order, statement, handed), statement)
    making = {id(statement) for statement in made if statement.targets[0].id in kept}
    if not making:
        return False

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [part for statement in body for part in one(statement)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if id(statement) in making:
            own = unit.names.fresh(hint(statement.value))
            unit.temporaries.add(own)
            call = gast.Call(func=name("list"), args=[name(own)], keywords=[])
            made = [
                assign(own, statement.value, origin_of(statement)),
                assign(statement.targets[0], call, origin_of(statement)),
            ]
            for new in made:
                gast.copy_location(new, statement)
                chains[id(new)] = chains.get(id(statement), ())
            return made
        if not isinstance(statement, _COMPOUND):
            return [statement]
        new = shallow(statement)
        for field in _BLOCKS:
            if getattr(statement, field, None):
                setattr(new, field, block(getattr(statement, field)))
        chains[id(new)] = chains.get(id(statement), ())
        return [new]

    unit.tree = with_body(unit.tree, block(unit.tree.body))
    return True


def _kept(tree: gast.FunctionDef, pairs: set[str]) -> set[str]:
    """The names that are read otherwise than to go over their items at once, and not as sets."""
    harmless = {
        id(part)
        for call in of_class(tree.body, gast.Call)
        if isinstance(call.func, gast.Name)
        for part in call.args
        if call.func.id in _GOING_OVER or call.func.id == "sorted" and reads(part) & pairs
    }
    kept = {
        node.id
        for node in of_class(tree.body, gast.Name)
        if isinstance(node.ctx, gast.Load) and id(node) not in harmless
    }
    combined = of_class(tree.body, gast.BinOp, gast.Attribute)  # as sets: `d.keys() & e.keys()`
    return kept - {n for node in combined for n in reads(node)}


def _is_view(statement: gast.Assign) -> bool:
    """Whether a statement names a view of a dict, or so it seems."""
    value = statement.value
    return (
        isinstance(statement.targets[0], gast.Name)
        and isinstance(value, gast.Call)
        and isinstance(value.func, gast.Attribute)
        and value.func.attr in _VIEWS
        and isinstance(value.func.value, gast.Name)
        and not (value.args or value.keywords)
    )


def _is_dict(known: Kinds, base: gast.expr) -> bool:
    kind = known.of(base)
    return isinstance(kind, (Mapping, Parts, Record)) and kind.cls is dict


def _check(unit: Unit, known: Kinds, meanwhile: list[gast.stmt], view: gast.Assign) -> None:
    """Refuse a view of a dict that may change while the view is in use."""
    base = view.value.func.value.id
    kind = known.of(view.value.func.value)
    held = unit.scope.objects[kind.owner].fields.values() if isinstance(kind, Parts) else ()
    for statement in meanwhile:
        parts = [statement]
        own = set() if isinstance(statement, _COMPOUND) else writes(statement)
        if isinstance(statement, _COMPOUND):
            parts = [getattr(statement, field, None) for field in ("test", "iter")]
        inside = [node for part in parts if part is not None for node in walk(part)]
        stored = [
            node.value
            for node in inside
            if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
        ]
        stored += [
            node.func.value
            for node in inside
            if isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and node.func.attr in CHANGING
        ]
        holding = Whereabouts(unit.tree, frozenset()).holding(stored) if stored else set()
        told = {n for part in parts if part is not None for n in changed_in(part, known)}
        if base in holding | told or not own.isdisjoint(held):
            raise UnsupportedSyntaxError(
                f"this is a view of `{base}`, which changes while it is in use",
                place(view.value, origin_of(view)),
                why="autodiff makes a list of what a view shows, and that would stay as it is",
                cure=f"ask again after the change, or take a list: "
                f"`list({base}.{view.value.func.attr}())`",
            )


def _in_order(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a block as they stand in the text."""
    for statement in body:
        yield statement
        if isinstance(statement, _COMPOUND):
            for field in _BLOCKS:
                yield from _in_order(getattr(statement, field, None) or [])


def _handed_on(unit: Unit) -> set[str]:
    """The names of values that may get another name, or be held by something: `w = v`, `[v]`."""
    at_once: set[int] = set()
    for node in of_class(unit.tree.body, gast.For, gast.comprehension, gast.Call, gast.Assign):
        if isinstance(node, (gast.For, gast.comprehension)):
            at_once.add(id(node.iter))
        elif isinstance(node, gast.Assign):
            if isinstance(node.targets[0], gast.Tuple):  # it is taken apart
                at_once.add(id(node.value))
        elif _goes_over(node.func, unit):
            at_once.update(map(id, node.args))
    within = {
        id(part)
        for inner in of_class(unit.tree.body, gast.FunctionDef, gast.Lambda)
        for part in of_class(inner, gast.Name)
    }
    return {
        node.id
        for node in of_class(unit.tree.body, gast.Name)
        if isinstance(node.ctx, gast.Load) and (id(node) not in at_once or id(node) in within)
    }


def _goes_over(function: gast.expr, unit: Unit) -> bool:
    """Whether a function goes over what it is given when it is called, and holds none of it."""
    if isinstance(function, gast.Name):
        return function.id in _GOING_OVER or function.id in ("sorted", "max", "min")
    base = root(function)
    return base is not None and base != "itertools" and unit.scope.is_module(base)


def _while_used(
    order: list[gast.stmt], view: gast.Assign, handed: set[str]
) -> list[gast.stmt]:
    """The statements between the making of a view and its last use, as far as loops tell.

    handed: the names of what may be used under other names, too: as long as the function runs.
    """
    own = view.targets[0].id
    places = {id(statement): number for number, statement in enumerate(order)}
    if own in handed:
        around = [places[id(view)]]
        for loop in order:
            if isinstance(loop, (gast.For, gast.While)) and view in _in_order(loop.body):
                around.append(places[id(loop)])
        return [s for s in order[min(around) :] if s is not view]
    first = last = places[id(view)]
    using = [number for number, s in enumerate(order) if own in _read_here(s)]
    last = max([last, *using])
    for loop in order:
        if isinstance(loop, (gast.For, gast.While)):
            start = places[id(loop)]
            end = start + sum(1 for _ in _in_order(loop.body))
            early = [number for number in using if start <= number <= end]
            if not start <= places[id(view)] <= end and early:
                last = max(last, end)  # the next iteration uses it again
            elif any(number < places[id(view)] for number in early):
                first, last = min(first, start), max(last, end)  # it is that of the last iteration
    return [s for s in order[first : last + 1] if s is not view]


def _read_here(statement: gast.stmt) -> set[str]:
    """What a statement reads, those in it left out."""
    if not isinstance(statement, _COMPOUND):
        return reads(statement)
    parts = [getattr(statement, field, None) for field in ("test", "iter")]
    return {n for part in parts if part is not None for n in reads(part)}
