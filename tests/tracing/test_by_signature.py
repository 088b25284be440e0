"""`np.vectorize(signature=...)` and `np.fromiter` of iterators."""

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check_both_modes

X = np.array([0.5, 1.2, 0.7, 2.0])
PRODUCT = np.vectorize(lambda v, w: np.sum(v * w), signature="(n),(n)->()")


def squares(x):
    for v in x:
        yield v * v


def norms(x):
    return np.sum(np.vectorize(lambda v: np.sum(v**2), signature="(n)->()")(np.outer(x, x)))


def a_row_beside_each(x):
    first = np.vectorize(lambda v, w: np.outer(v, w)[0], signature="(n),(m)->(m)")
    return np.sum(first(np.outer(x, x), x) ** 2)


def made_outside(x):
    return np.sum(PRODUCT(np.outer(x, x), x) ** 2) + PRODUCT(x, x * 2) * x[0]


def numbers_and_rows(x):
    sums = np.vectorize(lambda a, v: a * np.cumsum(v), signature="(),(n)->(n)")
    return np.sum(sums(x, np.outer(x, x)))


def one_row_for_all(x):
    return np.sum(PRODUCT(np.outer(x, x), np.outer(x, x)[:1]) ** 2)


def a_function_of_numpy(x):
    det = np.vectorize(np.linalg.det, signature="(n,n)->()")
    return np.sum(det(x[:, None, None] * np.eye(2) + 0.1))


def from_iterators(x):
    a, b = np.fromiter(squares(x), float), np.fromiter((v * 2 for v in x), dtype=float)
    return np.sum(a * b)


PROGRAMS = (
    *(norms, a_row_beside_each, made_outside, numbers_and_rows, one_row_for_all),
    *(a_function_of_numpy, from_iterators),
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_both_modes_agree_with_differences(f):
    check_both_modes(f, X)


def rows_that_do_not_fit(x):
    return np.sum(PRODUCT(np.outer(x, x), np.outer(x, x)[:3]))


def some_items(x):
    return np.sum(np.fromiter(squares(x), float, 2))


def test_what_does_not_fit_raises_as_in_numpy():
    for f in (rows_that_do_not_fit, grad(rows_that_do_not_fit)):
        with pytest.raises(ValueError, match="shape mismatch"):
            f(X)


def test_a_number_of_items_is_taken():
    check_both_modes(some_items, X)
