"""The adjoints that are known while the reverse of one block is written."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.kind import Array, Kind, Numeric, Scalar, is_inexact
from autodiff.analysis.size import is_plural
from autodiff.core.operation import Block, Loop
from autodiff.core.value import Value, constant
from autodiff.emit.names import hint
from autodiff.primitives.builder import Builder
from autodiff.reversal.shadows import zeros
from autodiff.runtime import unbroadcast


def is_full(kind: Array, own: Kind) -> bool:
    """Whether an adjoint has all of its value's shape; else it stands for all along some axis."""
    if not isinstance(own, Array) or len(own.shape) != len(kind.shape) or own.dtype != kind.dtype:
        return False
    return all(
        size == whole and size is not None or is_plural(size)
        for size, whole in zip(own.shape, kind.shape)
    )


def bar_kind(value: Value) -> Kind:
    """The kind of the adjoint of what is carried or joined. That of a variable that holds nothing
    on some paths is a number where nothing was read of it.
    """
    loose = value.partial and isinstance(value.kind, Array)
    return Numeric() if loose else value.kind


class Scope:
    """Adjoints by value. What is defined further out is carried in by a loop, or added to in place.

    bars: the adjoint so far; that of an array may be a number that stands for all its elements.
    listed: contributions to what lists hold, which are added up item by item.
    parts: the adjoints of what gives several values, by place.
    owned: adjoints that are memory of our own. entered: what the loop takes in, with what it starts
    from. mixed: adjoints may be of another precision than their values.
    """

    def __init__(
        self,
        parent: Scope | None,
        forward: Block,
        builder: Builder,
        loop: Loop | None = None,
        mixed: bool = False,
    ) -> None:
        self.parent, self.forward, self.builder, self.loop = parent, forward, builder, loop
        self.mixed: bool = parent.mixed if parent is not None else mixed
        self.bars: dict[Value, Value] = {}
        self.listed: dict[Value, list[Value]] = {}
        self.owned: set[Value] = set()
        self.parts: dict[Value, dict[tuple[Any, ...], Value]] = {}
        self.entered: dict[Value, tuple[Value, Value]] = {}

    def owner(self, value: Value) -> Scope:
        """The scope of the block that defines a value."""
        if value.block is self.forward or self.parent is None:
            return self
        return self.parent.owner(value)

    def current(self, value: Value) -> Value | None:
        """The adjoint so far; a loop takes that of an outer number in as something it carries."""
        if value in self.bars or self.owner(value) is self:
            return self.bars.get(value)
        assert self.parent is not None
        outer = self.parent.current(value)
        if self.loop is not None:
            made = Value(f"{hint(value)}_bar", bar_kind(value), named=True)
            self.entered[value] = (self.parent.zero(value) if outer is None else outer, made)
            self.bars[value] = outer = made
        return outer

    def zero(self, value: Value) -> Value:
        """The zero adjoint of a value."""
        if isinstance(value.kind, Scalar):
            return constant(0j if value.kind.type == "complex" else 0.0)
        if value.partial:  # it may have no form
            return constant(0.0)
        return zeros(self.builder, value)

    def full(self, value: Value, g: Value | None) -> Value:
        """An adjoint with the shape of its value."""
        if g is None:
            return self.zero(value)
        if value.partial:
            return g
        if isinstance(value.kind, Array) and not is_full(value.kind, g.kind):
            return self.filled(value, g)
        return g

    def filled(self, value: Value, g: Value) -> Value:
        """An array in the form of a value, filled with its adjoint."""
        own = f"{hint(value)}_bar"
        if is_inexact(value.kind):
            made = self.builder.call(
                "np.full_like", np.full_like, value, g, name_hint=own, kind=value.kind
            )
        else:
            made = zeros(self.builder, value)
            self.builder.accumulate(made, g, None)
        self.owned.add(made)
        return made

    def passed(self, source: Value, value: Value, g: Value) -> Value:
        """The adjoint of what a loop carries or a branch joins, for the value it was. That of a
        variable that may hold nothing is a number where nothing was read of it.
        """
        if not source.partial or value.partial:
            return g
        if isinstance(value.kind, Array):
            return self.filled(value, g)
        if isinstance(value.kind, Numeric):
            return self.builder.call("unbroadcast", unbroadcast, g, value, kind=value.kind)
        return g

    def buffer(self, value: Value) -> Value:
        """The adjoint of an array as memory of our own, to add to in place."""
        g = self.bars.get(value)
        if g is None or g not in self.owned:
            whole = self.filled(value, g) if g and self.mixed else self.full(value, g)
            if whole is g:
                whole = self.builder.call(
                    ".copy", np.copy, whole, name_hint=f"{hint(value)}_bar", kind=whole.kind
                )
            self.bars[value] = g = whole
            self.owned.add(g)
        return g
