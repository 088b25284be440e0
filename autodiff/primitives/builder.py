"""The builder: appends operations to a block; kind, region, origin are born with a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from autodiff.core import WHOLE, Accumulate, At, Load, Named, NotYet, Span, Store, View, Window
from autodiff.core.value import Block, Value
from autodiff.kinds.indexing import indexing, is_basic
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Numeric, Record, Scalar
from autodiff.kinds.kind import Sequence as Sequence_
from autodiff.kinds.known import Kinds
from autodiff.primitives.applying import born
from autodiff.primitives.call_effects import covers
from autodiff.primitives.containing import Containing, is_container, key_of
from autodiff.primitives.primitive import placeholder, written


class Builder(Containing):
    """Appends operations to a block."""

    def inside(self, block: Block) -> Builder:
        """A builder for a nested block."""
        found = Builder(block, self.references, self.origin, self.reverse)
        found.source, found.contexts, found.at = self.source, self.contexts, self.at
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
        if window is not None and is_container(base.kind):
            value = self.held_value(base, key_of(base.kind, window))
        else:
            kind = base.kind if window is None else self.part(base, window, index)
            value = born(hint, kind)
            if isinstance(kind, Sequence_) and value.memory is not None and base.memory is not None:
                value.memory.content.unite(base.memory.content)
        op = Load([base, *index], [value], window)
        op.raises = window is not None
        self.add(op)
        return value

    def version(self, base: Value, hint: str = "", named: bool = False) -> Value:
        """What memory holds now, as memory of its own, which others may change."""
        value = Value(hint, base.kind, named=named)
        op = Load([base], [value])
        op.owned = True
        self.add(op)
        return value

    def _again(self, base: Value) -> Value | None:
        """The same load, made before in this block with nothing between that writes; until lowering
        ends nobody knows which regions are one. What was looked through is remembered.
        """
        operations, key = self.block.operations, (base, self.reverse)
        reached = set(base.region.reached()) if base.region is not None else set()
        found, after, last = self.loads.get(key, (None, -1, None))
        if found is not None and (after >= len(operations) or operations[after] is not last):
            found, after = None, -1
        quiet = True
        for k in range(len(operations) - 1, after, -1):
            op = operations[k]
            if (
                isinstance(op, Load)
                and op.window is None
                and op.base is base
                and op.reverse == self.reverse
                and not op.owned
            ):
                found = op.result
                break
            if op is base.op or op.blocks or not self.reverse and isinstance(op, Store):
                return None
            written = {each.region.find() for each in op.effects() if each.what == "write"}
            if reached & written:
                return None
            quiet = quiet and not written
        if found is not None and quiet:
            self.loads[key] = found, len(operations) - 1, operations[-1]
        return found

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
        """`base[window] = value`; all of a window that has no name is that window."""
        if window == WHOLE and isinstance(base.op, View) and not base.named:
            return self.store(base.op.base, value, base.op.window, base.op.index)
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
        if scattered:  # it prints as `np.add.at`
            self.references.use("np", np)
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

    def part(self, base: Value, window: Window, index: Sequence[Value]) -> Kind:
        """The kind of a window of an array."""
        kind = base.kind
        if isinstance(kind, Scalar):
            kind = Array(None if kind.dtype == "?" else kind.dtype, ())
        if not isinstance(kind, Array):
            return Numeric() if isinstance(kind, Numeric) else UNKNOWN
        kinds = {value.token: as_index(value.kind) for value in index}
        return indexing(
            kind, index_node(window, [placeholder(value) for value in index]), _of(kinds)
        )

    def is_basic(self, window: Window, index: Sequence[Value]) -> bool | None:
        """Whether a window is a view or an element; None where nobody knows. A truth value is a
        mask without axes.
        """
        if any(isinstance(value.kind, Scalar) and value.kind.type == "bool" for value in index):
            return False
        kinds = {value.token: value.kind for value in index}
        return is_basic(index_node(window, [placeholder(value) for value in index]), _of(kinds))


def as_index(kind: Kind) -> Kind:
    """A list of numbers in brackets is an array."""
    if isinstance(kind, Record) and kind.cls is list and all(map(is_integer, kind.items)):
        return Array("int64", (len(kind.items),))
    return kind


def is_integer(kind: Kind) -> bool:
    """Whether a value is a whole number."""
    return isinstance(kind, Scalar) and kind.type == "int"


def _of(kinds: dict[str, Kind]) -> Any:
    return Kinds(kinds).of


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
        elif isinstance(part, Named):
            parts.append(gast.Constant(value=part.name, kind=None))
        elif part is None or part is Ellipsis:
            parts.append(gast.Constant(value=part, kind=None))
        else:
            found = limit(part)
            assert found is not None
            parts.append(found)
    if window.several or len(parts) != 1:
        return gast.Tuple(elts=parts, ctx=gast.Load())
    return parts[0]
