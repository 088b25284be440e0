"""Functions that call themselves: what they put into their arguments, dicts that they return."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4

LEVELS = (0.5, 1.5, 2.5, 3.5)


def put(table, value, n):
    if n == 0:
        table["v"] = value
        return True
    return put(table, value, n - 1)


@program([(V4,)], refusable=True)
def put_in_a_test(x):
    best = {"v": 0.0}
    n = 1
    if put(best, x[0] ** 2, 2):
        n += 1
    return best["v"] * n


@program([(V4,)], refusable=True)
def put_where_the_result_is_kept(x):
    best = {"v": 0.0}
    is_put = put(best, x[0] ** 2, 2)
    return best["v"] * 2 if is_put else 0.0


@program([(V4,)], refusable=True)
def put_in_a_product(x):
    best = {"v": 0.0}
    n = 2.0 * put(best, x[0] ** 2, 2)
    return best["v"] * n


@program([(V4,)], refusable=True)
def put_in_a_sum_in_place(x):
    best = {"v": 0.0}
    n = np.ones(2)
    n[0] += put(best, x[0] ** 2, 2)
    return best["v"] * n[0]


def store(y, value, n):
    if n == 0:
        y[0] = value
        return 1.0
    return store(y, value, n - 1)


@program([(V4,)], refusable=True)
def stored_in_an_array(x):
    y = np.ones(4)
    n = store(y, x[1] * 2.0, 1)
    return np.sum(y * x) * n


def bump(table, n):
    if n == 0:
        table["n"] += 1
        return 2.0
    return bump(table, n - 1)


@program([(V4,)])
def index_that_a_recursion_changes(x):
    table = {"n": 0}
    y = x * 1.0
    y[table["n"]] += bump(table, 1) * x[2]
    y[table["n"]] *= bump(table, 1)
    return np.sum(y * x)


def by_level(x, n):
    if n > 0:
        return by_level(x * 1.5, n - 1)
    table = {}
    for i in range(4):
        table[LEVELS[i]] = x[i] ** 2
    return table


@program([(V4,)])
def a_copy_of_what_is_returned(x):
    table = dict(by_level(x, 2)).copy() | {7.0: x[0]}
    total = 0.0
    for i, k in enumerate(table):
        total += i * k * table[k]
    return total


@program([(V4,)])
def what_is_returned_is_changed(x):
    table = by_level(x, 1)
    table[0.5] = table[1.5] * x[0]
    return sum(k * v for k, v in table.items())
