"""Judges programs that give functions to SciPy: the value to the last bit, and derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autodiff import grad, jvp, value_and_grad

Program = Callable[[float], float]


def differences(f: Program, a: float, h: float) -> float:
    """The slope by four values: what is computed by a search is known to some digits alone."""
    near, far = f(a + h) - f(a - h), f(a + 2 * h) - f(a - 2 * h)
    return (8 * near - far) / (12 * h)


def check(f: Program, a: float = 2.0, h: float = 4e-3, exact: float = 2e-6) -> None:
    """The value is that of the plain call, its derivatives are right in both modes, and twice."""
    value, slope = value_and_grad(f, trace=False)(a)
    assert value == f(a)
    expected = differences(f, a, h)
    np.testing.assert_allclose(slope, expected, rtol=exact, atol=exact)
    pair = jvp(f, (a,), (1.0,))
    assert pair[0] == value
    np.testing.assert_allclose(pair[1], slope, rtol=1e-9, atol=1e-12)
    twice = grad(grad(f, trace=False), trace=False)(a)
    found = differences(grad(f), a, 1e-3)
    np.testing.assert_allclose(twice, found, rtol=5e-5, atol=5e-5)
