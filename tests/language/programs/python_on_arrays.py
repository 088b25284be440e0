"""Functions of Python for lists of numbers, given arrays: as the list, and as its items."""

import math
import operator

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


@program([(V3, W3), (M23, W3)])
def sum_from_an_array_on(x, y):
    return np.sum(sum(x, y) ** 2) + np.sum(sum(x, np.outer(y, y)) ** 2)


@program([(V3, W3)])
def prod_from_an_array_on(x, y):
    return np.sum(math.prod(x, start=y)) + np.sum(math.prod([], start=y))


@program([(V3,)])
def prod_of_list_that_grows(x):
    factors = []
    for k in range(3):
        factors.append(x + k)
    return np.sum(math.prod(factors))


@program([(V3,)])
def norm_of_a_tuple_of_arrays(x):
    return np.linalg.norm((x, 2.0 * x)) * np.linalg.norm([x[:1], x[1:2]])


@program([(V3, W3)])
def average_of_lists_of_arrays(x, y):
    return np.average([x, y], weights=[1.0 + x * x, 1.0 + y * y])


@program([(V3,)])
def ufunc_of_a_list_is_added_up(x):
    return np.sum(np.add([x[0], x[1], x[2]], 1.0) ** 2) + np.sum(np.add([x, x * x], x))


@program([(V3,)])
def taken_from_a_list(x):
    return np.sum(np.take([x[0] * x[1], x[1], x[2]], [0, 0, 2]) ** 2)


@program([(V3,)])
def repeated_by_an_operator_as_a_function(x):
    items = operator.mul([x[0], x[1]], 2)
    return np.sum(np.array(items) * np.arange(4.0)) + sum(operator.add([x[0]], items))


@program([(V3, W3)])
def open_mesh_of_floats(x, y):
    rows, columns = np.ix_(x, y * y)
    return np.sum(rows * columns**2) + rows[0, 0]


@program([(V3,)])
def along_an_axis_of_a_list(x):
    return np.sum(np.apply_along_axis(np.prod, 0, [x, 2.0 * x, x * x]))


@program([(V3,)])
def list_of_numbers_twice_in_one_call(x):
    items = x.tolist()
    weights = np.arange(9.0)
    both = np.append(items, items) * weights[:6]
    return np.sum(both) + np.sum(np.add.outer(items, items) * weights.reshape(3, 3))


@program([(V3,)])
def nested_list_of_numbers_that_changes(x):
    rows = np.outer(x, x).tolist()
    rows[0][1] = x[1] * 2.0
    rows[1] = [x[0]]
    rows[2].append(rows[0][0])
    return sum(t * t for row in rows for t in row)


@program([(V3,)], refusable=True)
def sorted_arrays_of_one(x):
    low, high = sorted([x[:1], x[1:2]])
    return np.sum(low) * 3.0 + np.sum(high) ** 2


@program([(V3,)], refusable=True)
def largest_row_of_one(x):
    return np.sum(max(x[None] * x) ** 2)
