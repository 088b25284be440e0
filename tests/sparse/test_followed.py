"""What patterns are made of: each has the entries that are not zero, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from autodiff import hessian, jacobian, sparse_hessian, sparse_jacobian
from autodiff.core import NotYet
from autodiff.pipeline import compiler
from autodiff.pipeline.assembly import BESIDE

X = np.array([0.7, -1.3, 0.4, 1.9, 0.6])


def moved(x):
    y = np.concatenate([[1.0], x[::-1], x[1:3]])
    return np.where(y > 0.5, y, 0.0) + np.roll(y, 1) * 2.0


def added_at_places(x):
    y = np.zeros(4)
    np.add.at(y, [0, 2, 2], x[:3] ** 2)
    y[[1, 0]] -= x[3:]
    return y


def stored_through_a_view(x):
    y = np.outer(x, x)
    row = y.reshape(-1)[5:10]
    row[1:] = x[:4] ** 3
    return y[:2] * 1.0


def without_slope(x):
    return np.sign(x) * x[0] + np.round(x) + np.argsort(x)


def by_branch(x):
    y = x * 1.0
    for i in range(len(x)):
        y[i] = x[i] * x[0] if x[i] > 0.5 else 3.0
    return y


def kept(node, x):
    return x[node - 4] if node > 3 else kept(2 * node + 1, x) * x[node]


def by_recursion(x):
    return np.array([kept(0, x), kept(1, x) + 1.0])


def in_containers(x):
    held = {"a": [x[0], x[1]], "b": x[2:]}
    held["a"].append(held["a"].pop(0) * x[4])
    held["b"] = held["b"] + held["a"][0]
    return np.array([held["a"][-1], *held["b"]])


def masked(x):
    return x[:-1] * np.array([1.0, 0.0, 2.0, 0.0]) @ np.diag([1.0, 2.0, 0.0, 3.0])


FUNCTIONS = [
    *(moved, added_at_places, stored_through_a_view, without_slope, by_branch, by_recursion),
    *(in_containers, masked),
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions(f):
    compiler.REASONS.clear()
    pattern = sparse_jacobian(f).pattern_at(X).matrix.toarray()
    assert not compiler.REASONS
    assert_array_equal(pattern, jacobian(f)(X).reshape(pattern.shape) != 0)


def largest(x):
    return max(x[0] * x[1], x[2] * x[3]) * x[4]


def product(x):
    return np.prod(x[1:])


def of_a_comprehension(x):
    return sum(x[i] * x[i + 1] for i in range(len(x) - 1))


def overwritten(x):
    y = x**2
    y[1:3] = x[:2] ** 3
    y[np.array([3, 4])] = 1.0
    return np.sum(y)


def of_one_element(x):
    return (x**2)[1] * x[3]


def of_added(x):
    return np.sum(added_at_places(x) ** 2)


GRADIENTS = [of_a_comprehension, overwritten, of_one_element, of_added]


@pytest.mark.parametrize("f", GRADIENTS, ids=lambda f: f.__name__)
def test_gradients(f):
    compiler.REASONS.clear()
    pattern = sparse_hessian(f).pattern_at(X).matrix.toarray()
    assert not compiler.REASONS
    assert_array_equal(pattern, hessian(f)(X) != 0)


@pytest.mark.parametrize(("f", "count"), [(largest, 14), (product, 16)])
def test_what_unites_more(f, count):
    compiler.REASONS.clear()
    pattern = sparse_hessian(f).pattern_at(X).matrix.toarray()
    assert not compiler.REASONS
    assert not np.any((hessian(f)(X) != 0) & ~pattern)
    assert pattern.sum() <= count


def test_what_core_does_not_take_depends_on_everything(monkeypatch):
    def f(x):
        return x[1:] * x[:-1]

    def untaken(*given):
        raise NotYet("index sets of this")

    monkeypatch.setitem(BESIDE, "sparsity", untaken)
    jac = sparse_jacobian(f)
    assert_array_equal(jac(X).toarray(), jacobian(f)(X))
    assert jac.pattern.columns.size == 4 * 5
