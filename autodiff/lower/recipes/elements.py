"""Elements and places of arrays one after the other, in Python, lowered like the user's code."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np


def numbers_of(array):
    """`array.tolist()`."""
    if np.ndim(array) == 0:
        return array.item()
    return [numbers_of(part) for part in array]


def numbered(array):
    """`np.ndenumerate(array)` of one axis."""
    for k in range(len(array)):
        yield (k,), array[k]


def numbered_table(array):
    """`np.ndenumerate(array)` of two axes."""
    for k in range(array.shape[0]):
        for m in range(array.shape[1]):
            yield (k, m), array[k, m]


def places(count):
    """`np.ndindex(count)`."""
    for k in range(count):
        yield (k,)


def places_of_table(rows, columns):
    """`np.ndindex(rows, columns)`."""
    for k in range(rows):
        for m in range(columns):
            yield k, m


def elements(array):
    """`array.flat` of one axis."""
    for k in range(len(array)):
        yield array[k]


def elements_of_table(array):
    """`array.flat` of two axes."""
    for k in range(array.shape[0]):
        for m in range(array.shape[1]):
            yield array[k, m]


def columns(rows):
    """`zip(*rows)` of rows that can be indexed."""
    if len(rows) == 0:
        return
    for k in range(min([len(row) for row in rows])):
        yield tuple([row[k] for row in rows])


def parts_by_place(rows, count):
    """`zip(*rows)` of tuples that have so many parts; there has to be one."""
    rows[0]
    for k in range(count):
        yield tuple([row[k] for row in rows])
