"""Functions of itertools: places that are chosen, and items that carry a derivative."""

import functools
import itertools
import operator
from functools import reduce

import numpy as np

from tests.language.corpus import program
from tests.language.data import M32, M33


@program([(M33,)], analytic=False)
def pair_energy(p):
    energy = 0.0
    for i, j in itertools.combinations(range(p.shape[0]), 2):
        r = np.sqrt(((p[i] - p[j]) ** 2).sum())
        energy += 4 * ((0.3 / r) ** 12 - (0.3 / r) ** 6)
    return energy


@program([(M32,)], analytic=True)
def all_places(p):
    total = 0.0
    for i, j in itertools.product(range(3), range(2)):
        total += p[i, j] ** 2 * (i + 1)
    return total


@program([(M32,)], analytic=True)
def neighbours(p):
    total = 0.0
    for a, b in itertools.pairwise(p):
        total += (a @ b) ** 2 + (a - b).sum()
    return total


@program([(M32,)], analytic=True)
def permuted_places(p):
    total = 0.0
    q = p * 1.0
    for order in itertools.permutations([0, 1, 2]):
        total += (q[list(order)][0] * p[order[1]]).sum() * order[2]
        q[order[0]] = p[order[1]]
    return total + q.sum()


@program([(M32,)], analytic=True)
def forces_in_place(p):
    q = p * 1.0
    for i, j in itertools.combinations(range(3), 2):
        d = p[i] - p[j]
        q[i] += d
        q[j] -= d / (d @ d + 1)
    return (q**2).sum()


@program([(M32,)], analytic=True)
def views_of_chosen_rows(p):
    q = p * 1.0
    for i, j in itertools.combinations(range(3), 2):
        a = q[i]
        b = q[j]
        a += b * 0.1
        b *= a[0]
    return (q**2).sum()


@program([(M32,)], analytic=True)
def running_totals(p):
    sums = list(itertools.accumulate(p))
    products = list(itertools.accumulate(p[:, 0], lambda a, b: a * b + 1))
    return (sums[-1] * sums[1]).sum() + products[1] * products[2]


@program([(M32,)], analytic=True)
def one_after_the_other(p):
    total = 0.0
    for row in itertools.chain(p[:1], p[1:]):
        total += row[0] * row[1]
    return total


@program([(M32,)], analytic=True)
def pairs_of_items(p):
    total = 0.0
    for a, b in itertools.combinations(p, 2):
        total += a @ b
    for a, b in itertools.product(p[:, 0], p[:, 1]):
        total += a * b**2
    return total


@program([(M32,)], analytic=True, refusable=True)
def read_a_second_time(p):
    items = itertools.chain(p[:, 0], p[:, 1])
    first = sum(items)
    return first * first + sum(items)


@program([([0.3, 1.7, 0.4],), (np.array([0.3, 1.7, 0.4]),)], analytic=False)
def product_of_a_generator(xs):
    product = functools.reduce(operator.mul, (np.cos(v / (i + 1.0)) for i, v in enumerate(xs)), 1)
    return product + reduce(lambda p, q: p - q * xs[0], (v * v for v in xs if v > 0.0))
