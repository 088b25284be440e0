"""Kinds of run-time values: what a derivative is compiled for."""

from __future__ import annotations

import functools
import itertools
import math
import types
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Values
from enum import Enum
from typing import Any

import numpy as np

from autodiff.frontend.jitted import is_compiled
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.joins import join
from autodiff.kinds.kind import (
    GENERATORS,
    UNKNOWN,
    Array,
    Drawing,
    Kind,
    Record,
    Sequence,
    Static,
    Text,
    number,
)
from autodiff.kinds.size import Dim, Told
from autodiff.rules import registry
from autodiff.rules.home import module_of

_NUMBERS = {bool: "bool", int: "int", float: "float", complex: "complex"}
LETTERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_DEEPEST = 6
"""So deep an argument is looked into."""
_LONGEST = 32
_OBJECTS = 4096
"""So many objects are looked into: one may lead to all others of the process."""
_MOST = 16
"""So many times a size is still told to be a multiple of another one."""
LEAST = 4
"""Sizes from here on are all alike: `x[1:-1]` does not broadcast then."""
STATIC = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    np.ufunc,
    type,
    type(None),
    slice,
    np.dtype,
    type(Ellipsis),
    type(np.sum),
    type(np.random.default_rng),
    functools.partial,
)
"""What is its own kind, besides strings."""


class _Sizes:
    """Equal sizes share a `Dim`; 1 is known to be 1, and sizes of empty arrays stay unknown.

    multiples: for sizes that are multiples of others, what they are known to be.
    """

    def __init__(
        self, least: int, exact: frozenset[Told], multiples: Mapping[int, Dim] | None = None
    ) -> None:
        self.least = least
        self.exact = exact | {1}
        self.multiples = multiples or {}
        self.dims: dict[int, Dim] = {}
        self.seen: set[int] = set()
        self.objects = 0

    def shape(self, shape: tuple[int, ...]) -> tuple[int | Dim | None, ...]:
        if 0 in shape:
            return (None,) * len(shape)
        return tuple(map(self.size, shape))

    def size(self, n: int) -> int | Dim:
        if n == 1:
            return n
        dim = self.dims.setdefault(n, Dim(f"n{len(self.dims)}", min(n, self.least)))
        return n if n in self.exact else self.multiples.get(n, dim)

    def known(self) -> dict[int, Dim]:
        """The sizes that are known to be multiples of others, as such."""
        found = {
            n: self.dims[m].times(n // m)
            for n, m in _pairs(self.dims)
            if (self.dims[n].name, self.dims[m].name) in self.exact and m not in self.exact
        }
        for n, dim in self.dims.items():
            divided = [k for k in _divisors(n) if (dim.name, k) in self.exact]
            if divided and n not in found:
                k = math.lcm(*divided)
                part = Dim(f"{dim.name}/{k}", min(n // k, self.least))
                named = {} if n // k in self.exact else self.dims
                found[n] = (found.get(n // k) or named.get(n // k, part)).times(k)
        return found


@functools.lru_cache(maxsize=1024)
def _told(sizes: tuple[int, ...]) -> frozenset[Told]:
    """What a function could tell of these sizes, which are called in their order."""
    names = {n: f"n{place}" for place, n in enumerate(sizes)}
    multiples = {(names[n], names[m]) for n, m in _pairs(sizes)}
    return frozenset({*sizes, *multiples, *((names[n], k) for n in sizes for k in _divisors(n))})


def _pairs(sizes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Sizes and those that they are multiples of."""
    for n, m in itertools.product(sizes, repeat=2):
        if m < n <= _MOST * m and n % m == 0:
            yield n, m


def _divisors(n: int) -> Iterator[int]:
    """The numbers by which a size can be divided."""
    return (k for k in range(2, min(n, _MOST) + 1) if n % k == 0)


def kinds_of(
    values: Values[object], least: int = LEAST, exact: frozenset[Told] = frozenset()
) -> tuple[Kind, ...]:
    """The kinds of a call's arguments; equal for calls that can share one compiled derivative.

    Sizes below `least`, and all from there on, are told apart; those of `exact` are known. Compiled
    code takes 2: other functions may call it with arrays of any length.
    """
    sizes = _Sizes(least, exact)
    kinds = tuple(_kind(value, sizes, 0) for value in values)
    multiples = sizes.known() if exact else {}
    if not multiples:
        return kinds
    sizes = _Sizes(least, exact, multiples)
    return tuple(_kind(value, sizes, 0) for value in values)


def kinds_and_sizes(values: Values[object], least: int) -> tuple[tuple[Kind, ...], frozenset[Told]]:
    """The kinds of a call's arguments, and what a function could tell of their sizes."""
    sizes = _Sizes(least, frozenset())
    return tuple(_kind(value, sizes, 0) for value in values), _told((*sizes.dims,))


def kind_of(value: object, levels: int = _DEEPEST + 1) -> Kind:
    """The kind of one value on its own (a global, a closure cell), of unknown sizes. levels: so
    many of parts in parts; an object may lead to all others of the process."""
    if registry.rule_for(class_attribute(type(value), "__call__")) is not None:
        return Static(value)  # an interpolant, say
    return _unsized(_kind(value, _Sizes(LEAST, frozenset()), _DEEPEST + 1 - levels))


def _unsized(kind: Kind) -> Kind:
    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(1 if n == 1 else None for n in kind.shape))
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(_unsized, kind.items)))
    if isinstance(kind, Sequence):
        return Sequence(_unsized(kind.item), kind.cls)
    return kind


def _kind(value: Any, sizes: _Sizes, depth: int) -> Kind:
    cls = type(value)
    if cls in _NUMBERS:
        return number(_NUMBERS[cls])
    if cls is np.ndarray:
        if value.dtype.kind not in LETTERS:
            return UNKNOWN
        return Array(value.dtype.name, sizes.shape(value.shape))
    if isinstance(value, np.generic):
        letter = value.dtype.kind
        return number(LETTERS[letter], value.dtype.name) if letter in LETTERS else UNKNOWN
    if cls is str:
        return Static(value)
    if cls is bytes:
        return Text()
    if isinstance(value, STATIC) or is_compiled(value) or registry.is_receiver(value):
        return Static(value)
    more = isinstance(value, (str, bytes, int, float, complex, Enum))  # than that
    if more or registry.is_called(value) or hasattr(cls, "__inlined__"):
        return Static(value)
    if cls in GENERATORS:
        return Drawing((cls,))
    if depth > _DEEPEST or id(value) in sizes.seen:
        plain = cls not in (tuple, list, dict) and callable(value) and attributes_of(value) is None
        return Static(value) if plain else UNKNOWN
    sizes.seen.add(id(value))
    try:
        return _structure(value, cls, sizes, depth + 1)
    finally:
        sizes.seen.discard(id(value))


def _structure(value: Any, cls: type, sizes: _Sizes, depth: int) -> Kind:
    if cls is tuple or cls is list or is_named_tuple(cls):
        longer = len(value) > _LONGEST
        if longer and {*map(type, value)} == {str}:  # lines of a file, say
            return Sequence(Text(), cls)
        items = [_kind(item, sizes, depth) for item in value]
        if longer:
            return Sequence(functools.reduce(join, items), cls)
        return Record(cls, tuple(range(len(items))), tuple(items))
    if cls is dict:
        if all(isinstance(key, (str, int)) for key in value) and len(value) <= 4 * _LONGEST:
            items = [_kind(item, sizes, depth) for item in value.values()]
            return Record(dict, tuple(value), tuple(items))
        return UNKNOWN
    attributes = attributes_of(value)
    if attributes is None:
        return Static(value) if callable(value) else UNKNOWN
    sizes.objects += 1
    if sizes.objects > _OBJECTS:
        return UNKNOWN
    items = [_kind(item, sizes, depth) for item in attributes.values()]
    return Record(cls, tuple(attributes), tuple(items))


def attributes_of(value: Any) -> dict[str, Any] | None:
    """The attributes of a plain Python object, None for objects of C types."""
    cls = type(value)
    if module_of(cls) == "builtins" or cls.__flags__ & (1 << 9) == 0:
        return dict(vars(value)) if cls is types.SimpleNamespace else None
    own = getattr(value, "__dict__", None)
    found = dict(own) if isinstance(own, dict) else {}  # a class may answer any name
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__") and hasattr(value, slot):
                found[slot] = getattr(value, slot)
    if not hasattr(value, "__dict__") and not found:
        return None
    return found
