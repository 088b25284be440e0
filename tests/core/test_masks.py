"""What a mask leaves out stays 0, and the text says so where it costs nothing."""

import numpy as np
import pytest

from autodiff import check_grads, grad

X = np.array([0.0, 4.0])


def chained(x):
    return np.sum(np.where(x > 0, -np.sqrt(x) * 3.0, 0.0))


def used_twice(x):
    root = np.sqrt(x)
    return np.sum(np.where(x > 0, root * np.log(x), 0.0))


def condition_bound_before(x):
    positive = x > 0
    root = np.sqrt(x)
    positive_root = np.where(positive, root * x, 0.0)
    positive = x > 1e9
    return np.sum(positive_root) + np.sum(positive)


def memory_changes_between(x):
    y = x * 1.0
    z = np.where(y > 0, np.sqrt(y) * np.cos(y), 0.0)
    y[:] = -1.0
    return np.sum(z * y)


def in_a_loop(x):
    total = 0.0
    for k in range(2):
        scaled = x * (k + 1.0)
        total = total + np.sum(np.where(scaled > 0, np.sqrt(scaled) * scaled, 0.0))
    return total


def neither_is_zero(x):
    kept = np.where(x > 1.0, x, 2.0 * x)
    return np.sum(kept * np.where(x > 1.0, np.maximum(x, 0.5), kept))


def one_number(x):
    return np.where(x > 0.0, np.sqrt(x), 0.0) * 2.0


@pytest.mark.parametrize(
    "function", [chained, used_twice, condition_bound_before, memory_changes_between, in_a_loop]
)
def test_the_part_left_out_receives_nothing(function):
    with np.errstate(all="ignore"):
        found = grad(function)(X)
        step = 1e-6
        slope = (function(X + [0.0, step]) - function(X - [0.0, step])) / (2 * step)
    assert found[0] == 0.0
    np.testing.assert_allclose(found[1], slope, rtol=1e-7)


def test_a_number_is_not_divided_by_zero():
    assert grad(one_number)(0.0) == 0.0
    assert grad(one_number)(4.0) == 0.5


@pytest.mark.parametrize("function", [chained, used_twice, condition_bound_before])
def test_what_is_left_out_stays_zero(function):
    with np.errstate(all="ignore"):
        assert grad(function)(X)[0] == 0.0


def test_choices_between_two_slopes_stay_as_they_are():
    found = grad(neither_is_zero)(np.array([0.3, 4.0]))
    np.testing.assert_allclose(found, [2.4, 8.0])


def norm_by_hand(x):
    squares = np.sum(x * x)
    return np.where(squares == 0, 0.0, np.sqrt(squares))


def spread(x):
    shares = x / np.sum(x, keepdims=True)
    squares = np.sum((shares - 0.5) ** 2)
    return np.where(squares > 0, np.sqrt(squares), 0.0) * 2.0


def log_ratios(x):
    squares = np.sum(np.log(x) ** 2)
    return np.where(squares < np.inf, np.sqrt(squares), 0.0)


@pytest.mark.parametrize(
    ("function", "x"),
    [(norm_by_hand, np.zeros(2)), (spread, np.ones(2, np.float32)), (log_ratios, np.zeros(2))],
)
def test_a_mask_of_a_number_before_an_array_masks_the_array(function, x):
    with np.errstate(all="ignore"):
        found = grad(function)(x)
    assert found.shape == x.shape and found.dtype == x.dtype
    np.testing.assert_array_equal(found, 0.0)
    away = np.array([0.3, 0.9])
    with np.errstate(all="raise"):
        check_grads(function, away)


def popped_between(x):
    y = x * 1.0
    total = 0.0
    for _ in range(2):
        y = np.sqrt(y)
        y[x < 1.0] = 0.0
        total = total + np.sum(y * y * y)
    return total


def in_each_branch(x):
    y = x * 1.0
    for k in range(2):
        z = np.sqrt(y)
        if k == 0:
            z[y < 1.0] = 0.0
        else:
            z[y < 0.5] = 0.0
        y = z * 1.5
    return np.sum(y)


def row_of_a_buffer(x):
    h = np.zeros((3, x.size))
    h[0] = x
    for t in range(2):
        h[t + 1] = np.sqrt(h[t])
        h[t + 1, x < 1.0] = 0.0
    return np.sum(h)


def nan_in_what_is_chosen(x):
    y = x * 1.0
    for _ in range(2):
        z = np.sqrt(y)
        z[x > 1.0] = 0.0
        y = z * 1.5
    return np.sum(y)


def memory_of_the_condition_changes(x):
    y = x * 1.0
    flags = y > 1.0
    total = 0.0
    for _ in range(2):
        z = np.sqrt(y)
        z[flags] = 0.0
        total = total + np.sum(z * z * x)
        flags[:] = ~flags
    return total


def test_nan_where_the_mask_lets_it_through():
    with np.errstate(all="ignore"):
        found = grad(nan_in_what_is_chosen)(np.array([0.0, -1.0, 4.0]))
    np.testing.assert_array_equal(found, [np.inf, np.nan, 0.0])


def test_a_mask_that_is_changed_in_place():
    check_grads(memory_of_the_condition_changes, np.array([0.3, 4.0]))


def read_before_and_after(x):
    y = x * 1.0
    total = 0.0
    for _ in range(2):
        z = np.sqrt(y)
        w = z * 1.0
        z[y < 1.0] = 0.0
        y = y * 1.5
        total = total + np.sum(z * z) + np.sum(w * y)
    return total


def two_terms(x):
    y = x * 1.0
    total = 0.0
    for _ in range(2):
        z = np.sqrt(y)
        r = z * z + np.sin(z) * x
        r[y < 1.0] = 0.0
        z = r * 0.5
        z[y < 1.0] = 0.25
        y = y * 1.5
        total = total + np.sum(z * z * z)
    return total


@pytest.mark.parametrize("function", [read_before_and_after, two_terms, row_of_a_buffer])
def test_masks_that_are_used_in_several_places(function):
    with np.errstate(all="ignore"):
        check_grads(function, np.array([0.5, 2.0, 3.0]))


def test_a_view_is_masked_before_its_memory_changes():
    with np.errstate(all="ignore"):
        check_grads(rows_of_one_buffer, np.array([0.5, 2.0, 3.0]))


def rows_of_one_buffer(x):
    h = np.zeros((4, x.size))
    h[0] = x
    for t in range(3):
        z = np.sqrt(h[t])
        z[x < 1.0] = 0.0
        h[t + 1] = z
        h[t] = h[t + 1] * h[t]
    return np.sum(h * h)


def number_first(x, y):
    """The adjoint that enters the reversed loop is a mask of ones, that of the others is not."""
    w = y
    for _ in range(3):
        w = np.tanh(w)
    return np.sum(np.where(x > 0, w, x))


def test_what_a_mask_lets_through_before_a_loop_is_not_that_of_later_iterations():
    check_grads(number_first, np.array([1.0, -2.0, 3.0]), np.array([0.5, 0.4, -0.8]))


def sizes_unknown(x):
    w = np.zeros(3)
    for _ in range(2):
        w = np.where(x > 0.1, np.sqrt(x), 0.0)
    return np.sum(w)


def spread(x):
    return np.sum(np.where(x > 0.1, np.sqrt(x), np.zeros(3)))


@pytest.mark.parametrize("function", [sizes_unknown, spread])
def test_masks_whose_shape_is_fitted_to_others_of_unknown_size(function):
    with np.errstate(all="ignore"):
        assert np.allclose(grad(function)(np.array([0.25, -1.0, 4.0])), [1.0, 0.0, 0.25])


def divided_by_what_the_loop_replaces(x, w):
    for _ in range(3):
        u = x / (1 + w**2)
        w = np.where(u > 0, np.sqrt(u), x)
    return np.sum(w)


def made_in_a_size_that_is_written_out(x):
    return divided_by_what_the_loop_replaces(x, np.zeros(4))


def made_in_a_size_that_is_given(x, n=4):
    return divided_by_what_the_loop_replaces(x, np.zeros(n))


def made_as_one_number(x):
    return divided_by_what_the_loop_replaces(x, np.ones(1))


@pytest.mark.parametrize(
    "function",
    [made_in_a_size_that_is_written_out, made_in_a_size_that_is_given, made_as_one_number],
)
def test_masks_of_what_a_loop_replaces_by_arrays_of_other_sizes(function):
    with np.errstate(all="ignore"):
        check_grads(function, np.array([0.25, -1.0, 4.0, -0.3]))


def test_an_adjoint_has_the_shape_of_what_its_name_has_there():
    derivative = grad(divided_by_what_the_loop_replaces)
    text = derivative.source_for(np.ones(4), np.zeros(1))
    assert "x_bar += np.where(condition, 0.0, w_bar)\n" in text
    assert text.count("unbroadcast") == 1  # `1 + w**2` is one number, or as many as x has


def masks_without_axes(x):
    u = np.sqrt(x * x + 1.0)
    angle = np.empty_like(u)
    bad = np.isclose(u, 0.0) | (x > 5.0)
    try:
        angle[~bad] = np.arctan(u[~bad] * x)
        angle[~bad] += np.sin(angle[~bad]) * u[~bad]
        angle[bad] = 0.0
    except NameError:
        angle = 0.0
    return angle * 1.0


def all_of_a_number_of_numpy(x):
    d = np.asarray(x) * 2.0
    try:
        d[d < 0] = np.nan
    except TypeError:
        if d < 0:
            d = np.nan
    return d.squeeze()[()] * x


@pytest.mark.parametrize("x", [0.7, 2.5])
@pytest.mark.parametrize("function", [masks_without_axes, all_of_a_number_of_numpy])
def test_numbers_of_numpy_in_brackets(function, x):
    step = 1e-6
    slope = (function(x + step) - function(x - step)) / (2.0 * step)
    np.testing.assert_allclose(grad(function)(x), slope, rtol=1e-8)
