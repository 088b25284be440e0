"""Dicts made of others; indices and keys that carry a derivative."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3


class Squares(dict):
    def __missing__(self, key):
        return key * key


@program([(V3, 3.0)], analytic=True)
def merged_displays(x, s):
    base = {"a": x, "s": 1.0}
    options = {**base, "s": s, **{"q": x * 2}}
    return (options["a"] * options["s"] + options["q"]).sum() + base["s"]


@program([({"w": V3, "b": 0.5},)], analytic=True)
def parameters_updated(p):
    def loss(q):
        return (q["w"] ** 2).sum() * q["b"]

    for _ in range(3):
        p = {**p, "w": p["w"] * 0.9}
    return loss(p) + loss({**p, "b": 2.0})


@program([(M23,)], analytic=True)
def places_and_values(m):
    return sum(v * (i + 2 * j) for (i, j), v in np.ndenumerate(m))


@program([(V3,)], analytic=True)
def joined_by_index(x):
    return np.sum(np.r_[x, 0.0, x[::-1]] ** 2)


@program([(V3,)], analytic=True)
def columns_by_index(x):
    return np.sum(np.c_[x, x**2] ** 2)


@program([(V3, 0.7)], analytic=True)
def joined_with_ranges_and_numbers(x, s):
    y = np.r_[0.0, 2 * x[1:], s, 1:3, 0:1:3j, [4.0, 5.0]]
    return np.sum(y**3 * np.arange(11)) + np.sum(np.r_[:2, x[0]] ** 2)


@program([(M23,)], analytic=True)
def columns_of_matrices_and_vectors(m):
    y = np.c_[m, m[:, 0] ** 2, np.ones((2, 1)), 1:3]
    return np.sum(y**3 * np.arange(6)) + np.sum(np.r_[m, np.r_[m] ** 2] ** 2)


@program([(M23,), (np.asfortranarray(M23),)], analytic=True)
def elements_by_flat(m):
    weighted = sum(k * v**2 for k, v in enumerate(m.flat))
    return weighted * m.flat[2] + np.sum(m.T.flat[1:4] ** 3) + np.sum((m * m).flat[[1, 4, 1]])


@program([(M23,), (np.asfortranarray(M23),)], analytic=True, refusable=True)
def flat_of_what_changes(m):
    y = m * 1.0
    flat = y.flat
    y[0, 1] = 7.0
    return flat[1] ** 2 * m[0, 0] + flat[0] ** 2


@program([(M23, V3)], analytic=False)
def put_along_an_axis(m, v):
    y = m.copy()
    np.put_along_axis(y, np.array([[0], [2]]), v[:2, None] ** 2, axis=1)
    return np.sum(y**3)


@program([(V3,)], analytic=True)
def joined_in_a_loop(x):
    for _ in range(3):
        x = np.r_[x, np.sum(x) / 2]
    return np.sum(x**2)


@program([(M23.astype(np.float32),)], analytic=False, refusable=True)
def numbers_joined_to_few_digits(m):
    return np.sum(np.r_[m[0], 0.5] ** 2)


@program([(1.3,)], analytic=True, refusable=True)
def made_for_a_missing_key(x):
    return Squares()[x]


@program([(1.3,)], analytic=True, refusable=True)
def read_back_from_keys(x):
    return list({x: 1})[0] * 3


@program([(M23,)], analytic=True, refusable=True)
def items_of_flat(m):
    total = m.flat[1] * m.flat[2]
    for v in m.flat:
        total = total * 1.1 + v
    return total


@program([(M23,)], analytic=True, refusable=True)
def memory_of_a_view(m):
    row = m[0]
    return row.base[1, 0] * 2.0
