"""check_grads names the statement whose rule is wrong, wherever it stands; it is marked WRONG."""

import numpy as np
import pytest

from autodiff import (
    adjoint,
    check_grads,
    checkpoint,
    checkpointed,
    custom,
    d,
    elementwise,
    grad,
    hvp,
    implicit,
    jacobian,
    no_grad,
    stop_gradient,
)


def bad(x):
    return np.sin(x)


@elementwise(bad)
def bad_rule(y, x):
    d[x] = d[y] * np.cos(x) * 1.5


def uneven(x):
    return np.sin(x)


@elementwise(uneven)
def uneven_rule(y, x):
    d[x] = d[y] * np.where(x > 0.0, np.cos(x), 2.0)


def crooked(x):
    return np.sin(x)


@adjoint(crooked)
def crooked_rule(y, x):
    d[x] = d[y] * stop_gradient(np.cos(x))


@checkpoint
def recomputed(u):
    v = np.cos(u)
    w = bad(v)  # WRONG
    return w * u


def in_checkpoint(x):
    y = x * 2.0
    y = recomputed(y)
    return np.sum(y)


@checkpoint
def around(x):
    y = x * 1.0
    for _ in checkpointed(range(3), snapshots=1):
        y = recomputed(y)
    return y


def in_checkpoints_within(x):
    return np.sum(around(x))


def in_checkpointed_loop(x):
    a, b = x.copy(), np.zeros(3)
    for _ in checkpointed(range(4), snapshots=2):
        b[1:] = bad(a[:-1]) + b[1:]  # WRONG
        a, b = b, a
    return np.sum(a * b)


def descending(x, n):
    if n == 0:
        return np.sum(x)
    z = x * 0.9
    z = bad(z)  # WRONG
    return descending(z, n - 1) + np.sum(z)


def in_recursion(x):
    return descending(x, 3)


def at_the_bottom(x, n=3):
    if n == 0:
        return np.sum(bad(x))  # WRONG
    return at_the_bottom(x * 0.9, n - 1) * 2.0


def in_nested_recursion(x):
    def go(y, k):
        return np.sum(y) if k == 0 else go(bad(y), k - 1)  # WRONG

    return go(x * 2.0, 2)


def even(x, n):
    return np.sum(x) if n == 0 else odd(x * 1.1, n - 1)


def odd(x, n):
    y = bad(x)  # WRONG
    return np.sum(y) if n == 0 else even(y, n - 1)


def in_mutual_recursion(x):
    return even(x, 4)


@checkpoint
def again(x, n):
    return np.sum(x) if n == 0 else again(bad(x), n - 1)  # WRONG


def in_checkpointed_recursion(x):
    return again(x, 2)


def where_a_later_call_goes(x):
    s = x[0]
    for _ in range(40):
        s = s * 0.9 - 0.02
        s = uneven(s)  # WRONG
    return s


@custom(vjp=lambda y_bar, y, x: y_bar * 2.0 * x)
def square(x):
    return x * x


@custom(vjp=lambda y_bar, y, x: y_bar * 2.0 * x, jvp=lambda x_dot, y, x: x_dot * 3.0 * x)
def torn(x):
    return x * x


@checkpoint
def torn_again(x):
    return torn(x) + x  # WRONG


def after_custom(x):
    a = square(x)
    b = bad(a)  # WRONG
    return np.sum(b)


def in_tangent_of_custom(x):
    return np.sum(torn_again(x) * x)


def kepler(mean, y):
    return y - 0.5 * np.sin(y) - mean


@implicit(kepler)
def anomaly(mean):
    y = mean
    for _ in range(100):
        y = mean + 0.5 * np.sin(y)
    return y


def after_implicit(x):
    y = anomaly(x)
    z = bad(y)  # WRONG
    return np.sum(z * y)


class Model:
    def __init__(self, w):
        self.w = w

    def act(self, x):
        return bad(x * self.w)  # WRONG

    def loss(self, x):
        return np.sum(self.act(x) ** 2)


def in_method(x):
    return Model(x * 2.0).loss(x)


def in_comprehension(x):
    ys = {i: bad(x[i]) for i in range(3)}  # WRONG
    return sum([v * v for v in ys.values()])


def in_generator(x):
    return sum(bad(v) * v for v in x)  # WRONG


def beside_a_constant(x):
    with no_grad():
        s = np.max(x)
    return np.sum(bad(x)) + 0.0 * s  # WRONG


def in_gradient(x):
    g = grad(lambda y: np.sum(bad(y) ** 2))  # WRONG
    return np.sum(g(x) ** 2)


def value(x):
    return np.sum(bad(x) ** 2)  # WRONG


X = np.array([0.3, 0.7, 1.1])


@pytest.mark.parametrize(
    "f",
    [
        in_checkpoint,
        in_checkpoints_within,
        in_checkpointed_loop,
        in_recursion,
        at_the_bottom,
        in_nested_recursion,
        in_mutual_recursion,
        in_checkpointed_recursion,
        where_a_later_call_goes,
        after_custom,
        in_tangent_of_custom,
        after_implicit,
        in_method,
        in_comprehension,
        in_generator,
        beside_a_constant,
        in_gradient,
    ],
)
def test_the_statement_is_named(f):
    with pytest.raises(AssertionError, match="along a random direction") as found:
        check_grads(f, X)
    assert "the first statement whose own derivative disagrees" in str(found.value)
    assert "# WRONG" in str(found.value)


@pytest.mark.parametrize("f", [grad(in_checkpoint), jacobian(value), grad(value)])
def test_in_what_a_derivative_is_taken_of(f):
    with pytest.raises(AssertionError, match="# WRONG"):
        check_grads(f, X)


def test_a_hessian_product_is_checked_with_its_vector():
    check_grads(hvp(lambda x: np.sum(np.sin(x) ** 2)), X, X)
    with pytest.raises(AssertionError, match="# WRONG"):
        check_grads(hvp(value), X, X)


@checkpoint
def bent(y):
    return crooked(y) * y  # WRONG


def bent_twice(x):
    return np.sum(bent(bent(x)))


def test_second_derivatives_where_the_first_are_right():
    check_grads(bent_twice, X)
    with pytest.raises(AssertionError, match=r"second derivative(.|\n)*# WRONG"):
        check_grads(bent_twice, X, order=2)


def test_what_is_said_to_be_constant_is_named_where_nothing_is_wrong():
    with pytest.raises(AssertionError, match="but for what is said to be constant") as found:
        check_grads(lambda x: np.sum(x * stop_gradient(x)), X)
    assert "stop_gradient(x)" in str(found.value)
