"""Nothing flows into what was not chosen: finite where the function is, whatever the slope."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad, hessian
from tests.core.judge import core_alone

X = np.array([0.3, 0.0, 1.2])


def left_out_by_continue(x):
    t = 0.0
    for i in range(3):
        for j in range(3):
            d = np.sqrt((x[i] - x[j]) ** 2)
            if i == j:
                continue
            t += d
    return t


def overwritten_by_a_mask(x):
    y = np.sqrt(x)
    y[x < 0.1] = 2.0
    return np.sum(y)


def overwritten_by_number(x):
    y = np.sqrt(x)
    y[1] = 0.5
    return np.sum(y * y * y)


def numbers_that_are_chosen(x):
    p, q = x[1], x[2]
    y = np.array([p * q, np.where(p > 0.0, np.sqrt(p), q)])
    return y[0] * q + y[1]


def not_read(x):
    y = np.sqrt(x)
    return y[0] * y[2]


def chosen_of_what_is_no_number(x):
    return np.sum(np.where(x > 0.1, np.log(x) * x, x))


def chosen_by_a_branch(x):
    s = 0.0
    for k in range(3):
        r = 1.0 / x[k]
        if x[k] > 0.1:
            s += r
    return s


def left_out_by_a_triangle(x):
    y = np.log(x) * x[:, None]
    return np.sum(np.tril(np.triu(y, 2), 2))


def replaced_by_a_mask(x):
    y = x * np.log(x)
    y[x == 0] = 2.0
    return np.sum(y)


def replaced_by_indices(x):
    y = x * np.log(x)
    np.put(y, np.nonzero(x == 0)[0], 2.0)
    y[[0]] = 0.0
    return np.sum(y)


def summed_where_it_was_broadcast(x):
    scale = x[:, None]
    rows = np.stack([x, x]).T / scale
    rows[x == 0] = 1.0
    return np.sum(rows * x[2])


def of_all_that_is_summed(x):
    root = np.sqrt(np.sum(x - x))
    return np.sum(np.where(root > 0, root * x, x))


EXPECTED = {
    left_out_by_continue: [0.0, -4.0, 4.0],
    overwritten_by_a_mask: [0.5 / np.sqrt(0.3), 0.0, 0.5 / np.sqrt(1.2)],
    overwritten_by_number: [1.5 * np.sqrt(0.3), 0.0, 1.5 * np.sqrt(1.2)],
    numbers_that_are_chosen: [0.0, 1.44, 1.0],
    not_read: [0.5 * np.sqrt(1.2 / 0.3), 0.0, 0.5 * np.sqrt(0.3 / 1.2)],
    chosen_of_what_is_no_number: [np.log(0.3) + 1.0, 1.0, np.log(1.2) + 1.0],
    left_out_by_a_triangle: [np.log(1.2), 0.0, 0.25],
    replaced_by_a_mask: [np.log(0.3) + 1.0, 0.0, np.log(1.2) + 1.0],
    replaced_by_indices: [0.0, 0.0, np.log(1.2) + 1.0],
    summed_where_it_was_broadcast: [0.0, 0.0, 6.0],
    of_all_that_is_summed: [1.0, 1.0, 1.0],
    chosen_by_a_branch: [-1.0 / 0.09, 0.0, -1.0 / 1.44],
}


@pytest.mark.parametrize("function", EXPECTED, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_finite(function):
    with core_alone(), np.errstate(all="ignore"):
        found = grad(function)(X)
    np.testing.assert_allclose(found, EXPECTED[function], rtol=1e-12)


def root_of_squares(x):
    return np.sqrt(np.sum((x - x) ** 2)) ** 2 + x[0]


def root_of_squares_in_rows(x):
    r = np.sqrt((((x[:, None] - x[None])[..., None]) ** 2).sum(-1))
    return np.sum((1 + r) * np.exp(-r))


def root_of_python(x):
    r = math.sqrt((x[0] - x[0]) ** 2)
    return r * math.exp(-r) * r * x[1] + x[2]


def root_that_a_maximum_leaves(x):
    return max(np.sqrt(np.sum((x - x) ** 2)), x[0])


ROOTS = {
    root_of_squares: [1.0, 0.0, 0.0],
    root_that_a_maximum_leaves: [1.0, 0.0, 0.0],
    root_of_python: [0.0, 0.0, 1.0],
}


@pytest.mark.parametrize("function", ROOTS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_roots_of_squares(function):
    with core_alone(), np.errstate(all="ignore"):
        np.testing.assert_allclose(grad(function)(X), ROOTS[function])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_roots_of_squares_in_rows():
    def slope(k):
        up, down = X.copy(), X.copy()
        up[k] += 1e-6
        down[k] -= 1e-6
        return (root_of_squares_in_rows(up) - root_of_squares_in_rows(down)) / 2e-6

    with core_alone(), np.errstate(all="ignore"):
        found = grad(root_of_squares_in_rows)(X)
    np.testing.assert_allclose(found, [slope(k) for k in range(3)], rtol=1e-6)


def root_of_what_is_no_square(x):
    return np.sqrt(x[1] - x[1]) ** 2 + x[0]


def test_a_root_of_what_has_a_slope_is_no_number():
    """Zero would be wrong there."""
    with core_alone(), np.errstate(all="ignore"):
        assert "if" not in grad(root_of_what_is_no_square).source_for(X)


def gemm_like(x, y):
    return np.sum(x / y * np.sqrt(x))


def test_no_gate_without_a_choice():
    """What is zero nowhere by how it came about is not asked."""
    with core_alone():
        assert "where" not in grad(gemm_like).source_for(X + 1.0, X + 2.0)


def read_through_a_mask(x):
    y = 3.0 * np.exp(x * x)
    left = np.isinf(y)
    z = np.zeros_like(y)
    z[~left] = y[~left]
    return np.sum(z) + np.sum(np.exp(x)[x < 0.6])


def test_what_a_mask_leaves_out_is_zero():
    x = np.array([0.5, 80.0, 0.7])
    with core_alone(), np.errstate(all="ignore"):
        found = grad(read_through_a_mask)(x)
    expected = np.where(x < 9.0, 6.0 * x * np.exp(np.minimum(x, 9.0) ** 2), 0.0)
    expected[0] += np.exp(x[0])
    np.testing.assert_allclose(found, expected)


def kept_in_a_list(x):
    roots = []
    for i in range(3):
        roots.append(np.sqrt(x * (i + 1)))
    total = 0.0
    for i in range(3):
        total += np.sum(np.where(x < 0.1, 0.0, roots[i]))
    return total


def one_of_two(x):
    root = np.sqrt(x)
    kept = {"a": root}
    if x[1] > 3.0:
        kept["a"] = x
    total = 0.0
    for _ in range(2):
        total += np.sum(np.where(x < 0.1, 0.0, kept["a"]))
    return total


@pytest.mark.parametrize("function", [kept_in_a_list, one_of_two])
def test_what_adjoint_memory_gets_was_chosen(function):
    """What was not chosen is left out where the contributions were added up in memory, too."""
    with np.errstate(all="ignore"):
        slopes = grad(function)(np.array([0.0, 1.0, 0.25, 2.0]))
    scale = sum(np.sqrt([1.0, 2.0, 3.0])) if function is kept_in_a_list else 2.0
    expected = scale / 2.0 / np.sqrt([np.inf, 1.0, 0.25, 2.0])
    np.testing.assert_allclose(slopes, expected, rtol=1e-12)


def unset(x, b, wanted):
    slope = math.nan
    if wanted > 0:
        slope = x * x
    scaled = slope * b
    found = x * b
    if wanted > 0:
        found = found + scaled
    return found


def left_unset(x, w, mask):
    out = np.full(3, np.nan)
    out[mask] = x * x
    y = out * w
    return np.sum(y[mask]) + np.sum(w)


def furthest(x, wanted):
    best = math.inf
    for k in range(wanted):
        best = min(best, x + k)
    scaled = best * x
    return scaled if wanted else x * x


def test_what_is_set_to_no_number_is_multiplied_by_no_zero():
    assert grad(unset, ("x", "b"))(2.0, 3.0, 0) == (3.0, 2.0)
    assert grad(unset, ("x", "b"))(2.0, 3.0, 1) == (15.0, 6.0)
    assert "m_bar * b if" not in grad(unset, ("x", "b")).source  # `b` is a number
    mask = np.array([True, False, True])
    np.testing.assert_allclose(grad(left_unset, "w")(2.0, np.arange(3.0), mask), [5.0, 1.0, 5.0])
    assert grad(furthest)(2.0, 0) == 4.0
    assert grad(furthest)(2.0, 2) == 4.0


def slope_zero_by_chance(x):
    items = [2.0]
    for i in range(2):
        items.append(math.acos(x[i]))
    s = 0.0
    for k in range(3):
        s = s + items[k] * x[0] * x[2]
    return s


def other_dimension_zero_by_chance(x):
    a = np.array([x[1], 0.3, 1.0])
    b = np.sqrt(np.abs(np.array([1.0, x[0], 0.5])))
    c = np.where(a > 0.5, b, 1.0)
    c[0] += np.sum(b)
    return b[0] * (c * a[0])[0]


SECOND = [slope_zero_by_chance, other_dimension_zero_by_chance]


@pytest.mark.parametrize("function", SECOND, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [np.array([0.0, 0.4, 1.2]), np.array([0.5, 0.0, 0.3])])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_zero_by_chance_has_a_derivative(function, x):
    first = grad(function)
    if function is other_dimension_zero_by_chance and x[0] == 0.0:
        return  # the root is infinitely steep
    rows = [(first(x + 1e-6 * e) - first(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(hessian(function)(x), rows, rtol=1e-5, atol=1e-6)
