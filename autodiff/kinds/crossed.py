"""The kinds of cross products, whose rank depends on the size of an axis."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.kinds.exemplar import broadcast, result_kind
from autodiff.kinds.kind import Array, Kind, Scalar, Static
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.size import Size, at_least
from autodiff.rules.installed import newer

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds

PRODUCTS = (np.cross, newer.linalg.cross)
_NAMES = tuple(inspect.signature(np.cross).parameters)


def cross(kinds: Kinds, operation: Operation) -> Kind:
    """`np.cross`, `np.linalg.cross`: a vector that may have three components has three.

    Two vectors of two components, which exemplars stand for as well, have a number as product.
    """
    own = [kinds.of(argument) for argument in operation.arguments]
    named = [(key, kinds.of(value)) for key, value in operation.keywords]
    given: dict[str, Any] = dict(zip(_NAMES, own)) | dict(named)
    three = operation.function is not np.cross or all(
        isinstance(kind, Array) and kind.shape and at_least(_component(kind, given, name)[0]) > 2
        for kind, name in zip(own, ("axisa", "axisb"))
    )
    found = _of_three(own, given) if three and len(own) >= 2 else None
    return found or library_kind(operation.function, False, own, named)


def _of_three(own: list[Kind], given: dict[str, Any]) -> Kind | None:
    a, b = own[:2]
    if not isinstance(a, Array) or not isinstance(b, Array) or a.dtype is None or b.dtype is None:
        return None
    (size, at_a), (_, at_b) = _component(a, given, "axisa"), _component(b, given, "axisb")
    if at_a is None or at_b is None:
        return None
    shape = broadcast([_without(a.shape, at_a), _without(b.shape, at_b)])
    at = _axis(given, "axisc", len(shape) + 1)
    product = result_kind(np.multiply, (Array(a.dtype, (1,)), Array(b.dtype, (1,))))
    if at is None or not isinstance(product, Array):
        return None
    return Array(product.dtype, (*shape[:at], size, *shape[at:]))


def _component(kind: Array, given: dict[str, Any], name: str) -> tuple[Size, int | None]:
    """The size and the place of the axis of the components."""
    at = _axis(given, name, len(kind.shape))
    return (None, None) if at is None else (kind.shape[at], at)


def _axis(given: dict[str, Any], name: str, rank: int) -> int | None:
    axis = given.get("axis", Static(None))
    if axis == Static(None):
        axis = given.get(name, Scalar("int", None, -1))
    value = axis.value if isinstance(axis, Scalar) else None
    return value % rank if type(value) is int and -rank <= value < rank else None


def _without(shape: tuple[Size, ...], axis: int) -> tuple[Size, ...]:
    return (*shape[:axis], *shape[axis + 1 :])
