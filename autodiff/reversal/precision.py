"""An adjoint is of the type of its value: of its precision, and real where it is real.

    y = a.astype(np.float32) * z         z_bar += a.astype(np.float32) * y_bar
    return y.real                        a_bar = np.real(y_bar * np.conj(z)).astype(a.dtype)

In between, an adjoint may be wider than its value: sums in double precision do no harm. It is
brought to the real line where it is added; to its precision in memory of our own, and where it is
given out. Where kinds do not tell, helpers decide at run time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar, is_complex, is_inexact, is_real
from autodiff.core.function import Function
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply, If, Loop
from autodiff.core.value import Value, constant
from autodiff.primitives.builder import Builder
from autodiff.runtime import adjoint_of, unbroadcast

_DOUBLE = (None, "float64", "complex128", "int64", "bool")


class Precision:
    """What types of numbers a function handles. complex: some may be complex; mixed: some may be
    neither doubles nor whole numbers, so that sums may be of another type than their value.
    """

    def __init__(self, function: Function) -> None:
        kinds = [value.kind for value in defined(function) if not is_derived(value)]
        self.complex = any(map(is_complex, kinds)) or not all(map(is_known, kinds))
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
        for op in block.operations:
            yield from op.results
            yield from (value for value in op.operands if value.is_constant)


def is_derived(value: Value) -> bool:
    """Whether the type of a number is not known, but is that of others in the function."""
    if not isinstance(value.kind, Scalar) or value.kind.dtype != "?":
        return False
    if value.op is None:
        return value.block is not None and value.block.parent is not None
    if isinstance(value.op, Apply):
        given = [each.kind for each in value.op.operands]
        return bool(given) and all(isinstance(kind, (Array, Scalar)) for kind in given)
    return isinstance(value.op, (Loop, If))


def is_known(kind: Kind) -> bool:
    """Whether it is known what numbers a value holds, if any."""
    if isinstance(kind, Array):
        return kind.dtype is not None
    return True


def is_double(kind: Kind) -> bool:
    """Whether sums of such numbers are doubles."""
    return not isinstance(kind, (Array, Scalar)) or kind.dtype in _DOUBLE or not is_inexact(kind)
