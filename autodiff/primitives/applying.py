"""Primitives applied: kind, region and origin are born with the result."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import gast

from autodiff.core import Apply, Context, Load, NotYet, Operation, References, Region, Spot
from autodiff.core.value import Block, Value, constant
from autodiff.kinds import kind as kinds
from autodiff.kinds.classes import is_named_tuple
from autodiff.kinds.kind import Kind, Record, Scalar
from autodiff.kinds.operation import BINARY, UNARY
from autodiff.kinds.size import INTEGER, Dim
from autodiff.primitives.asked import kind_of
from autodiff.primitives.call_effects import changed, may_raise, of_call, sharing
from autodiff.primitives.primitive import Application, Primitive, dotted, hole, skeleton, written
from autodiff.primitives.table import DISPLAY, ITEM, LOOK, primitive_of
from autodiff.runtime import assembled
from autodiff.syntax.names import name


class Applying:
    """Appends applications of primitives to a block."""

    def __init__(
        self, block: Block, references: References, origin: Any = None, reverse: bool = False
    ) -> None:
        self.block, self.references, self.origin, self.reverse = block, references, origin, reverse
        self.source: Operation | None = None
        self.at: Spot | None = None
        self.contexts: tuple[Context, ...] = ()
        self.loads: dict[tuple[Value, bool], tuple[Value | None, int, Operation | None]] = {}

    def add(self, op: Operation) -> Operation:
        """An operation at the end of the block."""
        op.block, op.reverse, op.source = self.block, self.reverse, self.source
        op.origin, op.contexts, op.at = self.origin, self.contexts, self.at
        for value in op.results:
            value.block = self.block
        self.block.operations.append(op)
        return op

    def apply(
        self,
        primitive: Primitive,
        application: Application,
        form: gast.expr,
        operands: Sequence[Value],
        kind: Kind | None = None,
        hint: str = "",
    ) -> Value:
        """A primitive applied to operands."""
        operands = list(operands)
        changes = changed(primitive, application)
        primitive = of_call(primitive, application, operands)
        if kind is None:
            kind = kind_of(primitive, application, operands)
        value = born(hint, kind)
        op = Apply(primitive, application, form, operands, [value])
        op.raises = may_raise(op)
        op.changes = changes
        if value.memory is not None:
            self.share(value, sharing(primitive, application, operands))
        self.add(op)
        return value

    def share(self, value: Value, operands: Sequence[Value]) -> None:
        """The result may be the memory of operands, or hold it: `np.split(x, n)` is a list of parts
        of x, `min(items, key=f)` is an item. In the reverse sweep regions grow no more: what has
        one root keeps it, beside memory that nobody changes and what the sweep itself makes, and a
        list that is written out is taken apart by its parts.
        """
        if self.reverse:
            operands = [part for operand in operands for part in parts_of(operand)]
        if self.reverse and len({operand.region for operand in operands} - {None}) > 1:
            operands = [each for each in operands if not lasts(each)] or operands[:1]
            first, *others = sorted(operands, key=is_fresh)
            for other in others:
                if is_fresh(other) and other.memory is not None and first.memory is not None:
                    first.memory.unite(other.memory)
        level = nesting(value.kind)
        found: dict[Region, int] = {}
        for operand in operands:
            region, deeper = operand.region, nesting(operand.kind) - level
            while region is not None and deeper > 0:
                region, deeper = region.content, deeper - 1
            if region is not None:
                found.setdefault(region, deeper)
        if self.reverse and len(found) > 1:
            if not isinstance(value.kind, Record):
                raise NotYet("memory of the reverse sweep that may be one of several")
            return
        for region, deeper in found.items():
            if deeper == 0 and value.memory is not None:
                value.memory = region
        for region, deeper in found.items():
            own = value.home
            for _ in range(-deeper):
                own = own.content
            region.unite(own)

    def call(
        self,
        hint: str,
        function: Any,
        *operands: Value,
        name_hint: str = "",
        kind: Kind | None = None,
    ) -> Value:
        """A call of a function by position, by a name of our choice."""
        holes = tuple(hole(k) for k in range(len(operands)))
        if hint == ".copy" and getattr(operands[0].kind, "shape", None) == ():
            hint = "np.copy"  # of a number, which may stand for an array of no axes
        path = hint.split(".")
        if not path[0]:  # a method: ".copy"
            form = gast.Call(gast.Attribute(hole(0), path[1], gast.Load()), [*holes[1:]], [])
        else:
            path[0] = self.references.use(path[0], _root(path, function))
            form = gast.Call(dotted(".".join(path)), [*holes], [])
        return self.apply(
            primitive_of(function), Application(holes), form, operands, kind, name_hint
        )

    def look(self, text: str, kind: Kind, *operands: Value, primitive: Primitive = LOOK) -> Value:
        """A question about what containers hold now: `_0 in _1`."""
        form = skeleton(text, self.references)
        holes = tuple(hole(k) for k in range(len(operands)))
        given = Application(holes if primitive.function is not None else (form,))
        value = self.apply(primitive, given, form, operands, kind)
        assert isinstance(value.op, Apply)
        value.op.reads = True
        return value

    def binary(self, operator: gast.operator, left: Value, right: Value, hint: str = "") -> Value:
        """An operator between two operands; of whole numbers that are known, the result."""
        known = BINARY[type(operator)]
        if type(left.constant) is int and type(right.constant) is int:
            if not isinstance(operator, (gast.Div, gast.Pow, gast.LShift)):
                with contextlib.suppress(ZeroDivisionError, TypeError):
                    return constant(known(left.constant, right.constant))
        form = _FORMS[type(operator)]
        return self.apply(primitive_of(known), _BETWEEN, form, [left, right], None, hint)

    def unary(self, operator: gast.unaryop, operand: Value, hint: str = "") -> Value:
        """An operator before an operand; a number with a minus is a number."""
        if operand.is_constant and isinstance(operator, gast.USub):
            if type(operand.constant) is not bool and operand.is_number:
                return constant(-operand.constant)
        own, form = primitive_of(UNARY[type(operator)]), gast.UnaryOp(operator, hole(0))
        return self.apply(own, Application((hole(0),)), form, [operand], None, hint)

    def display(
        self, cls: type, keys: tuple[Any, ...], items: Sequence[Value], hint: str = ""
    ) -> Value:
        """A tuple, list or dict of values; of constants, a constant."""
        if cls is tuple and all(v.is_constant and not callable(v.constant) for v in items):
            return constant(tuple(item.constant for item in items))
        holes = [hole(k) for k in range(len(items))]
        form: gast.expr
        if cls is dict:
            form = gast.Dict(keys=[written(key) for key in keys], values=holes)
        else:
            form = (gast.Tuple if cls is tuple else gast.List)(elts=holes, ctx=gast.Load())
        kind = Record(cls, keys, tuple(item.kind for item in items))
        return self.apply(DISPLAY, Application((form,)), form, items, kind, hint)

    def built(
        self, cls: type, keys: tuple[str, ...], items: Sequence[Value], hint: str = ""
    ) -> Value:
        """An object of a class that holds values."""
        use = self.references.use
        parts = [gast.keyword(key, hole(k)) for k, key in enumerate(keys)]
        own = name(use(cls.__name__, cls))
        form = gast.Call(name(use("assembled", assembled)), [own], parts)
        kind = Record(cls, keys, tuple(item.kind for item in items))
        return self.apply(DISPLAY, Application((form,)), form, items, kind, hint)

    def item(self, container: Value, key: Any, kind: Kind) -> Value:
        """A part of a container; of one that was written out here, what stands there. Lists are
        written out in the reverse sweep to be read.
        """
        op = container.op
        if isinstance(op, Apply) and op.primitive is DISPLAY and isinstance(container.kind, Record):
            if key in container.kind.keys and (container.kind.cls is tuple or self.reverse):
                return op.operands[container.kind.keys.index(key)]
        form: gast.expr = gast.Subscript(hole(0), written(key), gast.Load())
        if isinstance(container.kind, Record) and not is_index(container.kind, key):
            form = gast.Attribute(hole(0), str(key), gast.Load())
        return self.apply(ITEM, Application((hole(0), written(key))), form, [container], kind)


_BETWEEN = Application((hole(0), hole(1)))
_FORMS = {cls: gast.BinOp(left=hole(0), op=cls(), right=hole(1)) for cls in BINARY}
"""An operator between two operands, as it is called and printed."""


def is_index(kind: Record, key: Any) -> bool:
    """Whether a part is read by index, no attribute."""
    return kind.indexed and not (is_named_tuple(kind.cls) and isinstance(key, str))


def lasts(value: Value) -> bool:
    """Whether a value of the forward sweep is memory that nobody changes."""
    region = value.region
    forward = value.op is not None and not value.op.reverse
    return region is None or not region.written and (forward or region.given)


def is_fresh(value: Value) -> bool:
    """Whether a value is memory that the reverse sweep makes, or what it reads."""
    op = value.op
    new = isinstance(op, Load) or isinstance(op, Apply) and op.primitive.memory == "new"
    return new and op is not None and op.reverse


def born(hint: str, kind: Kind, named: bool = False) -> Value:
    """A new value; an integer that is not known is named after itself, for sizes that follow."""
    value = Value(hint, kind, named=named)
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is None:
        value.kind = Scalar("int", kind.dtype, Dim(f"{value.token}{INTEGER}"))
    return value


def nesting(kind: Kind) -> int:
    """How many lists are around what a value holds at its bottom."""
    return 1 + nesting(kind.item) if isinstance(kind, kinds.Sequence) else 0


def _root(path: list[str], function: Any) -> Any:
    if len(path) == 1:
        return function
    import importlib  # noqa: PLC0415

    return importlib.import_module({"np": "numpy"}.get(path[0], path[0]))


def parts_of(value: Value) -> list[Value]:
    """The values that are written out in a tuple or list, which has no memory but theirs."""
    op = value.op
    if isinstance(op, Apply) and op.primitive is DISPLAY:
        return [part for operand in op.operands for part in parts_of(operand)]
    return [value]
