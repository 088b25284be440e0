"""Dicts whose keys are numbers that the function computes with: keys carry no derivative."""

import collections

from tests.language.corpus import program
from tests.language.data import V4

LEVELS = [0.5, 1.0, 1.5, 1]
MIXED = [2, 0.5, "1.5", 1]


def by_level(x):
    table = {}
    for i in range(4):
        table[LEVELS[i]] = x[i] ** 2
    return table


@program([(V4,)], analytic=True)
def keys_by_iteration(x):
    table = by_level(x)
    total = 0.0
    for k in table:
        total += k * x[0] * table[k]
    return total


@program([(V4,)], analytic=True)
def keys_alone(x):
    table = by_level(x)
    total = 0.0
    for k in table:
        total += k * x[0]
    return total + table[0.5]


@program([(V4,)], analytic=True)
def keys_with_values(x):
    total = 0.0
    for k, v in by_level(x).items():
        total += k * v * v
    return total


@program([(V4,)], analytic=True)
def keys_by_method(x):
    table = by_level(x)
    total = 1.0
    for k in table.keys():  # noqa: SIM118
        total *= k + 1 + x[0]
    return total + table[0.5] + sum(table) * x[1]


@program([(V4,)], analytic=True)
def keys_in_lists(x):
    table = by_level(x)
    total = 1.0
    for k in list(table):
        total *= k + x[0]
    for k in sorted(table):
        total = total * k + table[k]
    first, *rest = table
    return total * first + sum(rest) * x[1]


@program([(V4,)], analytic=True)
def largest_key(x):
    table = by_level(x)
    return max(table) * table[0.5] * x[0]


@program([(V4,)])
def key_of_the_largest_value(x):
    table = by_level(x)
    return max(table, key=lambda k: table[k]) * table[0.5] * x[0]


@program([(V4,)], analytic=True)
def keys_of_a_comprehension(x):
    table = {i * 0.5: x[i] for i in range(4)}
    return sum(k * v * v for k, v in table.items()) + sum(k * table[k] for k in table)


@program([(V4,)], analytic=True)
def keys_of_a_copy_and_a_union(x):
    table = dict(by_level(x)).copy() | {7.0: x[0]}
    total = 0.0
    for i, k in enumerate(table):
        total += i * k * table[k]
    return total


@program([(V4,)], analytic=True)
def keys_of_nested_dicts(x):
    total = 0.0
    for _, table in {"a": by_level(x), "b": by_level(x * 2)}.items():
        for k in table:
            total += k * table[k] * x[0]
    return total


@program([(V4,)], analytic=True, refusable=True)
def keys_of_several_types(x):
    table = {}
    for i in range(4):
        table[MIXED[i]] = x[i] ** 2
    total = 0.0
    for k in table:
        total += float(k) * table[k]
    return total


@program([(V4,)], analytic=True, refusable=True)
def keys_of_a_defaultdict(x):
    table = collections.defaultdict(float)
    for i in range(4):
        table[i % 2] += x[i] ** 2 * (1 + i)
    table["z"] += table[0] * table[1]
    total = 0.0
    for k in table:
        total += table[k] ** 2
    return total


@program([(V4,)], analytic=True)
def tuples_of_numbers(x):
    table = {}
    for i in range(2):
        for j in range(2):
            table[i * 0.5, j] = x[2 * i + j] ** 2
    total = 0.0
    for a, b in table:
        total += (a + b) * table[a, b]
    for (a, b), v in table.items():
        total += a * v * v - b * x[0]
    return total


class Node:
    def __init__(self, value):
        self.value = value


@program([(V4,)], analytic=True)
def objects_as_keys(x):
    a, b = Node(1.0), Node(2.0)
    table = {}
    table[a] = x[2]
    table[b] = x[3] * x[2]
    total = 0.0
    for node in table:
        total += node.value * table[node]
    return total
