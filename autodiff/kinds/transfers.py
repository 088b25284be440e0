"""Kinds that NumPy need not be asked about: comparisons, lengths, shapes, lists, dict methods."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.frontend.writers import vectorized
from autodiff.kinds.adjoints import ADJOINTS
from autodiff.kinds.created import CREATED
from autodiff.kinds.crossed import PRODUCTS, cross
from autodiff.kinds.drawn import DRAWING, drawn
from autodiff.kinds.exemplar import elementwise_kind, result_kind
from autodiff.kinds.iterators import ITERATORS, listed
from autodiff.kinds.joins import as_sequence, join
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Bound,
    Drawing,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    Text,
    any_key,
    forget_values,
    is_empty,
    is_empty_key,
    is_inexact,
    key_kind,
    number,
)
from autodiff.kinds.lengths import product
from autodiff.kinds.objects import Parts, with_fields
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.size import Dim, is_plural
from autodiff.runtime import (
    copied,
    edges_adjoint,
    fitted,
    kron_left,
    kron_right,
    pad_adjoint,
    repeat_adjoint,
    scatter_along,
    scatter_diagonal,
    scatter_flat,
    snapshot,
    tile_adjoint,
    unsorted,
    windows_adjoint,
)

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def condition(kinds: Kinds, node: gast.Compare) -> Kind:
    """Comparisons of numbers are bools; of arrays, arrays of bools."""
    parts = [kinds.known(node.left), *map(kinds.known, node.comparators)]
    if len(parts) == 2 and any(isinstance(part, Array) for part in parts):
        if isinstance(node.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)):
            return elementwise_kind(operator.lt, tuple(parts))
        return number("bool")
    if all(isinstance(part, Scalar) for part in parts):
        return number("bool", "?" if any(p.dtype for p in parts if isinstance(p, Scalar)) else None)
    return number("bool") if len(parts) == 2 and _identity(node) else UNKNOWN


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


def _span(kinds: Kinds, operation: Operation) -> Kind | None:
    bounds = [kinds.of(part) for part in operation.arguments]
    if None in bounds:
        return None
    fixed = [isinstance(b, Static) and b.value is None for b in bounds]
    values = [b.value if isinstance(b, (Static, Scalar)) else ... for b in bounds]
    if all(none or type(v) is int for none, v in zip(fixed, values)):
        return Static(slice(*values))
    if all(known or isinstance(b, Scalar) for known, b in zip(fixed, bounds)):
        return Span()
    return UNKNOWN


def _length(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if kind is None:
        return None
    if isinstance(kind, Array) and kind.shape:
        return Scalar("int", None, kind.shape[0])
    if isinstance(kind, Parts) and issubclass(kind.cls, (tuple, list)):
        return Scalar("int", None, len(kinds.scope.objects[kind.owner].fields))
    if isinstance(kind, Record) and kind.indexed:
        return Scalar("int", None, len(kind.items))
    return number("int")


def _same(kinds: Kinds, operation: Operation) -> Kind | None:
    return kinds.of(operation.arguments[0])


def _shape(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, Scalar):
        return Record(tuple, (), ())
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


def _broadcast_to(kinds: Kinds, operation: Operation) -> Kind | None:
    """Two exemplars of unknown sizes would not fit together; the shape says it."""
    if len(operation.arguments) != 2 or operation.keywords:
        return UNKNOWN
    kind, shape = (kinds.of(argument) for argument in operation.arguments)
    if kind is None or shape is None:
        return None
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


def _partial(kinds: Kinds, operation: Operation) -> Kind | None:
    function = kinds.known(operation.arguments[0])
    return Bound(function, operation.arguments[1:], operation.keywords)


def _vectorize(kinds: Kinds, operation: Operation) -> Kind | None:
    """`np.vectorize(f)` computes what its plain equivalent does with `f`."""
    if len(operation.arguments) != 1 or operation.keywords:
        return UNKNOWN
    return Bound(Static(vectorized), operation.arguments)


def _range(kinds: Kinds, operation: Operation) -> Kind | None:
    return Sequence(Scalar("int"), list)


def _arange(kinds: Kinds, operation: Operation) -> Kind | None:
    """The length of `np.arange` depends on values: exemplars, all alike, would make it 0."""
    arguments = [kinds.of(argument) for argument in operation.arguments]
    keywords = [(key, kinds.of(value)) for key, value in operation.keywords]
    if None in arguments or None in dict(keywords).values():
        return None
    kind = result_kind(operation.function, tuple(arguments), tuple(keywords))
    known = all(isinstance(k, Scalar) and k.value is not None for k in arguments)
    known = known and set(dict(keywords)) <= {"dtype"}
    return Array(kind.dtype, (None,)) if isinstance(kind, Array) and not known else kind


_OF_TEXT: dict[str, Kind] = {
    **dict.fromkeys(("split", "rsplit", "splitlines"), Sequence(Text(), list)),
    **dict.fromkeys(("partition", "rpartition"), Record(tuple, (0, 1, 2), (Text(),) * 3)),
    **dict.fromkeys("lower upper strip lstrip rstrip title replace join format".split(), Text()),
}
"""What methods of strings return."""


def structural_method(kinds: Kinds, node: gast.Call) -> Kind | None:
    """Methods of lists and dicts that give parts, or copies of themselves; those of strings."""
    base = kinds.of(node.func.value)
    method = node.func.attr
    if isinstance(base, Drawing):
        return drawn(kinds, base, node)
    if isinstance(base, Text) or isinstance(base, Static) and isinstance(base.value, str):
        return _OF_TEXT.get(method)
    if isinstance(base, (Sequence, Mapping)):
        return _given(kinds, base, node) if base.cls is not tuple else None
    if isinstance(base, Record) and is_empty(base) and method in ("get", "pop", "setdefault"):
        return kinds.of(node.args[1]) if len(node.args) == 2 else None  # nothing is in it yet
    if isinstance(base, Record) and method == "_replace":
        return with_fields(kinds, base, node)
    if not isinstance(base, Record) or base.cls is not dict or node.args:
        return None
    if method == "items":
        pairs = tuple(
            Record(tuple, (0, 1), (key_kind(key), item))
            for key, item in zip(base.keys, base.items)
        )
        return Record(list, tuple(range(len(pairs))), pairs)
    if method == "values":
        return Record(list, tuple(range(len(base.items))), base.items)
    if method == "keys":
        keys = tuple(map(key_kind, base.keys))
        return Record(list, tuple(range(len(keys))), keys)
    return None


def _given(kinds: Kinds, base: Sequence | Mapping, node: gast.Call) -> Kind | None:
    """What a method of a list or dict returns of which the items are known, but not how many."""
    method = node.func.attr
    if method == "copy":
        return base
    if isinstance(base, Sequence):
        return base.item if method == "pop" else None
    if method in ("keys", "items", "popitem") and is_empty_key(base.key):
        return None
    if method in ("keys", "values"):
        return Sequence(base.key if method == "keys" else base.item)
    if method in ("items", "popitem"):
        pair = Record(tuple, (0, 1), (base.key, base.item))
        return pair if method == "popitem" else Sequence(pair)
    if method not in ("pop", "get", "setdefault"):
        return None
    if len(node.args) < 2:
        return base.item if method == "pop" else join(base.item, Static(None))
    other = kinds.of(node.args[1])
    return None if other is None else join(base.item, other)


def _table(kinds: Kinds, operation: Operation) -> Kind | None:
    """`dict(d)`; `defaultdict(list)`."""
    if not operation.arguments:
        return UNKNOWN if operation.keywords else Record(dict, (), ())
    kind = kinds.of(operation.arguments[0])
    if operation.keywords or len(operation.arguments) > 1:
        return UNKNOWN
    if isinstance(kind, Mapping) or isinstance(kind, Record) and kind.cls is dict:
        return Mapping(kind.item, kind.key) if isinstance(kind, Mapping) else kind
    return None if kind is None else UNKNOWN


def _from_keys(kinds: Kinds, operation: Operation) -> Kind | None:
    """`dict.fromkeys(keys, value)`."""
    given = [kinds.of(argument) for argument in operation.arguments]
    if operation.keywords or any(kind is None for kind in given):
        return UNKNOWN if operation.keywords else None
    items = listed(list)(kinds, Operation(list, operation.arguments[:1]))
    keys = UNKNOWN if items is None else as_sequence(items)
    value = given[1] if len(given) > 1 else Static(None)
    key = keys.item if isinstance(keys, Sequence) else UNKNOWN
    return Mapping(forget_values(value or UNKNOWN), any_key(key))


def _take(kinds: Kinds, operation: Operation) -> Kind | None:
    """`np.take` by indices that exemplars would have out of range."""
    if None in map(kinds.of, [*operation.arguments, *(v for _, v in operation.keywords)]):
        return None
    own = [kinds.known(argument) for argument in operation.arguments]
    keywords = {key: kinds.known(value) for key, value in operation.keywords}
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


def _take_along(kinds: Kinds, operation: Operation) -> Kind | None:
    """`np.take_along_axis`: as many elements as indices, which do not broadcast if plural."""
    own = [kinds.of(argument) for argument in operation.arguments[:2]]
    if None in own or len(own) < 2:
        return None if None in own else UNKNOWN
    arr, indices = own
    if not isinstance(arr, Array) or not isinstance(indices, Array) or arr.dtype is None:
        return Numeric()
    if len(arr.shape) != len(indices.shape) or not all(map(is_plural, indices.shape)):
        return Numeric()
    return Array(arr.dtype, indices.shape)


def _shaped_like(position: int, count: int = 2) -> Callable[[Kinds, Operation], Kind | None]:
    """Helpers whose result has the shape of an operand.

    It has the dtype of the first operands if those, `count` of them, have the same.
    """

    def transfer(kinds: Kinds, operation: Operation) -> Kind | None:
        named = [value for key, value in operation.keywords if key == "like"]
        own = [kinds.of(argument) for argument in [*operation.arguments, *named][:count]]
        if None in own or len(own) <= position:
            return None
        like = own[position]
        if not all(isinstance(kind, Array) and is_inexact(kind) for kind in own):
            return Numeric()
        assert isinstance(like, Array)
        alike = all(isinstance(kind, Array) and kind.dtype == like.dtype for kind in own)
        return like if alike and like.dtype is not None else Numeric()

    return transfer


def _fitted(kinds: Kinds, operation: Operation) -> Kind | None:
    """What a custom derivative gives is checked, and has the form of its second argument."""
    like = kinds.of(operation.arguments[1])
    return UNKNOWN if like is not None and not is_inexact(like) else like and forget_values(like)


def _always(fixed: Kind) -> Callable[[Kinds, Operation], Kind | None]:
    """`int(n)` is an integer, and `isinstance(x, cls)` a truth value, whatever the operands are."""

    def transfer(kinds: Kinds, operation: Operation) -> Kind | None:
        given = [kinds.of(argument) for argument in operation.arguments]
        if None in given:
            return None
        known = [kind for kind in given if kind is not None]
        found = UNKNOWN if UNKNOWN in known else kinds.result(operation, known, [])
        return fixed if found == UNKNOWN else found

    return transfer


SPECIAL: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    **ITERATORS,
    **ADJOINTS, **CREATED, **DRAWING,
    len: _length,
    int: _always(Scalar("int")),
    **dict.fromkeys((isinstance, issubclass, hasattr, callable), _always(Scalar("bool"))),
    slice: _span,
    snapshot: _same,
    copied: _same,
    fitted: _fitted,
    np.shape: _shape,
    np.reshape: _reshape,
    np.broadcast_to: _broadcast_to,
    np.arange: _arange,
    np.take: _take,
    np.take_along_axis: _take_along,
    **dict.fromkeys(PRODUCTS, cross),
    range: _range,
    functools.partial: _partial,
    np.vectorize: _vectorize,
    dict: _table,
    dict.fromkeys: _from_keys,
    **dict.fromkeys((scatter_flat, scatter_along, scatter_diagonal, tile_adjoint), _shaped_like(1)),
    **dict.fromkeys((repeat_adjoint, windows_adjoint, pad_adjoint, edges_adjoint), _shaped_like(1)),
    unsorted: _shaped_like(0, 1),
    kron_left: _shaped_like(1, 3),
    kron_right: _shaped_like(2, 3),
}
