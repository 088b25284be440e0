"""Whether shapes are known to fit, so that nothing can be raised."""

from __future__ import annotations

from collections.abc import Sequence

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.core.value import Value
from autodiff.primitives.primitive import Primitive
from autodiff.primitives.table import DISPLAY, ITEM


def fits(primitive: Primitive, kind: Kind, operands: Sequence[Value]) -> bool:
    """Whether shapes are known to fit, so that nothing can be raised."""
    if primitive in (ITEM, DISPLAY):
        return True
    arrays = [value.kind for value in operands if isinstance(value.kind, Array)]
    if len(arrays) < 2:
        return all(
            isinstance(value.kind, (Array, Scalar)) or value.is_constant for value in operands
        )
    if not primitive.elementwise:
        return False
    if not isinstance(kind, Array):
        return False
    return all(
        size is not None and size in (1, whole)
        for own in arrays
        for size, whole in zip(reversed(own.shape), reversed(kind.shape))
    )


def covers(whole: Kind, part: Array) -> bool:
    """Whether an array surely has a shape that a target broadcasts to."""
    if not isinstance(whole, Array) or len(part.shape) > len(whole.shape):
        return False
    pairs = zip(reversed(part.shape), reversed(whole.shape))
    return all(size is not None and size in (1, own) for size, own in pairs)
