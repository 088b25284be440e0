"""Each statement of the primal -> its adjoint code, mirrored block by block.

The statements are visited in reverse order while `Bars` keeps track of which adjoints exist. A
statement whose result has no adjoint contributes nothing and gets no adjoint code.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import gast
import numpy as np

from autodiff.analysis.alias import Aliases
from autodiff.analysis.conflicts import Conflict
from autodiff.analysis.consumption import read_at_once
from autodiff.analysis.kind import (
    UNKNOWN,
    Kind,
    Scalar,
    Sequence,
    Static,
    Text,
    is_complex,
    is_real,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.mirrored import Mirrored
from autodiff.analysis.moves import is_frozen
from autodiff.analysis.outer_changes import Effects, effects
from autodiff.analysis.outer_values import Code
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse import (
    attempt,
    branches,
    containers,
    loops,
    memory,
    mirrors,
    primitives,
    shadows,
)
from autodiff.reverse.bars import Bars
from autodiff.reverse.definitions import Definitions
from autodiff.reverse.distinct import Distinct
from autodiff.reverse.generators import check_generators
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.inserting import is_insertion
from autodiff.reverse.items import Block, Context, Item, Step
from autodiff.reverse.listing import with_origins
from autodiff.reverse.outer import check_outer
from autodiff.reverse.places import Place
from autodiff.reverse.refusals import check_held, unknown
from autodiff.reverse.values import Bar
from autodiff.syntax.names import Names, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import walk

_REAL = frozenset((np.real, np.imag, np.absolute, abs, operator.abs, np.angle, np.linalg.norm))
"""Functions whose result is real even where its dtype is not known."""



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
        self.distinct = Distinct(definitions.body, kinds, aliases)
        self.certain: Mapping[int, frozenset[str]] = {}
        self.flag_kinds: dict[str, Kind] = {}
        self.counters: list[str] = []
        self.contributions: dict[int, tuple[gast.stmt, list[object], Any]] = {}
        self.conflicts: dict[int, list[Conflict]] = {}
        self.mirrored = Mirrored()
        self.slots: dict[tuple[object, ...], str] = {}
        self.reentrant = False
        self.consumed: set[int] = set()
        self.depends_on_layout = False
        self.primal: Any = None
        self.composed = False
        self.pair: Callable[..., gast.expr] | None = None
        self.stepped: Callable[..., tuple[gast.expr, gast.expr]] | None = None
        """Compiles the steps of a checkpointed loop, for a backend."""
        self.depth = 0
        self.rebound: dict[str, UnsupportedSyntaxError] = {}
        """Names from outside that calls may rebind, each with what says so."""
        self.bars = Bars(kinds, names, whole)
        self.bars.helper = helpers.named

    def helper(self, identifier: str) -> gast.expr:
        """A runtime helper (or NumPy) by its name."""
        return self.helpers.named(identifier)

    def flag(self, hint: str, kind: Kind) -> str:
        """A fresh name for a value of the forward sweep that steers the reverse sweep."""
        flag = self.names.fresh(hint)
        self.flag_kinds[flag] = kind
        self.kinds.names[flag] = kind
        self.kinds.local |= {flag}
        return flag

    def slot(self, statement: object, part: object, hint: str) -> str:
        """The name of a slot; the same one each time that a statement is reversed."""
        key = id(statement), part if isinstance(part, str) else id(part), hint
        if key not in self.slots:
            self.slots[key] = self.flag(hint, UNKNOWN)
        return self.slots[key]

    def block(self, statements: list[gast.stmt]) -> Block:
        """The items of a block; the adjoints present afterwards are those before the block."""
        items: Block = []
        self.consumed |= read_at_once(statements, self.kinds)
        for statement in reversed(statements):
            try:
                produced = self.statement(statement)
            except UnsupportedSyntaxError as error:
                cause = unknown(self, statement)
                if cause is None:
                    raise
                raise cause from error.__cause__
            items.extend(reversed(produced if isinstance(produced, list) else [produced]))
        items.reverse()
        return items

    @functools.cached_property
    def effects(self) -> tuple[Effects, Code]:
        """What from outside local names may be, or hold."""
        return effects(self.definitions.body, self.kinds)

    def statement(self, statement: gast.stmt) -> Item | list[Item]:
        check_generators(self, statement)
        if not (isinstance(statement, gast.Expr) and is_insertion(self, statement.value)):
            check_outer(self, statement)
        handler = _STATEMENTS.get(type(statement))
        self.bars.trace.start(statement)
        mirrored = mirrors.step(self, statement)
        if mirrored is not None:
            return mirrored
        if handler is not None:
            return handler(self, statement)
        self.refuse_active(statement)
        step = Step([statement], [], origin_of(statement))
        if not isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            step.mutates = memory.check_unchanged(self, statement, statement)
        return step

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
        if identifier in self.bars.shadows:
            return {(identifier, ()): shadows.taken(self, identifier)}
        taken = {place: self.bars.present.pop(place) for place in self.bars.of(identifier)}
        self.bars.trace.defined(identifier)
        if isinstance(self.kinds.names.get(identifier), Sequence):
            for place, bar in taken.items():
                if self.bars.is_vague(bar):  # another iteration made the list that is used
                    taken[place] = Bar(self.bars.expanded(place, bar), bar.kind, False)
        if not any(bar.owned for bar in taken.values()):
            return taken
        nodes = [bar.node for bar in self.bars.present.values()]
        remaining = {node.id for node in nodes if node.__class__ is gast.Name}
        for node in nodes:
            if node.__class__ is not gast.Name and node.__class__ is not gast.Constant:
                remaining |= reads(node)
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
        if writes(target) & self.bars.shadows.keys():
            shared = shadows.define(self, statement)
            if shared is not None:
                return shared
        if isinstance(target, gast.Tuple):
            containers.unpack(self, target, statement)
            return self.step(statement, self.bars.out)
        if not isinstance(target, gast.Name):
            return memory.store(self, statement, target)
        taken = self.take(target.id)
        value = statement.value
        if taken and target.id in self.active:
            taken = self.on_the_real_line(value, taken)
            statement = self.value(statement, target.id, taken)
            if target.id in self.bars.shadows:
                step = self.step(statement, self.bars.out)
                step.primal.extend(with_origins(shadows.zeros(self, target.id), step.origin))
                return step
        step = self.step(statement, self.bars.out)
        step.mutates = memory.check_unchanged(self, statement, value)
        return step

    def on_the_real_line(self, value: gast.expr, taken: dict[Place, Bar]) -> dict[Place, Bar]:
        """The adjoints of a real value: the name that gets it may be complex elsewhere."""
        bar = taken.get(next(iter(taken)))
        if len(taken) > 1 or bar is None or is_real(bar.kind):
            return taken
        if not self.may_be_complex(bar.kind):
            return taken
        operation = self.kinds.operation(value)
        certain = operation is not None and operation.function in _REAL
        if not certain and not is_real(self.kinds.known(value)):
            return taken
        node = quote("np.real(g)", np=self.helper("np"), g=bar.node)
        return {place: Bar(node, self.kinds.known(node), False) for place in taken}

    def value(
        self, statement: gast.Assign, target: str, taken: dict[Place, Bar]
    ) -> gast.Assign:
        """Hand the adjoints of a name on to what its value is computed from; the primal to run."""
        handler = _VALUES.get(type(statement.value), primitives.primitive)
        self.primal = statement
        if is_frozen(statement.value, self.kinds):  # a copy of what, after all, has no shadow
            if target not in self.bars.mirrors or self.mirrored.arrays:
                check_held(self, statement, target)
            copied = gast.Assign(targets=statement.targets, value=statement.value.args[0])
            copied.origin = origin_of(statement)
            containers.copy(self, copied, target, taken)
            return statement
        if len(taken) > 1 or isinstance(statement.value, _DISPLAYS):
            taken = self.bars.protect(taken)
        handler(self, statement, target, taken)
        return self.primal

    def expression(self, statement: gast.Expr) -> Item:
        self.bars.out = []
        return memory.effect(self, statement)

    def pass_on(
        self, source: Place, bar: Bar, statement: gast.stmt, shared: bool = False
    ) -> None:
        """Give an adjoint, as it is, to another place; of a real one its real part."""
        if source[0] not in self.active:
            return
        if is_real(self.bars.kind(source)) and self.may_be_complex(bar.kind):
            node = quote("np.real(g)", np=self.helper("np"), g=bar.node)
            bar = Bar(node, self.kinds.known(node), False)
        self.bars.contribute(source, bar.node, bar.kind, bar.owned and not shared)

    def may_be_complex(self, kind: Kind) -> bool:
        return is_complex(kind) or self.bars.complex and not is_real(kind)

    # Compound statements

    def loop_body(self, statement: gast.For | gast.While) -> Block:
        """The items of a loop body; its counter has the same value again in the reverse sweep."""
        if isinstance(statement, gast.For):
            self.counters.append(statement.target.id)
        self.depth += 1
        body = self.block(statement.body)
        self.depth -= 1
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
        kind = self.kinds.names.get(identifier)
        is_text = isinstance(kind, Text) or isinstance(kind, Static) and type(kind.value) is str
        if not isinstance(kind, Scalar) and not is_text:
            return False
        if identifier in self.counters:
            return identifier not in self.definitions.assigned
        return identifier not in self.definitions.reassigned

    def reassigned(self, loop: gast.For) -> set[str]:
        """Names that a loop assigns: those of its body, and its counter (`for n in range(n)`)."""
        return writes(loop.body) | writes(loop.target)

    def branch(self, statement: gast.If) -> Item | list[Item]:
        memory.check_test(self, statement, statement.test)
        return branches.branch(self, statement)

    def loop(self, statement: gast.For | gast.While) -> Item | list[Item]:
        is_for = isinstance(statement, gast.For)
        memory.check_test(self, statement, statement.iter if is_for else statement.test)
        return loops.loop(self, statement)

    def context(self, statement: gast.With) -> Item:
        bound = writes(statement.items) & self.active
        if bound:
            self.refuse_active(statement)
        memory.check_context(self, statement)
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
