"""The kinds: what the compiler knows of a value before the program runs.

Shapes are symbolic. A dimension is an `int` (known size), a `Dim` (some size; two dimensions with
the same `Dim` are equal) or None (nothing known, not even that it equals itself).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import MethodType
from typing import Any

import numpy as np

from autodiff.kinds.size import Size


@dataclass(frozen=True, slots=True)
class Kind:
    """Base of all kinds."""


@dataclass(frozen=True, slots=True)
class Unknown(Kind):
    """Nothing is known; generic helpers decide at run time."""


@dataclass(frozen=True, slots=True)
class Instance(Unknown):
    """Nothing is known but that the value may be an object of these classes of the user's.

    It may as well be anything else: this only says whose methods an operator may run.
    """

    classes: tuple[type, ...]


GENERATORS: tuple[type, ...] = (np.random.Generator, np.random.RandomState)


@dataclass(frozen=True, slots=True)
class Drawing(Instance):
    """A random generator of NumPy's, of the one class in `classes`: it carries no derivative."""


@dataclass(frozen=True, slots=True)
class Nullable(Instance):
    """None, or a value of the kind `other`, which is no list or dict and holds none."""

    other: Kind


@dataclass(frozen=True, slots=True)
class Numeric(Unknown):
    """Nothing is known but that it is a number or an array."""


@dataclass(frozen=True, slots=True)
class Scalar(Kind):
    """A number. `type` is bool, int, float or complex; `dtype` is None for a Python number.

    `dtype` "?" is a number of a NumPy or Python type that is not known. `value` is set for a
    known constant, and is a `Dim` for an integer that equals a size.
    """

    type: str
    dtype: str | None = None
    value: Any = None


@cache
def number(type: str, dtype: str | None = None) -> Scalar:
    """A number of which no more is known: one object, as kinds are compared and hashed so often."""
    return Scalar(type, dtype)


@dataclass(frozen=True, slots=True)
class Array(Kind):
    """A NumPy array; `dtype` is a dtype string such as "float64", or None where it is not known."""

    dtype: str | None
    shape: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Record(Kind):
    """A value with fixed parts: tuple, list, dict, namedtuple or object.

    `keys` are positions, dict keys or attribute names; `cls` is the class that holds them.
    """

    cls: type
    keys: tuple[Any, ...]
    items: tuple[Kind, ...]

    def get(self, key: Any) -> Kind | None:
        """The kind of one part, None where there is no such part."""
        for own, kind in zip(self.keys, self.items):
            if own == key and type(own) is type(key):
                return kind
        return None

    @property
    def indexed(self) -> bool:
        """Whether parts are reached by `value[key]` (else by `value.key`)."""
        return self.cls in (tuple, list, dict) or issubclass(self.cls, (tuple, list, dict))


@dataclass(frozen=True, slots=True)
class Sequence(Kind):
    """A list (or a tuple) whose length is not known; `item` joins the kinds of all items."""

    item: Kind
    cls: type = list


@dataclass(frozen=True, slots=True)
class Mapping(Kind):
    """A dict whose keys are not known; `item` and `key` join the kinds of all values and keys."""

    item: Kind
    key: Kind
    cls: type = dict


@dataclass(frozen=True, slots=True)
class Static(Kind):
    """A value known while compiling: function, module, class, None, string, slice, dtype ..."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Static):
            return False
        if self.value is other.value:
            return True
        return (
            isinstance(self.value, (str, bytes, slice, MethodType))
            and type(self.value) is type(other.value)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        if isinstance(self.value, slice):
            return 1
        by_value = isinstance(self.value, (str, bytes, MethodType))  # methods: of one object
        return hash(self.value) if by_value else id(self.value)


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A string (or bytes) whose content is not known."""


@dataclass(frozen=True, slots=True)
class Span(Kind):
    """A `slice` whose bounds are computed."""


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of several functions known while compiling; which one is known when the program runs."""

    options: tuple[Kind, ...]


UNKNOWN = Unknown()
RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}
"""Types of numbers by how much they hold."""


def is_number(kind: Kind) -> bool:
    """Whether the kind is an immutable number."""
    return isinstance(kind, Scalar)


def is_inexact(kind: Kind) -> bool:
    """Whether the kind is a float or complex number or array."""
    if isinstance(kind, Scalar):
        return kind.type in ("float", "complex")
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] in "fcl"


def is_real(kind: Kind) -> bool:
    """Whether the kind is a number or array without imaginary part."""
    if isinstance(kind, Scalar):
        return kind.type != "complex"
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] not in "cO"


def is_complex(kind: Kind) -> bool:
    """Whether the kind is a complex number or array."""
    if isinstance(kind, Scalar):
        return kind.type == "complex"
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.startswith("c")


def differentiable(kind: Kind) -> bool:
    """Whether a value of this kind can carry a derivative."""
    if isinstance(kind, Scalar):
        return kind.type in ("float", "complex")
    if isinstance(kind, Array):
        return kind.dtype is None or kind.dtype[0] in "fclO"
    if isinstance(kind, Record):
        return any(map(differentiable, kind.items))
    if isinstance(kind, Mapping):
        by_key = isinstance(kind.key, Scalar) and differentiable(kind.key)
        return by_key or differentiable(kind.item)
    if isinstance(kind, Sequence):
        return differentiable(kind.item)
    return isinstance(kind, Unknown) and not isinstance(kind, Drawing)


def used(kind: Kind) -> Kind:
    """The kind of a value that an operator or an attribute is applied to, as None never is."""
    return kind.other if isinstance(kind, Nullable) else kind


def makes_numbers(left: Kind, right: Kind) -> bool:
    """Whether an operator gives a number or a new array: it is not one of lists or objects."""
    certain = any(isinstance(side, Numeric) or is_inexact(side) for side in (left, right))
    return certain and not classes_of(left) and not classes_of(right)


def maybe(classes: tuple[type, ...]) -> Kind:
    """The kind of a value that may be an object of one of the classes."""
    return Instance(tuple(dict.fromkeys(classes))) if classes else UNKNOWN


def classes_of(kind: Kind | None) -> tuple[type, ...]:
    """The classes of the user's that a value itself may have."""
    if isinstance(kind, Instance):
        return kind.classes
    if isinstance(kind, Record) and kind.cls not in (tuple, list, dict):
        return (kind.cls,)
    return ()


def is_text(kind: Kind) -> bool:
    return isinstance(kind, Text) or (
        isinstance(kind, Static) and isinstance(kind.value, (str, bytes))
    )


def is_empty(kind: Kind) -> bool:
    """Whether the kind is that of an empty list, tuple or dict."""
    return isinstance(kind, Record) and not kind.keys


def key_kind(key: Any) -> Kind:
    """The kind of a key that is known."""
    return Scalar("int", None, key) if type(key) is int else Static(key)


def any_key(kind: Kind) -> Kind:
    """The kind of all keys like this one."""
    return Text() if is_text(kind) else forget_values(kind)


def record(*items: Kind) -> Record:
    """The kind of a tuple."""
    return Record(tuple, tuple(range(len(items))), items)


def adjoint_kind(kind: Kind) -> Kind:
    """The kind of the adjoint of a value: its form and dtype, a number of unknown type."""
    if isinstance(kind, Scalar):
        return number(kind.type, "?") if kind.type in ("float", "complex") else UNKNOWN
    if isinstance(kind, Record) and kind.cls in (tuple, list, dict):
        return Record(kind.cls, kind.keys, tuple(map(adjoint_kind, kind.items)))
    inexact = isinstance(kind, Array) and kind.dtype is not None and is_inexact(kind)
    return kind if inexact else UNKNOWN


def with_parts(kind: Kind, change: Callable[[Kind], Kind]) -> Kind:
    """The kind of a container, its parts changed; of what is none the kind itself."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(change, kind.items)))
    if isinstance(kind, Nullable):
        return Nullable(kind.classes, change(kind.other))
    if isinstance(kind, Sequence):
        return Sequence(change(kind.item), kind.cls)
    if isinstance(kind, Mapping):
        return Mapping(change(kind.item), change(kind.key), kind.cls)
    return kind


def forget_values(kind: Kind) -> Kind:
    """The kind without the constants it knows (for results that vary from call to call)."""
    if isinstance(kind, Scalar):
        return number(kind.type, kind.dtype)
    return with_parts(kind, forget_values)


def parts_of(kind: Kind | None) -> tuple[Kind, ...]:
    """The kinds that a kind is made of: items, and what a function is bound from or chosen of."""
    if isinstance(kind, Record):
        return kind.items
    if isinstance(kind, (Sequence, Mapping)):
        return (kind.item,)
    if isinstance(kind, Nullable):
        return (kind.other,)
    return kind.options if isinstance(kind, OneOf) else ()
