"""`try`: the body is lowered, and then it is known what of it may raise.

Nothing: the body stands there without a `try`. Something, surely (a key that is not there): what
came before it, and the handler. Else a `Try`, if whatever others see of the body happens behind all
that may raise; if not, the statements of the body are tried one by one (`prefix.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gast

from autodiff.core import Apply, Load, NotYet, Operation, Raises, Try, Verbatim, View
from autodiff.core.value import NOTHING, Block, Value
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Entry, Stale, Unbound, leaves, rebuilt
from autodiff.lower.flow.branches import diverges, ended, ordered, perhaps
from autodiff.lower.flow.heap import Mark, Place, begun, hint, inside, moved, put, restore, snapshot
from autodiff.lower.flow.join import join
from autodiff.lower.statement.caught import chain, error_of, finishing, kept, looked_at
from autodiff.lower.statement.prefix import Prefix, of_clause, unlike
from autodiff.normalize.build import at
from autodiff.primitives import DISPLAY
from autodiff.primitives.raising import escaping


def tried(statements: Statements, node: gast.Try) -> None:
    """A `try` statement."""
    if node.finalbody:
        finished(statements, node)
        return
    for handler in node.handlers:
        own = str(getattr(handler.name, "id", handler.name))
        held = statements.frame.names.get(own, Unbound())
        if handler.name is not None and not isinstance(held, (Stale, Unbound)):
            raise NotYet("a variable that holds an error, and nothing behind its handler")
    if node.orelse and all(diverges(handler.body) for handler in node.handlers):
        inner = gast.Try(body=node.body, handlers=node.handlers, orelse=[], finalbody=[])
        tried(statements, at(inner, getattr(node, "origin", None)))
        statements.block(node.orelse)
        return
    begun(statements, lambda mark: Attempt(statements, node, mark).lower())


def finished(statements: Statements, node: gast.Try) -> None:
    """`try ... finally`."""
    inner = gast.Try(body=node.body, handlers=node.handlers, orelse=node.orelse, finalbody=[])
    inner.origin = getattr(node, "origin", None)

    def run() -> None:
        if node.handlers:
            tried(statements, inner)
        else:
            statements.block(node.body)

    body = [inner] if node.handlers else node.body
    again = partial(guarded, statements, inner, body, node.finalbody)
    closed(statements, run, lambda: statements.block(node.finalbody), again)


def guarded(statements: Statements, node: Any, body: list[Any], final: list[Any]) -> None:
    """What runs behind a block, also where it raises an error."""
    statements.block(finishing(node, body, final))


def closed(
    statements: Statements,
    run: Callable[[], None],
    close: Callable[[], None],
    again: Callable[[], None] | None,
) -> None:
    """What runs behind a block even if that raises. If such an error ends the function, nobody sees
    more of what runs then than what it prints, or changes outside. again: lowers it with that.
    """
    mark = Mark(statements.frame)
    operations = statements.builder.block.operations
    start = len(operations)
    try:
        run()
    except Raises:
        close()
        raise
    body = Block()
    body.operations = operations[start:]
    caught = tuple(own for around in statements.unit.attempts for own in around.classes)
    passes = bool(caught) and any(escaping(body, caught))
    start = len(operations)
    if not passes:
        close()
    raising, last = [op for op in body.walk() if op.raises], operations[start:]
    if passes or raising and any(is_seen(op) for top in last for op in top.nested()):
        if again is None:
            raise NotYet("a finally block that an error passes through")
        mark.back()
        again()


def is_seen(op: Operation) -> bool:
    """Whether others see that an operation ran even where the function ends with an error."""
    if isinstance(op, Verbatim) or isinstance(op, Apply) and not op.primitive.pure:
        return True
    return any(each.what == "write" and each.region.find().given for each in op.effects())


class Attempt:
    """Lowers one `try` without `finally`."""

    def __init__(self, statements: Statements, node: gast.Try, mark: Mark) -> None:
        self.statements, self.node = statements, node
        self.before, self.outer = mark.heap, mark.builder
        self.frame, self.unit = statements.frame, statements.unit
        self.clauses = [of_clause(statements, handler.type) for handler in node.handlers]

    def lower(self) -> None:
        """The body, and what follows from what it may raise."""
        node, frame = self.node, self.frame
        op = Try(self.clauses, getattr(node, "origin", None))
        prefix = Prefix(self.statements, node, op, self.before)
        frame.builder = self.outer.inside(op.body)
        certain: Raises | None = None
        self.unit.attempts.append(op)
        try:
            with inside(frame, self.before), self.unit.facts.given():
                for statement in node.body:
                    self.statements.block([statement])
                    prefix.check(statement)
        except Raises as error:
            certain = error
        finally:
            self.unit.attempts.pop()
        caught = list(escaping(op.body, op.classes))
        op.leaves = self.leaves()
        if not caught:
            self.spliced(op)
            if certain is None:
                self.statements.block(node.orelse)
            else:
                self.surely(certain)
        elif certain is not None or not (prefix.is_clean or op.leaves and self.is_unseen(prefix)):
            raise unlike()
        else:
            for each in caught:
                each.caught = True
            self.branch(op)

    def leaves(self) -> bool:
        """Whether what is caught ends the function."""
        alone = len(self.node.handlers) == 1 and not self.unit.attempts
        return alone and diverges(self.node.handlers[0].body)

    def is_unseen(self, prefix: Prefix) -> bool:
        """Whether a handler that ends the function sees nothing of how far the body came."""
        read = {n for each in self.node.handlers[0].body for n in self.frame.reads(each)}
        return not prefix.is_stored and read.isdisjoint(ordered(self.node.body))

    def spliced(self, op: Try) -> None:
        """The body in place of the `try`."""
        block = self.outer.block
        for inner in op.body.operations:
            inner.block = block
            for value in inner.results:
                value.block = block
        block.operations += op.body.operations
        self.frame.builder = self.outer

    def surely(self, error: Raises) -> None:
        """What runs after an error that is raised for sure."""
        for handler, clause in zip(self.node.handlers, self.clauses):
            if issubclass(error.error, clause.classes):
                if looked_at(self.frame, handler):
                    raise NotYet("an error that is raised for sure, and looked at")
                self.handle(handler.body)
                return
        raise error

    def handle(self, body: list[gast.stmt], is_clause: bool = False) -> None:
        """A handler. is_clause: it prints as one, so that the error is there."""
        self.unit.handling.append(is_clause)
        try:
            self.statements.block(body)
        finally:
            self.unit.handling.pop()

    def branch(self, op: Try) -> None:
        """The body may raise, or not: what both ways leave is joined."""
        frame, node, ends = self.frame, self.node, [snapshot(self.frame)]
        alone = len(node.handlers) == 1 and not node.orelse
        names = list(ordered(node.body))
        stops = False
        if alone:
            [handler] = node.handlers
            restore(frame, self.before)
            frame.builder = self.outer.inside(op.handler)
            own, risks = looked_at(frame, handler), self.unit.risks
            if own:
                frame.names[own] = self.error(op, own)
            with inside(frame, self.before), self.unit.facts.given(), perhaps():
                self.handle(handler.body, True)
            if own:
                frame.names[own] = Unbound()
            stops = diverges(handler.body)
            ended(self.unit, stops, risks)
            names = list(ordered([*node.body, *handler.body]))
            ends.append(snapshot(frame))
        else:
            which = frame.temporary("raised")
            node = self.node = kept(frame, node, which)
            restore(frame, self.before)
            if error_of(node):
                frame.names[error_of(node)] = self.error(op, "error")
                names.append(error_of(node))
            ends.append(snapshot(frame))
        restore(frame, self.before)
        frame.builder = self.outer
        places: list[Place] = [*names, *moved(self.before, *ends)]
        for place in places if stops else ():
            put(frame, place, left(op, hint(place), self.unit.facts.known(ends[0].get(place))))
        if not stops:
            join(frame, op, places, ends)
        self.outer.origin = op.origin
        self.outer.add(op)
        if not alone:
            self.chosen(op, which)

    def error(self, op: Try, hint: str) -> Value:
        """The error that is caught, and what it may hold: whoever asks it reaches that."""
        found, world = op.named(hint), self.unit.world
        for value in (found, *(own for given in op.told for own in reached(given))):
            if value.memory is not None:
                world.unite(value.memory)
        return found

    def chosen(self, op: Try, flag: str) -> None:
        """The clause that was reached, behind the `try`."""
        self.frame.names[flag] = op.raised
        self.handle(chain(self.node, flag))


def reached(value: Value) -> Iterator[Value]:
    """A value, and the memory that it was loaded from, or is a part or a container of."""
    yield value
    op = value.op
    if isinstance(op, (Load, View)):
        yield from reached(op.base)
    elif isinstance(op, Apply) and (op.primitive is DISPLAY or op.primitive.memory == "view"):
        for own in op.operands:
            yield from reached(own)


def left(op: Try, identifier: str, entry: Entry) -> Entry:
    """What a variable holds behind a `try` whose handler does not come to its end."""
    if isinstance(entry, Unbound):
        return entry
    made = []
    for value in leaves(entry):
        if value.is_constant:
            made.append(value)
            continue
        result = Value(identifier, value.kind, value.memory, named=True)
        result.partial = value.partial
        op.merge(value, Value(identifier, value.kind, constant=NOTHING), result)
        made.append(result)
    return rebuilt(entry, iter(made))
