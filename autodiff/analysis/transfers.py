"""Kinds that NumPy need not be asked about: comparisons, lengths, shapes, lists, dict methods."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.exemplar import elementwise_kind
from autodiff.analysis.indexing import indexing
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Dim,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    as_sequence,
)
from autodiff.analysis.operation import Operation
from autodiff.runtime import sequence

if TYPE_CHECKING:
    from autodiff.analysis.known import Kinds


def condition(kinds: Kinds, node: gast.Compare) -> Kind:
    """Comparisons of numbers are bools; of arrays, arrays of bools."""
    parts = [kinds.known(node.left), *map(kinds.known, node.comparators)]
    if len(parts) == 2 and any(isinstance(part, Array) for part in parts):
        if isinstance(node.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)):
            return elementwise_kind(operator.lt, tuple(parts))
        return Scalar("bool")
    if all(isinstance(part, Scalar) for part in parts):
        return Scalar("bool", "?" if any(p.dtype for p in parts if isinstance(p, Scalar)) else None)
    return Scalar("bool") if len(parts) == 2 and _identity(node) else UNKNOWN


def _identity(node: Any) -> bool:
    return isinstance(node.ops[0], (gast.Is, gast.IsNot, gast.In, gast.NotIn))


ARRAY_ATTRIBUTES: dict[str, Callable[[Array], Kind]] = {
    "shape": lambda a: Record(
        tuple, tuple(range(len(a.shape))), tuple(Scalar("int", None, size) for size in a.shape)
    ),
    "ndim": lambda a: Scalar("int", None, len(a.shape)),
    "size": lambda a: Scalar("int", None, a.shape[0] if len(a.shape) == 1 else None),
    "dtype": lambda a: UNKNOWN if a.dtype is None else Static(np.dtype(a.dtype)),
}


def _length(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if kind is None:
        return None
    if isinstance(kind, Array) and kind.shape:
        return Scalar("int", None, kind.shape[0])
    if isinstance(kind, Record) and kind.indexed:
        return Scalar("int", None, len(kind.items))
    return Scalar("int")


def _sequence(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    is_iterator = isinstance(kind, Sequence) and not issubclass(kind.cls, (list, tuple))
    return Sequence(kind.item) if is_iterator and isinstance(kind, Sequence) else kind


def _zip(kinds: Kinds, operation: Operation) -> Kind | None:
    """`zip` of things whose items are known: an iterator over tuples."""
    listed = _listed(list)
    items = []
    for argument in operation.arguments:
        found = listed(kinds, Operation(list, (argument,)))
        found = as_sequence(found) if found is not None else None
        items.append(found.item if isinstance(found, Sequence) else UNKNOWN)
    return Sequence(Record(tuple, tuple(range(len(items))), tuple(items)), zip)


def _shape(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    return ARRAY_ATTRIBUTES["shape"](kind) if isinstance(kind, Array) else UNKNOWN


def _reshape(kinds: Kinds, operation: Operation) -> Kind | None:
    keywords = dict(operation.keywords)
    named = [keywords[k] for k in ("shape", "newshape") if k in keywords]
    given = [*operation.arguments[1:2], *named]
    kind = kinds.of(operation.arguments[0])
    if kind is None or not given:
        return None if kind is None else UNKNOWN
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


def _rest(known: tuple[Any, ...], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """The size that -1 stands for, where one size alone is left on both sides."""
    left = list(shape)
    for size in known:
        if size is not None and size in left:
            left.remove(size)
        elif size is not None and size != 1:
            return known
    left = [size for size in left if size != 1 or size is None]
    missing = left[0] if len(left) == 1 else 1 if not left else None
    return tuple(missing if size is None else size for size in known)


def _dtype_of(kind: Scalar) -> str | None:
    if kind.dtype is not None:
        return None if kind.dtype == "?" else kind.dtype
    return {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}[kind.type]


def _listed(cls: type) -> Callable[[Kinds, Operation], Kind | None]:
    def listed(kinds: Kinds, operation: Operation) -> Kind | None:
        if not operation.arguments:
            return Record(cls, (), ())
        kind = kinds.of(operation.arguments[0])
        if isinstance(kind, Record) and kind.cls in (tuple, list):
            return Record(cls, kind.keys, kind.items)
        if isinstance(kind, Sequence):
            return Sequence(kind.item, cls)
        if isinstance(kind, Array) and kind.shape:
            item = indexing(kind, gast.Constant(value=0, kind=None), kinds.of)
            return Sequence(item, cls)
        return None if kind is None else Sequence(UNKNOWN, cls)

    return listed


def _partial(kinds: Kinds, operation: Operation) -> Kind | None:
    function = kinds.known(operation.arguments[0])
    return Bound(function, operation.arguments[1:], operation.keywords)


def _range(kinds: Kinds, operation: Operation) -> Kind | None:
    return Sequence(Scalar("int"), list)


SPECIAL: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    len: _length,
    sequence: _sequence,
    zip: _zip,
    np.shape: _shape,
    np.reshape: _reshape,
    list: _listed(list),
    tuple: _listed(tuple),
    range: _range,
    functools.partial: _partial,
}


def structural_method(kinds: Kinds, node: gast.Call) -> Kind | None:
    """Methods of dicts that list their parts."""
    base = kinds.of(node.func.value)
    if not isinstance(base, Record) or base.cls is not dict or node.args:
        return None
    if node.func.attr == "items":
        pairs = tuple(
            Record(tuple, (0, 1), (_key_kind(key), item))
            for key, item in zip(base.keys, base.items)
        )
        return Record(list, tuple(range(len(pairs))), pairs)
    if node.func.attr == "values":
        return Record(list, tuple(range(len(base.items))), base.items)
    if node.func.attr == "keys":
        keys = tuple(map(_key_kind, base.keys))
        return Record(list, tuple(range(len(keys))), keys)
    return None


def _key_kind(key: Any) -> Kind:
    return Scalar("int", None, key) if type(key) is int else Static(key)
