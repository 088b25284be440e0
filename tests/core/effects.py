"""Programs with statements for their effect; a module of its own, as pytest rewrites the asserts of
tests.
"""

from __future__ import annotations

import logging
import warnings

import numpy as np

log = logging.getLogger("tests.core.control")


def raises_in_a_branch(x, n):
    if n < 0:
        raise ValueError(f"negative: {n}, {x:.3f}")
    y = x * n
    if n > 100:
        raise OverflowError("many")
    else:
        y = y * x
    return np.sin(y)


def raises_otherwise(x, kind):
    if kind == 1:
        y = x * x
    elif kind == 2:
        y = np.sin(x)
    else:
        raise ValueError("kind", kind)
    return y * x


def raises_in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        s = s * x + i
        if s > 1e6:
            raise ArithmeticError("diverged at", i, s)
        s = np.sin(s)
    return s


def raises_before_a_first_value(x, n):
    for i in range(n):
        if i > 5:
            raise ValueError("late") from None
        y = x * i
        if i == 2:
            break
    else:
        raise ValueError("never")
    return y * x


def asserts(x, n):
    assert n > 0
    assert np.all(np.isfinite(x)), "not finite"
    y = x * n
    assert len(x) == 5, f"of length {len(x)}"
    y[0] = y[1] * y[0]
    assert y[0] < 1e3, f"large: {y[0]} at {n}"
    return np.sum(y * y)


def prints(x, n):
    y = x.copy()
    for i in range(n):
        y[i] = y[i] * y[i + 1]
        print("step", i, y[i], f"{np.sum(y):.3f}", sep=", ")
        print(y)
    log.info("after %d steps: %s", n, y)
    if y[0] > 100.0:
        warnings.warn("large", RuntimeWarning, stacklevel=2)
    return np.sum(y * x)
