"""Keys of dicts have no tangents, and no adjoints: what would put one that needs it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, grad, hessian, hvp, jacobian, jacrev, jvp
from tests.language.data import V4
from tests.language.programs import keys_of_dicts

X = np.array([0.7, -0.4, 1.3, 0.2])
V = np.array([0.5, 1.0, -2.0, 1.5])


def items_of_elements(x):
    table = {}
    for i in range(4):
        table[x[i]] = x[i] ** 2
    return sum(k * x[0] for k in table)


def display(x):
    return sum(k * v for k, v in {x[0]: x[1]}.items())


def comprehension(x):
    table = {i * x[0]: x[i] for i in range(4)}
    return sum(k * v for k, v in table.items())


def pairs(x):
    table = dict(zip(x, x))
    total = 0.0
    for k in table:
        total += k * table[k]
    return total


def default(x):
    table = {}
    table.setdefault(x[0], x[1])
    return sum(table) * x[2]


def parts_of_tuples(x):
    table = {}
    for i in range(2):
        table[(x[i], i)] = x[2]
    return sum(a * x[3] for a, _ in table)


def texts(x):
    table = {}
    for i in range(4):
        table[str(float(x[i]))] = 1.0
    return sum(float(k) * v for k, v in table.items())


def values_as_keys(x):
    table = {i * 0.5: x[i] for i in range(4)}
    back = {v: k for k, v in table.items()}
    return sum(v * back[v] for v in back)


KEYS = [
    items_of_elements, display, comprehension, pairs, default, parts_of_tuples, texts,
    values_as_keys,
]  # fmt: skip


@pytest.mark.parametrize("f", KEYS, ids=lambda f: f.__name__)
def test_keys_that_carry_a_derivative_are_refused(f: Callable[..., Any]) -> None:
    assert np.isfinite(f(X))
    with pytest.raises(AutodiffError):
        grad(f)(X)
    with pytest.raises(AutodiffError):
        jvp(f, (X,), (V,))


def dict_in_a_list_of_anything(x):
    total = 0.0
    for part in [{0.5: x[0]}, [x[1], x[2]], x[3]]:
        if isinstance(part, dict):
            for k in part:
                total += k * x[0]
    return total


def sum_of_a_part(x):
    parts = [{0.5: x[0]}, [x[1], x[2]], x[3]]
    total = 0.0
    for i in range(2):
        part = parts[i]
        total += sum(part) * x[0]
    return total


@pytest.mark.parametrize("f", [dict_in_a_list_of_anything, sum_of_a_part])
def test_dicts_among_others(f: Callable[..., Any]) -> None:
    step = 1e-6
    wanted = (f(X + step * V) - f(X - step * V)) / (2 * step)
    assert jvp(f, (X,), (V,))[1] == pytest.approx(wanted, rel=1e-7)


LEFT_OUT = ("program", "by_level", "keys_of_several_types", "keys_of_a_defaultdict")
ASKED = [entry for entry in vars(keys_of_dicts).values() if getattr(entry, "__code__", None)]


@pytest.mark.parametrize(
    "f", [f for f in ASKED if f.__name__ not in LEFT_OUT], ids=lambda f: f.__name__
)
def test_second_derivatives(f: Callable[..., Any]) -> None:
    gradient, h = grad(f), 1e-5
    expected = (gradient(V4 + h * V) - gradient(V4 - h * V)) / (2 * h)
    found = {
        "hvp": hvp(f)(V4, V),
        "hessian": hessian(f)(V4) @ V,
        "reverse over reverse": jacrev(gradient)(V4) @ V,
        "reverse over forward": grad(lambda x: jvp(f, (x,), (V,))[1])(V4),
        "forward over forward": jacobian(lambda x: jvp(f, (x,), (V,))[1], mode="forward")(V4),
    }
    for order, product in found.items():
        assert_allclose(product, expected, rtol=1e-6, atol=1e-8, err_msg=order)
