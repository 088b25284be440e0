"""How far the body of a `try` came: known, where what others see of it is behind all that may
raise.

try:
    z = math.log(y)         may raise
    y = y * x               seen, and behind it
except ValueError:
    z = y
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.core import Append, Apply, Clause, NotYet, Operation, Store, Take, Try, View, around
from autodiff.core.value import Value
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Stale, Unbound
from autodiff.lower.expression.effects import callee, dotted
from autodiff.lower.flow.branches import ordered
from autodiff.lower.flow.heap import Heap, moved, snapshot
from autodiff.primitives.raising import escaping, may_be_caught

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr, gast.Delete, gast.Pass, gast.Assert)


class Prefix:
    """Whether what others see of a body happens behind all that may raise."""

    def __init__(self, statements: Statements, node: gast.Try, op: Try, before: Heap) -> None:
        self.statements, self.node, self.op, self.before = statements, node, op, before
        self.frame = statements.frame
        self.is_clean, self.is_seen, self.is_stored = True, False, False
        self.last, self.seen, self.count = before, 0, self.frame.unit.statements

    def check(self, statement: Any) -> None:
        """One more statement has been lowered."""
        operations = self.op.body.operations[self.seen :]
        self.seen = len(self.op.body.operations)
        others = self.frame.unit.statements - self.count > 1  # those of methods behind operators
        now, self.count = snapshot(self.frame), self.frame.unit.statements
        try:
            stored = bool(moved(self.last, now))
        except NotYet:
            stored = True
        self.last, self.is_stored = now, self.is_stored or stored
        binds = any(self.is_read(own) for own in ordered([statement]))
        raises = False
        for op in operations:
            raises = self.step(op) or raises
        if raises and is_simple(statement):
            calls = any(isinstance(part, gast.Call) for part in gast.walk(statement))
            if stored and (calls or others):
                self.is_clean = False
        elif raises and (binds or stored):
            self.is_clean = False
        self.is_seen = self.is_seen or binds or stored

    def step(self, op: Operation) -> bool:
        """One operation; whether it may raise what is caught."""
        if not op.blocks:
            raises = may_be_caught(op, self.op.classes)
        else:
            raises = any(any(escaping(block, self.op.classes)) for block in op.blocks)
        seen = any(self.is_visible(inner) for inner in op.nested())
        if raises and (self.is_seen or seen and bool(op.blocks)):
            self.is_clean = False
        self.is_seen = self.is_seen or seen
        return raises

    def is_visible(self, op: Operation) -> bool:
        """Whether an operation changes memory that was there before the body."""
        if isinstance(op, (Store, Append, Take)):
            return not self.is_own(op.operands[0])
        return isinstance(op, Apply) and any(not self.is_own(op.operands[k]) for k in op.changes)

    def is_own(self, memory: Value) -> bool:
        """Whether memory was made in the body."""
        op = memory.op
        while isinstance(op, View) or isinstance(op, Apply) and op.primitive.memory == "view":
            op = op.operands[0].op
        if not isinstance(op, Apply) or op.primitive.memory != "new":
            return False
        return self.op.body in [*around(op.block)]

    def is_read(self, own: str) -> bool:
        """Whether somebody else than the body reads a variable, or the body the next time."""
        frame = self.frame
        inside = sum(frame.reads(part)[own] for part in self.node.body)
        if frame.reads(frame.tree)[own] > inside:
            return True
        held = self.before.names.get(own)
        return bool(frame.unit.repeating) and not isinstance(held, (Unbound, Stale, type(None)))


def is_simple(statement: Any) -> bool:
    """Whether a statement binds what it binds at its end: no error comes behind that."""
    if isinstance(statement, gast.If):
        parts = statement.body, statement.orelse
        return all(len(part) < 2 and all(map(is_simple, part)) for part in parts)
    return isinstance(statement, _SIMPLE)


def of_clause(statements: Statements, node: gast.expr | None) -> Clause:
    """The classes that a clause takes, and how they print."""
    if node is None:
        return Clause((BaseException,), None)
    parts = node.elts if isinstance(node, gast.Tuple) else [node]
    found = tuple(callee(statements, part) for part in parts)
    if not all(isinstance(own, type) and issubclass(own, BaseException) for own in found):
        raise NotYet("a clause for what is found at run time")
    forms = [dotted(statements, part) for part in parts]
    whole = forms[0] if len(forms) == 1 else gast.Tuple(elts=forms, ctx=gast.Load())
    return Clause(found, whole)


def unlike() -> NotYet:
    """A body that changes something, and may raise an error then, is not followed."""
    return NotYet.saying(
        "what a try changes before it raises",
        "what is done inside a `try` before an error is raised is not followed here",
        "how far it came is only known at run time, and what it has changed is not undone",
        "move what may raise an error out of the `try`, or before all that it changes",
    )
