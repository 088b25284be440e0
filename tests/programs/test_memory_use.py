"""No needless memory: linear steps record nothing, others what they must, once per step.

The bytes are counted on the tape of the generated function, which runs as it is saved.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.runtime import Tape

N = 50
STEPS = 20
STATE = 8 * N
U = np.sin(np.linspace(0.3, 3.0, N)) + 1.1
W = np.cos(np.linspace(0.1, 2.0, N))


def pushed(derivative: Any, *args: Any) -> int:
    """How many bytes of arrays and numbers go on the tape; memory that is there twice counts once.

    What a view keeps alive is all of its array.
    """
    seen: dict[int, Any] = {}
    total = 0

    def count(value: Any) -> None:
        nonlocal total
        if isinstance(value, (tuple, list)):
            for item in value:
                count(item)
        elif isinstance(value, np.ndarray):
            owner = value
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            if id(owner) not in seen:
                seen[id(owner)] = owner  # kept, so that no other array gets its id
                total += owner.nbytes
        elif isinstance(value, (float, complex, np.inexact)):
            total += 8

    class Counting(Tape):
        def push(self, value: Any) -> None:
            count(value)
            self.append(value)

    derivative.source_for(*args)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "derivative.py"
        derivative.save(file)
        namespace: dict[str, Any] = {}
        exec(compile(file.read_text(encoding="utf-8"), "derivative.py", "exec"), namespace)
    namespace["Tape"] = Counting
    (function,) = [value for name, value in namespace.items() if name.endswith("_grad")]
    gradient = function(*args)
    np.testing.assert_allclose(gradient, derivative(*args), rtol=1e-12)
    return total


def heat_in_two_buffers(u0, r, steps):
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, w = w, u
    return np.sum(u**2)


def leapfrog_wave(u0, c, steps):
    old = u0.copy()
    now = u0.copy()
    new = u0.copy()
    for _ in range(steps):
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + c * (now[2:] - 2 * now[1:-1] + now[:-2])
        old, now, new = now, new, old
    return np.sum(now * now)


def heat_through_a_copy(u0, r, steps):
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] + r * (un[2:] - 2 * un[1:-1] + un[:-2])
    return np.sum(u)


def heat_in_place(u0, r, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u)


def gauss_seidel_smoother(u0, r, steps):
    u = u0.copy()
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = (1.0 - r) * u[i] + 0.5 * r * (u[i - 1] + u[i + 1])
    return np.sum(u)


def linear_work_buffer(u0, r, steps):
    u = u0.copy()
    work = np.empty_like(u0)
    for _ in range(steps):
        work[:] = r * u
        u = u + work[::-1]
    return np.sum(u)


def linear_out(u0, r, steps):
    u = u0.copy()
    work = np.empty_like(u0)
    for _ in range(steps):
        np.multiply(u, r, out=work)
        u += work
    return np.sum(u)


def running_sum(u0, r, steps):
    u = u0.copy()
    for i in range(1, len(u)):
        u[i] += r * u[i - 1]
    return np.sum(u)


def filled_by_elements(u0, r, steps):
    out = np.empty_like(u0)
    for i in range(len(u0)):
        out[i] = r * u0[i] ** 2
    return np.sum(out * u0)


def rows_as_views(u0, r, steps):
    m = np.zeros((steps, len(u0)))
    for k in range(steps):
        row = m[k]
        row[:] = r * u0
        row[0] = 0.0
    return np.sum(m)


def weighted_neighbours(u0, r, steps):
    """The weights are computed in each iteration from what none changes."""
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = (un[2:] * r**2 + un[:-2]) / (2 * (r**2 + 1.5**2))
    return np.sum(u)


NOTHING: list[Any] = [
    weighted_neighbours,
    heat_in_two_buffers,
    leapfrog_wave,
    heat_through_a_copy,
    heat_in_place,
    gauss_seidel_smoother,
    linear_work_buffer,
    linear_out,
    running_sum,
    filled_by_elements,
    rows_as_views,
]


@pytest.mark.parametrize("function", NOTHING)
def test_nothing_is_recorded(function: Callable[..., Any]) -> None:
    derivative = grad(function)
    source = derivative.source_for(U, 0.2, STEPS)
    assert "tape" not in source and "kept" not in source
    step = 1e-6 * W
    slope = (function(U + step, 0.2, STEPS) - function(U - step, 0.2, STEPS)) / 2e-6
    assert derivative(U, 0.2, STEPS) @ W == pytest.approx(slope, rel=1e-6)


def burgers_through_a_copy(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] - c * un[1:-1] * (un[1:-1] - un[:-2])
    return np.sum(u)


def burgers_in_place(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:] = u[1:] - c * u[1:] * (u[1:] - u[:-1])
    return np.sum(u)


def burgers_in_two_buffers(u0, c, steps):
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:] = u[1:] - c * u[1:] * (u[1:] - u[:-1])
        u, w = w, u
    return np.sum(u)


def squared_in_place(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        u *= u
        u -= c
    return np.sum(u)


def logistic_by_elements(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        for i in range(len(u)):
            u[i] = c * u[i] * (1.0 - u[i])
    return np.sum(u)


def gauss_seidel_nonlinear(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        for i in range(1, len(u)):
            u[i] = c * u[i] * u[i - 1]
    return np.sum(u)


def relaxation_by_elements(u0, c, steps):
    """The quotient that is stored is read back from where it was stored."""
    u = u0.copy()
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = (u0[i] + c * (u[i - 1] + u[i + 1]) ** 2) / (1.0 + u[i])
    return np.sum(u)


def exponentials_by_elements(u0, c, steps):
    y = np.zeros_like(u0)
    for i in range(len(u0)):
        y[i] = np.exp(c * u0[i])
    return np.sum(y)


def nonlinear_work_buffer(u0, c, steps):
    u = u0.copy()
    work = np.empty_like(u0)
    for _ in range(steps):
        work[:] = c * u
        u = u + work * work
    return np.sum(u)


def fresh_work_buffer(u0, c, steps):
    total = 0.0
    for k in range(steps):
        work = np.zeros_like(u0)
        work[1:] = c * u0[:-1]
        total = total + k * np.sum(work**2)
    return total


def columns_of_a_history(u0, c, steps):
    """Each state has its own row: the array is its own tape."""
    m = np.zeros((steps + 1, len(u0)))
    m[0] = u0
    for k in range(steps):
        m[k + 1] = m[k] - c * m[k] * m[k]
    return np.sum(m[-1])


def lower_triangular_solve(u0, c, steps):
    """Every element is stored once: the result is its own tape."""
    y = np.zeros_like(u0)
    y[0] = u0[0]
    for i in range(1, len(u0)):
        y[i] = u0[i] - c * y[i - 1] * y[i - 1]
    return np.sum(y)


# The function, the steps that it is run for, and how many states it may record for each of them.
# Two buffers that take turns are on the tape, too, once.
NONLINEAR = {
    burgers_through_a_copy: (STEPS, 1),
    burgers_in_place: (STEPS, 1),
    burgers_in_two_buffers: (STEPS, 1 + 2 / STEPS),
    squared_in_place: (4, 1),
    logistic_by_elements: (STEPS, 1),
    gauss_seidel_nonlinear: (STEPS, 1),
    relaxation_by_elements: (STEPS, 1),
    nonlinear_work_buffer: (STEPS, 1),
    fresh_work_buffer: (STEPS, 1),
    columns_of_a_history: (STEPS, 0),
    lower_triangular_solve: (1, 0),
    exponentials_by_elements: (1, 0),
}


@pytest.mark.parametrize("function", NONLINEAR)
def test_recorded_at_most(function: Callable[..., Any]) -> None:
    steps, states = NONLINEAR[function]
    assert pushed(grad(function), U / 3.0, 0.1, steps) <= states * steps * STATE


def test_what_is_counted() -> None:
    """A tape that is found too long: the test itself can fail."""

    def cubes(u0, c, steps):
        u = u0.copy()
        for _ in range(steps):
            u = u * np.sin(u)
        return np.sum(u)

    assert pushed(grad(cubes), U, 0.1, STEPS) >= STEPS * STATE
