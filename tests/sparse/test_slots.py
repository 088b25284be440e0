"""Patterns of gradients that keep adjoints in slots: of functions whose lists and dicts change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import hessian, sparse_hessian


def extremes(x):
    """What `max` and `min` give back to the list is added to slots that have something already."""
    held = []
    for v in x:
        held.append(v * v)
        if len(held) > 3:
            held.pop(0)
    return max(held) * min(held) * sum(held)


def extreme(x):
    held = []
    for v in x:
        held.append(v * v)
        if len(held) > 4:
            held.pop(0)
    return max(held) * x[0] + min(held) * x[1]


def popped(x):
    held = []
    for v in x:
        held.append(v * v)
        if len(held) > 3:
            held.pop(0)
    return held[0] * sum(held)


def exchanged(x):
    table = [[x[i] * (j + 1) for j in range(3)] for i in range(3)]
    for i in range(3):
        table[i], table[(i + 1) % 3] = table[(i + 1) % 3], table[i]
        table[i][0] = table[i][1] * x[3]
    return sum(sum(row) * row[0] for row in table)


def remembered(x):
    known = {0: x[0], 1: x[1]}
    for k in range(2, 5):
        known[k] = known[k - 1] * x[k] + np.sin(known[k - 2])
        if k > 3:
            known[k - 3] = known[k] * x[2]
    total = 0.0
    for k, value in known.items():
        total = total + value * (k + 1)
    return total


@pytest.mark.parametrize("f", [extremes, extreme, popped, exchanged, remembered])
def test_lists_and_dicts_that_change(f):
    x = np.random.default_rng(5).uniform(0.3, 1.2, 7)
    sparse = sparse_hessian(f)
    dense = hessian(f)(x)
    pattern = sparse.pattern_at(x).matrix.toarray()
    assert np.count_nonzero(dense) < dense.size
    assert not np.any(dense[~pattern])
    assert_allclose(sparse(x).toarray(), dense, rtol=1e-12, atol=1e-12)
