"""What a loop is over has a name of its own beside what the loop carries (`emit/placement.py`)."""

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, -0.7, 2.0])


def a_float_by_the_name_of_the_bound(x, n):
    m = n - 1 if n > 2 else n
    k = m
    m = 0.0
    for i in range(k):
        m = m + x[i] * m + x[i]
        if m > 5.0:
            break
    return m


def a_whole_number_by_the_name_of_the_bound(x, n):
    m = n - 1 if n > 2 else n
    k = m
    m = 0
    t = 0.0
    for i in range(k):
        t = t * x[i] + x[i]
        m = m + 1
        if t > 5.0:
            break
    return t * m


def a_flag_by_the_name_of_the_bound(x, n):
    m = n - 1 if n > 2 else n
    k = m
    m = False
    t = 0.0
    for i in range(k + 1):
        t = t * x[i] + x[i]
        m = t > 5.0
        if m:
            break
    return t if m else 2 * t


PROGRAMS = (
    a_float_by_the_name_of_the_bound,
    a_whole_number_by_the_name_of_the_bound,
    a_flag_by_the_name_of_the_bound,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_loops_run_as_often_as_in_python(f, n):
    expected = differences(f, (X, n))
    np.testing.assert_allclose(grad(f)(X, n), expected, rtol=1e-5, atol=1e-7)
    value, tangent = jvp(f, (X, n), (np.ones(4), None))
    assert value == f(X, n)
    assert tangent == pytest.approx(expected.sum(), rel=1e-5)
