"""The kinds: what the compiler knows of a value before the program runs.

Shapes are symbolic. A dimension is an `int` (known size), a `Dim` (some size; two dimensions with
the same `Dim` are equal) or None (nothing known, not even that it equals itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autodiff.syntax.walk import same


@dataclass(frozen=True, slots=True)
class Dim:
    """A symbolic size, `max(0, name - offset)`; as the value of an integer, `name - offset`.

    `plural` says that it is at least 2, so it never broadcasts.
    """

    name: str
    plural: bool = False
    offset: int = 0

    def minus(self, count: int) -> Dim:
        """The size with `count` taken off."""
        if not count:
            return self
        return Dim(self.name, self.plural and count <= 0, self.offset + count)


Size = int | Dim | None


@dataclass(frozen=True, slots=True)
class Kind:
    """Base of all kinds."""


@dataclass(frozen=True, slots=True)
class Unknown(Kind):
    """Nothing is known; generic helpers decide at run time."""


@dataclass(frozen=True, slots=True)
class Scalar(Kind):
    """A number. `type` is bool, int, float or complex; `dtype` is None for a Python number.

    `dtype` "?" is a number of a NumPy or Python type that is not known. `value` is set for a
    known constant, and is a `Dim` for an integer that equals a size.
    """

    type: str
    dtype: str | None = None
    value: Any = None


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
class Static(Kind):
    """A value known while compiling: function, module, class, None, string, slice, dtype ..."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Static):
            return False
        if self.value is other.value:
            return True
        return (
            isinstance(self.value, (str, bytes, slice))
            and type(self.value) is type(other.value)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        if isinstance(self.value, slice):
            return 1
        return hash(self.value) if isinstance(self.value, (str, bytes)) else id(self.value)


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A string (or bytes) whose content is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Local(Kind):
    """A function defined inside the function being compiled: its `FunctionDef` or `Lambda`."""

    node: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Local) and self.node is other.node

    def __hash__(self) -> int:
        return id(self.node)


@dataclass(frozen=True, slots=True)
class Bound(Kind):
    """A function with its first arguments given: a bound method or a `functools.partial`.

    `arguments` and `keywords` hold the expressions, atoms in the function being compiled.
    """

    function: Kind
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...] = ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Bound)
            and self.function == other.function
            and same([*self.arguments], [*other.arguments])
            and [key for key, _ in self.keywords] == [key for key, _ in other.keywords]
            and same([v for _, v in self.keywords], [v for _, v in other.keywords])
        )

    def __hash__(self) -> int:
        return hash(self.function)


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of several functions known while compiling; which one is known when the program runs."""

    options: tuple[Kind, ...]


UNKNOWN = Unknown()
_ORDER = ("bool", "int", "float", "complex")
_RANK = {name: rank for rank, name in enumerate(_ORDER)}


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
    if isinstance(kind, Sequence):
        return differentiable(kind.item)
    return isinstance(kind, Unknown)


def join(left: Kind, right: Kind) -> Kind:
    """The least kind that covers both."""
    if left == right:
        return left
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        wider = left if _RANK[left.type] >= _RANK[right.type] else right
        if left.dtype == right.dtype:
            dtype = left.dtype
        elif _RANK[left.type] != _RANK[right.type] and wider.dtype is None:
            dtype = None
        else:
            dtype = "?"
        value = left.value if _equal_values(left, right) else None
        return Scalar(wider.type, dtype, value)
    if isinstance(left, Array) and isinstance(right, Array) and len(left.shape) == len(right.shape):
        shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape))
        return Array(left.dtype if left.dtype == right.dtype else None, shape)
    if isinstance(left, Record) and isinstance(right, Record) and left.cls is right.cls:
        if left.keys == right.keys:
            items = tuple(join(a, b) for a, b in zip(left.items, right.items))
            return Record(left.cls, left.keys, items)
        if left.cls in (list, tuple):
            return join(as_sequence(left), as_sequence(right))
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        a, b = as_sequence(left), as_sequence(right)
        if isinstance(a, Sequence) and isinstance(b, Sequence) and a.cls is b.cls:
            if isinstance(a.item, Unknown) and is_empty(left):
                return b
            if isinstance(b.item, Unknown) and is_empty(right):
                return a
            return Sequence(join(a.item, b.item), a.cls)
    if _is_text(left) and _is_text(right):
        return Text()
    options = _functions(left), _functions(right)
    if all(options):
        found = list(options[0])
        found.extend(option for option in options[1] if option not in found)
        return OneOf(tuple(found)) if len(found) <= 8 else UNKNOWN
    return UNKNOWN


def _functions(kind: Kind) -> tuple[Kind, ...]:
    if isinstance(kind, OneOf):
        return kind.options
    if isinstance(kind, Local):
        return (kind,)
    if isinstance(kind, Static) and callable(kind.value) and hasattr(kind.value, "__name__"):
        return (kind,)
    return ()


def _equal_values(left: Scalar, right: Scalar) -> bool:
    if left.value is None or type(left.value) is not type(right.value):
        return False
    return bool(left.value == right.value)


def _is_text(kind: Kind) -> bool:
    return isinstance(kind, Text) or (
        isinstance(kind, Static) and isinstance(kind.value, (str, bytes))
    )


def is_empty(kind: Kind) -> bool:
    """Whether the kind is that of an empty list or tuple."""
    return isinstance(kind, Record) and not kind.keys


def as_sequence(kind: Kind) -> Kind:
    """A list or tuple with fixed parts seen as a sequence of unknown length."""
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        item: Kind | None = None
        for part in kind.items:
            item = part if item is None else join(item, part)
        return Sequence(UNKNOWN if item is None else item, kind.cls)
    return kind


def forget(kind: Kind, owners: set[str]) -> Kind:
    """The kind without the dimensions that were born with one of the given names."""
    if isinstance(kind, Array):
        if any(_owned(size, owners) for size in kind.shape):
            shape = tuple(None if _owned(size, owners) else size for size in kind.shape)
            return Array(kind.dtype, shape)
        return kind
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype) if _owned(kind.value, owners) else kind
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(forget(item, owners) for item in kind.items))
    if isinstance(kind, Sequence):
        return Sequence(forget(kind.item, owners), kind.cls)
    return kind


def _owned(size: Any, owners: set[str]) -> bool:
    return isinstance(size, Dim) and size.name.partition(".")[0] in owners


def named(kind: Kind, owner: str) -> Kind:
    """The kind with its unknown sizes named after the one name that holds the value."""
    if isinstance(kind, Array) and None in kind.shape:
        shape = tuple(
            Dim(f"{owner}.{axis}") if size is None else size for axis, size in enumerate(kind.shape)
        )
        return Array(kind.dtype, shape)
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is None:
        return Scalar("int", kind.dtype, Dim(f"{owner}.value"))
    return kind


def forget_values(kind: Kind) -> Kind:
    """The kind without the constants it knows (for results that vary from call to call)."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(forget_values, kind.items)))
    return kind
