"""Arguments that share memory which the function changes: the derivative would be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad

X = np.array([1.0, 2.0])
LONG = np.arange(3.0)


def doubled(xs):
    for a in xs:
        a *= 2.0
    return np.sum(xs[0] * xs[1])


def element_set(xs):
    xs[0][0] = xs[1][1] * 2.0
    return np.sum(xs[0] * xs[1])


def beside_a_list(a, xs):
    a[0] = a[0] * 3.0
    return np.sum(xs[0] * a)


def beside_a_table(a, tables):
    a[0] = a[0] * 3.0
    return np.sum(tables["x"][0] * a)


def item_replaced(xs):
    xs[0] = xs[1] * 2.0
    return np.sum(xs[0] * xs[1])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (doubled, ([X, X],)),
        (doubled, ([LONG[:2], LONG[1:]],)),
        (element_set, ([X, X],)),
        (beside_a_list, (X, [X])),
        (beside_a_table, (X, {"x": (X, 1.0)})),
    ],
)
def test_shared_memory_is_an_error(function, arguments):
    with pytest.raises(ValueError, match="share"):
        grad(function)(*arguments)


def test_arrays_that_nobody_changes_may_be_one():
    np.testing.assert_allclose(grad(item_replaced)([X, X]), [[0.0, 0.0], 4.0 * X])
    np.testing.assert_allclose(grad(beside_a_list)(X, [X.copy()]), [3.0, 2.0])
