"""Which names a block reads before it defines them, and which live past a loop."""

from __future__ import annotations

import gast

from autodiff.normalize.structure.jumps import falls_through
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.names import caught, reads, writes
from autodiff.syntax.walk import walk


def definition_counts(statements: list[gast.stmt]) -> dict[str, int]:
    """How many statements define each name."""
    counts: dict[str, int] = {}

    def visit(block: list[gast.stmt]) -> None:
        for statement in block:
            if isinstance(statement, (gast.If, gast.While, gast.For, gast.With, gast.Try)):
                own: set[str] = set()
                if isinstance(statement, gast.For):
                    own = writes(statement.target)
                elif isinstance(statement, gast.With):
                    own = writes(statement.items)
                for handler in getattr(statement, "handlers", []):
                    own = own | caught(handler)
                    visit(handler.body)
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, None) or [])
            else:
                own = writes(statement)
            for name in own:
                counts[name] = counts.get(name, 0) + 1

    visit(statements)
    return counts


def escaping(tree: gast.FunctionDef) -> dict[str, set[str]]:
    """Names assigned in a loop that live past the iteration, with all names that loop assigns."""
    found: dict[str, set[str]] = {}
    total: dict[str, int] = {}
    for node in walk(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            total[node.id] = total.get(node.id, 0) + 1

    def visit(block: list[gast.stmt]) -> None:
        for statement in block:
            for field in ("body", "orelse", "finalbody"):
                visit(getattr(statement, field, None) or [])
            for handler in getattr(statement, "handlers", []):
                visit(handler.body)
            if isinstance(statement, (gast.For, gast.While)):
                assigned = writes(statement.body)
                if isinstance(statement, gast.For):
                    assigned |= writes(statement.target)
                inside: dict[str, int] = {}
                for node in walk(statement):
                    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                        inside[node.id] = inside.get(node.id, 0) + 1
                exposed = upward_exposed(statement)
                for name in assigned:
                    if name in exposed or total.get(name, 0) > inside.get(name, 0):
                        found.setdefault(name, set()).update(assigned)

    visit(tree.body)
    return found


def upward_exposed(loop: gast.For | gast.While) -> set[str]:
    """Names that an iteration of the loop may read before it assigns them."""
    exposed: set[str] = set()
    defined: set[str] = set()
    if isinstance(loop, gast.While):
        exposed |= reads(loop.test)
    else:
        defined = writes(loop.target)
    exposed_reads(loop.body, defined, exposed)
    return exposed


def exposed_reads(block: list[gast.stmt], defined: set[str], exposed: set[str]) -> set[str]:
    """Adds to `exposed` the names that the block may read before it defines them.

    Returns the names certainly defined after the block.
    """
    defined = set(defined)
    for statement in block:
        if isinstance(statement, gast.If):
            exposed |= reads(statement.test) - defined
            then = exposed_reads(statement.body, defined, exposed)
            defined = then & exposed_reads(statement.orelse, defined, exposed)
        elif isinstance(statement, gast.For):
            exposed |= reads(statement.iter) - defined
            exposed_reads(statement.body, defined | writes(statement.target), exposed)
        elif isinstance(statement, gast.While):
            exposed |= reads(statement.test) - defined
            exposed_reads(statement.body, defined, exposed)
        elif isinstance(statement, gast.With):
            exposed |= reads(statement.items) - defined
            inside = exposed_reads(statement.body, defined | writes(statement.items), exposed)
            defined = defined if may_suppress(statement) else inside
        elif isinstance(statement, gast.Try):
            after = exposed_reads(statement.body, defined, exposed)
            after = exposed_reads(statement.orelse, after, exposed)
            for handler in statement.handlers:
                exposed |= (reads(handler.type) if handler.type else set()) - defined
                handled = exposed_reads(handler.body, defined | caught(handler), exposed)
                after = after & handled if falls_through(handler.body) else after
            defined = after | exposed_reads(statement.finalbody, defined, exposed)
        else:
            exposed |= reads(statement) - defined
            defined |= writes(statement)
    return defined
