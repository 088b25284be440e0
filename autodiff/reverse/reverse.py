"""Each statement of the primal -> its adjoint code, mirrored block by block.

The statements are visited in reverse order while `Bars` keeps track of which adjoints exist. A
statement whose result has no adjoint contributes nothing and gets no adjoint code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from autodiff import runtime
from autodiff.analysis.alias import Aliases
from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.kind import Kind, Scalar
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.structure.jumps import falls_through
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.reverse import attempt, containers, control, memory, primitives
from autodiff.reverse.bars import Bar, Bars, Place
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.items import Block, Context, Item, Step
from autodiff.syntax.names import Names, caught, parameters, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk


class Reverse:
    """Everything that the adjoint code of a statement is made from."""

    def __init__(
        self,
        kinds: Kinds,
        names: Names,
        helpers: Helpers,
        active: frozenset[str],
        whole: frozenset[str],
        before: Mapping[int, frozenset[str]],
        definitions: Definitions,
        aliases: Aliases,
    ) -> None:
        self.kinds = kinds
        self.names = names
        self.helpers = helpers
        self.active = active
        self.before = before
        self.definitions = definitions
        self.aliases = aliases
        self.certain: Mapping[int, frozenset[str]] = {}
        self.flag_kinds: dict[str, Kind] = {}
        self.counters: list[str] = []
        self.contributions: dict[int, tuple[gast.stmt, list[object], Any]] = {}
        self.reentrant = False
        self.primal: gast.stmt | None = None
        self.pair: Callable[[Any, tuple[str, ...], list[Kind]], gast.expr] | None = None
        self.bars = Bars(kinds, names, whole)
        self.bars.helper = self.helper

    def helper(self, identifier: str) -> gast.expr:
        """A runtime helper (or NumPy) by its name."""
        if identifier == "np":
            import numpy

            return self.helpers.use("np", numpy)
        return self.helpers.use(identifier, getattr(runtime, identifier))

    def flag(self, hint: str, kind: Kind) -> str:
        """A fresh name for a value of the forward sweep that steers the reverse sweep."""
        flag = self.names.fresh(hint)
        self.flag_kinds[flag] = kind
        self.kinds.names[flag] = kind
        self.kinds.local |= {flag}
        return flag

    def block(self, statements: list[gast.stmt]) -> Block:
        """The items of a block; the adjoints present afterwards are those before the block."""
        items: Block = []
        for statement in reversed(statements):
            produced = self.statement(statement)
            items.extend(reversed(produced if isinstance(produced, list) else [produced]))
        items.reverse()
        return items

    def statement(self, statement: gast.stmt) -> Item | list[Item]:
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            return handler(self, statement)
        self.refuse_active(statement)
        return Step([statement], [], origin_of(statement))

    def refuse_active(self, statement: gast.stmt) -> None:
        """An unknown statement must not bind a name that carries a derivative."""
        for bound in sorted(writes(statement) & self.active):
            if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
                continue
            raise UnsupportedSyntaxError(
                f"`{bound}` carries a derivative, and autodiff cannot differentiate this statement",
                origin_of(statement),
                why=f"{type(statement).__name__} is only supported where no derivative flows",
                cure="compute the value by an assignment, or wrap it in stop_gradient",
            )

    # Straight-line statements

    def step(self, statement: gast.stmt, adjoint: list[gast.stmt]) -> Step:
        return Step([statement], adjoint, origin_of(statement))

    def take(self, identifier: str) -> dict[Place, Bar]:
        """Remove and return the adjoints of a name that is being defined."""
        taken = {place: self.bars.present.pop(place) for place in self.bars.of(identifier)}
        if not any(bar.owned for bar in taken.values()):
            return taken
        remaining = {n for bar in self.bars.present.values() for n in reads(bar.node)}
        counts: dict[str, int] = {}
        for bar in taken.values():
            for n in reads(bar.node):
                counts[n] = counts.get(n, 0) + 1
        for place, bar in taken.items():
            used = reads(bar.node)
            if bar.owned and (used & remaining or any(counts[n] > 1 for n in used)):
                taken[place] = Bar(bar.node, bar.kind, False)
        return taken

    def assign(self, statement: gast.Assign) -> Item | list[Item]:
        target = statement.targets[0]
        self.bars.out = []
        if isinstance(target, gast.Tuple):
            containers.unpack(self, target, statement)
            return self.step(statement, self.bars.out)
        if not isinstance(target, gast.Name):
            return memory.store(self, statement, target)
        taken = self.take(target.id)
        if taken and target.id in self.active:
            handler = _VALUES.get(type(statement.value), primitives.primitive)
            self.primal = statement
            if len(taken) > 1 or isinstance(statement.value, _DISPLAYS):
                taken = self.bars.protect(taken)
            handler(self, statement, target.id, taken)
            statement = self.primal
        elif target.id not in self.active and isinstance(statement.value, gast.Call):
            step = self.step(statement, self.bars.out)
            step.mutates = memory.check_unchanged(self, statement, statement.value)
            return step
        return self.step(statement, self.bars.out)

    def expression(self, statement: gast.Expr) -> Item:
        self.bars.out = []
        return memory.effect(self, statement)

    def pass_on(
        self, source: Place, bar: Bar, statement: gast.stmt, shared: bool = False
    ) -> None:
        """Give an adjoint, as it is, to another place."""
        if source[0] in self.active:
            self.bars.contribute(source, bar.node, bar.kind, bar.owned and not shared)

    # Compound statements

    def loop_body(self, statement: gast.For | gast.While) -> Block:
        """The items of a loop body; its counter has the same value again in the reverse sweep."""
        if isinstance(statement, gast.For):
            self.counters.append(statement.target.id)
        body = self.block(statement.body)
        if isinstance(statement, gast.For):
            self.counters.pop()
        return body

    def is_stable(self, test: gast.expr, statement: gast.stmt) -> bool:
        """Whether a test gives the same answer when the reverse sweep evaluates it again."""
        if any(isinstance(n, (gast.Call, gast.Subscript, gast.Attribute)) for n in walk(test)):
            return False
        return all(self.is_fixed(identifier) for identifier in reads(test))

    def is_fixed(self, identifier: str) -> bool:
        if identifier not in self.kinds.local:
            return False
        if not isinstance(self.kinds.names.get(identifier), Scalar):
            return False
        if identifier in self.counters:
            return identifier not in self.definitions.assigned
        return identifier not in self.definitions.reassigned

    def reassigned(self, loop: gast.For) -> set[str]:
        """Names that the body of a loop assigns."""
        return writes(loop.body)

    def branch(self, statement: gast.If) -> Item | list[Item]:
        return control.branch(self, statement)

    def loop(self, statement: gast.For | gast.While) -> Item | list[Item]:
        return control.loop(self, statement)

    def context(self, statement: gast.With) -> Item:
        bound = writes(statement.items) & self.active
        if bound:
            self.refuse_active(statement)
        may_stop = not attempt.runs_to_the_end(self, statement)
        return Context(statement, self.block(statement.body), origin_of(statement), may_stop)

    def attempt(self, statement: gast.Try) -> Item:
        return attempt.attempt(self, statement)

    def returned(self, statement: gast.Return) -> Item:
        return Step([], [], origin_of(statement))


_DISPLAYS = (gast.Tuple, gast.List, gast.Dict)
_STATEMENTS: dict[type, Callable[[Reverse, Any], Item | list[Item]]] = {
    gast.Assign: Reverse.assign,
    gast.Expr: Reverse.expression,
    gast.If: Reverse.branch,
    gast.For: Reverse.loop,
    gast.While: Reverse.loop,
    gast.With: Reverse.context,
    gast.Try: Reverse.attempt,
    gast.Return: Reverse.returned,
    gast.Delete: lambda reverse, statement: memory.delete(reverse, statement),
    gast.AugAssign: lambda reverse, statement: memory.store(
        reverse, statement, statement.target
    ),
}
_VALUES: dict[type, Callable[[Reverse, gast.stmt, str, dict[Place, Bar]], None]] = {
    gast.Name: containers.copy,
    gast.Constant: containers.constant,
    gast.Tuple: containers.display,
    gast.List: containers.display,
    gast.Dict: containers.table,
    gast.Attribute: containers.attribute,
    gast.Subscript: containers.subscript,
}


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
    counts: dict[str, int] = {p: 1 for p in parameters(tree.args)}
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
                for name_ in writes(statement):
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
            names = names | writes(statement)
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
            names = names | writes(statement)
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


