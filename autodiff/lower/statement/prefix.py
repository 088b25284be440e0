"""How far the body of a `try` came.

try:                          raised = 0
    y = y * x                 y = y * x
    z = math.log(y)           try:
except ValueError:                z = math.log(y)
    z = y                     except ValueError:
                                  raised = 1
                              if raised == 1:
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
from autodiff.lower.flow.peeled import ending
from autodiff.lower.statement.caught import error_of, kept
from autodiff.lower.statement.plainer import chain, equals, finishing, flagged, settings, warns
from autodiff.normalize.build import assign, at, branch, constant, shallow, skip
from autodiff.primitives.raising import escaping, may_be_caught
from autodiff.syntax.names import name

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
        while flagged(statement):
            statement = statement.body[0]
        binds = any(self.is_read(own) for own in ordered([statement]))
        raises = False
        for op in operations:
            raises = self.step(op) or raises
        if raises and isinstance(statement, _SIMPLE):
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
        if frame.reads(frame.tree)[own] > inside or own == flagged(self.node):
            return True
        held = self.before.names.get(own)
        return bool(frame.unit.repeating) and not isinstance(held, (Unbound, Stale, type(None)))


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


def one_by_one(statements: Statements, node: gast.Try, clauses: list[Clause]) -> list[gast.stmt]:
    """The statements that try each statement of a body by itself."""
    if flagged(node):
        own = flagged(node)
        only = node.body[0]
        compound = isinstance(only, (gast.If, gast.For, gast.While))
        if compound or isinstance(only, gast.With) and warns(statements, only):
            return Steps(statements, node, clauses, own).inside(only)
        if isinstance(only, gast.Try) and only.finalbody:
            inner: Any = shallow(only)
            inner.finalbody = []
            rows = finishing(only, [inner] if only.handlers else only.body, only.finalbody)
            return Steps(statements, node, clauses, own).row(rows)
        if isinstance(only, gast.Try) and not flagged(only):
            inner = [of_clause(statements, handler.type) for handler in only.handlers]
            rows = one_by_one(statements, only, inner)
            return Steps(statements, node, clauses, own).row(rows)
        if isinstance(only, gast.Assign):
            return Steps(statements, node, clauses, own).row(valued(statements, only))
        raise unlike()
    own = statements.frame.temporary("raised")
    node = kept(statements.frame, node, own)
    steps = Steps(statements, node, clauses, own)
    origin = getattr(node, "origin", None)
    return [assign(own, constant(0), origin), *steps.row(node.body), *chain(node, own)]


def valued(statements: Statements, node: gast.Assign) -> list[gast.stmt]:
    """`box.part = f(x)` as `value = f(x); box.part = value`: that is the order of Python's."""
    simple = all(isinstance(target, gast.Name) for target in node.targets)
    if simple or isinstance(node.value, (gast.Name, gast.Constant)):
        raise unlike()
    own, origin = statements.frame.temporary("value"), getattr(node, "origin", None)
    return [assign(own, node.value, origin), at(gast.Assign(node.targets, name(own), None), origin)]


class Steps:
    """Statements that go on as long as nothing was caught."""

    def __init__(
        self, statements: Statements, node: gast.Try, clauses: list[Clause], flag: str
    ) -> None:
        self.statements, self.node, self.clauses, self.flag = statements, node, clauses, flag

    def row(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements in a row: after one that may raise, the rest asks the flag."""
        first, *rest = body
        made = self.one(first)
        if not rest or isinstance(first, gast.Pass):
            return [*made, *(self.row(rest) if rest else [])]
        origin = getattr(rest[0], "origin", None)
        return [*made, branch(equals(self.flag, 0), self.row(rest), [], origin)]

    def one(self, statement: Any) -> list[gast.stmt]:
        """One statement."""
        if isinstance(statement, gast.Raise) and statement.exc is not None:
            error = self.class_of(statement.exc)
            if error is not None:
                return self.raised(statement, error)
        made = gast.Try(body=[statement], handlers=self.handlers(), orelse=[], finalbody=[])
        made.flag, made.error = self.flag, error_of(self.node)
        return [at(made, getattr(statement, "origin", None))]

    def handlers(self) -> list[Any]:
        """Clauses that only remember that they were reached."""
        found = []
        for number, handler in enumerate(self.node.handlers):
            body = [assign(self.flag, constant(self.number(number)), None)]
            error = error_of(self.node) or None
            found.append(gast.ExceptHandler(type=handler.type, name=error, body=body))
        return found

    def number(self, clause: int) -> int:
        """What the flag holds after a clause."""
        if flagged(self.node):
            return int(self.node.handlers[clause].body[0].value.value)
        return clause + 1

    def class_of(self, node: gast.expr) -> type[BaseException] | None:
        """The class of what is raised; None if it is found at run time."""
        found = callee(self.statements, node.func if isinstance(node, gast.Call) else node)
        return found if isinstance(found, type) and issubclass(found, BaseException) else None

    def raised(self, node: gast.Raise, error: type[BaseException]) -> list[gast.stmt]:
        """`raise E`, where a clause takes it."""
        given = [*node.exc.args, *node.exc.keywords] if isinstance(node.exc, gast.Call) else []
        if any(
            isinstance(part, (gast.Call, gast.Subscript)) for e in given for part in gast.walk(e)
        ):
            raise NotYet("an exception whose arguments are computed")
        for number, clause in enumerate(self.clauses):
            if issubclass(error, clause.classes):
                origin = getattr(node, "origin", None)
                own = error_of(self.node)
                return [
                    *([assign(own, self.made(node), origin)] if own else []),
                    assign(self.flag, constant(self.number(number)), origin),
                ]
        return [node]

    def made(self, node: gast.Raise) -> gast.expr:
        """The error that is raised, where it is kept."""
        if node.cause is not None:
            raise NotYet("an error with a cause that is looked at")
        return node.exc if isinstance(node.exc, gast.Call) else gast.Call(node.exc, [], [])

    def inside(self, node: Any) -> list[gast.stmt]:
        """A compound statement whose blocks are tried statement by statement."""
        made = shallow(node)
        if isinstance(node, gast.If):
            made.body = self.row(node.body)
            made.orelse = self.row(node.orelse) if node.orelse else []
            if not self.is_risky(node.test):
                return [made]
            test = self.statements.frame.temporary("test")
            origin = getattr(node, "origin", None)
            made.test = name(test)
            first = self.one(assign(test, node.test, origin))
            return [*first, branch(equals(self.flag, 0), [made], [], origin)]
        if isinstance(node, gast.With):
            count = settings(self.statements, node.body)
            made.body = [*node.body[:count], *self.row(node.body[count:] or [skip(None)])]
            return [made]
        if self.is_risky(node.iter if isinstance(node, gast.For) else node.test):
            raise unlike()
        body, leaves = ending(node.body)
        origin = getattr(node.body[-1], "origin", None)
        leave = self.statements.frame.temporary("leave")
        test = leaves or constant(False)
        made.body = [
            *self.row(body),
            assign(leave, constant(True), origin),
            branch(equals(self.flag, 0), [assign(leave, test, origin)], [], origin),
            at(gast.If(test=name(leave), body=[gast.Break()], orelse=[]), origin),
        ]
        return [made]

    def is_risky(self, node: gast.expr) -> bool:
        """Whether finding out what an expression gives may raise, as far as one sees."""
        safe = (range, reversed, len, min, max, abs)
        for part in gast.walk(node):
            if isinstance(part, gast.Call) and self.statements.static(part.func) not in safe:
                return True
            if isinstance(part, gast.BinOp):
                if not isinstance(part.op, (gast.Add, gast.Sub, gast.Mult)):
                    return True
            elif not isinstance(part, _PLAIN):
                return True
        return False


_PLAIN = (
    *(gast.Name, gast.Constant, gast.Compare, gast.BoolOp, gast.UnaryOp, gast.Call, gast.BinOp),
    *(gast.Load, gast.boolop, gast.unaryop, gast.cmpop, gast.operator),
)
