"""Loops that run forward and back one iteration at a time."""

from __future__ import annotations

import math
import textwrap
import tracemalloc

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad, hessian, value_and_grad
from autodiff.optimize.independent import independent
from tests.optimize.running import check, facts_of, tree_of

NAMES = "a_bar x_bar d e tape"


def sweeps(ahead: str, back: str, between: str = "", header: str = "range(n)") -> gast.FunctionDef:
    """Both sweeps of a loop over i, with the bodies given."""

    def body(text: str, depth: int) -> list[str]:
        lines = textwrap.dedent(text).strip("\n").splitlines()
        return ["    " * depth + line for line in lines]

    lines = [
        "def f(a, z, n):",
        "    tape = Tape()",
        f"    for i in {header}:",
        *body(ahead, 2),
        "    'Reverse sweep'",
        "    a_bar = np.zeros(3)",
        "    x_bar = 0.0",
        *body(between, 1),
        f"    for i in reversed({header}):",
        *body(back, 2),
        "    return a_bar, x_bar",
    ]
    return tree_of("\n".join(lines))


def test_what_is_recorded_is_read_at_once() -> None:
    tree = sweeps(
        """
        d = a[i] - z
        tape.push((d, a[i] * z), 1)
        """,
        """
        d, e = tape.pop(1)
        x_bar += d
        a_bar[i] -= e
        """,
    )
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            for i in range(n):
                d = a[i] - z
                e = a[i] * z
                x_bar += d
                a_bar[i] -= e
            return (a_bar, x_bar)
        """,
    )


def test_inner_loops_and_branches() -> None:
    tree = sweeps(
        """
        d = z
        for j in range(n):
            tape.push(d, 1)
            d = d * a[j]
        if d > z:
            tape.push(d, 2)
        """,
        """
        if d > z:
            d = tape.pop(2)
            x_bar += d
        for j in reversed(range(n)):
            d = tape.pop(1)
            a_bar[j] += d
        """,
    )
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            tape = Tape()
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            for i in range(n):
                d = z
                for j in range(n):
                    tape.push(d)
                    d = d * a[j]
                if d > z:
                    pass
                if d > z:
                    x_bar += d
                for j in reversed(range(n)):
                    d = tape.pop()
                    a_bar[j] += d
            return (a_bar, x_bar)
        """,
    )


def test_what_is_computed_again_is_there() -> None:
    tree = sweeps(
        "d = a[i]\ntape.push(d * z, 1)",
        "e = tape.pop(1)\nd = a[i]\nx_bar += e * d\nd = a[0]\nx_bar += d",
    )
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            for i in range(n):
                d = a[i]
                e = d * z
                x_bar += e * d
                d = a[0]
                x_bar += d
            return (a_bar, x_bar)
        """,
    )


def test_a_sum_goes_on() -> None:
    tree = sweeps("d = a[i]\nz = z + d\ntape.push(d, 1)", "d = tape.pop(1)\nx_bar += d")
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            for i in range(n):
                d = a[i]
                z = z + d
                x_bar += d
            return (a_bar, x_bar)
        """,
    )


def test_what_needs_the_sum_waits() -> None:
    tree = sweeps(
        "d = a[i]\nz = z + d\ntape.push(d, 1)",
        "d = tape.pop(1)\nx_bar += d",
        "e = a[0]\nz = z * e\nb = z + 1.0",
    )
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            e = a[0]
            for i in range(n):
                d = a[i]
                z = z + d
                x_bar += d
            z = z * e
            b = z + 1.0
            return (a_bar, x_bar)
        """,
    )


def test_inner_loops_are_joined_too() -> None:
    tree = sweeps(
        "for j in range(n):\n    d = a[j] - z\n    tape.push(d, 1)",
        "for j in reversed(range(n)):\n    d = tape.pop(1)\n    x_bar += d",
    )
    check(
        independent(tree, facts_of(NAMES)),
        """
        def f(a, z, n):
            'Reverse sweep'
            a_bar = np.zeros(3)
            x_bar = 0.0
            for i in range(n):
                for j in range(n):
                    d = a[j] - z
                    x_bar += d
            return (a_bar, x_bar)
        """,
    )


PUSH, POP = "d = a[i]\ntape.push(d, 1)", "d = tape.pop(1)\nx_bar += d"


@pytest.mark.parametrize(
    ("back", "header"),
    [
        ("x_bar += d", "range(n)"),
        ("a_bar[i] = d", "range(1, n)"),
        ("a_bar[i] = d\na_bar[i] -= d", "range(n, -1, -1)"),
        ("a_bar[z, i] = d\na_bar[:, i] += d", "range(n)"),
        ("e = d * d\na_bar[0] += e", "range(n)"),
        ("for j in range(3):\n    x_bar += d\n    a_bar[j] -= d", "range(n)"),
    ],
)
def test_what_iterations_share(back: str, header: str) -> None:
    tree = sweeps(PUSH, f"d = tape.pop(1)\n{back}", "", header)
    assert independent(tree, facts_of(NAMES)) is not tree


@pytest.mark.parametrize(
    ("back", "header"),
    [
        ("a_bar[i] = d", "range(-1, n)"),  # -1 may be the last
        ("a_bar[i] = d", "range(z, n)"),
        ("a_bar[i] = d\nx_bar += a_bar[0]", "range(n)"),
        ("a_bar[i] = d\na_bar[i - 1] += d", "range(n)"),
        ("a_bar[2, i] = d\na_bar[i, 2] = d", "range(n)"),
        ("a_bar[a, i] = d", "range(n)"),  # a may be a mask
        ("a_bar[..., i] = d", "range(n)"),
        ("a_bar = a_bar + d", "range(n)"),
        ("if d > z:\n    e = d\nx_bar += e", "range(n)"),
    ],
)
def test_what_iterations_hand_on(back: str, header: str) -> None:
    tree = sweeps(PUSH, f"d = tape.pop(1)\n{back}", "", header)
    assert independent(tree, facts_of(NAMES)) is tree


@pytest.mark.parametrize(
    ("ahead", "back", "between", "header"),
    [
        ("e = e + a[i]\n" + PUSH, POP + "\nx_bar += e", "", "range(n)"),
        ("e = e + a[i]\n" + PUSH, POP, "x_bar += e", "range(n)"),
        ("e = e + a[i]\n" + PUSH, POP + "\ne = tape.pop(2)", "tape.push(e, 2)", "range(n)"),
        ("d = a[i]\ntape.push(d, 1)\na[i] = z", POP, "", "range(n)"),
        (PUSH + "\ng(d)", POP, "", "range(n)"),
        (PUSH, POP + "\ng(d)", "", "range(n)"),
        (PUSH, POP, "g(a_bar)", "range(n)"),
        (PUSH, POP, "z = 3.0", "range(n)"),  # which the iterations may read
        (PUSH, POP, "a[0] = 3.0", "range(n)"),
        (PUSH, POP, "x_bar = d", "range(n)"),  # the value of the last iteration
        (PUSH, POP, "x_bar = i", "range(n)"),
        (PUSH, POP, "n = n - 1", "range(n)"),
        (PUSH, "d = tape.pop(1)\nx_bar = d", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\nx_bar = x_bar * d", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\nx_bar += x_bar * d", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\na_bar[i] += d\nx_bar += a_bar[0]", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\na_bar[0] = d", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\na[i] += d", "", "range(n)"),
        (PUSH, "d = tape.pop(1)\nz += d", "", "range(n)"),
        (PUSH + "\ntape.push(z, 2)", POP, "z = tape.pop(2)", "range(n)"),
        (PUSH, POP, "", "z"),  # may be read once only
        ("z = z + a[i]\n" + PUSH, POP, "x_bar = z", "range(n)"),
        ("z = z + a[i]\n" + PUSH, POP, "e = a[0]\nb = z * e\ne = a[1]", "range(n)"),
        ("z = z + a[i]\n" + PUSH, POP, "b = z + n\nn = 3", "range(n)"),
        ("z = z + a[i]\n" + PUSH, POP + "\nx_bar += b", "b = z + n", "range(n)"),
        ("z = z + a[i]\n" + PUSH, POP, "b = z + a_bar[0]\na_bar[0] += 1.0", "range(n)"),
        ("z = z + a[i]\n" + PUSH, POP, "if z > 0:\n    b = z", "range(n)"),
    ],
)
def test_others_stay(ahead: str, back: str, between: str, header: str) -> None:
    if "z" in between + back or "n = " in between:
        ahead = ahead.replace("a[i]", "a[i] * z * n")
    tree = sweeps(ahead, back, between, header)
    assert independent(tree, facts_of(NAMES)) is tree


def residuals(p, t, y):
    total = 0.0
    for i in range(len(t)):
        model = p[0] * math.exp(-p[1] * t[i])
        if model > 0.5:
            model = model + p[2]
        else:
            for k in range(2):
                model = model * p[2] + k
        difference = model - y[i]
        total += difference * difference
    return total / len(t)


def rows(p, points):
    total = 0.0
    for k in range(len(points)):
        d = points - p[k]
        total = total + np.sum(np.sqrt(np.sum(d * d, axis=1) + 0.1)) * np.sin(p[k, 0])
    return total


P, T, Y = np.array([1.3, 0.7, 0.4]), np.linspace(0.0, 2.0, 7), np.linspace(1.0, 0.3, 7)
POINTS = np.random.default_rng(0).standard_normal((6, 2))


@pytest.mark.parametrize(("function", "arguments"), [(residuals, (P, T, Y)), (rows, (P, POINTS))])
def test_end_to_end(function, arguments) -> None:
    if function is rows:
        arguments = POINTS + 0.3, POINTS
    check_grads(function, *arguments)
    derivative = grad(function)
    assert "Forward sweep" not in derivative.source_for(*arguments)
    apart = grad(function, independent=False)
    assert "Forward sweep" in apart.source_for(*arguments)
    np.testing.assert_allclose(derivative(*arguments), apart(*arguments), rtol=1e-13)
    both = value_and_grad(function)
    assert both.source_for(*arguments).count("for i in") <= 1
    value, gradient = both(*arguments)
    assert value == function(*arguments)
    np.testing.assert_allclose(gradient, derivative(*arguments), rtol=1e-13)
    np.testing.assert_allclose(
        hessian(function)(*arguments), hessian(function, independent=False)(*arguments), rtol=1e-9
    )


def test_memory_of_one_iteration() -> None:
    points = np.random.default_rng(1).standard_normal((400, 2))
    peaks = []
    for joined in (True, False):
        derivative = grad(rows, independent=joined)
        derivative(points, points)  # compiled, for these sizes
        tracemalloc.start()
        derivative(points, points)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[0] < peaks[1] / 20
