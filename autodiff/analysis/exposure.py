"""Which names a block reads before it defines them, and which live past a loop."""

from __future__ import annotations

from collections.abc import Set

import gast

from autodiff.normalize.structure.jumps import falls_through
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.memo import Memo
from autodiff.syntax.names import USES, caught, parameters, reads, writes
from autodiff.syntax.walk import of_class, statements

_LOOPS = (gast.For, gast.While)
_COMPOUND = (*_LOOPS, gast.If, gast.With, gast.Try)
_BLOCKS = ("body", "orelse", "finalbody")
_HEADER = ("test", "target", "iter")


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
                own = USES[statement][1]
            for name in own:
                counts[name] = counts.get(name, 0) + 1

    visit(statements)
    return counts


def counters(tree: gast.FunctionDef) -> frozenset[str]:
    """Names that are only set as counters of `for` loops, and only read in the bodies of those.

    So a counter that several loops use means the iteration of the loop around.
    """
    loops: dict[str, list[gast.For]] = {}
    for statement in statements(tree):
        if isinstance(statement, gast.For):
            for name in writes(statement.target):
                loops.setdefault(name, []).append(statement)
    if not loops:
        return frozenset()
    counts = definition_counts(tree.body)
    total = _read_counts(tree)
    own = set(parameters(tree.args))
    found = []
    for name, users in loops.items():
        inside = sum(_read_counts(loop.body).get(name, 0) for loop in users)
        alone = counts.get(name) == len(users) and name not in own  # not in a nested function
        if alone and inside == total.get(name, 0) and not _are_nested(users):
            found.append(name)
    return frozenset(found)


def _are_nested(loops: list[gast.For]) -> bool:
    own = {id(loop) for loop in loops}
    return len(loops) > 1 and any(
        id(statement) in own for loop in loops for statement in statements(loop.body)
    )


def escaping(
    tree: gast.FunctionDef, local: Set[str] = frozenset()
) -> dict[str, set[str]]:
    """Names assigned in a loop that live past the iteration, with all names that loop assigns.

    Those of `local`, `counters`, do not.
    """
    found: dict[str, set[str]] = {}
    if not any(isinstance(statement, _LOOPS) for statement in statements(tree)):
        return found
    usage = _Usage()
    total, _ = usage.block(tree.body)
    exposure = Exposure()
    for loop, inside, assigned in usage.loops:
        exposed, _ = exposure.iteration(loop)
        for name in assigned:
            if name in local:
                continue
            if name in exposed or total.get(name, 0) > inside.get(name, 0):
                found.setdefault(name, set()).update(assigned)
    return found


class _Usage:
    """How often names are read, and which are assigned: by block, and by loop, inner ones first."""

    def __init__(self) -> None:
        self.loops: list[tuple[gast.For | gast.While, dict[str, int], set[str]]] = []

    def block(self, block: list[gast.stmt]) -> tuple[dict[str, int], set[str]]:
        read: dict[str, int] = {}
        assigned: set[str] = set()
        for statement in block:
            within, own = self.statement(statement)
            _add(read, within)
            assigned |= own
        return read, assigned

    def statement(self, statement: gast.stmt) -> tuple[dict[str, int], set[str]]:
        held = statement.__dict__
        blocks = [part for field in _BLOCKS if (part := held.get(field))]
        if not blocks:
            return _counts_of(statement), USES[statement][1]
        handlers = getattr(statement, "handlers", [])
        found = [self.block(block) for block in [*blocks, *(h.body for h in handlers)]]
        if not isinstance(statement, _COMPOUND):  # a nested function or class
            return _read_counts(statement), writes(statement)
        header = [getattr(statement, field) for field in _HEADER if hasattr(statement, field)]
        header += [*getattr(statement, "items", []), *(h.type for h in handlers if h.type)]
        read = _read_counts(header)
        assigned = writes(header).union(*map(caught, handlers))
        for within, own in found:
            _add(read, within)
            assigned |= own
        if isinstance(statement, _LOOPS):
            body = found[0][1]
            own = writes(statement.target) if isinstance(statement, gast.For) else set()
            self.loops.append((statement, read, body | own))
        return read, assigned


def _read_counts(tree: gast.AST | list[gast.AST]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in of_class(tree, gast.Name):
        if node.ctx.__class__ is gast.Load:
            counts[node.id] = counts.get(node.id, 0) + 1
    return counts


def _counts_of(statement: gast.stmt) -> dict[str, int]:
    """The counts of a statement, not to be changed."""
    found: dict[str, int] = _COUNTS[statement]
    return found


_COUNTS = Memo(_read_counts)


def _add(counts: dict[str, int], more: dict[str, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count


class Exposure:
    """Which names code may read before it defines them; no statement is looked at twice.

    The answers are pairs: the names that are read early, and those that are certainly defined.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[set[str], set[str]]] = {}

    def block(self, block: list[gast.stmt]) -> tuple[set[str], set[str]]:
        exposed: set[str] = set()
        defined: set[str] = set()
        for statement in block:
            early, own = self.statement(statement)
            exposed |= early - defined
            defined |= own
        return exposed, defined

    def statement(self, statement: gast.stmt) -> tuple[set[str], set[str]]:
        if not isinstance(statement, _COMPOUND):
            uses: tuple[set[str], set[str]] = USES[statement]
            return uses
        found = self.known.get(id(statement))
        if found is None:
            found = self.known[id(statement)] = self.compound(statement)
        return found

    def compound(self, statement: gast.stmt) -> tuple[set[str], set[str]]:
        body, defined = self.block(statement.body)
        if isinstance(statement, gast.If):
            orelse, others = self.block(statement.orelse)
            return reads(statement.test) | body | orelse, defined & others
        if isinstance(statement, gast.While):
            return reads(statement.test) | body, set()
        if isinstance(statement, gast.For):
            return reads(statement.iter) | (body - writes(statement.target)), set()
        if isinstance(statement, gast.With):
            bound = writes(statement.items)
            sure = set() if may_suppress(statement) else bound | defined
            return reads(statement.items) | (body - bound), sure
        return self.attempt(statement, body, defined)

    def attempt(
        self, statement: gast.Try, exposed: set[str], defined: set[str]
    ) -> tuple[set[str], set[str]]:
        orelse, others = self.block(statement.orelse)
        exposed = exposed | (orelse - defined)
        defined = defined | others
        for handler in statement.handlers:
            bound = caught(handler)
            handled, own = self.block(handler.body)
            exposed |= (reads(handler.type) if handler.type else set()) | (handled - bound)
            if falls_through(handler.body):
                defined = defined & (bound | own)
        final, own = self.block(statement.finalbody)
        return exposed | final, defined | own

    def iteration(self, loop: gast.For | gast.While) -> tuple[set[str], set[str]]:
        """The same for the whole iteration of a loop."""
        body, defined = self.block(loop.body)
        if isinstance(loop, gast.While):
            return reads(loop.test) | body, defined
        bound = writes(loop.target)
        return body - bound, bound | defined


def upward_exposed(loop: gast.For | gast.While) -> set[str]:
    """Names that an iteration of the loop may read before it assigns them."""
    return Exposure().iteration(loop)[0]


def exposed_reads(block: list[gast.stmt], defined: set[str], exposed: set[str]) -> set[str]:
    """Adds to `exposed` the names that the block may read before it defines them.

    Returns the names certainly defined after the block.
    """
    early, own = Exposure().block(block)
    exposed |= early - defined
    return defined | own
