"""Expressions that stay whole: they may leave parts out, so each is one step."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import NoneType
from typing import Any

import gast

from autodiff.core import Apply, NotYet, Value, constant
from autodiff.kinds.kind import UNKNOWN, Kind, Scalar, Static, Text, is_number, number
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.entry import Entry
from autodiff.lower.entries.members import said
from autodiff.lower.entries.spoken import seen
from autodiff.lower.entries.truth import chosen, connected, truth
from autodiff.lower.expression.values import Values
from autodiff.lower.flow.heap import Mark
from autodiff.primitives import SYNTAX, Application, hole, is_opaque, primitive_of
from autodiff.primitives.primitive import dotted
from autodiff.syntax.walk import map_children


class Wholes(Values):
    """Lowers what may leave parts out."""

    def of_BoolOp(self, node: gast.BoolOp) -> Entry:
        if self.trusts:
            return self.whole(node)
        if any(map(is_identity, node.values)):  # known while compiling, as a rule
            return connected(self, node)
        mark = Mark(self.frame)
        try:
            with self.unit.whole():
                first = self.entry(node.values[0])
                test = truth(self, first)
            if not test.is_constant:
                raising = any(op.raises for op in mark.since())
                absorbed = None if raising else self.absorbed(node, first)
                mark.back()
                return self.whole(node) if absorbed is None else absorbed
        except NotYet:
            mark.back()
            return connected(self, node)
        rest = node.values[1:]
        if bool(test.constant) is isinstance(node.op, gast.Or):
            return first
        return (
            self.of_BoolOp(gast.BoolOp(op=node.op, values=rest)) if rest[1:] else self.entry(*rest)
        )

    def absorbed(self, node: gast.BoolOp, first: Entry) -> Value | None:
        """`flag and False` of a truth value: `False`, if finding that out takes no operation."""
        if not isinstance(first, Value) or first.kind != number("bool"):
            return None
        operations = self.builder.block.operations
        count, rest = len(operations), node.values[1:]
        found: Entry | None = None
        with contextlib.suppress(NotYet), self.unit.whole():
            found = self.entry(gast.BoolOp(op=node.op, values=rest) if rest[1:] else rest[0])
        absorbing = isinstance(node.op, gast.Or)
        known = isinstance(found, Value) and found.constant is absorbing
        return constant(absorbing) if known and len(operations) == count else None

    def of_JoinedStr(self, node: gast.JoinedStr) -> Entry:
        """Text with values in it, all of which are evaluated in their order."""
        operands: list[Value] = []

        def visit(part: gast.AST) -> gast.AST:
            if not isinstance(part, gast.FormattedValue):
                return map_children(visit, part)
            conversion = part.conversion
            convert: Any = {97: ascii, 114: repr, 115: str}.get(conversion, format)
            entry = self.entry(part.value)
            text = said(entry, convert) if part.format_spec is None else None
            entry, conversion = (entry, conversion) if text is None else (text, -1)
            words = ("__format__", "__str__", "__repr__")[2 if part.conversion == 114 else 0 :]
            found = ((word, special(self, entry, word)) for word in words)
            by, own = next(((word, m) for word, m in found if m is not None), ("", None))
            if own is not None:
                if part.format_spec is not None or by == "__format__":
                    raise NotYet("an object that is written in a form of its own")
                entry = called(self, own, entry)
            if is_opaque(entry) and part.format_spec is None:
                entry, conversion = self.opaque(convert, entry, kind=Text()), -1
            operands.append(seen(self, entry))
            own = hole(len(operands) - 1)
            inner = None if part.format_spec is None else visit(part.format_spec)
            return gast.FormattedValue(value=own, conversion=conversion, format_spec=inner)

        form = visit(node)
        if all(isinstance(own.constant, (str, bool, int, float)) for own in operands):
            return constant(known_text(form, [own.constant for own in operands]))
        value = self.builder.apply(SYNTAX, Application((form,)), form, operands, Text())
        assert isinstance(value.op, Apply)
        value.op.reads = value.op.raises = True
        return value

    def of_IfExp(self, node: gast.IfExp) -> Entry:
        found = decided(node)
        if found is not node:
            return self.entry(found)
        return self.whole(node) if self.trusts else chosen(self, node)

    def whole(self, node: gast.expr, kind: Kind | None = None) -> Value:
        """An expression that stays as it is: it may leave parts out, so it is one step."""
        operands: list[Value] = []

        def visit(part: gast.AST) -> gast.AST:
            if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load):
                if self.frame.holder(part.id) is None:
                    found = self.frame.lookup(part.id)
                    self.check_outside(found)
                    return dotted(self.frame.spelled(part.id, found))
                operands.append(self.as_value(self.of_Name(part)))
                if is_opaque(operands[-1]):
                    raise NotYet("an expression that stays whole, of what nothing is known")
                return hole(len(operands) - 1)
            if isinstance(part, gast.Attribute):
                self.check_outside(self.static(part))
            if isinstance(
                part, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda)
            ):
                raise NotYet("a comprehension in an expression that stays whole")
            if isinstance(part, gast.Call) and self.static(part.func) is None:
                raise NotYet("a call in an expression that stays whole")
            if isinstance(part, gast.Call):
                called = primitive_of(self.static(part.func))
                keywords = [(keyword.arg, keyword.value) for keyword in part.keywords]
                if not called.pure or called.effects.written(part.args, keywords):
                    raise NotYet("a call in an expression that stays whole")
            return map_children(visit, part)

        form = visit(node)
        kind = kind or self.truth(node) or UNKNOWN
        value = self.builder.apply(SYNTAX, Application((form,)), form, operands, kind)
        op = value.op
        assert op is not None
        op.reads = op.raises = True  # type: ignore[attr-defined]
        if kind == UNKNOWN:
            raise NotYet(f"expression {type(node).__name__}")
        return value

    def check_outside(self, found: Any) -> None:
        """What is outside may change before the expression is evaluated again."""
        kind = None if found is None else self.frame.kind(found)
        if (
            not isinstance(kind, (Static, Scalar, NoneType))
            or isinstance(kind, Scalar)
            and self.unit.cells
        ):
            raise NotYet("memory of outside in an expression that stays whole")

    def truth(self, node: gast.expr) -> Kind | None:
        """The kind of a test of numbers; None where it may be something else."""
        if isinstance(node, gast.Compare):
            return number("bool", "?")
        if isinstance(node, gast.BoolOp):
            return number("bool", "?") if all(map(self.truth, node.values)) else None
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return number("bool")
        if isinstance(node, gast.JoinedStr):
            return Static("")
        if isinstance(node, gast.Name):
            entry = self.of_Name(node)
            return entry.kind if isinstance(entry, Value) and is_number(entry.kind) else None
        return None


def decided(node: gast.expr) -> gast.expr:
    """What a choice chooses whose test is known."""
    while isinstance(node, gast.IfExp) and isinstance(node.test, gast.Constant):
        node = node.body if node.test.value else node.orelse
    return node


def is_identity(node: gast.expr) -> bool:
    """Whether an expression asks for identity: `x is None`."""
    return isinstance(node, gast.Compare) and isinstance(node.ops[0], (gast.Is, gast.IsNot))


def known_text(node: gast.JoinedStr, values: list[Any]) -> str:
    """Text of which all parts are known; a name in it is the number of a value."""
    convert: dict[int, Callable[[Any], Any]] = {-1: lambda own: own, 114: repr, 115: str, 97: ascii}
    made = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            made.append(part.value)
            continue
        inner = "" if part.format_spec is None else known_text(part.format_spec, values)
        made.append(format(convert[part.conversion](values[int(part.value.id)]), inner))
    return "".join(made)
