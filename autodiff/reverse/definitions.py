"""Where the names of a function are defined: how often, and before which statements."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.analysis.exposure import upward_exposed
from autodiff.normalize.structure.jumps import falls_through
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.names import USES, caught, parameters, writes


@dataclass(frozen=True, slots=True)
class Definitions:
    """Names by how they are assigned, loop counters aside.

    assigned: by some statement. reassigned: more than once, or in a loop, or counters.
    body: the statements of the function.
    """

    assigned: frozenset[str]
    reassigned: frozenset[str]
    body: list[gast.stmt]


def definitions(tree: gast.FunctionDef) -> Definitions:
    """How the names of a function are assigned."""
    counts: dict[str, int] = dict.fromkeys(parameters(tree.args), 1)
    counters: set[str] = set()

    def visit(block: list[gast.stmt], weight: int) -> None:
        for statement in block:
            inner = 2 if isinstance(statement, (gast.For, gast.While)) else weight
            if isinstance(statement, gast.For):
                counters.update(writes(statement.target))
            if isinstance(statement, _COMPOUND):
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, None) or [], inner)
                for handler in getattr(statement, "handlers", []):
                    visit(handler.body, inner)
                if isinstance(statement, gast.With):
                    for name_ in writes(statement.items):
                        counts[name_] = counts.get(name_, 0) + weight
            else:
                for name_ in USES[statement][1]:
                    counts[name_] = counts.get(name_, 0) + weight

    visit(tree.body, 1)
    many = {name_ for name_, count in counts.items() if count > 1}
    return Definitions(frozenset(counts), frozenset(many | counters), tree.body)


_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)


def defined_before(
    statements: list[gast.stmt], names: frozenset[str], found: dict[int, frozenset[str]]
) -> frozenset[str]:
    """For each statement, by id, the names that may be defined before it; returns those after."""
    for statement in statements:
        found[id(statement)] = names
        if isinstance(statement, (gast.For, gast.While)):
            inner = names | writes(statement)
            defined_before(statement.body, inner, found)
            names = inner
        elif isinstance(statement, gast.If):
            then = defined_before(statement.body, names, found)
            names = then | defined_before(statement.orelse, names, found)
        elif isinstance(statement, gast.With):
            names = defined_before(statement.body, names | writes(statement.items), found)
        elif isinstance(statement, gast.Try):
            start = defined_before(statement.body, names, found)
            names = defined_before(statement.orelse, start, found)
            for handler in statement.handlers:
                names = names | defined_before(handler.body, start | caught(handler), found)
            names = defined_before(statement.finalbody, names, found)
        else:
            names = names | USES[statement][1]
    return names


def certain_before(
    statements: list[gast.stmt], names: frozenset[str], found: dict[int, frozenset[str]]
) -> frozenset[str]:
    """For each statement, by id, the names certainly defined before it; returns those after."""
    for statement in statements:
        found[id(statement)] = names
        if isinstance(statement, gast.If):
            then = certain_before(statement.body, names, found)
            names = then & certain_before(statement.orelse, names, found)
        elif isinstance(statement, (gast.For, gast.While)):
            target = writes(statement.target) if isinstance(statement, gast.For) else set()
            certain_before(statement.body, names | target, found)
        elif isinstance(statement, gast.With):
            names = names | writes(statement.items)
            inside = certain_before(statement.body, names, found)
            names = names if may_suppress(statement) else inside
        elif isinstance(statement, gast.Try):
            after = certain_before(statement.body, names, found)
            after = certain_before(statement.orelse, after, found)
            for handler in statement.handlers:
                handled = certain_before(handler.body, names | caught(handler), found)
                after = after & handled if falls_through(handler.body) else after
            names = after | certain_before(statement.finalbody, names, found)
        else:
            names = names | USES[statement][1]
    return names


def carried(loop: gast.For | gast.While) -> set[str]:
    """Names whose value may pass from one iteration to a later one or around the whole loop."""
    exposed = upward_exposed(loop)
    certain = certainly_defined(loop.body)
    if isinstance(loop, gast.For):
        certain |= writes(loop.target)
    return exposed | (writes(loop.body) - certain)


def certainly_defined(statements: list[gast.stmt]) -> set[str]:
    """Names that every run of the block assigns."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, gast.If):
            found |= certainly_defined(statement.body) & certainly_defined(statement.orelse)
        elif isinstance(statement, gast.With):
            if not may_suppress(statement):
                found |= certainly_defined(statement.body)
            found |= writes(statement.items)
        elif isinstance(statement, gast.Try):
            own = certainly_defined([*statement.body, *statement.orelse])
            for handler in statement.handlers:
                if falls_through(handler.body):
                    own &= certainly_defined(handler.body)
            found |= own | certainly_defined(statement.finalbody)
        elif not isinstance(statement, (gast.For, gast.While)):
            found |= writes(statement)
    return found
