"""The builder: appends operations to a block; kind, region, origin are born with a value."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import gast

from autodiff.analysis.indexing import indexing, is_basic
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Numeric, Record, Scalar, forget_values
from autodiff.analysis.kind import Sequence as Sequence_
from autodiff.analysis.operation import BINARY, UNARY
from autodiff.analysis.size import INTEGER, Dim
from autodiff.core.notyet import NotYet
from autodiff.core.operation import (
    Accumulate,
    Append,
    Apply,
    Block,
    Load,
    Operation,
    Store,
    Take,
    View,
)
from autodiff.core.references import References
from autodiff.core.value import Value, constant
from autodiff.core.window import At, Span, Window
from autodiff.primitives.asked import applied_kind
from autodiff.primitives.either import either
from autodiff.primitives.fitting import changed, covers, may_raise, of_call, sharing
from autodiff.primitives.form import bound, hole, placeholder, written
from autodiff.primitives.primitive import Application, Primitive
from autodiff.primitives.table import DISPLAY, ITEM, LISTING, primitive_of
from autodiff.syntax.names import name


class Builder:
    """Appends operations to a block."""

    def __init__(
        self, block: Block, references: References, origin: Any = None, reverse: bool = False
    ) -> None:
        self.block, self.references, self.origin, self.reverse = block, references, origin, reverse
        self.source: Operation | None = None

    def inside(self, block: Block) -> Builder:
        """A builder for a nested block."""
        found = Builder(block, self.references, self.origin, self.reverse)
        found.source = self.source
        return found

    def add(self, op: Operation) -> Operation:
        """An operation at the end of the block."""
        op.block, op.reverse, op.source, op.origin = (
            self.block,
            self.reverse,
            self.source,
            self.origin,
        )
        for value in op.results:
            value.block = self.block
        self.block.operations.append(op)
        return op

    # Primitives --------------------------------------------------------------------------------

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
            kind = self.kind_of(primitive, application, operands)
        value = born(hint, kind)
        op = Apply(primitive, application, form, operands, [value])
        op.raises = may_raise(primitive, kind, operands)
        op.changes = changes
        if value.memory is not None:
            self.share(value, sharing(primitive, application, operands))
        self.add(op)
        return value

    def share(self, value: Value, operands: Sequence[Value]) -> None:
        """The result may be the memory of operands. In the reverse sweep regions grow no more: what
        has one root keeps it.
        """
        found = [operand.region for operand in operands]
        regions = list(dict.fromkeys(region for region in found if region is not None))
        if not regions or self.reverse and len(regions) > 1:
            return
        value.memory = regions[0]
        for region in regions[1:]:
            regions[0].unite(region)

    def kind_of(
        self, primitive: Primitive, application: Application, operands: list[Value]
    ) -> Kind:
        """The kind of what a primitive makes of operands."""
        kinds = {value.token: value.kind for value in operands}
        own = Application(
            tuple(bound(node, operands) for node in application.arguments),
            tuple((key, bound(node, operands)) for key, node in application.keywords),
        )
        return applied_kind(primitive, own, kinds)

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
        path = hint.split(".")
        if not path[0]:  # a method: ".copy"
            func: gast.expr = gast.Attribute(value=hole(0), attr=path[1], ctx=gast.Load())
            form = gast.Call(func=func, args=list(holes[1:]), keywords=[])
        else:
            func = name(self.references.use(path[0], _root(path, function)))
            for attribute in path[1:]:
                func = gast.Attribute(value=func, attr=attribute, ctx=gast.Load())
            form = gast.Call(func=func, args=list(holes), keywords=[])
        return self.apply(
            primitive_of(function), Application(holes), form, operands, kind, name_hint
        )

    def binary(self, operator: gast.operator, left: Value, right: Value, hint: str = "") -> Value:
        """An operator between two operands; of whole numbers that are known, the result."""
        known = BINARY[type(operator)]
        if type(left.constant) is int and type(right.constant) is int:
            if not isinstance(operator, (gast.Div, gast.Pow, gast.LShift)):
                with contextlib.suppress(ZeroDivisionError, TypeError):
                    return constant(known(left.constant, right.constant))
        form = gast.BinOp(left=hole(0), op=operator, right=hole(1))
        application = Application((hole(0), hole(1)))
        return self.apply(
            primitive_of(BINARY[type(operator)]), application, form, [left, right], None, hint
        )

    def unary(self, operator: gast.unaryop, operand: Value, hint: str = "") -> Value:
        """An operator before an operand; a number with a minus is a number."""
        if operand.is_constant and isinstance(operator, gast.USub):
            if (
                isinstance(operand.constant, (int, float, complex))
                and type(operand.constant) is not bool
            ):
                return constant(-operand.constant)
        form = gast.UnaryOp(op=operator, operand=hole(0))
        return self.apply(
            primitive_of(UNARY[type(operator)]),
            Application((hole(0),)),
            form,
            [operand],
            None,
            hint,
        )

    def display(
        self, cls: type, keys: tuple[Any, ...], items: Sequence[Value], hint: str = ""
    ) -> Value:
        """A tuple, list or dict of values; of constants, a constant."""
        if cls is tuple and all(item.is_constant for item in items):
            return constant(tuple(item.constant for item in items))
        holes = [hole(k) for k in range(len(items))]
        form: gast.expr
        if cls is dict:
            form = gast.Dict(keys=[written(key) for key in keys], values=holes)
        else:
            form = (gast.Tuple if cls is tuple else gast.List)(elts=holes, ctx=gast.Load())
        kind = Record(cls, keys, tuple(item.kind for item in items))
        return self.apply(DISPLAY, Application((form,)), form, items, kind, hint)

    def item(self, container: Value, key: Any, form: gast.expr, kind: Kind) -> Value:
        """A part of a container; of one that was written out here, what stands there."""
        op = container.op
        if isinstance(op, Apply) and op.primitive is DISPLAY and isinstance(container.kind, Record):
            if key in container.kind.keys and container.kind.cls is tuple:
                return op.operands[container.kind.keys.index(key)]
        return self.apply(ITEM, Application((hole(0), written(key))), form, [container], kind)

    # Memory ------------------------------------------------------------------------------------

    def load(
        self, base: Value, window: Window | None = None, index: Sequence[Value] = (), hint: str = ""
    ) -> Value:
        """What memory holds now; of a number, itself."""
        if window is None:
            if base.memory is None or base.is_constant:
                return base
            again = self._again(base)
            if again is not None:
                return again
        if window is not None and isinstance(base.kind, Sequence_):
            value = self.held_value(base)
        else:
            kind = base.kind if window is None else self.part(base, window, index)
            value = born(hint, kind)
            if isinstance(kind, Sequence_) and value.memory is not None and base.memory is not None:
                value.memory.content.unite(base.memory.content)
        op = Load([base, *index], [value], window)
        op.raises = window is not None
        self.add(op)
        return value

    def _again(self, base: Value) -> Value | None:
        """The same load, made before in this block with nothing between that writes; until lowering
        ends nobody knows which regions are one.
        """
        region = base.region
        for op in reversed(self.block.operations):
            if (
                isinstance(op, Load)
                and op.window is None
                and op.base is base
                and op.reverse == self.reverse
            ):
                return op.result
            if op.blocks or (region is not None and op.writes(region)):
                return None
            if not self.reverse and isinstance(op, Store):
                return None
        return None

    def view(self, base: Value, window: Window, index: Sequence[Value], hint: str = "") -> Value:
        """A window as memory."""
        value = Value(hint, self.part(base, window, index), base.memory)
        op = View([base, *index], [value], window)
        op.raises = bool(index) or any(isinstance(part, int) for part in window.parts)
        self.add(op)
        return value

    def store(
        self, base: Value, value: Value, window: Window | None, index: Sequence[Value] = ()
    ) -> Store:
        """`base[window] = value`."""
        return self._write(Store([base, value, *index], [], window), base)

    def accumulate(
        self,
        base: Value,
        value: Value,
        window: Window | None,
        index: Sequence[Value] = (),
        sign: str = "+",
        scattered: bool = False,
    ) -> Store:
        """`base[window] += value`."""
        op = Accumulate([base, value, *index], [], window)
        op.sign, op.scattered = sign, scattered
        return self._write(op, base)

    def _write(self, op: Store, base: Value) -> Store:
        if base.memory is None:
            raise NotYet("a store into what is no memory")
        base.memory.find().written = True
        if isinstance(op.value.kind, Array) and not self.reverse:
            kind = base.kind
            if op.window is not None:
                kind = self.part(base, op.window, op.index)
            op.raises = not covers(kind, op.value.kind)
        self.add(op)
        return op

    def listing(self, items: Sequence[Value], kind: Kind) -> Value:
        """A list that is memory, of these items."""
        holes = [hole(k) for k in range(len(items))]
        form = gast.List(elts=holes, ctx=gast.Load())
        value = self.apply(LISTING, Application((form,)), form, items, Sequence_(kind))
        for item in items:
            self.hold(value, item)
        return value

    def hold(self, container: Value, item: Value) -> None:
        """A list holds an item: if that is memory, it is some of what the list's region holds."""
        assert container.memory is not None
        if item.memory is not None:
            container.memory.content.unite(item.memory)
            item.memory.find().held = True

    def append(self, base: Value, item: Value) -> None:
        """`base.append(item)`."""
        assert base.memory is not None
        assert isinstance(base.kind, Sequence_)
        base.memory.find().written = True
        base.kind = Sequence_(item_kind(base.kind, item.kind))
        self.hold(base, item)
        self.add(Append([base, item], []))

    def take(self, base: Value) -> Value:
        """`base.pop()`."""
        assert base.memory is not None
        assert isinstance(base.kind, Sequence_)
        base.memory.find().written = True
        value = self.held_value(base)
        op = Take([base], [value])
        op.raises = True
        self.add(op)
        return value

    def held_value(self, base: Value) -> Value:
        """A value for an item of a list."""
        assert base.memory is not None
        assert isinstance(base.kind, Sequence_)
        value = born("", forget_values(base.kind.item))
        if value.memory is not None:
            value.memory = base.memory.content
        return value

    def part(self, base: Value, window: Window, index: Sequence[Value]) -> Kind:
        """The kind of a window of an array."""
        kind = base.kind
        if isinstance(kind, Scalar):
            kind = Array(None if kind.dtype == "?" else kind.dtype, ())
        if not isinstance(kind, Array):
            return Numeric() if isinstance(kind, Numeric) else UNKNOWN
        kinds = {value.token: value.kind for value in index}
        return indexing(
            kind, index_node(window, [placeholder(value) for value in index]), _of(kinds)
        )

    def is_basic(self, window: Window, index: Sequence[Value]) -> bool | None:
        """Whether a window is a view or an element; None where nobody knows."""
        kinds = {value.token: value.kind for value in index}
        return is_basic(index_node(window, [placeholder(value) for value in index]), _of(kinds))


def _of(kinds: dict[str, Kind]) -> Any:
    from autodiff.primitives.asked import Asked  # noqa: PLC0415

    return Asked(kinds).of


def index_node(window: Window, operands: Sequence[gast.expr]) -> gast.expr:
    """What stands in brackets."""

    def limit(part: object) -> gast.expr | None:
        if isinstance(part, At):
            return operands[part.number]
        return None if part is None else written(part)

    parts: list[gast.expr] = []
    for part in window.parts:
        if isinstance(part, Span):
            parts.append(
                gast.Slice(lower=limit(part.low), upper=limit(part.high), step=limit(part.step))
            )
        elif part is None or part is Ellipsis:
            parts.append(gast.Constant(value=part, kind=None))
        else:
            found = limit(part)
            assert found is not None
            parts.append(found)
    if window.several or len(parts) != 1:
        return gast.Tuple(elts=parts, ctx=gast.Load())
    return parts[0]


def item_kind(whole: Kind, item: Kind) -> Kind:
    """The kind of all items of a list that gets one more."""
    assert isinstance(whole, Sequence_)
    own = forget_values(item)
    return own if whole.item == UNKNOWN else either(whole.item, own)


def born(hint: str, kind: Kind, named: bool = False) -> Value:
    """A new value; an integer of which no more is known is named after itself, for sizes that
    follow from it.
    """
    value = Value(hint, kind, named=named)
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is None:
        value.kind = Scalar("int", kind.dtype, Dim(f"{value.token}{INTEGER}"))
    return value


def _root(path: list[str], function: Any) -> Any:
    if len(path) == 1:
        return function
    import importlib  # noqa: PLC0415

    return importlib.import_module({"np": "numpy"}.get(path[0], path[0]))
