"""What is stored into an array of integers loses its fraction: where nobody knows while compiling
whether an array is one, the derivative says so where it runs (`dataflow/whole.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import NonDifferentiableError, UnsupportedSyntaxError, grad, hessian, jvp
from tests.core.judge import MODES, judge


def integer_on_one_path(x, n):
    k = n if n > 1 else x
    a = np.array([k, k + 1])
    a[0] = 3 * x
    return np.sum(a) * x


def carried_by_a_loop(x, n):
    k = 0
    for _ in range(2 - n):
        k = k + x
    a = np.full(3, k)
    a[1:] = np.array([x, x * x])
    return np.sum(a) * x


def in_a_list(x, n):
    items = [0]
    if n < 2:
        items.append(x)
    a = np.array(items)
    a[0] += 3 * x
    return np.sum(a) * x


def larger_one(x, n):
    a = np.array(max(n, x)).reshape(1)
    np.put(a, [0], x * 1.7)
    return np.sum(a) * x


def through_a_view(x, n):
    k = n if n > 1 else 2.0
    a = np.cumsum([k, k])
    a[1:][...] = x
    return np.sum(a) * x


JOINED = [integer_on_one_path, carried_by_a_loop, in_a_list, larger_one, through_a_view]


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["grad", "jvp", "hessian"])
def test_stored_into_integers(function, mode):
    derived = {
        "grad": grad(function),
        "jvp": lambda x, n: jvp(function, (x, n), (1.0, None)),
        "hessian": hessian(function),
    }[mode]
    with pytest.raises(NonDifferentiableError, match="a float is stored into an array of integers"):
        derived(1.3, 2)


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_stored_into_floats(function):
    assert judge(function, [(2.3, 1)], ("x",), (*MODES, "jvp")).what == "right"


def integers_into_integers(x, n):
    k = n if n > 1 else x
    a = np.array([k, k + 1])
    a[0] = k + 1
    return np.sum(a * x) * k


def test_what_loses_nothing():
    assert judge(integers_into_integers, [(1.3, 2), (1.3, 1)], ("x",)).what == "right"


def stored_into_a_power(x, n):
    a = np.array([2**n * 3, 2])
    a[0] = 3.3 * x
    return np.sum(a) * x


def test_a_power_of_integers_is_a_float():
    assert judge(stored_into_a_power, [(1.3, 2)], ("x",), (*MODES, "jvp")).what == "right"
    with pytest.raises(NonDifferentiableError, match="is one of floats here"):
        grad(stored_into_a_power)(1.3, -1)
    with pytest.raises(NonDifferentiableError, match="is one of floats here"):
        jvp(stored_into_a_power, (1.3, -1), (1.0, None))


def tried(x, n):
    a = np.array([n if n > 1 else x, 1])
    try:
        a[0] = 3 * x
    except Exception:
        return x * x
    return np.sum(a) * x


def test_nobody_takes_the_error():
    with pytest.raises(UnsupportedSyntaxError, match="may round"):
        grad(tried)(1.3, 2)
