"""What every name holds: kinds flow forward through the function.

The analysis is flow-insensitive on names: `versions` has already given each version its own name. A
name's kind joins the kinds of all its definitions; loops repeat until nothing changes. Sizes that
are born inside a loop are forgotten for names that live on into the next iteration or past the
loop, since there they may belong to another iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from autodiff.analysis.contents import Contents, holds
from autodiff.analysis.exposure import counters, definition_counts, escaping
from autodiff.analysis.forgetting import forget, named
from autodiff.analysis.held import classes_inside
from autodiff.analysis.indexing import indexing
from autodiff.analysis.joins import as_sequence, join
from autodiff.analysis.kept import kept_functions
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Derived,
    Instance,
    Kind,
    Local,
    Nullable,
    Record,
    Scalar,
    Sequence,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, Pending, contains_parts, is_object, whole
from autodiff.analysis.outlived import outlived
from autodiff.analysis.part_stores import stored_parts
from autodiff.analysis.scope import Scope
from autodiff.analysis.stored import Stored, stored_into
from autodiff.rules.home import module_of
from autodiff.syntax.names import caught, parameters, reads, store, writes

_ROUNDS = 12


def kinds(
    tree: gast.FunctionDef,
    given: Mapping[str, Kind],
    scope: Scope,
    recursive: Callable[[Any, list[Kind | None]], Kind | None] | None = None,
    *,
    loosen: bool = True,
    hopeful: bool = False,
) -> Kinds:
    """The kinds of all names of a function in normal form, from the kinds of its parameters.

    `recursive` tells the kind that a function which calls itself returns, for kinds of arguments.
    `loosen=False`: containers are taken for what they were made as, though parts are replaced.
    `hopeful`: what a method of an object returns, which is to be inlined, is taken for another
    object of that class where it is assigned to the same name; `specialize` checks it in the end.
    """

    scope.given = tuple(dict.fromkeys(c for kind in given.values() for c in classes_inside(kind)))

    def run(stored: Stored) -> Kinds:
        blocked: set[str] = set()
        kept: set[str] = set()
        while True:
            flow = _Flow(tree, given, scope, recursive, stored, frozenset(blocked))
            flow.result.hopeful = hopeful
            found = flow.run()
            held = kept_functions(tree, found.names, scope.framed)
            kept |= {name for name, own in held.items() if own}
            more = (outlived(tree, found.names) | held.keys()) - blocked
            if not more:
                found.kept = frozenset(kept)
                return found
            blocked |= more

    stored = stored_into(tree) if loosen else Stored()
    found = run(stored)
    if any(isinstance(found.names.get(name), Instance) for name in stored.names):
        hoped = _arrays(stored.names, run(Stored()))  # by induction over the steps of the program
        again = run(stored_into(tree, hoped))
        if _arrays(stored.names, again) >= hoped:
            return again
    if any(holds(found.names.get(name)) for name in stored.names):
        # A container that shares nothing with what is stored into, but numbers of an array.
        arrays = _arrays(stored.names, found)
        fewer = stored_into(tree, arrays) if arrays else stored
        return run(fewer) if fewer != stored else found
    return found


def _arrays(names: frozenset[str], found: Kinds) -> frozenset[str]:
    return frozenset(n for n in names if isinstance(found.names.get(n), Array))


class _Flow:
    def __init__(
        self,
        tree: gast.FunctionDef,
        given: Mapping[str, Kind],
        scope: Scope,
        recursive: Callable[[Any, list[Kind | None]], Kind | None] | None,
        stored: Stored,
        blocked: frozenset[str],
    ) -> None:
        self.tree = tree
        self.blocked = blocked
        assigned = definition_counts(tree.body)
        self.single = {name for name, count in assigned.items() if count == 1}
        own = set(parameters(tree.args))
        alone = counters(tree)
        self.single = (self.single | alone) - own
        self.escaping = escaping(tree, alone)
        self.grown: set[str] = set()
        self.loosened = stored.loosened
        self.stored = stored.names - scope.opened
        self.result = Kinds({}, scope, frozenset(own | set(assigned)), recursive)
        self.contents = Contents(self.result, stored, self.stored, self.escaping)
        for parameter in own:
            kind = given.get(parameter, UNKNOWN)
            if not assigned.get(parameter):
                kind = named(kind, parameter)
            is_stored = parameter in self.stored
            self.result.names[parameter] = self.loosened(parameter, kind) if is_stored else kind
        self.concerns: dict[int, set[str]] = {}
        """By the `id` of an assignment: the names whose kinds it depends on."""
        self.before: set[str] | None = None
        """The names whose kinds changed in the last round; None: all."""
        self.now: set[str] = set()
        self.hoped: set[str] = set()
        """Names that may hold what is returned by a method, which is to be inlined."""

    def run(self) -> Kinds:
        for _ in range(_ROUNDS):
            self.now = set()
            self.contents.changed = False
            self.block(self.tree.body)
            if not (self.now or self.contents.changed):
                return self.result
            flowing = self.escaping or self.stored or self.grown or self.result.scope.objects
            if not flowing:
                return self.result
            self.before = None if self.stored else self.now
        for name in self.escaping:
            self.result.names[name] = UNKNOWN
        self.before = None
        self.block(self.tree.body)
        return self.result

    def stays(self, statement: gast.Assign) -> bool:
        """Whether an assignment would say again what it said in the last round."""
        if self.before is None or self.result.scope.objects:
            return False
        concerns = self.concerns.get(id(statement))
        if concerns is None:
            concerns = reads(statement.value) | writes(statement)
            self.concerns[id(statement)] = concerns
        if not (concerns.isdisjoint(self.before) and concerns.isdisjoint(self.now)):
            return False
        if concerns <= self.result.numbers:
            return True
        held = map(self.result.names.get, concerns)
        return not any(isinstance(kind, (Bound, Derived)) for kind in held)  # it has a receiver

    def define(self, name: str, kind: Kind | None) -> None:
        if kind is None:
            return
        if name in self.blocked:
            kind = UNKNOWN
        old = self.result.names.get(name)
        if isinstance(kind, Pending):
            scope = self.result.scope
            new = old is None and kind.made is None and scope.hoping
            if is_object(old) or new:
                self.result.pending = True
                self.hoped.add(name)
                scope.hoped = scope.hoped or new
                return
            kind = UNKNOWN if kind.made is None else Instance((kind.made,))
        elif name in self.hoped and not is_object(kind):
            kind = UNKNOWN
        if name in self.stored and old is not None and holds(old):
            kind = self.joined(old, self.loosened(name, kind))
        elif name in self.single and name not in self.grown:
            kind = named(kind, name)
        elif old is not None:
            kind = self.joined(old, kind)
        owners = self.escaping.get(name)
        if owners:
            kind = forget(kind, owners)
        if name in self.stored:
            kind = self.loosened(name, kind)
        if kind is not old and kind != old:
            self.result.names[name] = kind
            self.now.add(name)

    def joined(self, old: Kind, kind: Kind) -> Kind:
        """The kind of a name that has two; different objects join as values."""
        if old != kind and (contains_parts(old) or contains_parts(kind)):
            old, kind = whole(self.result, old), whole(self.result, kind)
        return join(old, kind)

    def block(self, statements: list[gast.stmt]) -> None:
        for statement in statements:
            handler = _STATEMENTS.get(type(statement))
            if handler:
                handler(self, statement)
            else:
                for name in writes(statement):
                    self.define(name, UNKNOWN)

    def assign(self, statement: gast.Assign) -> None:
        target = statement.targets[0]
        if self.stays(statement):
            return
        if isinstance(target, gast.Name):
            kind = self.result.of(statement.value)
            if isinstance(kind, Nullable) and target.id in self.result.scope.narrowed:
                kind = kind.other
            self.define(target.id, kind)
        elif isinstance(target, gast.Tuple):
            self.unpack(target, self.result.of(statement.value))
        self.put(statement)
        self.contents.assigned(statement)

    def put(self, statement: gast.stmt) -> None:
        """A variable that holds a part of an object is also what is stored in its place."""
        if self.result.scope.objects:
            for name, kind in stored_parts(self.result, statement):
                self.single.discard(name)
                self.define(name, kind)

    def unpack(self, target: gast.Tuple, kind: Kind | None) -> None:
        if kind is None:
            return
        for number, part in enumerate(target.elts):
            item: Kind = UNKNOWN
            if isinstance(kind, Record) and number < len(kind.items):
                item = kind.items[number]
            elif isinstance(kind, Sequence):
                item = kind.item
            elif isinstance(kind, Array) and kind.shape:
                item = indexing(kind, gast.Constant(value=number, kind=None), self.result.of)
            self.define(part.id, item)

    def augmented(self, statement: gast.AugAssign) -> None:
        self.put(statement)
        if isinstance(statement.target, gast.Name):
            own = self.result.names.get(statement.target.id)
            if isinstance(own, Array):  # in place
                return
            if isinstance(own, (Record, Parts)) and is_object(own) and not own.indexed:
                return  # its class says what that means: `rewriting` calls the method
            target = store(statement.target.id)
            target.ctx = gast.Load()
            value = gast.BinOp(left=target, op=statement.op, right=statement.value)
            self.define(statement.target.id, self.result.of(value))

    def expression(self, statement: gast.Expr) -> None:
        """`xs.append(x)` and `xs.extend(ys)` make the items of `xs` known."""
        self.put(statement)
        call = statement.value
        if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
            return
        base = call.func.value
        if not (isinstance(base, gast.Name) and base.id in self.result.local and call.args):
            return
        if base.id in self.stored:
            self.contents.called(call, base.id)
            return
        old = self.result.of(base)
        if isinstance(old, (Record, Sequence)) and old.cls is list:
            item = self.result.of(call.args[-1])
            if item is None:
                return
            if call.func.attr == "extend":
                grown = as_sequence(item)
                item = grown.item if isinstance(grown, Sequence) else UNKNOWN
            if call.func.attr in ("append", "extend", "insert"):
                self.grow(base.id, old, whole(self.result, item))

    def grow(self, name: str, old: Kind, item: Kind) -> None:
        joined = as_sequence(old)
        if isinstance(old, Record) and not old.items:
            joined = Sequence(item)
        elif isinstance(joined, Sequence):
            joined = Sequence(join(joined.item, item))
        self.grown.add(name)
        owners = self.escaping.get(name)
        joined = forget(joined, owners) if owners else joined
        if joined != old:
            self.result.names[name] = joined
            self.now.add(name)

    def branch(self, statement: gast.If) -> None:
        self.block(statement.body)
        self.block(statement.orelse)

    def loop(self, statement: gast.For | gast.While) -> None:
        if isinstance(statement, gast.For):
            self.define(statement.target.id, Scalar("int"))
        with self.contents.inside(statement):
            self.block(statement.body)

    def context(self, statement: gast.With) -> None:
        for name in writes(statement.items):
            self.define(name, UNKNOWN)
        self.block(statement.body)

    def attempt(self, statement: gast.Try) -> None:
        self.block(statement.body)
        for handler in statement.handlers:
            for name in caught(handler):
                self.define(name, UNKNOWN)
            self.block(handler.body)
        self.block(statement.orelse)
        self.block(statement.finalbody)

    def local_function(self, statement: gast.FunctionDef) -> None:
        plain = all(self.keeps_meaning(part) for part in statement.decorator_list)
        self.define(statement.name, Local(statement) if plain else UNKNOWN)

    def keeps_meaning(self, decorator: gast.expr) -> bool:
        """Whether a decorated function computes what is written (`functools.cache`)."""
        called = decorator.func if isinstance(decorator, gast.Call) else decorator
        value = getattr(self.result.of(called), "value", None)
        return module_of(value).partition(".")[0] in ("functools", "numba")


_STATEMENTS: dict[type, Callable[[_Flow, Any], None]] = {
    gast.Assign: _Flow.assign,
    gast.AugAssign: _Flow.augmented,
    gast.Expr: _Flow.expression,
    gast.If: _Flow.branch,
    gast.For: _Flow.loop,
    gast.While: _Flow.loop,
    gast.With: _Flow.context,
    gast.Try: _Flow.attempt,
    gast.FunctionDef: _Flow.local_function,
}
