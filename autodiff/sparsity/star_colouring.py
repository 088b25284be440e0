"""Colours for the columns of a symmetric sparse matrix, from which each entry is read directly."""

from __future__ import annotations

from typing import Any

import numpy as np

Ints = np.ndarray[Any, Any]


def star_colouring(rows: Ints, columns: Ints, size: int) -> Ints:
    """The colour of each column, from 0, for a symmetric pattern of entries at `rows`, `columns`.

    In the graph of the entries off the diagonal neighbours have different colours, and every path
    over four columns has three (Coleman and Moré 1984): so each entry stands alone in its row among
    those of its column's colour, or its mirror image does. Greedy, by the order in which the
    columns stand and by their numbers of entries, whichever takes fewer colours.

    >>> star_colouring(np.array([0, 0, 0, 1, 2, 3]), np.array([1, 2, 3, 0, 0, 0]), 4)
    array([0, 1, 1, 1])
    """
    off = rows != columns
    order = np.argsort(columns[off], kind="stable")
    ends = np.cumsum(np.bincount(columns[off], minlength=size)).tolist()
    found = rows[off][order].tolist()
    near = [found[a:b] for a, b in zip([0, *ends], ends)]
    largest = sorted(range(size), key=lambda column: -len(near[column]))
    tried = [_greedy(near, order) for order in (range(size), largest)]
    return min(tried, key=lambda colours: int(colours.max(initial=0)))


def _greedy(near: list[list[int]], order: Any) -> Ints:
    """The first colour that makes no path of two colours over four columns.

    Sets of colours are bits: `once` and `twice` are those that one neighbour of a column has at
    least, and two; `shut` those of its neighbours of which another neighbour has its own colour.
    """
    size = len(near)
    once, twice, shut, own = [0] * size, [0] * size, [0] * size, [0] * size
    first: dict[tuple[int, int], int] = {}
    for v in order:
        used = once[v]
        for w in near[v]:
            if own[w]:
                used |= shut[w]
                if own[w] & twice[v]:
                    used |= once[w]
        bit = own[v] = ~used & (used + 1)
        for w in near[v]:
            if own[w] & twice[v]:
                shut[w] |= bit
            if not once[w] & bit:
                once[w] |= bit
                first[w, bit] = v
                continue
            twice[w] |= bit
            shut[v] |= own[w]
            shut[first[w, bit]] |= own[w]
    return np.array([bit.bit_length() - 1 for bit in own], np.int64)
