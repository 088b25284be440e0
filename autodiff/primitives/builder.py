"""The builder: appends operations to a block; kind, region, origin are born with a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from autodiff.analysis.indexing import indexing, is_basic
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Numeric, Scalar, forget_values
from autodiff.analysis.kind import Sequence as Sequence_
from autodiff.core.appends import Append, Take
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Accumulate, Block, Load, Store, View
from autodiff.core.value import Value
from autodiff.core.window import At, Span, Window
from autodiff.primitives.applying import Applying, born
from autodiff.primitives.either import either
from autodiff.primitives.fitting import covers
from autodiff.primitives.form import hole, placeholder, written
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import LISTING


class Builder(Applying):
    """Appends operations to a block."""

    def inside(self, block: Block) -> Builder:
        """A builder for a nested block."""
        found = Builder(block, self.references, self.origin, self.reverse)
        found.source, found.contexts = self.source, self.contexts
        return found

    # Primitives --------------------------------------------------------------------------------

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
        op.raises = window.is_place
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
        if not (isinstance(op.value.kind, Scalar) or op.value.is_constant or self.reverse):
            kind = base.kind
            if op.window is not None:
                kind = self.part(base, op.window, op.index)
            own = op.value.kind
            op.fits = isinstance(own, Array) and covers(kind, own)
        if not self.reverse:
            op.raises = not op.fits or op.window is not None and op.window.is_place
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
