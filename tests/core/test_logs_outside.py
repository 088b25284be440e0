"""Containers of outside that a function fills."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp, value_and_grad, vjp
from tests.core.differences import differences

LOG: list[Any] = []
TABLE: dict[str, Any] = {}
X = np.array([0.3, 0.5, 0.7])


def logged(x):
    u = x * 1.0
    for k in range(2):
        LOG.append((k, np.sum(u)))
        u = np.sin(u)
        LOG.append(u)
    u[0] = 3.0 * u[1]
    return np.sum(u * u)


def changed_afterwards(x):
    u = x * 1.0
    LOG.append(u)
    for _ in range(2):
        u[1:] = u[:-1] * u[1:]
    return np.sum(u * u)


def noted(x):
    note(LOG, x[0])
    TABLE.update(last=x[1])
    return np.sum(x * x)


def note(log, value):
    log.append(value)


@pytest.mark.parametrize("function", [logged, changed_afterwards, noted])
@pytest.mark.parametrize(
    "ask",
    [
        lambda f: grad(f)(X),
        lambda f: value_and_grad(f)(X)[1],
        lambda f: vjp(f, X)[1](1.0)[0],
        lambda f: [jvp(f, (X,), (e,))[1] for e in np.eye(3)[:1]],
    ],
)
def test_it_holds_what_the_function_leaves(function, ask):
    expected = differences(function, (X,))
    LOG.clear()
    function(X.copy())
    wanted = [np.copy(each[1] if isinstance(each, tuple) else each) for each in LOG]
    assert wanted
    LOG.clear()
    TABLE.clear()
    found = ask(function)
    np.testing.assert_allclose(found, expected[: len(found)], rtol=1e-7)
    assert TABLE == ({"last": 0.5} if function is noted else {})
    for each, other in zip(LOG, wanted, strict=True):
        np.testing.assert_allclose(each[1] if isinstance(each, tuple) else each, other)


def read_by_an_index(x):
    LOG.append(2.0)
    return x * LOG[0]


def read_before(x):
    y = x * len(LOG)
    LOG.append(2.0)
    return y


def read_by_another_name(x):
    log = LOG
    log.append(2.0)
    return x * sum(LOG)


def taken(x):
    return x * LOG.pop()


@pytest.mark.parametrize("function", [read_by_an_index, read_before, read_by_another_name, taken])
def test_what_it_reads_as_well_is_refused(function):
    LOG[:] = [1.0, 2.0]
    with pytest.raises(AutodiffError, match="changes `LOG`"):
        grad(function)(2.0)
    assert LOG == [1.0, 2.0]
