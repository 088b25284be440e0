"""Colours for the columns of a sparse matrix, so that no row has two entries of one colour."""

from __future__ import annotations

from typing import Any

import numpy as np

Ints = np.ndarray[Any, Any]


def colouring(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Ints:
    """The colour of each column, from 0, for the entries at `rows` and `columns`.

    Greedy, by the order in which the columns stand and by their numbers of entries, whichever takes
    fewer colours. This is what `networkx.greedy_color` does with the graph of columns that meet in
    a row, but without the graph, which has an edge for each pair of entries in a row.

    >>> colouring(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 3]), (3, 4))
    array([0, 1, 0, 1])
    """
    order = np.argsort(columns, kind="stable")
    ends = np.cumsum(np.bincount(columns, minlength=shape[1]))
    found = rows[order].tolist()
    in_column = [found[a:b] for a, b in zip([0, *ends.tolist()], ends.tolist())]
    fewest = int(np.bincount(rows, minlength=1).max()) if rows.size else 1
    colours = _greedy(in_column, range(shape[1]), shape[0])
    if colours.max(initial=0) + 1 > fewest:
        largest = sorted(range(shape[1]), key=lambda column: -len(in_column[column]))
        colours = min(colours, _greedy(in_column, largest, shape[0]), key=_count)
    return colours


def _count(colours: Ints) -> int:
    return int(colours.max(initial=0))


def _greedy(in_column: list[list[int]], order: Any, rows: int) -> Ints:
    """The first colour that is free in all rows of a column, one column after the other."""
    taken = [0] * rows  # the colours of a row, as bits
    colours = np.zeros(len(in_column), np.int64)
    for column in order:
        used = 0
        for row in in_column[column]:
            used |= taken[row]
        bit = ~used & (used + 1)
        colours[column] = bit.bit_length() - 1
        for row in in_column[column]:
            taken[row] |= bit
    return colours
