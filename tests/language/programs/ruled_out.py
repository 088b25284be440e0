"""Branches for other types of arguments, which set what later tests ask for."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


class Series:
    """Values with an index, as of a library of tables."""

    def __init__(self, values, index):
        self.values, self.index = list(values), index


class Table:
    def __init__(self, columns):
        self.columns = columns

    @classmethod
    def from_columns(cls, columns):
        return cls(columns)


def in_kind(x):
    """What is given as a series comes back as one."""
    if isinstance(x, Series):
        index = x.index
        x = np.array(x.values)
    else:
        index = None
    y = np.sin(x) * x
    if index is not None:
        y = Series(y.tolist(), index)
    return {"y": y}


@program([(V3,)])
def comes_back_as_it_was(x):
    return np.sum(in_kind(x * 2.0)["y"] * x)


def columns(x):
    found = {"x": x * x, "y": np.exp(x)}
    if isinstance(found["x"], Series):
        found = Table.from_columns(found)
    return found


@program([(V3,)], analytic=True)
def a_part_says_of_what_type(x):
    table = columns(x * 2.0)
    return np.sum(table["x"] * table["y"])


@program([(V3, 0.3)])
def flags_of_the_function(x, y):
    verbose = False
    scale = None
    total = np.sum(x * y)
    if verbose:
        print(total, file=open("nowhere"))
    if scale is None:
        scale = 2.0
    first = True
    for k in range(3):
        if first:
            total = total * scale
        first = k > 0
    return total * y
