"""Kinds that NumPy need not be asked about: comparisons, lengths, shapes, lists, dict methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.kinds.adjoints import ADJOINTS
from autodiff.kinds.created import CREATED
from autodiff.kinds.crossed import PRODUCTS, cross
from autodiff.kinds.drawn import DRAWING
from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.indexing import indexing
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    is_inexact,
    number,
)
from autodiff.kinds.lengths import product
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.size import Dim, is_plural
from autodiff.runtime import (
    edges_adjoint,
    kron_left,
    kron_right,
    pad_adjoint,
    repeat_adjoint,
    scatter_along,
    scatter_diagonal,
    scatter_flat,
    tile_adjoint,
    unsorted,
    windows_adjoint,
)

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


ARRAY_ATTRIBUTES: dict[str, Callable[[Array], Kind]] = {
    "shape": lambda a: Record(
        tuple, tuple(range(len(a.shape))), tuple(Scalar("int", None, size) for size in a.shape)
    ),
    "ndim": lambda a: Scalar("int", None, len(a.shape)),
    "size": lambda a: Scalar("int", None, a.shape[0] if len(a.shape) == 1 else None),
    "dtype": lambda a: UNKNOWN if a.dtype is None else Static(np.dtype(a.dtype)),
}


def _listed(kinds: Kinds, operation: Operation) -> Kind:
    """`list(xs)` and `tuple(xs)`."""
    cls = operation.function
    if not operation.arguments:
        return Record(cls, (), ())
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, Record) and kind.cls in (tuple, list):
        return Record(cls, kind.keys, kind.items)
    if isinstance(kind, Array) and kind.shape:
        return Sequence(indexing(kind, gast.Constant(value=0, kind=None), kinds.of), cls)
    return Sequence(kind.item if isinstance(kind, Sequence) else UNKNOWN, cls)


def _span(kinds: Kinds, operation: Operation) -> Kind:
    bounds = [kinds.of(part) for part in operation.arguments]
    fixed = [isinstance(b, Static) and b.value is None for b in bounds]
    values = [b.value if isinstance(b, (Static, Scalar)) else ... for b in bounds]
    if all(none or type(v) is int for none, v in zip(fixed, values)):
        return Static(slice(*values))
    if all(known or isinstance(b, Scalar) for known, b in zip(fixed, bounds)):
        return Span()
    return UNKNOWN


def _length(kinds: Kinds, operation: Operation) -> Kind:
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, Array) and kind.shape:
        return Scalar("int", None, kind.shape[0])
    if isinstance(kind, Record) and kind.indexed:
        return Scalar("int", None, len(kind.items))
    return number("int")


def _shape(kinds: Kinds, operation: Operation) -> Kind:
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, Scalar):
        return Record(tuple, (), ())
    return ARRAY_ATTRIBUTES["shape"](kind) if isinstance(kind, Array) else UNKNOWN


def _reshape(kinds: Kinds, operation: Operation) -> Kind:
    keywords = dict(operation.keywords)
    named = [keywords[k] for k in ("shape", "newshape") if k in keywords]
    given = [*operation.arguments[1:2], *named]
    kind = kinds.of(operation.arguments[0])
    if not given:
        return UNKNOWN
    shape = kinds.of(given[0])
    parts = shape.items if isinstance(shape, Record) else (shape,)
    if not isinstance(kind, (Array, Scalar)) or not all(isinstance(p, Scalar) for p in parts):
        return UNKNOWN
    dtype = kind.dtype if isinstance(kind, Array) else _dtype_of(kind)
    sizes = [p.value for p in parts if isinstance(p, Scalar)]
    known = tuple(s if isinstance(s, Dim) or type(s) is int and s >= 0 else None for s in sizes)
    if known.count(None) == 1 and sizes[known.index(None)] == -1 and isinstance(kind, Array):
        known = _rest(known, kind.shape)
    return Array(dtype, known)


def _broadcast_to(kinds: Kinds, operation: Operation) -> Kind:
    """Two exemplars of unknown sizes would not fit together; the shape says it."""
    if len(operation.arguments) != 2 or operation.keywords:
        return UNKNOWN
    kind, shape = (kinds.of(argument) for argument in operation.arguments)
    if not isinstance(kind, (Array, Scalar)) or not isinstance(shape, Record):
        return UNKNOWN
    sizes = [part.value if isinstance(part, Scalar) else None for part in shape.items]
    known = tuple(s if isinstance(s, Dim) or type(s) is int else None for s in sizes)
    return Array(_dtype_of(kind) if isinstance(kind, Scalar) else kind.dtype, known)


def _rest(known: tuple[Any, ...], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """The size that -1 stands for, where one size alone is left on both sides."""
    left = list(shape)
    for size in known:
        if size is not None and size in left:
            left.remove(size)
        elif size is not None and size != 1:
            return known
    left = [size for size in left if size != 1 or size is None]
    missing = left[0] if len(left) == 1 else 1 if not left else product(left)
    return tuple(missing if size is None else size for size in known)


def _dtype_of(kind: Scalar) -> str | None:
    if kind.dtype is not None:
        return None if kind.dtype == "?" else kind.dtype
    return {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}[kind.type]


def _range(kinds: Kinds, operation: Operation) -> Kind:
    return Sequence(Scalar("int"), list)


def _arange(kinds: Kinds, operation: Operation) -> Kind:
    """The length of `np.arange` depends on values: exemplars, all alike, would make it 0."""
    arguments = [kinds.of(argument) for argument in operation.arguments]
    keywords = [(key, kinds.of(value)) for key, value in operation.keywords]
    kind = result_kind(operation.function, tuple(arguments), tuple(keywords))
    known = all(isinstance(k, Scalar) and k.value is not None for k in arguments)
    known = known and set(dict(keywords)) <= {"dtype"}
    return Array(kind.dtype, (None,)) if isinstance(kind, Array) and not known else kind


def _take(kinds: Kinds, operation: Operation) -> Kind:
    """`np.take` by indices that exemplars would have out of range."""
    own = [kinds.of(argument) for argument in operation.arguments]
    keywords = {key: kinds.of(value) for key, value in operation.keywords}
    whole = library_kind(operation.function, False, own, list(keywords.items()))
    axis = own[2] if len(own) > 2 else keywords.get("axis", Static(None))
    vague = isinstance(whole, Array) and None in whole.shape
    if whole != UNKNOWN and not vague or len(own) not in (2, 3) or set(keywords) - {"axis", "mode"}:
        return whole
    array, indices = own[:2]
    if not isinstance(array, Array) or not isinstance(indices, Array) or array.dtype is None:
        return Numeric()
    shape, taken = array.shape, indices.shape
    if axis == Static(None) or len(shape) == 1:
        return Array(array.dtype, taken)
    if not isinstance(axis, Scalar) or type(axis.value) is not int:
        return Numeric()
    at = axis.value % len(shape)
    return Array(array.dtype, (*shape[:at], *taken, *shape[at + 1 :]))


def _take_along(kinds: Kinds, operation: Operation) -> Kind:
    """`np.take_along_axis`: as many elements as indices, which do not broadcast if plural."""
    own = [kinds.of(argument) for argument in operation.arguments[:2]]
    if len(own) < 2:
        return UNKNOWN
    arr, indices = own
    if not isinstance(arr, Array) or not isinstance(indices, Array) or arr.dtype is None:
        return Numeric()
    if len(arr.shape) != len(indices.shape) or not all(map(is_plural, indices.shape)):
        return Numeric()
    return Array(arr.dtype, indices.shape)


def _shaped_like(position: int, count: int = 2) -> Callable[[Kinds, Operation], Kind]:
    """Helpers whose result has the shape of an operand.

    It has the dtype of the first operands if those, `count` of them, have the same.
    """

    def transfer(kinds: Kinds, operation: Operation) -> Kind:
        named = [value for key, value in operation.keywords if key == "like"]
        own = [kinds.of(argument) for argument in [*operation.arguments, *named][:count]]
        if len(own) <= position:
            return UNKNOWN
        like = own[position]
        if not all(isinstance(kind, Array) and is_inexact(kind) for kind in own):
            return Numeric()
        assert isinstance(like, Array)
        alike = all(isinstance(kind, Array) and kind.dtype == like.dtype for kind in own)
        return like if alike and like.dtype is not None else Numeric()

    return transfer


def _always(fixed: Kind) -> Callable[[Kinds, Operation], Kind]:
    """`int(n)` is an integer, and `isinstance(x, cls)` a truth value, whatever the operands are."""

    def transfer(kinds: Kinds, operation: Operation) -> Kind:
        given = [kinds.of(argument) for argument in operation.arguments]
        found = UNKNOWN if UNKNOWN in given else kinds.result(operation, given, [])
        return fixed if found == UNKNOWN else found

    return transfer


SPECIAL: dict[Any, Callable[[Kinds, Operation], Kind]] = {
    list: _listed,
    tuple: _listed,
    **ADJOINTS,
    **CREATED,
    **DRAWING,
    len: _length,
    int: _always(Scalar("int")),
    **dict.fromkeys((isinstance, issubclass, hasattr, callable), _always(Scalar("bool"))),
    slice: _span,
    np.shape: _shape,
    np.reshape: _reshape,
    np.broadcast_to: _broadcast_to,
    np.arange: _arange,
    np.take: _take,
    np.take_along_axis: _take_along,
    **dict.fromkeys(PRODUCTS, cross),
    range: _range,
    **dict.fromkeys((scatter_flat, scatter_along, scatter_diagonal, tile_adjoint), _shaped_like(1)),
    **dict.fromkeys((repeat_adjoint, windows_adjoint, pad_adjoint, edges_adjoint), _shaped_like(1)),
    unsorted: _shaped_like(0, 1),
    kron_left: _shaped_like(1, 3),
    kron_right: _shaped_like(2, 3),
}
