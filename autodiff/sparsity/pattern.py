"""Where a matrix may have entries that are not zero."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError
from autodiff.sparsity.colouring import colouring
from autodiff.sparsity.star_colouring import star_colouring

Ints = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Pattern:
    """The places, row by row, of all entries of a matrix that may be other than zero.

    shape: of the matrix.
    starts: where the entries of each row begin, and the number of all entries.
    columns: those of the entries.
    symmetric: whether the matrix is known to be; its pattern may hold more on one side.
    """

    shape: tuple[int, int]
    starts: Ints
    columns: Ints
    symmetric: bool = False

    @property
    def matrix(self) -> Any:
        """The pattern as a `scipy.sparse.csr_array` of booleans."""
        return self.filled(np.ones(self.columns.size, bool))

    def filled(self, data: Ints) -> Any:
        """The `scipy.sparse.csr_array` with these entries."""
        try:
            from scipy.sparse import csr_array  # noqa: PLC0415 (SciPy is an optional extra)
        except ImportError:
            raise AutodiffError(
                "sparse matrices need SciPy, which is not installed",
                cure="install it: pip install 'source-autodiff[sparse]'",
            ) from None
        fits = max(*self.shape, self.columns.size) <= np.iinfo(np.intc).max
        kind = np.intc if fits else np.int64  # solvers of SciPy to 1.11 take no others
        return csr_array((data, self.columns.astype(kind), self.starts.astype(kind)), self.shape)

    @cached_property
    def rows(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.starts))

    @cached_property
    def colours(self) -> tuple[bool, Ints]:
        """Whether columns are coloured (else rows), and the colour of each."""
        by_columns = colouring(self.rows, self.columns, self.shape)
        fewest = int(np.bincount(self.columns, minlength=1).max())  # that rows can do with
        if fewest < by_columns.max(initial=0) + 1:
            by_rows = colouring(self.columns, self.rows, (self.shape[1], self.shape[0]))
            if by_rows.max(initial=0) < by_columns.max(initial=0):
                return False, by_rows
        return True, by_columns

    @cached_property
    def stars(self) -> tuple[Ints, Ints, Ints] | None:
        """Colours of the columns of a symmetric matrix; row and colour where each entry is alone.

        None where they would save no sweep, of which one more is taken to check them.
        """
        colours = self.colours[1]
        if not self.symmetric or colours.max(initial=0) < 2:
            return None
        size = self.shape[0]
        both = np.concatenate([self.rows, self.columns]), np.concatenate([self.columns, self.rows])
        rows, columns = np.divmod(np.unique(both[0] * size + both[1]), size)
        found = star_colouring(rows, columns, size)
        if found.max() + 1 >= colours.max():
            return None
        width = int(found.max()) + 1
        count = np.bincount(rows * width + found[columns], minlength=size * width)
        alone = count[self.rows * width + found[self.columns]] == 1
        places = np.where(alone, self.rows, self.columns)
        others = np.where(alone, self.columns, self.rows)
        return found, places, found[others]

    @property
    def sweeps(self) -> int:
        """How many sweeps it takes to compute the matrix."""
        colours = self.stars[0] if self.stars else self.colours[1]
        return int(colours.max(initial=-1)) + 1

    def joined(self, other: Pattern) -> Pattern:
        """The pattern that holds both, which are of one shape."""
        keys = [own.rows * self.shape[1] + own.columns for own in (self, other)]
        rows, columns = np.divmod(np.unique(np.concatenate(keys)), max(self.shape[1], 1))
        starts = np.searchsorted(rows, np.arange(self.shape[0] + 1))
        return Pattern(self.shape, starts, columns, self.symmetric and other.symmetric)

    def __repr__(self) -> str:
        size = f"{self.shape[0]} x {self.shape[1]}"
        return f"<pattern of a {size} matrix, {self.columns.size} entries>"
