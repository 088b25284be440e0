"""Whether the kind of a value in Core is true of what it is at run time."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from autodiff.kinds.kind import RANK, Array, Kind, Numeric, Record, Scalar, Static
from autodiff.kinds.size import INTEGER, Dim, Size

_TOKEN = re.compile(r"v\d+")
_TYPES = {"bool": bool, "int": int, "float": float, "complex": complex}
_KINDS = {"bool": "b", "int": "iu", "float": "f", "complex": "c"}


class Falsehood(AssertionError):
    """Something that Core claims does not hold."""


class Sizes:
    """The numbers that symbolic sizes stand for, as they are met."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def forget(self, token: str) -> None:
        """A value is defined again, in the next iteration: sizes named after it may be others."""
        for name in [name for name in self.known if token in _TOKEN.findall(name)]:
            del self.known[name]

    def rename(self, kind: Kind) -> None:
        """An integer comes back in the reverse sweep, or in the next iteration: what is named after
        it is named after its value of now.
        """
        for item in kind.items if isinstance(kind, Record) else ():
            self.rename(item)
        sizes = kind.shape if isinstance(kind, Array) else ()
        for size in (kind.value,) if isinstance(kind, Scalar) else sizes:
            for token in _TOKEN.findall(size.name) if isinstance(size, Dim) else ():
                self.forget(token)

    def check(self, size: Size, actual: int, is_axis: bool, what: str) -> None:
        """One size against the number it is."""
        if type(size) is int:
            if size != actual:
                raise Falsehood(f"{what}: {actual} where {size} is claimed")
        elif isinstance(size, Dim):
            if is_axis and actual == 0:
                return  # of any negative integer, too
            factor, base = size.factored
            whole = actual + size.offset
            bounded = not base.endswith(INTEGER)  # any integer may be called after itself
            if whole % factor or bounded and whole < size.least:
                raise Falsehood(f"{what}: {actual} where {size} is claimed")
            if self.known.setdefault(base, whole // factor) != whole // factor:
                raise Falsehood(f"{what}: {actual}, but {base} was {self.known[base]}")


def check_kind(kind: Kind, value: Any, sizes: Sizes, what: str) -> None:
    """Raises `Falsehood` where a value is of another kind than claimed."""

    def claim(condition: object) -> None:
        if not condition:
            raise Falsehood(f"{what} is {value!r}, not {kind}")

    if isinstance(kind, Array):
        claim(isinstance(value, np.ndarray))
        claim(kind.dtype is None or value.dtype == np.dtype(kind.dtype))
        claim(len(kind.shape) == value.ndim)
        for axis, size in enumerate(kind.shape):
            sizes.check(size, value.shape[axis], True, f"axis {axis} of {what}")
    elif isinstance(kind, Scalar):
        own = type(value)
        if kind.dtype is None:
            claim(own is _TYPES[kind.type])
        elif kind.dtype == "?":
            claim(own in _TYPES.values() or isinstance(value, np.generic))
            narrower = [_KINDS[name] for name in RANK if RANK[name] <= RANK[kind.type]]
            claim(np.result_type(value).kind in "".join(narrower))
        else:
            claim(isinstance(value, np.generic) and value.dtype == np.dtype(kind.dtype))
        if kind.type == "int":
            sizes.check(kind.value, int(value), False, what)
        elif kind.value is not None:
            claim(value == kind.value)
    elif isinstance(kind, Record):
        check_record(kind, value, sizes, what)
    elif isinstance(kind, Numeric):
        claim(isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)))
    elif isinstance(kind, Static) and not isinstance(kind.value, str):
        claim(value is kind.value or value == kind.value)


def part_of(value: Any, key: Any) -> Any:
    """`value[key]`, for a field of a named tuple `value.key`."""
    by_name = isinstance(value, tuple) and isinstance(key, str)
    return getattr(value, key) if by_name else value[key]


def check_record(kind: Record, value: Any, sizes: Sizes, what: str) -> None:
    """A container with known parts."""
    if type(value) is not kind.cls:
        raise Falsehood(f"{what} is a {type(value).__name__}, not a {kind.cls.__name__}")
    if kind.indexed:
        if len(value) != len(kind.keys):
            raise Falsehood(f"{what} has {len(value)} parts, not {len(kind.keys)}")
        parts = [part_of(value, key) for key in kind.keys]
    else:
        parts = [getattr(value, key) for key in kind.keys]
    for key, item, part in zip(kind.keys, kind.items, parts):
        check_kind(item, part, sizes, f"{what}[{key!r}]")
