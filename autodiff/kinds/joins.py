"""The least kind that covers two: of a name with two definitions, of the items of a list."""

from __future__ import annotations

from functools import reduce

import gast

from autodiff.kinds.kind import (
    RANK,
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Nullable,
    Numeric,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    Unknown,
    any_key,
    classes_of,
    is_empty,
    is_text,
    key_kind,
    makes_numbers,
    maybe,
    number,
)


def join(left: Kind, right: Kind) -> Kind:
    """The least kind that covers both."""
    if left == right:
        return left
    if _is_nullable(left) or _is_nullable(right):
        return _joined_nullables(left, right)
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        wider = left if RANK[left.type] >= RANK[right.type] else right
        if left.dtype == right.dtype:
            dtype = left.dtype
        elif RANK[left.type] != RANK[right.type] and wider.dtype is None:
            dtype = None
        else:
            dtype = "?"
        same = _equal_values(left, right)
        return Scalar(wider.type, dtype, left.value) if same else number(wider.type, dtype)
    if isinstance(left, Array) and isinstance(right, Array) and len(left.shape) == len(right.shape):
        shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape))
        return Array(left.dtype if left.dtype == right.dtype else None, shape)
    if isinstance(left, Record) and isinstance(right, Record) and left.cls is right.cls:
        if left.keys == right.keys:
            items = tuple(join(a, b) for a, b in zip(left.items, right.items))
            return Record(left.cls, left.keys, items)
        if left.cls in (list, tuple):
            return join(as_sequence(left), as_sequence(right))
        if left.cls is dict:
            return _joined_mappings(as_mapping(left), as_mapping(right))
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        a, b = as_sequence(left), as_sequence(right)
        if isinstance(a, Sequence) and isinstance(b, Sequence) and a.cls is b.cls:
            if isinstance(a.item, Unknown) and is_empty(left):
                return b
            if isinstance(b.item, Unknown) and is_empty(right):
                return a
            return Sequence(join(a.item, b.item), a.cls)
    if isinstance(left, Mapping) or isinstance(right, Mapping):
        return _joined_mappings(left, right)
    if is_text(left) and is_text(right):
        return Text()
    options = _functions(left), _functions(right)
    if all(options):
        found = list(options[0])
        found.extend(option for option in options[1] if option not in found)
        return OneOf(tuple(found)) if len(found) <= 8 else UNKNOWN
    if all(isinstance(kind, (Array, Numeric, Scalar)) for kind in (left, right)):
        return Numeric()
    return maybe((*classes_of(left), *classes_of(right)))


def _is_nullable(kind: Kind) -> bool:
    return isinstance(kind, Nullable) or isinstance(kind, Static) and kind.value is None


def _joined_nullables(left: Kind, right: Kind) -> Kind:
    others = [
        kind.other if isinstance(kind, Nullable) else kind
        for kind in (left, right)
        if isinstance(kind, Nullable) or not _is_nullable(kind)
    ]
    other = reduce(join, others)
    if _is_fixed(other):
        return Nullable(classes_of(other), other)
    return maybe((*classes_of(left), *classes_of(right)))


def _is_fixed(kind: Kind) -> bool:
    """Whether a value is a number, a string, an array, or a tuple or object of such values."""
    if isinstance(kind, Record):
        return not issubclass(kind.cls, (list, dict)) and all(map(_is_fixed, kind.items))
    return isinstance(kind, (Array, Numeric, Scalar, Text))


def _joined_mappings(left: Kind, right: Kind) -> Kind:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Record) and isinstance(other, Mapping) and is_empty(one):
            return other if one.cls is other.cls else UNKNOWN
    a, b = as_mapping(left), as_mapping(right)
    if isinstance(a, Mapping) and isinstance(b, Mapping) and a.cls is b.cls:
        return Mapping(join(a.item, b.item), join(a.key, b.key), a.cls)
    return UNKNOWN


def _functions(kind: Kind) -> tuple[Kind, ...]:
    if isinstance(kind, OneOf):
        return kind.options
    if isinstance(kind, Static) and callable(kind.value) and hasattr(kind.value, "__name__"):
        return (kind,)
    return ()


def _equal_values(left: Scalar, right: Scalar) -> bool:
    if left.value is None or type(left.value) is not type(right.value):
        return False
    return bool(left.value == right.value)


def as_sequence(kind: Kind) -> Kind:
    """A list or tuple with fixed parts seen as a sequence of unknown length."""
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        item: Kind | None = None
        for part in kind.items:
            item = part if item is None else join(item, part)
        return Sequence(UNKNOWN if item is None else item, kind.cls)
    return kind


def combined(operator: gast.operator, left: Kind, right: Kind) -> Kind:
    """The kind of a result of an operator, as far as the kinds of the operands tell it alone.

    It is the whole of lists that are joined or repeated, `xs + ys` and `xs * n`.
    """
    if makes_numbers(left, right):
        return Numeric()
    sides = as_sequence(left), as_sequence(right)
    lists = [side for side in sides if isinstance(side, Sequence)]
    if isinstance(operator, gast.Add) and len(lists) == 2 and lists[0].cls is lists[1].cls:
        filled: list[Kind] = [s for s, own in zip(lists, (left, right)) if not is_empty(own)]
        return reduce(join, filled) if filled else lists[0]
    if isinstance(operator, gast.Mult) and len(lists) == 1 and Scalar in map(type, sides):
        return lists[0]
    return UNKNOWN


def as_mapping(kind: Kind) -> Kind:
    """A dict with fixed keys seen as one of unknown keys."""
    if not isinstance(kind, Record) or kind.cls is not dict or not kind.keys:
        return kind
    return Mapping(reduce(join, kind.items), any_key(reduce(join, map(key_kind, kind.keys))))
