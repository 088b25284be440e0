"""Arrays of outside that a function changes: once, for good, and the derivative flows through them.

Each program begins by giving these their values, as it is called again and again.
"""

from __future__ import annotations

import importlib.util
import itertools
from typing import Any

import numpy as np
import pytest

from autodiff import SharedMemoryError, grad, vjp
from tests.core.judge import Verdict, core_alone, judge, programs

X, A = 0.7, np.array([0.5, 0.3, -0.6])
START = np.array([1.0, 0.5, 2.0])
W, N = START.copy(), np.array([1, 2, 3])
PART = W[1:]
Z = np.array(2.0)
HELD = {"w": W, "more": [np.ones(3)]}


class State:
    total = np.zeros(3)


def reset():
    W[:] = START
    N[:] = 1
    Z[...] = 2.0
    State.total[:] = 1.0
    HELD["more"][0][:] = 1.0


def carried_by_a_loop(x, a):
    reset()
    for i in range(3):
        W[i] = a[i] * W[i - 1] * x
    return np.sum(W * W)


def read_between_updates(x, a):
    reset()
    s = 0.0
    for i in range(3):
        W[:] = W * a + x
        s = s + np.sum(W**2) * a[i]
    W[0] = 7.0
    return s


def by_path(x, a):
    reset()
    if x > 0.5:
        W[0] = a[1] ** 2
    else:
        W[1] = x
    return np.sum(W**3)


def under_other_names(x, a):
    reset()
    t, u = W, W[::-1]
    t[0] = x**2
    u[0] = a[1] * u[2]
    return np.sum(W**2 * a)


def of_a_class(x, a):
    reset()
    State.total[0] = x * a[0]
    State.total[:] = State.total * a
    t = State.total
    t *= 2.0
    return np.sum(State.total * t)


def without_axes(x, a):
    reset()
    Z[...] = x**2
    Z[()] += a[0]
    return Z * x * Z


def whole_numbers(x, a):
    reset()
    N[0] = 5
    s = np.sum(N * a)
    N[:] = N * 2
    return s * np.sum(N * a) * x


def in_containers(x, a):
    reset()
    HELD["w"][0] = x * 3
    HELD["more"][0][1] = W[0] * a[1]
    return np.sum(HELD["more"][0] * a) * W[0]


def or_one_of_inside(x, a):
    reset()
    b = W if x > 0.5 else a * 1.0
    b[0] = a[1] * b[0]
    return np.sum(W * b * a)


def by_items_of_a_list(x, a):
    reset()
    for b in [W, a * 1.0]:
        b[0] = b[0] * x
    return np.sum(W * a)


def up_to_an_error(x, a):
    reset()
    try:
        W[0] = x**2
        W[5] = 1.0
    except IndexError:
        W[1] = a[1] * W[0]
    return np.sum(W * a)


def never(x, a):
    reset()
    for i in range(0):
        W[i] = x
    return np.sum(W * a)


PROGRAMS = programs(globals())


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(own, marks=[pytest.mark.followed] * (own is up_to_an_error), id=own.__name__)
        for own in PROGRAMS
    ],
)
def test_right(program):
    assert judge(program, [(X, A), (0.2, A + 0.1)], ("x", "a")) == Verdict("right")


@pytest.mark.parametrize(
    "program", [own for own in PROGRAMS if own is not up_to_an_error], ids=lambda f: f.__name__
)
def test_stays_as_the_function_leaves_it(program):
    def held() -> list[Any]:
        return [each.copy() for each in (W, N, Z, State.total, HELD["more"][0])]

    program(X, A)
    left = held()
    with core_alone():
        grad(program, wrt=("x", "a"))(X, A)
    assert all(map(np.array_equal, held(), left))


CHANGES = """
v = np.flipud(W); v += 1.0
v = np.fliplr(M); v += 1.0
v = np.rot90(M); v += 1.0
v = np.real(W); v += 1.0
v = np.require(W); v += 1.0
v = W.astype(float, copy=False); v += 1.0
v = (lambda a: a)(W); v += 1.0
v = W.T; v += 1.0
v = np.split(W, [1])[1]; v += 1.0
v = next(iter([W])); v += 1.0
np.random.shuffle(W)
W.__isub__(1.0)
np.ndarray.__setitem__(W, 0, 5.0)
list(map(W.fill, [4.0]))
W.clip(0, 1.5, W)
np.cumsum(W, 0, None, W)
functools.reduce(operator.iadd, [1.0], W)
W.flat[0] = 8.0
np.add.at(W, [0, 0], 1.0)
W[W > 0.6] = 0.1
W[0], W[1] = W[1], W[0]
[W.fill(k) for k in (3.0, 2.0)]
""".strip().split("\n")


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A module with a function for each way to change an array of outside."""
    lines = ["import functools, operator", "import numpy as np", "W, M = np.ones(3), np.eye(2)"]
    lines += ["def reset():", "    W[:] = [1.0, 0.5, 2.0]; M[:] = [[1.0, 2.0], [3.0, 5.0]]"]
    for k, (change, inside) in enumerate(itertools.product(CHANGES, (True, False))):
        body = change if inside else f"bump_{k}()"
        lines += [f"def bump_{k}():", f"    {change}"] * (not inside)
        lines += [f"def f_{k}(x):", "    s = np.sum(W * x * x) * M[0, 1]", f"    {body}"]
        lines += ["    return s * np.sum(W * x) * M[0, 1]"]
    path = tmp_path_factory.mktemp("outside") / "changed_memory.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("k", range(2 * len(CHANGES)), ids=lambda k: CHANGES[k // 2])
def test_however_it_is_changed(changed, k):
    function = getattr(changed, f"f_{k}")

    def value(x):
        changed.reset()
        np.random.seed(0)
        return function(x)

    steps = np.eye(3) * 1e-6
    expected = [(value(A + step) - value(A - step)) / 2e-6 for step in steps]
    left = changed.W.copy(), changed.M.copy()
    changed.reset()
    np.random.seed(0)
    with core_alone():
        found = grad(function)(A)
    np.testing.assert_allclose(found, expected, 1e-5)
    assert np.array_equal(changed.W, left[0]) and np.array_equal(changed.M, left[1])


def changes_its_argument(x):
    x *= 2
    return np.sum(x * W)


def changes_what_is_outside(x, pair):
    W[:] = W * 2
    return np.sum(x * W)


def test_an_argument_is_not_what_changes():
    with core_alone():
        for x, function in ((W, changes_its_argument), (W[1:], changes_its_argument)):
            with pytest.raises(SharedMemoryError, match="`x`.*shares memory with `W`"):
                grad(function)(x)
        derivative = grad(changes_what_is_outside)
        for given in ((W, (A, A)), (W[::-1], (A, A)), (A, (A, W))):
            reset()
            with pytest.raises(SharedMemoryError, match="`W`"):
                derivative(*given)
            assert np.array_equal(W, START)


def two_that_may_be_one(x):
    W[:] = x
    return np.sum(OTHER * x)


OTHER = np.ones(3)


def test_arrays_of_outside_are_those_that_they_were(monkeypatch):
    with core_alone():
        derivative = grad(two_that_may_be_one)
        np.testing.assert_allclose(derivative(A), OTHER)
        monkeypatch.setitem(globals(), "OTHER", W)
        np.testing.assert_allclose(derivative(A), 2 * A)


def of_two_names(x, a):
    reset()
    W[1] = x**2
    return np.sum(PART * a[1:])


def test_views_that_are_outside_are_not_followed_yet():
    assert judge(of_two_names, [(X, A)], ("x", "a")).what == "not yet"


def shared_buffer(x):
    W[:] = x * 2
    return np.sum(W * x * W)


def test_a_pullback_does_not_see_what_was_changed_since():
    with core_alone():
        _, pullback = vjp(shared_buffer, A)
        vjp(shared_buffer, A + 1.0)
        np.testing.assert_allclose(pullback(1.0)[0], 12 * A**2)


def given_to_others(x):
    b = np.ones(3) * 2.0
    State.total = b
    return np.sum(b * x)


def test_an_adjoint_is_not_what_is_stored_outside():
    with core_alone():
        assert not np.shares_memory(grad(given_to_others)(A), State.total)


class Settings:
    """Read by a function, and set again by others."""

    slope = 3.0

    def __init__(self):
        self.rate = 4.0


SETTINGS = Settings()
FACTOR, ROW = 2.0, np.array([1.0, 2.0])


def reads_again(x):
    t = 0.0
    for _ in range(3):
        t = t * np.sin(x[0]) * FACTOR + np.sum(x * ROW) ** 2 * SETTINGS.slope
    return t * SETTINGS.rate + FACTOR * x[1] * x[0]


def test_a_pullback_reads_nothing_again(monkeypatch):
    x = np.array([0.3, 0.7])
    with core_alone():
        expected = vjp(reads_again, x)[1](1.0)
        pullback = vjp(reads_again, x)[1]
        monkeypatch.setitem(globals(), "FACTOR", 5.0)
        monkeypatch.setitem(globals(), "ROW", np.array([7.0, 8.0]))
        monkeypatch.setattr(Settings, "slope", 0.5)
        monkeypatch.setattr(SETTINGS, "rate", 0.5)
        np.testing.assert_array_equal(pullback(1.0), expected)
