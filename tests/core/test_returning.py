"""Functions that return containers (lower/entries/returning.py), and adjoints of namedtuples."""

from __future__ import annotations

import collections
import dataclasses

import numpy as np
import pytest

from autodiff import grad, vjp
from autodiff.core.notyet import NotYet
from tests.core.judge import core_alone
from tests.language import oracle

X = np.array([0.7, 0.4, 1.2])
Point = collections.namedtuple("Point", ["x", "y"])


@dataclasses.dataclass
class Reading:
    value: object
    file: object
    scale: float = 2.0


def nested(x, k):
    return {"a": [x * k, (x[0], "word", None)], 3: {"b": np.sum(x) * k}}


def fields(x, k):
    return Reading(x * k, file=Point(y=x[0] * x[1], x=k))


def views_of_each_other(x, k):
    a = x * k
    b = a[1:]
    b[0] = a[0] * x[2]
    return [a, (b, a[::2]), {"a": a}]


def of_a_loop(x, k):
    pair = [x[0], x]
    for i in range(3):
        pair[0] = pair[0] * x[i]
        pair[1] = pair[1] * k
    return pair


def by_branch(x, k):
    if k > 0.0:
        y = Point(x, k * x[0])
    else:
        y = Point(x * x, 1.0)
    return [y, y.x]


@pytest.mark.parametrize(
    "function",
    [nested, fields, views_of_each_other, of_a_loop, by_branch],
    ids=lambda f: f.__name__,
)
def test_pullbacks_of_containers(function):
    primal = function(X.copy(), 0.3)
    seed = oracle.seed_for(primal)
    with core_alone():
        value, pullback = vjp(function, X.copy(), 0.3)
        adjoints = [pullback(seed), pullback(seed)]
    assert type(value) is type(primal)
    for one, other in zip(oracle.leaves(value), oracle.leaves(primal), strict=True):
        assert np.allclose(one, other)
    wanted = oracle.gradients(function, [X.copy(), 0.3], {}, ["x", "k"], seed=seed)
    for found in adjoints:
        for name, own, want in zip(("x", "k"), found, wanted, strict=True):
            oracle.compare(own, X if name == "x" else 0.3, want, 1e-6, name)


def twice(x):
    one = [x, x * x]
    return one, one


def the_argument(q):
    q[0] = q[0] * 2.0
    return q


@pytest.mark.parametrize(("function", "given"), [(twice, 0.7), (the_argument, [0.7])])
def test_identity_is_not_lost(function, given):
    with core_alone(), pytest.raises(NotYet):
        vjp(function, given)


def of_a_point(point, k):
    return point.x * point.y * k + np.sum(point.y)


def test_adjoint_of_a_namedtuple():
    with core_alone():
        found = grad(of_a_point, wrt="point")(Point(0.7, 0.4), 3.0)
    assert type(found) is Point
    assert np.allclose(found, [1.2, 3.1])
