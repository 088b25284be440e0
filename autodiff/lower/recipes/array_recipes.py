"""Functions of NumPy that call what they are given, in Python, lowered like the user's code."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np


def new_array(shape, dtype=float, *, order="C"):
    """`np.ndarray(shape, dtype)`, of memory of its own."""
    return np.empty(shape, dtype, order)


def first_call(function, *rows):
    """The call by which `np.vectorize` finds out of what type its result is."""
    return function(*[float(row[0]) for row in rows])


def called_once(function, *items, **named):
    """`np.vectorize(function)` of what has no axis, whose type it has seen then."""
    return function(*items, **named)


def called_twice(function, *items, **named):
    """The same, where the first call only tells of what type the result is."""
    function(*items, **named)
    return function(*items, **named)


def overwritten(array, given):
    """What a function has made of an array that it was given."""
    array[...] = given


def item(array):
    """The one item of what has no axis."""
    return array.item()


def vectorized(function, *rows):
    """`np.vectorize(function)(*rows)`, of rows that are equally long."""
    result = np.empty(len(rows[0]))
    for k in range(len(result)):
        result[k] = function(*[float(row[k]) for row in rows])
    return result


def along_rows(function, table, *others, **options):
    """`np.apply_along_axis(function, -1, table)`, as a list."""
    found = []
    for k in range(len(table)):
        found.append(function(table[k], *others, **options))
    return found


def result(function, row, *others, **options):
    """`np.apply_along_axis(function, 0, row)`, of which NumPy makes an array."""
    return function(row, *others, **options)


def piece(result, x, chosen, function, *others, **options):
    """`np.piecewise`: a function is called for its piece, unless that is empty."""
    values = x[chosen]
    if values.size > 0:
        result[chosen] = function(values, *others, **options)


def piece_of_number(result, chosen, number):
    """`np.piecewise`: a number on its piece."""
    result[chosen] = number


def as_rows(rows):
    """A list of lists as one of arrays."""
    return [np.array(row) for row in rows]


def as_row(items):
    """A list beside arrays that are joined."""
    return np.array(items)


def stepped(first, stop, step):
    """`np.r_[first:stop:step]`."""
    return np.arange(first, stop, step)


def spread_out(first, stop, count):
    """`np.r_[first:stop:5j]`."""
    return np.linspace(first, stop, count)


def check_seed(seed, value):
    """A seed of another shape would be broadcast."""
    if seed.shape != value.shape:
        raise ValueError("the seed has another shape than the value")
