"""The adjoints that are known while the reverse of one block is written.

An adjoint is of the type of its value: of its precision, and real where it is real.

    y = a.astype(np.float32) * z         z_bar += a.astype(np.float32) * y_bar
    return y.real                        a_bar = np.real(y_bar * np.conj(z)).astype(a.dtype)

In between, an adjoint may be wider than its value: sums in double precision do no harm. It is
brought to the real line where it is added; to its precision in memory of our own, and where it is
given out. Where kinds do not tell, helpers decide at run time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff.core import Apply, Block, Function, If, Loop, NotYet, Steps, Value, constant
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Array, Kind, Numeric, Scalar, is_complex, is_inexact, is_real
from autodiff.kinds.size import is_plural
from autodiff.primitives.builder import Builder
from autodiff.reversal.open_numbers import brings_complex, leaves
from autodiff.reversal.shadows import zeros
from autodiff.runtime import adjoint_of, unbroadcast


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

    def holder(self, value: Value) -> Scope:
        """The innermost scope that has an adjoint of a value of its own; else who defines it."""
        if value in self.bars or self.owner(value) is self or self.parent is None:
            return self
        return self.parent.holder(value)

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
            given, call = (
                ([value], "zeros_like") if g.constant == 0.0 else ([value, g], "full_like")
            )
            made = self.builder.call(
                f"np.{call}", getattr(np, call), *given, name_hint=own, kind=value.kind
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
        """The adjoint of an array as memory of our own, to add to in place, where the array is."""
        g = self.current(value)
        if g is None or g not in self.owned:
            if value.partial or g and self.mixed:
                whole = self.filled(value, constant(0.0) if g is None else g)
            else:
                whole = self.full(value, g)
            if whole is g:
                whole = self.builder.call(
                    ".copy", np.copy, whole, name_hint=f"{hint(value)}_bar", kind=whole.kind
                )
            self.bars[value] = g = whole
            self.owned.add(g)
        return g


_DOUBLE = (None, "float64", "complex128", "int64", "bool")


class Precision:
    """What types of numbers a function handles. complex: some may be complex; mixed: some may be
    neither doubles nor whole numbers, so that sums may be of another type than their value.
    """

    def __init__(self, function: Function) -> None:
        kinds = [value.kind for value in defined(function) if not is_derived(value)]
        if function.owned:
            kinds = [kind for kind in kinds if getattr(kind, "dtype", None) != "?"]
        parts = {part for kind in kinds for part in leaves(kind)}
        known = all(map(is_known, kinds)) and not any(map(is_complex, parts))
        self.complex = function.complex or not known or any(map(brings_complex, defined(function)))
        self.mixed = self.complex or not all(map(is_double, kinds))

    def is_open(self, value: Value, g: Value) -> bool:
        """Whether it is found at run time if an adjoint has to be brought to the real line."""
        known = is_real(g.kind) or is_complex(value.kind) or is_real(value.kind)
        return self.complex and not known and not g.is_constant

    def projected(self, builder: Builder, value: Value, g: Value) -> Value:
        """An adjoint on the real line if its value is there."""
        if not self.complex or is_real(g.kind) or is_complex(value.kind):
            return g
        if g.is_constant:
            return constant(complex(g.constant).real)
        if not is_real(value.kind):
            return builder.call("unbroadcast", unbroadcast, g, value, kind=value.kind)
        return builder.call("np.real", np.real, g)

    def given(self, builder: Builder, value: Value, g: Value) -> Value:
        """The adjoint of an argument as it is given out."""
        kind = value.kind
        if not self.mixed or made_like(g, value):
            return g
        if isinstance(kind, Scalar) and kind.dtype not in (None, "?"):
            cls = getattr(np, kind.dtype)
            return builder.call(f"np.{kind.dtype}", cls, g, kind=kind)
        if isinstance(kind, Scalar) and is_real(kind):
            return g if g.is_constant else builder.call("float", float, g, kind=kind)
        if isinstance(kind, Scalar):
            return g if g.is_constant else builder.call("complex", complex, g, kind=kind)
        return builder.call("adjoint_of", adjoint_of, g, value, kind=kind)


def made_like(g: Value, value: Value) -> bool:
    """Whether an adjoint is memory that was made in the form of its value."""
    while g.op is not None and not g.is_constant:
        function = getattr(getattr(g.op, "primitive", None), "function", None)
        if function in (np.zeros_like, np.full_like):
            return g.op.operands[0] is value
        if type(g.op).__name__ != "Load" or len(g.op.operands) > 1:
            return False
        g = g.op.operands[0]
    return False


def check_precision(function: Function) -> None:
    """Objects in arrays are no numbers of which we know anything."""
    for value in defined(function):
        kind = value.kind
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] not in "fciubl":
            raise NotYet(f"numbers of type {kind.dtype}")


def defined(function: Function) -> Iterator[Value]:
    """The values of a function, and the constants that it uses."""
    yield from function.body.parameters
    for block in function.body.blocks():
        yield from block.parameters
        yield from (value for value in block.results if value.is_constant)
        for op in block.operations:
            yield from op.results
            yield from (value for value in op.operands if value.is_constant)


def is_derived(value: Value) -> bool:
    """Whether the type of a number is not known, but is that of others in the function."""
    if not isinstance(value.kind, Scalar) or value.kind.dtype != "?":
        return False
    if value.op is None:
        return value.block.parent is not None
    if isinstance(value.op, Apply):
        given = [each.kind for each in value.op.operands]
        return bool(given) and all(isinstance(kind, (Array, Scalar)) for kind in given)
    return isinstance(value.op, (Loop, If, Steps))


def is_known(kind: Kind) -> bool:
    """Whether it is known what numbers a value holds, if any."""
    if isinstance(kind, Array):
        return kind.dtype is not None
    return True


def is_double(kind: Kind) -> bool:
    """Whether sums of such numbers are doubles."""
    return not isinstance(kind, (Array, Scalar)) or kind.dtype in _DOUBLE or not is_inexact(kind)
