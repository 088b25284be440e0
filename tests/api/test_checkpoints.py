"""Checkpointed loops and calls, against the plain loops, forward mode and differences."""

from __future__ import annotations

import importlib.util
import math
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    UnsupportedSyntaxError,
    check_grads,
    checkpoint,
    checkpointed,
    grad,
    hessian,
    jacobian,
    jvp,
)
from autodiff.derivatives.derivative import Derivative
from autodiff.runtime import checkpoints
from tests.api import containers_to_checkpoint as containers
from tests.api import loops_to_checkpoint as programs

V = np.array([0.1, 0.2, 0.3, 0.15, 0.4])
pytest.importorskip("checkpoint_schedules")


def plain_module(module: Any) -> Any:
    """The same programs, with plain loops."""
    text = Path(module.__file__).read_text(encoding="utf-8")
    text = re.sub(r"checkpointed\((.*), snapshots=\d\):", r"\1:", text)
    file = Path(FOLDER.name) / f"{module.__name__.split('.')[-1]}_plain.py"
    file.write_text(text.replace("with checkpointed(snapshots=2):", "if True:"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    made = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


FOLDER = tempfile.TemporaryDirectory()
CASES = [
    (getattr(plain, function.__name__), function, args)
    for module in (programs, containers)
    for plain in (plain_module(module),)
    for function, args in module.CASES
]


def copies(args: tuple[Any, ...]) -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def differences(function: Callable[..., Any], args: tuple[Any, ...], v: list[Any]) -> Any:
    h = 1e-6
    up, down = (
        function(*[a if d is None else a + s * h * d for a, d in zip(copies(args), v)])
        for s in (1, -1)
    )
    return (up - down) / (2 * h)


@pytest.mark.parametrize(
    ("plain", "function", "args"), CASES, ids=lambda f: getattr(f, "__name__", "")
)
def test_loops(plain, function, args):
    floats = [k for k, a in enumerate(args) if not isinstance(a, int)]
    derivative = Derivative(function, "vjp", tuple(floats))
    value, pullback = derivative(*copies(args))
    assert "checkpointed_steps(" in derivative.source
    assert value == plain(*copies(args)) == function(*copies(args))
    adjoints = pullback(1.0)
    assert all(np.array_equal(a, b) for a, b in zip(adjoints, pullback(1.0)))
    v = [np.cos(np.arange(np.size(a)) + 1.0).reshape(np.shape(a)) for a in args]
    v = [d if k in floats else None for k, d in enumerate(v)]
    slope = sum(np.sum(a * v[k]) for k, a in zip(floats, adjoints))
    tangent = jvp(function, tuple(copies(args)), tuple(v))[1]
    assert np.isclose(slope, tangent, rtol=1e-12)
    assert np.isclose(slope, differences(plain, args, v), rtol=1e-6)


@pytest.mark.parametrize(("steps", "kept"), [(1, 1), (7, 1), (30, 3), (30, 40)])
def test_steps_are_those_of_the_schedule(steps, kept, monkeypatch):
    counted = 0
    advance = checkpoints.Loop.advance

    def counting(loop: Any, action: Any, state: Any) -> Any:
        nonlocal counted
        counted += action.n1 - action.n0
        assert len(loop.kept) <= kept
        return advance(loop, action, state)

    monkeypatch.setattr(checkpoints.Loop, "advance", counting)
    grad(programs.counted)(V, steps, kept)
    predicted = sum(
        action.n1 - action.n0
        for action in until_the_end(checkpoints.schedule(steps, kept))
        if type(action).__name__ == "Forward"
    )
    assert counted == predicted


def until_the_end(actions: Any) -> Any:
    for action in actions:
        if type(action).__name__ == "EndReverse":
            return
        yield action


def test_a_second_derivative_keeps_all_states():
    def loop(u):
        for t in checkpointed(range(5), snapshots=2):
            u = u * np.cos(u) + 0.1 * t
        return np.sum(u * u)

    found = hessian(loop)(V)
    assert np.allclose(found, found.T) and np.allclose(found, jacobian(grad(loop))(V))


def test_without_differentiation_it_is_the_range():
    assert checkpointed(range(3), snapshots=2) == range(3)
    with checkpointed(snapshots=2):
        pass


def noise(k):
    return random.random() * k


def drawn(u):
    for _ in checkpointed(range(3), snapshots=2):
        u = u * np.random.normal()
    return np.sum(u)


def drawn_by_helper(u):
    for t in checkpointed(range(3), snapshots=2):
        u = u + noise(t)
    return np.sum(u * u)


def drawn_from(u, rng=np.random.default_rng(0)):
    for _ in checkpointed(range(3), snapshots=2):
        u = u * rng.normal()
    return np.sum(u)


def printed(u):
    for _ in checkpointed(range(3), snapshots=2):
        u = u * u
        print(u)
    return np.sum(u)


def left(u):
    for _ in checkpointed(range(3), snapshots=2):
        u = u * u
        if u[0] < 0.0:
            break
    return np.sum(u)


def returned(u):
    for _ in checkpointed(range(3), snapshots=2):
        u = u * u
        if u[0] < 0.0:
            return u[0]
    return np.sum(u)


def unassigned(u):
    for t in checkpointed(range(3), snapshots=2):
        if t > 0:
            u = u * w  # noqa: F821
        w = u + 1.0
    return np.sum(w)


def over_items(u):
    s = 0.0
    for x in checkpointed(u, snapshots=2):
        s = s + x * x
    return s


def tried(u):
    try:
        for _ in checkpointed(range(3), snapshots=2):
            u = u * math.sqrt(u[0])
    except ValueError:
        u = u * 0.0
    return np.sum(u)


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (drawn, "not known to give the same"),
        (drawn_by_helper, "not known to give the same"),
        (drawn_from, "not known to give the same"),
        (printed, "not known to give the same"),
        (left, "left by `break`"),
        (returned, "left by `break`"),
        (unassigned, "`w` may have no value"),
        (over_items, "does not run over a range"),
        (tried, "inside a `try`"),
    ],
)
def test_what_is_refused(function, what):
    with pytest.raises(UnsupportedSyntaxError, match=re.escape(what)):
        grad(function)(V)


def test_the_number_of_snapshots_and_the_library_are_asked_for(monkeypatch):
    with pytest.raises(ValueError, match="at least one state"):
        grad(programs.counted)(V, 3, 0)
    monkeypatch.setitem(sys.modules, "checkpoint_schedules", None)
    cure = re.escape('pip install "source-autodiff[checkpointing]"')
    with pytest.raises(ImportError, match=cure):
        grad(programs.counted)(V, 3, 2)


@checkpoint
def layer(x, weight):
    hidden = np.tanh(weight * x)
    return {"out": x + hidden * np.exp(-hidden), "size": 5}


@checkpoint
def smooth(x, width=0.5):
    return np.tanh(x * width) * x


def layers(x, weight):
    for k in range(3):
        x = layer(x, weight * k)["out"]
        x = smooth(x) if k else smooth(x, width=weight)
    return np.sum(x**2)


def smoothed(x):
    return np.sum(smooth(smooth(x, 0.7)) ** 2)


def test_calls_are_computed_again():
    check_grads(layers, V, 0.7)
    found = hessian(smoothed)(V)
    assert np.allclose(found, found.T) and np.allclose(found, jacobian(grad(smoothed))(V))


class Factor:
    value = 1.0


@checkpoint
def unlike(x):
    return x * Factor.value


def bump():
    Factor.value += 1.0


def test_calls_of_functions_that_read_what_changes():
    """What was read is kept, so the call gives the same when it is computed again."""

    def function(x):
        y = unlike(x)
        bump()
        return y * x

    Factor.value = 1.0
    assert grad(function)(3.0) == 6.0
    assert Factor.value == 2.0


def test_calls_that_come_out_otherwise_are_refused():
    @checkpoint
    def random_factor(x):
        return x * random.random()

    with pytest.raises(AutodiffError, match="draw random numbers before the call"):
        grad(lambda x: random_factor(x * x))(3.0)

    @checkpoint
    def changing(x):
        x[0] = 1.0
        return np.sum(x * x)

    with pytest.raises(AutodiffError, match="not known to change nothing"):
        grad(lambda x: changing(x * x))(V)


class Wave:
    def __init__(self, k):
        self.k = k

    @checkpoint
    def layer(self, h):
        return np.sin(self.k * h) * h

    def loss(self, x):
        for _ in range(3):
            x = self.layer(x)
        return np.sum(x)


def test_a_method_is_called_again():
    check_grads(Wave(0.7).loss, V, order=2)
