"""The passes of `autodiff/lean`: the lines that they are there for, and numbers that stay right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives.derivative import Derivative
from autodiff.pipeline import assembly, compiler
from tests.language import oracle

V = np.array([0.3, -0.7, 1.1, 0.5])
ROWS = np.outer(V[1:], V)
CASES: list[tuple[Callable[..., Any], tuple[Any, ...], list[str], list[str]]] = []


def case(
    *args: Any, has: list[str], lacks: list[str] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Lines that the text of the gradient has, and pieces that it must not have."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((function, args, has, lacks or []))
        return function

    return register


@case(0.4, 0.7, has=["return y * y - 2.0 * x, 2.0 * x * y"], lacks=["-("])
def sign_of_a_product(x, y):
    return -(x * x) + y * y * x


@case(0.4, 0.7, 3.0, 3, has=["length_bar += y_bar * math.sin(x) / length * quotient"])
def sign_of_a_sign(x, y, length, n):
    """A double minus is no minus."""
    for _ in range(n):
        quotient = 0.5 / length
        y = y - quotient * math.sin(x)
        x = x + 0.1 * y
    return x * y


@case(V, has=["return (2.0 / len(x) * (x - 1.0),)"])
def one_constant(x):
    return np.sum((x - 1.0) ** 2) / len(x)


@case(0.4, 0.7, has=["return 2.0 * x * y, x * x"])
def like_terms(x, y):
    return x * y * x


@case(V, 3, has=["tape.push((p.copy(), s))"], lacks=["p.copy(), p.copy()"])
def read_once(x, n):
    """What is read twice, and changes behind that, is kept once."""
    p = np.sin(x)
    for _ in range(n):
        s = p @ p
        p *= s
    return np.sum(p)


@case(V, V[::-1].copy(), 2.0, has=["np.vdot("], lacks=["np.sum("])
def inner_product(x, y, r):
    z = x + r * y
    return z @ z


@case(V, has=["result = 1.0 / norm"], lacks=["1.0 / norm *"])
def computed_before(x):
    norm = np.sqrt(np.sum(x * x))
    return 1.0 / norm


@case(
    V,
    0.3,
    3,
    has=["u_bar = 2 * u", "w_bar = np.zeros_like("],
    lacks=["u, w, u_bar", "1].copy()", "return u_bar.copy()"],
)
def swapped_buffers(u, r, n):
    u = u.copy()
    w = u.copy()
    for _ in range(n):
        w[1:-1] = u[1:-1] + r * (u[2:] - u[:-2])
        u, w = w, u
    return np.sum(u**2)


@case(V, 0.3, 3, has=["total_bar = u_bar[1:-1]"], lacks=["un_bar", "u_bar[1:-1] = 0.0"])
def cleared_and_added_again(u, r, n):
    u = u.copy()
    for _ in range(n):
        un = u.copy()
        u[1:-1] = un[1:-1] + r * (un[2:] + un[:-2])
    return np.sum(u)


@case(V, has=["x_bar[k] = "], lacks=["x_bar[k] +="])
def each_element_once(x):
    s = 1.0
    for k in range(len(x)):
        s = s * x[k]
    return s


@case(V, has=["x_bar[k] += "])
def elements_from_the_end(x):
    """`x[-1]` is `x[3]`: an index below zero may be another one again."""
    s = 1.0
    for k in range(-1, 4):
        s = s * x[k]
    return s


@case(V, has=["x_bar[k // 2] += "])
def elements_twice(x):
    s = 1.0
    for k in range(4):
        s = s * x[k // 2]
    return s


@case(V, 3, has=["tape.push(z)", "        z_bar = np.zeros_like(x)"])
def made_in_each_iteration(x, n):
    s = 0.0
    for _ in range(n):
        z = np.sin(x)
        z[1] = 0.5
        s = s + z[0] * z[2]
    return s


@case(V, np.outer(V, V), 3, has=["tape.push(x)"], lacks=["tape.push(("])
def known_from_the_next(x, a, n):
    for _ in range(n):
        x = np.tanh(a @ x)
    return np.sum(x)


@case(V, 0.2, 3, has=["v_bar += x_bar * h", "x_bar -= "])
def own_arrays(x, h, n):
    v = x * 0.5
    x = x + 1.0
    for _ in range(n):
        v = v - h * np.sin(x)
        x = x + h * v
    return np.sum(x**2) + np.sum(v**2)


@case(V, V * 0.5, 2, lacks=["p_bar += ", "r_bar += "], has=[])
def one_array_two_names(x, y, n):
    """`p` and `r` are one array, and so may their adjoints be."""
    p = x * y
    r = p
    for _ in range(n):
        q = p + 0.5 * r
        p = r
        r = q
    return np.sum(p * r)


@case(0.4, 0.7, has=["if x > y:"], lacks=["condition"])
def asked_again(x, y):
    if x > y:
        z = x * y
    else:
        z = x - y
    return z * z


@case(0.4, has=["if condition:"])
def not_asked_again(x):
    """The `x` of the reverse sweep would be another one."""
    if x > 0.0:
        x = x * x
    return x * math.sin(x)


@case(1.4, 1, 9, has=["r_over_2 = r / 2", "z_bar = x_bar * r_over_2"])
def numbers_of_a_loop_first(x, r, n):
    for _ in range(n):
        z = x - 0.3 / x
        x = x - r * z / 2
    return x


@case(0.4, 2, 3, has=["r * (x * 3) * 0.1"], lacks=["r * 3", "0.3"])
def as_it_was_where_it_is_asked_again(x, r, n):
    """What is computed again for a test is what the test saw, to the last bit."""
    for _ in range(n):
        z = r * (x * 3) * 0.1
        if z > 0.2 and z * x < 9.0:
            x = x * np.sin(z)
    return x


@case(0.4, has=["x * x * np.cos(x) + 2.0 * x * np.sin(x)"])
def numbers_of_python_first(x):
    return x * x * np.sin(x)


@case(V, 0.3, has=["2 * r * "], lacks=["* 2\n"])
def numbers_before_arrays(x, r):
    return r * np.sum(np.exp(2 * x))


@case(V, 0.0, 2.0, has=["* r / d"], lacks=["r_over_d", "(r / d"])
def a_quotient_that_may_be_an_error(x, r, d):
    """Python's `r / d` would be an error where `d` is zero, an array by `d` is none."""
    return np.sum(np.sin(x) * r / d * np.exp(x))


@case(V, 0.2, has=["difference_bar = u_bar[:-1] * (r * un[:-1])"])
def a_sign_for_all_who_add(x, r):
    u = x * 1.0
    for _ in range(3):
        un = u.copy()
        u[:-1] = un[:-1] - r * un[:-1] * (un[1:] - un[:-1])
    return np.sum(u)


@case(0.4, 0.7, 3, has=["minus_x_minus_y_bar"])
def a_sign_that_is_added_twice(x, y, n):
    """Both ends of one sum take the sign of a value: they cannot."""
    for _ in range(n):
        d = -(x - y) * 0.3
        x, y = x + d * y + d * x, y - d
    return x * y


@case(V, np.outer(V, V) + 1.0, has=["(-g)[:, None] * w_times_x"])
def constants_through_new_axes(x, w):
    g = np.exp(x)
    return np.sum(g * (3.0 - 0.5 * np.sum((w * x) ** 2, axis=1)))


@case(np.outer(V, V) + 1.0, has=['np.einsum("...i,...i->...", w, w)'], lacks=["w**2"])
def squares_of_rows(w):
    return np.sum(np.exp(np.sum(w**2, axis=1)))


@case(np.outer(V, V) + 1.0, has=["np.sum(w**2, axis=1)"], lacks=["einsum"])
def squares_that_are_asked_for(w):
    """A test may see the last bit."""
    squares = np.sum(w**2, axis=1)
    return np.sum(np.exp(squares)) if squares[0] > 1.0 else squares[1]


@case(V[:3], has=["a, b, c = x", "np.array([c * b, c * a, a * b])"], lacks=["zeros"])
def elements_one_by_one(x):
    a, b, c = x
    return a * b * c


@case(V[:3], has=["np.array([0.0, ", "])"], lacks=["zeros"])
def one_element_twice(x):
    a = x[1]
    _, b, c = x
    return a * b - np.sin(c) * b


@case(V, has=["x_bar[2:3] = ", "x_bar[2] += x[0]"])
def elements_of_a_long_vector(x):
    return x[0] * x[2] + np.sum(np.sin(x[2:3]))


@case(V, has=["x_bar[-1] = x[0]", "x_bar[0] += x[-1]"])
def an_element_from_both_ends(x):
    """Of a vector of unknown length both may be one element."""
    return x[0] * x[-1]


@case(np.outer(V, V) + 1.0, has=["for i in reversed(range(len(a)))"], lacks=["tape", "Forward"])
def rows_by_themselves(a):
    total = 0.0
    for i in range(len(a)):
        total += np.sum(a[i]) ** 3
    return total


@case(np.outer(V, V) + 1.0, has=["tape.push("])
def rows_that_change_later(a):
    """What the loop read is not there any more in the reverse sweep."""
    total, b = 0.0, a * 1.0
    for i in range(len(a)):
        total += np.sum(b[i]) ** 3
    b[1] = b[0] * 2.0
    return total + np.sum(b**2)


@case(
    np.outer(V, V) + 1.0,
    np.outer(V, V[::-1]),
    has=['np.einsum("ik,jk->ij", ', 'np.einsum("ik,ij->jk", '],
    lacks=["isinstance"],
)
def products_by_subscripts(a, b):
    return np.sum(np.einsum("ij,jk->ik", a, b) ** 2)


@case(0.3, V[:2], has=["[[cos_a, -sin_a], [np.sin(a), np.cos(a)]]"], lacks=["unbroadcast"])
def numbers_in_rows(a, b):
    return np.sum((np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ b) ** 3)


@case(np.outer(V, V) + 1.0, has=["a_at_a_T_bar.T @ a"], lacks=["T.T", " a_T"])
def turned_twice(a):
    return np.sum(np.sin(a @ a.T))


@case(
    np.arange(12.0).reshape(2, 3, 2) / 9.0,
    np.arange(8.0).reshape(2, 2, 2) / 7.0,
    has=["a_at_swapaxes_b_bar @ b, np.swapaxes(a_at_swapaxes_b_bar, 1, 2) @ a"],
)
def stacks_turned_twice(a, b):
    return np.sum(np.sin(a @ np.swapaxes(b, 1, 2)))


@case([0.4, 0.3], has=["unbroadcast("])
def sums_of_lists_with_a_sign(z):
    """What is a list of numbers is not one region with its items."""
    d = -sum(v * 3 for v in z)
    return sum(v * 2 for v in z) / d


@case(np.outer(V, V) + 1.0, has=["np.sum(w**2, axis=1)"], lacks=["einsum"])
def squares_that_a_mask_asks_for(w):
    squares = np.sum(w**2, axis=1)
    return np.sum(np.where(squares < 5.0, np.exp(-squares), 0.0))


@pytest.fixture(autouse=True)
def _through_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()


@pytest.mark.parametrize(
    ("function", "args", "has", "lacks"), CASES, ids=lambda x: getattr(x, "__name__", None)
)
def test_text(function: Any, args: Any, has: list[str], lacks: list[str]) -> None:
    names = [n for n, a in zip(function.__code__.co_varnames, args) if not isinstance(a, int)]
    derivative: Derivative = grad(function, wrt=tuple(names))
    text = derivative.source_for(*args)
    assert not compiler.REASONS
    for line in has:
        assert line in text, f"{line!r} is not in\n{text}"
    for piece in lacks:
        assert piece not in text, f"{piece!r} is in\n{text}"
    found = derivative(*args)
    expected = oracle.gradients(function, args, {}, tuple(names))
    for name, gradient, wanted in zip(names, found, expected, strict=True):
        oracle.compare(
            gradient, args[function.__code__.co_varnames.index(name)], wanted, 1e-6, name
        )


def one_memory_in_two_variables(x, n=5):
    a = x * 1.1
    b, c = a.copy(), a
    for t in range(n):
        b *= np.cos(b)
        if t % 2:
            a = b
        c = a + a * 0.5
    return np.sum(a * 1.1 + b * b * 0.5 + c * a)


def test_a_shadow_that_comes_to_a_loop_by_two_names_stays():
    """One of them is handed back by the reversed loop, the other is not."""
    gradient = grad(one_memory_in_two_variables)
    steps = np.eye(3) * 1e-6
    f, x = one_memory_in_two_variables, np.array([0.4, 0.9, -0.3])
    expected = [(f(x + step) - f(x - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-6)
