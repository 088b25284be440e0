"""Simpler expressions of exactly the same value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.instantiate import numerals as literals
from autodiff.instantiate.conditions import known_mask
from autodiff.instantiate.minus import without_sign
from autodiff.primitives.memory import claim_of
from autodiff.syntax.change import changed, unchanged
from autodiff.syntax.make import SIGNS, make
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import same

Test = Callable[[gast.expr], bool]

_ALIASES = (gast.Name, gast.Subscript, gast.Attribute, gast.IfExp, gast.BoolOp, gast.Call)


_SHAPING = ("axis", "keepdims")
_OPPOSITE = {"add": "subtract", "subtract": "add"}


def simplify(expression: gast.expr, inexact: Test) -> gast.expr:
    """The expression with constants computed and neutral operations dropped.

    The result may be a part of the expression, hence an alias where there was a new array:
    `1.0 * y_bar` becomes `y_bar`. Whoever updates results in place asks for ownership afterwards.
    """
    return Simplifier(inexact, lambda e: True, inexact).visit(expression, True)


class Simplifier:
    """Simplifies from the leaves up; nodes that do not change are shared with the original.

    `consumed` says that an operator works on the result at once, so that it does not matter
    whether it is new or an alias of one of its parts.
    """

    def __init__(
        self,
        inexact: Test,
        scalar: Test,
        signed: Test,
        fits: Test | None = None,
        droppable: Test | None = None,
        makes: Test | None = None,
    ) -> None:
        self.inexact = inexact
        self.scalar = scalar
        self.signed = signed
        self.fits = fits or (lambda call: False)
        self.droppable = droppable or (lambda expression: False)
        self.makes = makes or (lambda call: False)

    def visit(self, node: gast.expr, consumed: bool) -> gast.expr:
        """The simplified expression; names, constants and what is opaque stay as they are."""
        form = _FORMS.get(node.__class__)
        return node if form is None else form(self, node, consumed)

    def fields(self, node: gast.expr, consumed: bool, *fields: str) -> gast.expr:
        new: dict[str, object] | None = None
        for field in fields:
            value = getattr(node, field)
            if value.__class__ is list:
                result: object = self.items(value, consumed)
            else:
                form = _FORMS.get(value.__class__)
                result = value if form is None else form(self, value, consumed)
            if result is not value:
                new = new or {}
                new[field] = result
        return node if new is None else changed(node, **new)

    def sides(self, node: gast.BinOp) -> gast.BinOp:
        left, right = node.left, node.right
        if left.__class__ in _FORMS:
            left = self.visit(left, True)
        if right.__class__ in _FORMS:
            right = self.visit(right, True)
        if left is node.left and right is node.right:
            return node
        result: gast.BinOp = changed(node, left=left, right=right)
        return result

    def items(self, nodes: list[gast.expr], consumed: bool) -> list[gast.expr]:
        new = [self.visit(node, consumed) for node in nodes]
        return nodes if unchanged(new, nodes) else new

    def choice(self, node: gast.IfExp, consumed: bool) -> gast.expr:
        node = self.fields(self.fields(node, True, "test"), consumed, "body", "orelse")
        test = self.test(node.test)
        if test is not node.test:
            node = changed(node, test=test)
        if isinstance(node.test, gast.Constant):
            chosen: gast.expr = node.body if node.test.value else node.orelse
            masked = getattr(node, "masks", False) and literals.number(chosen) == 0
            return node if masked else chosen  # what lies behind may be infinite
        return node

    def binary(self, node: gast.BinOp, consumed: bool) -> gast.expr:
        node = self.sides(node)
        left, right, op = node.left, node.right, node.op.__class__
        a = literals.number(left) if left.__class__ in literals.SPELLED else None
        b = literals.number(right) if right.__class__ in literals.SPELLED else None
        if a is not None and b is not None:
            return literals.arithmetic(op, a, b) or node
        new: gast.expr | None = None
        if op is gast.Mult:
            if a is not None:
                new = self.times(a, right, consumed)
            elif b is not None:
                new = self.times(b, left, consumed)
        elif op is gast.Div and b is not None:
            new = self.times(b, left, consumed)
        elif op is gast.Pow and b == 1 and (isinstance(b, int) or self.inexact(left)):
            new = self.itself(left, consumed)
        elif op is gast.Add:
            new = self.add(node, consumed)
        elif op is gast.Sub:
            if b == 0 and not literals.negative(right) and self.inexact(left):
                new = self.itself(left, consumed)
            else:
                new = self.opposite(node, gast.Add)
        elif op is gast.BitAnd or op is gast.BitOr:
            new = known_mask(node)
        return new or node

    def times(self, factor: int | float, other: gast.expr, consumed: bool) -> gast.expr | None:
        """`other` times 1 or -1 (or divided by it)."""
        exact = self.inexact(other) or self.signed(other)
        if factor == 1 and exact:
            return self.itself(other, consumed)
        if factor == -1 and exact:
            return self.unary(make(gast.UnaryOp, op=gast.USub(), operand=other), consumed)
        return None

    def add(self, node: gast.BinOp, consumed: bool) -> gast.expr | None:
        for zero, other in ((node.left, node.right), (node.right, node.left)):
            # -0.0 + 0.0 is 0.0: only a zero of the compiler's own may go
            if "introduced" in zero.__dict__ and zero.introduced and literals.number(zero) == 0:
                if self.inexact(other):
                    return self.itself(other, consumed)
        return self.opposite(node, gast.Sub)

    def opposite(self, node: gast.BinOp, op: type) -> gast.expr | None:
        """`a + -b` as `a - b`, `a - -b` as `a + b`."""
        if node.right.__class__ is gast.Name:  # as a rule
            return None
        positive = without_sign(node.right, self.signed)
        return None if positive is None else changed(node, op=SIGNS[op], right=positive)

    def unary(self, node: gast.UnaryOp, consumed: bool) -> gast.expr:
        operand = node.operand
        if isinstance(node.op, gast.Not) and isinstance(operand, gast.Constant):
            return make(gast.Constant, value=not operand.value, kind=None)
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.Constant):
            value = literals.number(operand)
            if value is not None and value < 0:  # a constant that a kind told, not the text
                return make(gast.Constant, value=-value, kind=None)
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.UnaryOp):
            if isinstance(operand.op, gast.USub):
                inner = operand.operand
                if literals.number(inner) is not None or self.signed(inner):
                    return self.itself(inner, consumed) or node
        if isinstance(node.op, gast.USub) and isinstance(operand, gast.BinOp):
            return without_sign(operand, self.signed) or node
        return node

    def compare(self, node: gast.Compare) -> gast.expr:
        if len(node.ops) == 1:
            return literals.comparison(type(node.ops[0]), node.left, node.comparators[0]) or node
        return node

    def boolean(self, node: gast.BoolOp) -> gast.expr:
        """A constant that lets evaluation go on is dropped; what follows one that ends it, too."""
        goes_on = isinstance(node.op, gast.And)
        kept: list[gast.expr] = []
        for value in node.values[:-1]:
            if not isinstance(value, gast.Constant):
                kept.append(value)
            elif bool(value.value) is not goes_on:
                kept.append(value)
                break
        else:
            kept.append(node.values[-1])
        if len(kept) == len(node.values):
            return node
        return kept[0] if len(kept) == 1 else changed(node, values=kept)

    def test(self, node: gast.expr) -> gast.expr:
        """`n == 1 and True` as `n == 1`, `n == 1 and False` as `False`, where it only decides."""
        if not isinstance(node, gast.BoolOp) or not isinstance(node.values[-1], gast.Constant):
            return node
        *others, last = node.values
        if bool(last.value) is isinstance(node.op, gast.And):
            return others[0] if len(others) == 1 else changed(node, values=others)
        return last if all(map(self.is_plain, others)) else node

    def is_plain(self, node: gast.expr) -> bool:
        """Whether an expression compares numbers: nobody notices whether it is evaluated."""
        if not isinstance(node, gast.Compare) or not self.droppable(node):
            return False
        sides = (node.left, *node.comparators)
        return all(isinstance(side, gast.Constant) or self.scalar(side) for side in sides)

    def call(self, node: gast.Call, consumed: bool) -> gast.expr:
        func = node.func
        if isinstance(func, gast.Attribute) and func.attr == "copy" and not node.args:
            value = func.value
            new = isinstance(value, (gast.BinOp, gast.UnaryOp))
            new = new or isinstance(value, gast.Call) and self.makes(value)
            if (new or consumed) and self.signed(value):
                return value  # a new array already, or one that arithmetic only reads
        if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name):
            if func.value.id in ("np", "numpy"):
                if func.attr == "where":
                    return self.where(node, consumed)
                if func.attr == "sum" and len(node.args) == 1:
                    return self.total(node)
                if func.attr.endswith("_like") and node.args:
                    return _moulded(node, 0)
        elif isinstance(func, gast.Attribute) and func.attr == "at" and len(node.args) == 3:
            return self.updated(node, func.value)
        elif isinstance(func, gast.Name) and len(node.args) == 2 and self.fits(node):
            return _moulded(node, 1)
        return node

    def is_new(self, func: gast.expr) -> bool:
        """Whether a function of NumPy gives new memory, whatever the operands are."""
        of_numpy = getattr(getattr(func, "value", None), "id", None) in ("np", "numpy")
        return of_numpy and claim_of(getattr(np, func.attr, None)).memory == "new"

    def total(self, node: gast.Call) -> gast.expr:
        """`np.sum(-e * f)` as `-np.sum(e * f)`: rounding does not look at signs."""
        positive = without_sign(node.args[0], self.signed)
        if positive is not None and all(k.arg in _SHAPING for k in node.keywords):
            whole = changed(node, args=[positive])
            return make(gast.UnaryOp, op=gast.USub(), operand=whole)
        return node

    def updated(self, node: gast.Call, ufunc: gast.expr) -> gast.expr:
        """`np.add.at(x, i, -e)` as `np.subtract.at(x, i, e)`, which needs no array for `-e`."""
        if not isinstance(ufunc, gast.Attribute) or ufunc.attr not in _OPPOSITE:
            return node
        positive = without_sign(node.args[2], self.signed)
        if positive is None or not isinstance(ufunc.value, gast.Name):
            return node
        opposite = changed(ufunc, attr=_OPPOSITE[ufunc.attr])
        function = changed(node.func, value=opposite)
        result: gast.Call = changed(node, func=function, args=[*node.args[:2], positive])
        return result

    def subscript(self, node: gast.Subscript) -> gast.expr:
        """`np.sum(a, axis=1, keepdims=True)[:, 0]` as `np.sum(a, axis=1)`; past a minus, too.

        `(a, b)[1]` as `b`, `{"out": b}["out"]` too.
        """
        inner = node.value
        if isinstance(inner, gast.Tuple) and isinstance(node.slice, gast.Constant):
            return self.item(node, inner.elts, node.slice.value)
        if isinstance(inner, gast.Dict) and isinstance(node.slice, gast.Constant):
            keys = [k.value if isinstance(k, gast.Constant) else ... for k in inner.keys]
            if keys.count(node.slice.value) != 1 or ... in keys:
                return node
            return self.item(node, inner.values, keys.index(node.slice.value))
        if isinstance(inner, gast.UnaryOp) and isinstance(inner.op, gast.USub):
            new = self.subscript(changed(node, value=inner.operand))
            return changed(inner, operand=new) if isinstance(new, gast.Call) else node
        if isinstance(inner, gast.Subscript) and isinstance(inner.value, gast.BinOp):
            ways = (("t[:, None]", "t[:, 0]"), ("t[None]", "t[0]"))
            back = any(
                same(inner, quote(there, t=inner.value)) and same(node, quote(again, t=inner))
                for there, again in ways
            )
            return inner.value if back else node
        if not isinstance(inner, gast.Call) or getattr(inner.func, "attr", None) != "sum":
            return node
        options = {keyword.arg: keyword.value for keyword in inner.keywords}
        if set(options) != set(_SHAPING) or not literals.is_true(options["keepdims"]):
            return node
        axis = literals.number(options["axis"])
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        last = literals.number(parts[-1])
        if type(last) is not int or last != 0 or axis != len(parts) - 1:
            return node
        if not all(same(part, gast.Slice(None, None, None)) for part in parts[:-1]):
            return node
        kept = [keyword for keyword in inner.keywords if keyword.arg == "axis"]
        result: gast.expr = changed(inner, keywords=kept)
        return result

    def item(self, node: gast.Subscript, items: list[gast.expr], place: object) -> gast.expr:
        if type(place) is not int or not 0 <= place < len(items):
            return node
        others = items[:place] + items[place + 1 :]
        stay = any(isinstance(i, gast.Starred) or not self.droppable(i) for i in others)
        return node if stay or isinstance(items[place], gast.Starred) else items[place]

    def where(self, node: gast.Call, consumed: bool) -> gast.expr:
        """`np.where(True, a, b)` as `a`, if `b` adds neither to its shape nor to its dtype."""
        if not (
            len(node.args) == 3 and not node.keywords and isinstance(node.args[0], gast.Constant)
        ):
            return node
        test, *branches = node.args
        kept, lost = branches if test.value else reversed(branches)
        if literals.number(kept) is not None or self.scalar(kept) and not consumed:
            return node  # of numbers it makes an array without dimensions
        neutral = literals.number(lost) is not None and self.inexact(kept)
        if neutral or same(kept, lost):
            return self.itself(kept, consumed) or node
        return node

    def itself(self, node: gast.expr, consumed: bool) -> gast.expr | None:
        """The operand in place of an operation, unless that would let an alias out."""
        if consumed or not isinstance(node, _ALIASES) or self.scalar(node):
            return node
        if isinstance(node, gast.Call) and self.makes(node):
            return node
        return None


def _moulded(node: gast.Call, place: int) -> gast.Call:
    """The call without a copy of what it reads no more of than shape and type."""
    like = node.args[place]
    if not isinstance(like, gast.Call) or like.args or getattr(like.func, "attr", "") != "copy":
        return node
    args = [like.func.value if k == place else own for k, own in enumerate(node.args)]
    result: gast.Call = changed(node, args=args)
    return result


_FORMS: dict[type, Callable[[Simplifier, Any, bool], gast.expr]] = {
    gast.BinOp: Simplifier.binary,
    gast.UnaryOp: lambda s, node, consumed: s.unary(s.fields(node, True, "operand"), consumed),
    gast.Compare: lambda s, node, _: s.compare(s.fields(node, True, "left", "comparators")),
    gast.BoolOp: lambda s, node, consumed: s.boolean(s.fields(node, consumed, "values")),
    gast.IfExp: Simplifier.choice,
    gast.Call: lambda s, node, consumed: s.call(
        s.fields(s.fields(node, s.is_new(node.func), "args"), False, "func", "keywords"), consumed
    ),
    gast.Subscript: lambda s, node, consumed: s.subscript(
        s.fields(s.fields(node, consumed, "value"), False, "slice")
    ),
    gast.Attribute: lambda s, node, consumed: s.fields(node, consumed, "value"),
    gast.Tuple: lambda s, node, _: s.fields(node, False, "elts"),
    gast.List: lambda s, node, _: s.fields(node, False, "elts"),
    gast.Set: lambda s, node, _: s.fields(node, False, "elts"),
    gast.Slice: lambda s, node, _: s.fields(node, True, "lower", "upper", "step"),
    gast.keyword: lambda s, node, _: s.fields(node, False, "value"),
    gast.Starred: lambda s, node, _: s.fields(node, False, "value"),
    gast.Dict: lambda s, node, _: s.fields(node, False, "values"),
}
