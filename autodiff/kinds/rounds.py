"""Exemplars: small values that stand for all of a kind, while a function is asked what it gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.kinds.fits import Fit
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Static, Text
from autodiff.kinds.size import Dim

_PRIMES = ((7, 11, 13, 17, 19, 23, 29, 31), (31, 29, 23, 19, 13, 11, 7, 5))
"""Sizes that stand for symbolic ones. The second falls where the first grows, and their distances
differ: neither the smaller of two sizes nor their difference looks like a size that is known."""

SMALL = (2, 3, 4, 5, 6, 7, 8, 9)
"""Sizes for a last evaluation: what holds for small ones does not only hold beyond a literal."""

_MOST = 10**7
"""Elements of an array: one of more than six dimensions would take longer than it is worth."""


class NoExemplar(Exception):
    """The kind has no value that could stand for it."""


class Round:
    """One evaluation: which size stands for which dimension, and which values are used."""

    def __init__(
        self, number: int, fit: Fit | None = None, sizes: tuple[int, ...] | None = None
    ) -> None:
        self.number = number
        self.choices = sizes or _PRIMES[number]
        self.fit = fit or {}
        self.unknown = ("float64", "complex64")[number]
        self.given = {"bool": not number, "int": 1 + number, "float": 1.0, "complex": 1 + 1j}
        self.sizes: dict[Dim, int] = {}
        self.offsets: dict[str, set[int]] = {}
        self.nameless = 0
        self.length = 3 + 2 * number

    def size(self, dim: Any) -> int:
        if isinstance(dim, int):
            return dim
        if dim is None:
            dim = Dim(f"?{self.nameless}")
            self.nameless += 1
        base = dim.minus(-dim.offset)
        base = next((own for own in self.sizes if own.name == dim.name), base)
        if base not in self.sizes:
            if len(self.sizes) >= len(_PRIMES[0]):
                raise NoExemplar
            self.sizes[base] = self._chosen(dim.name)
        self.offsets.setdefault(dim.name, set()).add(dim.offset)
        size: int = self.sizes[base] - dim.offset
        if size < (1 if dim.name in self.fit else 2):
            raise NoExemplar
        return size

    def _chosen(self, name: str) -> int:
        choice = self.fit.get(name)
        if isinstance(choice, tuple):
            other, shift = choice
            found = [size for dim, size in self.sizes.items() if dim.name == other]
            return shift + (found[0] if found else self.size(Dim(other, 2)))
        return self.choices[len(self.sizes)] if choice is None else choice

    def known(self) -> dict[int, Dim]:
        found = {}
        for dim, size in self.sizes.items():
            if not dim.name.startswith("?") and self.fit.get(dim.name) is None:
                found[size] = dim
        return found

    def value(self, kind: Kind) -> Any:
        return _BUILD[type(kind)](self, kind) if type(kind) in _BUILD else _fail()

    def scalar(self, kind: Scalar) -> Any:
        if isinstance(kind.value, Dim):
            value: Any = self.size(kind.value)
        elif kind.value is not None:
            value = kind.value
        else:
            value = self.given[kind.type]
        return value if kind.dtype in (None, "?") else np.dtype(kind.dtype).type(value)

    def array(self, kind: Array) -> Any:
        dtype = np.dtype(kind.dtype or self.unknown)
        shape = [self.size(size) for size in kind.shape]
        if math.prod(shape) > _MOST:
            raise NoExemplar
        array = np.ones(shape, dtype)
        if self.number and dtype.kind == "b" and array.size:
            array.flat[0] = False
        elif self.number and array.size:
            first = int(array.size == 1)  # one number has to differ, too: it may be a size
            array += np.arange(first, array.size + first).reshape(array.shape).astype(dtype)
        if array.ndim >= 2 and array.shape[-1] == array.shape[-2] and dtype.kind in "fc":
            array = array + 9 * np.eye(array.shape[-1], dtype=dtype)
            if self.number:
                array = array + np.swapaxes(array, -1, -2)
                array = array + array.size * 9 * np.eye(array.shape[-1], dtype=dtype)
        return array

    def record(self, kind: Record) -> Any:
        items = [self.value(item) for item in kind.items]
        if kind.cls is dict:
            return dict(zip(kind.keys, items))
        if kind.cls in (tuple, list):
            return kind.cls(items)
        if issubclass(kind.cls, tuple):
            return kind.cls(*items)
        raise NoExemplar

    def sequence(self, kind: Sequence) -> Any:
        return kind.cls([self.value(kind.item)] * self.length)


def _fail() -> Any:
    raise NoExemplar


_BUILD: dict[type, Callable[[Round, Any], Any]] = {
    Scalar: Round.scalar,
    Array: Round.array,
    Record: Round.record,
    Sequence: Round.sequence,
    Static: lambda _, kind: kind.value,
    Text: lambda _, kind: _fail(),
}
