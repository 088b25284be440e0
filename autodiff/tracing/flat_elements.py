"""The elements of an array in a run, one after the other: `x.flat`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.tracing.bound_late import call
from autodiff.tracing.items import getitem, setitem


class Flat:
    """The elements of an array, one after the other: an iterator that reads them as they are. It
    goes as NumPy's own does, `at`, which begins again where it is asked for elements.
    """

    __slots__ = ("at", "own")

    def __init__(self, own: Any) -> None:
        self.own, self.at = own, own.flat

    @property
    def base(self) -> Any:
        return self.own

    @property
    def index(self) -> Any:
        return self.at.index

    @property
    def coords(self) -> Any:
        return self.at.coords

    def copy(self) -> Any:
        return call(np.array, self._row())

    def __len__(self) -> int:
        return int(self.own.size)

    def __getitem__(self, index: Any) -> Any:
        self.at[index]
        places, own = np.arange(self.own.size)[index], self._wide()
        return getitem(own, np.unravel_index(places, own.shape))

    def __setitem__(self, index: Any, value: Any) -> None:
        places, own = np.arange(self.own.size)[index], self._wide()
        value = call(np.reshape, call(np.asarray, value), -1)
        if value.size != 1 and value.size != np.size(places):  # it begins again, or ends early
            value = getitem(value, np.arange(np.size(places)) % value.size)
        setitem(own, np.unravel_index(np.ravel(places), own.shape), value)
        self.at[index] = self.own.flat[index]

    def __iter__(self) -> Flat:
        return self

    def __next__(self) -> Any:
        at = self.coords
        next(self.at)
        return getitem(self.own, at)

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        return self._row()

    def _wide(self) -> Any:
        """The array, with an axis at least."""
        return self.own if self.own.ndim else self.own.reshape(1)

    def _row(self) -> Any:
        return call(np.reshape, self.own, -1)
