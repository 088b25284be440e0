"""`insert_grad_of`: the user's statements see and change the adjoint at their place."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, checkpointed, grad, insert_grad_of, jacobian, jvp, vjp

V = np.array([0.1, -0.7, 0.3])
SEEN: list[object] = []


def clipped(x, limit):
    total = 0.0
    for k in range(3):
        y = np.sin(x) * k
        with insert_grad_of(y) as y_bar:
            SEEN.append((k, limit, y_bar.copy()))
            y_bar = np.clip(y_bar, -limit, limit)
        total = total + np.sum(y * y)
        x = x * 1.5
    return total


def clipped_by_hand(x, limit):
    x_bar = np.zeros_like(x)
    for k in reversed(range(3)):
        now = x * 1.5**k
        y_bar = np.clip(2.0 * np.sin(now) * k, -limit, limit)
        x_bar = x_bar * 1.5 + y_bar * k * np.cos(now)
    return x_bar


def test_the_adjoint_is_changed_where_it_stands():
    SEEN.clear()
    assert np.allclose(grad(clipped)(V, 0.5), clipped_by_hand(V, 0.5))
    assert [k for k, *_ in SEEN] == [2, 1, 0]
    assert all(limit == 0.5 for _, limit, _ in SEEN)
    assert np.allclose(SEEN[0][2], 4.0 * np.sin(V * 1.5**2))


def test_it_is_skipped_where_there_are_no_adjoints():
    SEEN.clear()
    value = clipped(V, 0.5)
    assert sys.gettrace() is None or not SEEN
    assert np.isclose(jvp(clipped, (V, 0.5), (V, None))[0], value) and not SEEN


def halved(u):
    for t in range(3):
        u[1:] = u[1:] * u[:-1] + 0.1 * t
        with insert_grad_of(u) as u_bar:
            u_bar *= 0.5
    return np.sum(u)


def halved_by_checkpoints(u):
    for t in checkpointed(range(3), snapshots=2):
        u[1:] = u[1:] * u[:-1] + 0.1 * t
        with insert_grad_of(u) as u_bar:
            u_bar *= 0.5
    return np.sum(u)


def whole(u):
    for t in range(3):
        u[1:] = u[1:] * u[:-1] + 0.1 * t
    return np.sum(u)


def test_arrays_that_change():
    wanted = grad(whole)(V) / 8
    assert np.allclose(grad(halved)(V), wanted)
    value, pullback = vjp(halved, V)
    assert np.allclose(pullback(1.0)[0], wanted) and np.allclose(pullback(1.0)[0], wanted)
    assert np.allclose(grad(halved_by_checkpoints)(V), wanted)


def doubled(x):
    y = x * x
    with insert_grad_of(y) as y_bar:
        y_bar = 2.0 * y_bar
    return y * x


def test_the_change_is_differentiated_again():
    assert grad(doubled)(3.0) == 5.0 * 9.0
    assert grad(grad(doubled))(3.0) == 5.0 * 6.0


def test_parts_and_helpers():
    def inner(p):
        with insert_grad_of(p) as p_bar:
            p_bar = (p_bar[0] * 10.0, p_bar[1])
        return p[0] * p[1]

    assert grad(lambda x: inner((x, x * x)))(2.0) == 10.0 * 4.0 + 2.0 * 4.0


def assigning(x):
    k = 1.0
    with insert_grad_of(x) as x_bar:
        k = x_bar
    return x * k


def leaving(x):
    for _ in range(2):
        with insert_grad_of(x) as x_bar:
            if x_bar > 0:
                break
    return x


def nameless(x):
    with insert_grad_of(x):
        pass
    return x


def of_an_expression(x):
    with insert_grad_of(x * x) as y_bar:
        y_bar = 2.0 * y_bar
    return x


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (assigning, "`k` is assigned in a block on an adjoint"),
        (leaving, "left in the middle"),
        (nameless, "does not bind the adjoint"),
        (of_an_expression, "no local variable"),
    ],
)
def test_what_is_refused(function, what):
    with pytest.raises(UnsupportedSyntaxError, match=what):
        grad(function)(2.0)


def test_an_adjoint_keeps_its_shape():
    def cut(x):
        with insert_grad_of(x) as x_bar:
            x_bar = x_bar[:2]
        return np.sum(x * x)

    with pytest.raises(ValueError, match="shape"):
        grad(cut)(V)


def reversed_(y):
    with insert_grad_of(y) as y_bar:
        y_bar = -1.0 * y_bar
    return y


def used_before(x):
    return np.sum(x**3) + np.sum(reversed_(x) ** 2)


def used_after(x):
    return np.sum(reversed_(x) ** 2) + np.sum(x**3)


def used_in_a_loop(x):
    s = 0.0
    for _ in range(3):
        s = s + np.sum(reversed_(x) ** 2)
    return s


def test_parameter_of_a_helper_is_a_value_of_its_own():
    """What the caller did with its argument after the call was counted, or not, by the order."""
    x = np.array([0.3, -0.7, 1.1])
    for f in (used_before, used_after):
        np.testing.assert_allclose(grad(f)(x), 3 * x**2 - 2 * x)
        np.testing.assert_allclose(jacobian(grad(f))(x), np.diag(6 * x - 2))
    np.testing.assert_allclose(grad(used_in_a_loop)(x), -6 * x)
