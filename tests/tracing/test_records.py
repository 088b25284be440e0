"""Records are followed by their fields, `np.nditer` by elements, draws as what they are made of,
distributions by their rules.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from autodiff import check_grads, jvp

X = np.array([0.3, 0.7, 1.1])
KIND = [("a", float), ("p", float, 2), ("n", int)]


def stored(x):
    s = np.zeros(3, KIND)
    s[0] = (x[0], (x[1], x[2]), 4)
    s[1] = s[0]
    s[2] = x[1]
    return s["a"] @ [1.0, 2.0, 3.0] + (s["p"] ** 2).sum() + s["n"][0] * s["a"][1] ** 2


def one_record(x):
    s = np.zeros(2, KIND)
    r = s[1]
    r["p"][1] = x[2] * 3
    r["a"] = r["p"][1] + x[0]
    before = r["a"]
    r[0] *= 2
    a, p, n = s[1]
    return (a * p).sum() + before * r[0] + n


def of_tuples(x):
    rows = np.array([(v, v * v) for v in x], dtype=[("a", float), ("b", float)])
    return sum(row["a"] * row["b"] ** 2 for row in rows) + rows[["a", "b"]][1]["b"]


def of_lists(x):
    s = np.zeros(3, [("t", float), ("y", float)])
    s[:2] = [(x[0], x[1]), (x[1], x[2])]
    s[1:] = s[:2].copy()
    return s["t"] @ s["y"]


def sorted_by_a_field(x):
    s = np.zeros(3, [("k", int), ("y", float)])
    s["k"], s["y"] = [2, 0, 1], x
    s.sort(order="k")
    t = np.sort(s, order="y")
    return s["y"] @ [1.0, 10.0, 100.0] + t["y"] @ [1.0, 2.0, 3.0]


def written_by_nditer(x):
    out = np.empty((2, 3))
    with np.nditer([x, out], op_flags=[["readonly"], ["writeonly"]]) as it:
        for a, b in it:
            b[...] = 2 * a**2
    return (out * np.arange(6.0).reshape(2, 3)).sum()


def places_of_nditer(x):
    m = np.asfortranarray(np.outer(x, x))
    it = np.nditer(m, flags=["multi_index"], op_flags=["readwrite"])
    total = 0.0
    while not it.finished:
        i, j = it.multi_index
        total = 0.9 * total + it[0] * (i + 1) / (j + 1)
        it[0] = total
        it.iternext()
    return total + m[0, 1]


def made_by_nditer(x):
    it = np.nditer([x, None, np.arange(3.0)], flags=["c_index"])
    for a, b, c in it:
        b[...] = a * c * it.index
    return it.operands[1] @ x


def drawn(x):
    rng = np.random.default_rng(3)
    held = {}
    for k in range(2):
        held.setdefault(k, []).append(rng.choice(x, 4, p=[0.2, 0.3, 0.5]))
    held[1].append(rng.normal(x, 0.1) * np.random.RandomState(1).permutation(x))
    rng.shuffle(held[1][1])
    mean = rng.multivariate_normal(x, np.eye(3))
    return held[0][0] @ held[1][0] + held[1][1] @ mean


def drawn_and_compiled(x):
    rng = np.random.default_rng(3)
    rows = rng.choice(np.outer(x, x), 2, axis=1, shuffle=False)
    mean = rng.multivariate_normal(x, np.eye(3), 2)
    return np.sum(rows**2) + np.prod(rng.choice(x, (2, 2))) + np.sum(mean**2)


def densities(x):
    d = {}
    d.setdefault("g", []).append(stats.gamma(x[0] + 1).mean())
    return stats.beta.pdf(0.3, *x[:2] + 1) + stats.beta(x[0] + 1, 2.0).cdf(x[0]) * d["g"][0]


def until_an_event(x):
    def hit(t, y, g):
        return y[0] - 0.1

    hit.terminal = True
    path = integrate.solve_ivp(
        lambda t, y, g: (y[1], -g), [0, 50], [x[0] + 1, x[1]], events=hit, args=(9.81,)
    )
    return path.t[-1] + 0.1 * path.y[1, -1]


PROGRAMS = (
    *(stored, one_record, of_tuples, of_lists, sorted_by_a_field, written_by_nditer),
    *(places_of_nditer, made_by_nditer, drawn, drawn_and_compiled, densities),
    until_an_event,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_followed(program):
    """Both modes give the derivative, and the value that NumPy gives."""
    check_grads(program, X, order=1)
    assert np.isclose(jvp(program, (X,), (X,))[0], program(X))
