"""Statements: assignments, updates, branches, loops."""

from __future__ import annotations

import gast

from autodiff.core import Again, NotYet, TooMuch, Value, constant, noted
from autodiff.deadline import check
from autodiff.kinds.classes import class_attribute
from autodiff.lower.entries.boxes import called, get, key_of, special
from autodiff.lower.entries.captured import check_declared, declared, imported
from autodiff.lower.entries.entry import Box, Closure, Entry, Mixed, Unbound
from autodiff.lower.entries.handed import evaluating
from autodiff.lower.entries.lists import as_memory, key_value, memory_of
from autodiff.lower.entries.mixed import may_miss
from autodiff.lower.entries.truth import truth
from autodiff.lower.expression.effects import asserted, called_for_effect, raised
from autodiff.lower.expression.parts import part_replaced
from autodiff.lower.flow.branches import branch, divided
from autodiff.lower.flow.drawing import Rest, Watch, step, watch
from autodiff.lower.flow.frame import Frame
from autodiff.lower.flow.heap import Mark
from autodiff.lower.flow.loops import as_long_as, loop
from autodiff.lower.statement.definitions import Defined, decorated, made_inside
from autodiff.lower.statement.managers import entered
from autodiff.lower.statement.storing import Storing
from autodiff.lower.statement.trying import tried
from autodiff.normalize.build import assign
from autodiff.syntax.names import name, writes

_MOST = 20_000
"""So many statements are lowered in seconds; each path may lower the functions that it calls."""
_IN_PART = 2_500
"""So many in a second try, without the paths that are not taken, if there is a way behind it."""
_WALKED = 300
"""So many of a library behind one call of the user's: its objects have much beside numbers."""
_AGAIN = 15_000
"""So many in all, where a function is lowered again and again: then its run is followed."""


class Statements(Storing):
    """Lowers the statements of a frame."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        frame.declared = declared(frame.tree.body)
        frame.local = writes(frame.tree.body) - frame.declared

    def function(self) -> Entry:
        """The whole body; what it returns."""
        *body, last = self.frame.tree.body
        self.block(body)
        if not isinstance(last, gast.Return):
            raise NotYet("a body without a return at its end")
        self.builder.origin = getattr(last, "origin", None)
        self.builder.at = self.frame.whose.at(self.builder.origin, self.builder.at)
        held = self.frame.names.get(getattr(last.value, "id", ""))
        if isinstance(held, Mixed) and may_miss(held):  # a statement reads it on each path
            own = self.frame.temporary("result")
            self.block([assign(own, last.value, self.builder.origin)])
            return self.passed(name(own))
        return constant(None) if last.value is None else self.passed(last.value)

    def block(self, body: list[gast.stmt]) -> None:
        """Statements in a row."""
        for statement in body:
            origin = getattr(statement, "origin", None)
            self.builder.origin = origin or self.builder.origin
            at = self.builder.at = self.frame.whose.at(origin, self.builder.at)
            try:
                self.statement(statement)
            except Exception as error:
                noted(error, at)
                raise

    def statement(self, statement: gast.stmt) -> None:
        """One statement; once for each outcome of a test by which what it reads differs."""
        handler = getattr(self, f"on_{type(statement).__name__}", None)
        if handler is None:
            raise NotYet(f"statement {type(statement).__name__}")
        check()
        self.unit.statements += 1
        work = self.unit.doors.work
        if work is not None:
            work.statements += 1
        left = self.unit.doors.left
        most = _MOST if left is None or not left.is_short else _IN_PART
        if self.unit.statements > most or work is not None and work.statements > _AGAIN:
            raise TooMuch("a function of very many operations")
        if (entry := self.frame.whose.entry) is not None:
            self.unit.walked[id(entry)] += 1
            if self.unit.walked[id(entry)] > _WALKED:
                raise TooMuch("very much of a library's own code")
        mark = Mark(self.frame)
        try:
            with evaluating(self.unit):
                handler(statement)
        except Again as again:
            test = again.whose
            if not isinstance(test, Value) or test in self.unit.facts.true:
                raise
            if not mark.reaches(test):
                raise
            mark.back()
            divided(self, statement, test)

    def on_Pass(self, node: gast.Pass) -> None:
        pass

    def on_Global(self, node: gast.Global) -> None:
        check_declared(self.frame)

    def on_Import(self, node: gast.Import | gast.ImportFrom) -> None:
        self.frame.names.update(imported(self, node))

    on_ImportFrom = on_Import

    def on_Expr(self, node: gast.Expr) -> None:
        if isinstance(node.value, gast.Constant):
            return
        call = node.value
        if isinstance(call, gast.Call) and called_for_effect(self, call):
            return
        self.entry(node.value)

    def on_Delete(self, node: gast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, gast.Name):
                self.of_Name(target)
                if self.frame.resolve(target.id) != (self.frame, target.id):
                    raise NotYet("a variable of others that is deleted")
                self.frame.names[target.id] = Unbound(deleted=True)
            else:
                self.delete(target)

    def delete(self, target: gast.expr) -> None:
        """`del box[key]`, `del box.attr`."""
        if not isinstance(target, (gast.Subscript, gast.Attribute)):
            raise NotYet("a part that is deleted")
        held = self.entry(target.value)
        of_item = isinstance(target, gast.Subscript)
        method = special(self, held, "__delitem__" if of_item else "__delattr__")
        if method is not None and isinstance(target, gast.Subscript):
            called(self, method, held, self.entry(target.slice))
            return
        if not isinstance(held, Box) or held.indexed is not of_item or held.cls is tuple:
            raise NotYet("a part that is deleted")
        if method is not None:
            raise NotYet("a part that is deleted")
        if isinstance(target, gast.Subscript):
            with self.once(target.slice) as index:
                self.delete_item(held, index)
            return
        if memory_of(held) is not None:
            raise NotYet("a part that is deleted")
        if target.attr not in held.slots or class_attribute(held.cls, target.attr) is not None:
            raise NotYet("a part that is deleted")
        del held.slots[target.attr]

    def delete_item(self, box: Box, index: gast.expr) -> None:
        """`del box[key]`."""
        if not self.is_memory(box, index):
            key = key_of(box, self.entry(index))
            get(box, key)
            del box.slots[key]
            if box.cls is list:
                box.slots = dict(enumerate(box.slots.values()))
            return
        if isinstance(index, gast.Slice):
            part_replaced(self, box, self.of_Slice(index), None)
            return
        memory = as_memory(self, box)
        self.builder.take(memory, key_value(self, box, self.value(index)))

    def on_Raise(self, node: gast.Raise) -> None:
        raised(self, node)

    def on_Assert(self, node: gast.Assert) -> None:
        asserted(self, node)

    def on_FunctionDef(self, node: gast.FunctionDef) -> None:
        self.frame.names[node.name] = self.passed(decorated(node))

    def of_Defined(self, node: Defined) -> Entry:
        if any(isinstance(part, gast.Nonlocal) for part in gast.walk(node.tree)):
            raise NotYet("nonlocal")
        return Closure(node.tree, self.frame, self.left_out(node.tree.args))

    def on_ClassDef(self, node: gast.ClassDef) -> None:
        self.frame.names[node.name] = made_inside(self, node)

    # Control -----------------------------------------------------------------------------------

    def on_If(self, node: gast.If) -> None:
        branch(self, node)

    def truth_of(self, node: gast.expr) -> Value:
        """The value of a test: a number, or a constant."""
        if isinstance(node, gast.BoolOp) and self.truth(node) is None:
            sure = [v if self.truth(v) is not None else is_true(v) for v in node.values]
            node = gast.BoolOp(op=node.op, values=sure)
        return truth(self, self.entry(node))

    def on_For(self, node: gast.For) -> None:
        loop(self, node)

    def on_Rest(self, node: Rest) -> None:
        step(self, node)

    def on_Watch(self, node: Watch) -> None:
        watch(node)

    def on_Try(self, node: gast.Try) -> None:
        tried(self, node)

    def on_With(self, node: gast.With) -> None:
        entered(self, node)

    def on_While(self, node: gast.While) -> None:
        as_long_as(self, node)


def is_true(node: gast.expr) -> gast.expr:
    """`not not node`: whether something counts as true, where its form does not matter."""
    inner = gast.UnaryOp(op=gast.Not(), operand=node)
    return gast.UnaryOp(op=gast.Not(), operand=inner)
