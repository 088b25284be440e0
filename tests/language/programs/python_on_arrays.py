"""Functions of Python for lists of numbers, given arrays: as the list, and as its items."""

import math

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3, W3


@program([(V3,)])
def fsum_of_computed_array(x):
    return math.fsum(x * x) * math.fsum(-x)


@program([(V3, W3)])
def dist_of_computed_arrays(x, y):
    return math.dist(-x, x * y) + math.dist(x * y, [1.0, 2.0, 1.0]) + math.dist((0.5, 1.0, 2.0), y)


@program([(V3,)])
def prod_of_computed_array(x):
    return math.prod(1.0 + x) * math.prod(x * x, start=x[0])


@program([(V3, W3)])
def prod_of_list_of_arrays(x, y):
    return np.sum(math.prod([x, y, 2.0 * x]))


@program([(M23,)])
def prod_of_rows(m):
    return np.sum(math.prod(m * m) ** 2)


@program([(V3, 0.7)])
def prod_of_numbers_and_arrays(x, s):
    return np.sum(math.prod([s, x, s])) + np.sum(math.prod((x, np.outer(x, x))))


@program([(V3, W3)])
def prod_from_an_array_on(x, y):
    return np.sum(math.prod(x, start=y)) + np.sum(math.prod([], start=y))


@program([(V3,)])
def prod_of_list_that_grows(x):
    factors = []
    for k in range(3):
        factors.append(x + k)
    return np.sum(math.prod(factors))
