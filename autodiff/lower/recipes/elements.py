"""Elements and places of arrays one after the other, written in Python and lowered like the user's
code.
"""

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
