"""Checkpointed loops on both backends: values, adjoints, steps, and what is refused."""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from autodiff import (
    NativeError,
    checkpoint,
    checkpointed,
    grad,
    hvp,
    jvp,
    value_and_grad,
    vjp,
)
from autodiff.derivatives.derivative import Derivative
from tests.api import containers_to_checkpoint as containers
from tests.api import loops_to_checkpoint as programs

pytest.importorskip("numba")
pytest.importorskip("checkpoint_schedules")

from autodiff.native import stepping  # noqa: E402 (needs Numba)

LISTS = frozenset(
    """
    arrays_in_place complex_numbers dict_by_name dict_by_number grown history_read_backwards
    items_replaced lists_in_a_list numbers one_array_twice queue two_loops while_some_are_large
""".split()
)
"""Programs whose state is a list or a dict, which typed code does not take."""


def shared_around(u, nu):
    v, s = u * 1.0, 0.0
    for _ in range(2):
        w = v
        for t in checkpointed(range(4), snapshots=2):
            w = w * np.cos(v) + nu
            v[1:] = v[1:] * w[:-1] * (1.0 - 0.1 * t)
        s = s + np.sum(w * v)
        v[0] = s * 0.1
    return s


def named_in_the_loop(u, n):
    for t in checkpointed(range(n), snapshots=2):
        if t % 2 == 0:
            w = np.sum(u) * u[1]
            k = t
        u = u * np.cos(u) + (w + k) * 0.1
    return w * k + np.sum(u)


CASES = [
    *programs.CASES,
    *containers.CASES,
    (shared_around, (programs.V, 0.3)),
    (named_in_the_loop, (programs.V, 5)),
]


def copies(args):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda f: getattr(f, "__name__", ""))
def test_both_backends_agree(function, args):
    floats = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    native = Derivative(function, "vjp", floats, False, {"backend": "numba"})
    if function.__name__ in LISTS:
        with pytest.raises(NativeError) as refused:
            native(*copies(args))
        assert refused.value.origin is None or "_to_checkpoint.py" in refused.value.origin.file
        return
    value, pullback = Derivative(function, "vjp", floats)(*copies(args))
    given = copies(args)
    ours, ours_pullback = native(*given)
    assert np.isclose(value, ours, rtol=1e-13)
    for seed in (1.0, -0.5):
        for one, other in zip(pullback(seed), ours_pullback(seed)):
            np.testing.assert_allclose(other, one, rtol=1e-12, atol=1e-15)
    assert all(np.array_equal(a, b) for a, b in zip(given, args))
    assert "reverse_steps(" in native.source
    assert not stepping._OPEN


@pytest.mark.parametrize(("steps", "kept"), [(1, 1), (7, 1), (30, 3), (30, 40)])
def test_steps_are_those_of_the_schedule(steps, kept):
    rows = []
    for row in stepping._rows(steps, kept):
        rows.append(row)
    run = sum(last - first for what, first, last in rows if what == stepping.ADVANCE)
    held = [what for what, _, _ in rows].count(stepping.HOLD)
    predicted = sum(
        action.n1 - action.n0
        for action in stepping.schedule(steps, kept)
        if type(action).__name__ == "Forward" and not action.write_adj_deps
    )
    assert held == steps
    assert run == predicted
    native = grad(programs.counted, backend="numba")(programs.V, steps, kept)
    np.testing.assert_allclose(native, grad(programs.counted)(programs.V, steps, kept), rtol=1e-12)


def whole_at_first(x, n):
    total = 0
    for _ in checkpointed(range(n), snapshots=2):
        total = total + x * x
    return total * x


def given_whole(x, total, n):
    for _ in checkpointed(range(n), snapshots=2):
        total = total + x * x
    return total * x


def switched(x, n):
    on = True
    for _ in checkpointed(range(n), snapshots=2):
        x = np.sin(x) if on else x * x
        on = not on
    return x


def transposed(m, n):
    for _ in checkpointed(range(n), snapshots=2):
        m = np.sin(m.T)
    return np.sum(m[0])


def changed_after(u, w, n):
    v = u
    for t in checkpointed(range(n), snapshots=2):
        v = v * w[t]
    u[0] = 7.0
    w[0] = 3.0
    v[1] = v[0] * w[0]
    return np.sum(v) + np.sum(u)


V = np.array([0.1, 0.2, 0.3, 0.15, 0.4])
TABLE = np.arange(9.0).reshape(3, 3) / 10


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (whole_at_first, (0.3, 9)),
        (given_whole, (0.3, 2, 9)),
        (given_whole, (0.3, 2.0, 9)),
        (switched, (0.3, 5)),
        (transposed, (TABLE, 4)),
        (transposed, (TABLE.T, 3)),
        (changed_after, (V, V + 1.0, 4)),
        (programs.burgers, (V[::-1], 0.1, 9)),
    ],
)
def test_states_of_all_types(function, args):
    value, slope = value_and_grad(function)(*args)
    ours, native = value_and_grad(function, backend="numba")(*args)
    assert np.isclose(value, ours, rtol=1e-13)
    np.testing.assert_allclose(native, slope, rtol=1e-12)


def test_arrays_that_cannot_be_written():
    fixed = V.copy()
    fixed.flags.writeable = False
    native = grad(programs.burgers, backend="numba")
    np.testing.assert_allclose(native(fixed, 0.1, 9), native(V, 0.1, 9), rtol=0)


def in_part(u, n):
    b = u[1:]
    for t in checkpointed(range(n), snapshots=2):
        u = u * (1.0 + 0.0 * t)
        b = b * 2.0
    return np.sum(b) * np.sum(u)


def test_states_that_share_memory_in_part():
    with pytest.raises(ValueError, match="share memory"):
        grad(in_part, backend="numba")(V, 3)


def test_forward_mode_and_second_order():
    def loop(u):
        return programs.burgers(u, 0.1, 9)

    v = np.cos(V)
    native = jvp(loop, (V,), (v,), backend="numba")
    np.testing.assert_allclose(native, jvp(loop, (V,), (v,)), rtol=1e-12)
    np.testing.assert_allclose(hvp(loop, backend="numba")(V, v), hvp(loop)(V, v), rtol=1e-11)


def unknown(x, n):
    for t in checkpointed(range(n), snapshots=2):
        x = x * np.sinc(t * x)
    return x


def test_a_refusal_shows_the_users_line():
    with pytest.raises(NativeError) as refused:
        grad(unknown, backend="numba")(0.3, 4)
    assert refused.value.origin.file == __file__
    assert "np.sinc" in refused.value.origin.text or "sinc" in str(refused.value)


def two_loops(x, n):
    y = x
    for t in checkpointed(range(n), snapshots=2):
        for _ in checkpointed(range(t), snapshots=1):
            y = np.sin(y)
    for _ in checkpointed(range(n), snapshots=2):
        y = y * y + x
    return y


@pytest.mark.parametrize("function", [two_loops, programs.whiled])
def test_it_can_be_saved(function, tmp_path):
    args = (0.3, 3)
    derivative = grad(function, backend="numba")
    wanted = derivative(*args)
    derivative.save(tmp_path / "saved.py")
    spec = importlib.util.spec_from_file_location("saved", tmp_path / "saved.py")
    saved = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(saved)
    np.testing.assert_array_equal(getattr(saved, f"{function.__name__}_grad")(*args), wanted)


STORED = """
import numpy as np
from autodiff import checkpointed, grad

def decay(u, n):
    for t in checkpointed(range(n), snapshots=2):
        u = u * np.cos(u)
    return np.sum(u)

g = grad(decay, backend="numba", cache=True)
print(g(np.ones(3), 7)[0], *g.native_for(np.ones(3), 7).stats.cache_hits.values())
"""


def test_the_second_process_starts_from_the_disk(tmp_path):
    file = tmp_path / "decaying.py"
    file.write_text(STORED, encoding="utf-8")
    # without LLVM's optimisations, as CI runs these tests, Numba leaves nothing on the disk
    own = {key: value for key, value in os.environ.items() if key != "NUMBA_OPT"}
    command = [sys.executable, file]
    runs = [
        subprocess.run(command, env=own, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    first, second = (run.split() for run in runs)
    assert len(first) == 1
    assert second == [*first, "1"]


@checkpoint
def layer(x, weight):
    hidden = np.tanh(weight * x)
    return x + hidden * np.exp(-(hidden**2))


@checkpoint
def slope(x):
    y = math.sin(x)
    for _ in range(3):
        y = y * math.exp(-y)
    return y


@checkpoint
def both_layers(x, weight):
    return layer(layer(x, weight), 2.0 * weight)


@checkpoint
def split(x, c):
    return x * c, np.sum(x**c)


def layers(x, w):
    for _ in range(3):
        x = layer(x, w)
    return np.sum(x**2)


def slopes(x):
    return slope(slope(x) * 3.0) - slope(0.5)


def by_name(x, w):
    return np.sum(layer(weight=w, x=x * x) * x)


def nested_calls(x, w):
    return np.sum(both_layers(x, w))


def parts(x, c):
    y, total = split(x, c)
    return total * np.sum(y)


def weights_alone(x, w):
    total = 0.0
    for k in range(len(x)):
        total += np.sum(layer(np.ones(3), w * x[k]))
    return total


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (layers, (V, 0.7)),
        (slopes, (0.4,)),
        (by_name, (V, 0.7)),
        (nested_calls, (V, 0.7)),
        (parts, (V, 1.5)),
        (weights_alone, (V, 0.3)),
    ],
)
def test_checkpointed_calls(function, args):
    wrt = tuple(range(len(args)))
    value, slopes = value_and_grad(function, wrt)(*args)
    derivative = value_and_grad(function, wrt, backend="numba")
    ours, native = derivative(*args)
    assert np.isclose(value, ours, rtol=1e-13)
    for one, other in zip(slopes, native):
        np.testing.assert_allclose(other, one, rtol=1e-12)
    assert ".adjoints(" not in derivative.source


def test_a_checkpointed_call_in_forward_mode():
    v = np.cos(V)
    native = jvp(lambda x: layers(x, 0.7), (V,), (v,), backend="numba")
    np.testing.assert_allclose(native, jvp(lambda x: layers(x, 0.7), (V,), (v,)), rtol=1e-12)


def roots(x, n):
    y = 1.0
    for _ in checkpointed(range(n), snapshots=2):
        y = y + math.sqrt(x * x * y)
    return y


def test_an_error_in_the_reverse_sweep_leaves_nothing_behind(monkeypatch):
    derivative = grad(roots, backend="numba")
    _, pullback = vjp(lambda x: roots(x, 6), 1.0, backend="numba")
    own = stepping._rows

    def broken(steps, snapshots):
        rows = [*own(steps, snapshots)]
        yield from rows[: len(rows) // 2]
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(stepping, "_rows", broken)
        for failing in (lambda: derivative(1.0, 6), lambda: pullback(1.0)):
            with pytest.raises(ZeroDivisionError):
                failing()
            assert not stepping._OPEN
    assert derivative(1.0, 6) == pytest.approx(grad(roots)(1.0, 6), rel=1e-12)
