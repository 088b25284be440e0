"""Checkpointed loops and calls, through Core: the state is what they change, of whatever form."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import AutodiffError, checkpoint, checkpointed, grad
from tests.core.differences import check

pytest.importorskip("checkpoint_schedules")
X = np.array([0.5, 0.3, -0.6, 0.8])


class Body:
    def __init__(self, at, mass):
        self.at, self.mass = at, mass


@checkpoint
def doubled(u, v):
    return u * 2.0, v[::-1]


def memory_that_changes_behind_a_call(x):
    b, a = x * 0.9, x * 1.0
    for t in checkpointed(range(3), snapshots=2):
        a = doubled(b, a)[0] * 0.5
        if t % 2:
            b *= np.cos(a)
    return np.sum(b * b * 0.5)


def last_of_all_it_changes(x):
    b = x * 0.9
    a = doubled(b, b)[0]
    if a[0] > 0.0:
        b *= np.cos(a)
    return b[1]


@pytest.mark.parametrize("f", [memory_that_changes_behind_a_call, last_of_all_it_changes])
def test_memory_changes_behind_a_call(f, monkeypatch):
    check(monkeypatch, f, X)


def lends_what_is_changed(x):
    a = x * 1.1
    _, row = doubled(a, a)
    row[0] = a[1] * 0.7
    return np.sum(row * a)


def copies_what_is_changed(x):
    a = x * 1.1
    _, row = doubled(a, a)
    row = row.copy()
    row[0] = a[1] * 0.7
    return np.sum(row * a)


def test_a_call_that_lends_what_is_changed(monkeypatch):
    with pytest.raises(AutodiffError, match="gives memory that it was given"):
        grad(lends_what_is_changed)(X)
    check(monkeypatch, copies_what_is_changed, X)


def objects_in_a_list(x):
    bodies = [Body(x * (k + 1), 0.5) for k in range(3)]
    for t in checkpointed(range(6), snapshots=2):
        one, other = bodies[t % 3], bodies[(t + 1) % 3]
        one.at = one.at * other.mass + other.at * 0.3
        other.at[1:] *= 0.5
        one.mass = one.mass + other.at[1]
    return np.sum(bodies[0].at * bodies[2].at) * bodies[1].mass


def a_name_of_before(x):
    u = x * 1.0
    before = u
    for t in checkpointed(range(5), snapshots=2):
        u[1:] = u[1:] * np.cos(u[:-1]) + t
    before[0] = 2.0
    return np.sum(u * before)


def lists_that_share(x):
    u = x * 1.0
    rows, others = [u, x * 2.0], [u]
    for t in checkpointed(range(5), snapshots=2):
        rows[t % 2][1:] *= others[0][:-1]
        if t == 2:
            others.append(rows[1])
            rows[0] = rows[0] * x
    others[0][0] = 3.0
    return np.sum(u * rows[0]) + np.sum(others[1] ** 2)


def a_table_that_is_read(x):
    table = [x * 1.0, x * x]
    y = np.sum(x)
    for t in checkpointed(range(5), snapshots=2):
        y = y * np.cos(y) + np.sum(table[t % 2])
    table[0][1] = 7.0
    table[1] = x
    return y * table[0][1] * table[1][0]


def on_one_path(x):
    u, s = x * 1.0, 0.0
    if x[0] > 0:
        for t in checkpointed(range(4), snapshots=1):
            u[1:] = np.sin(u[:-1]) * u[1:]
            if t < 2:
                s = s + u[1]
    u[2] = u[2] * s
    return np.sum(u**2)


def until_it_is_small(x):
    u, n = x * 1.0, 0
    with checkpointed(snapshots=2):
        while np.sum(u * u) > 0.2:
            u *= 0.8
            n += 1
    return np.sum(u**3) * n


@checkpoint
def layer(w, rows, gain=0.5):
    made = {"sum": w[0] * gain, "all": np.tanh(rows[0] * w), "other": rows[1]}
    made["sum"] = made["sum"] * np.sum(made["all"])
    return made


def layers(x):
    rows, total = [x, x * x], 0.0
    for k in range(3):
        made = layer(x * k, rows)
        rows, total = [made["other"], made["all"]], total + made["sum"]
    return total + np.sum(rows[1])


def given_what_changes(x):
    u, total = x * 1.0, 0.0
    for k in range(3):
        total = total + checkpointed_square(u)
        u[k] = total
    return total * u[1]


@checkpoint
def checkpointed_square(u):
    return np.sum(np.sin(u) ** 2)


class Wave:
    def __init__(self, k):
        self.k = k

    @checkpoint
    def moved(self, h):
        for _ in checkpointed(range(3), snapshots=1):
            h = np.sin(self.k * h) * h
        return h


def a_method(x):
    wave = Wave(x[0])
    return np.sum(wave.moved(wave.moved(x)))


LOOPS = [
    *(objects_in_a_list, a_name_of_before, lists_that_share, a_table_that_is_read, on_one_path),
    until_it_is_small,
]
CALLS = [layers, given_what_changes, a_method]


@pytest.mark.parametrize("function", LOOPS, ids=lambda f: f.__name__)
def test_loops(function, monkeypatch):
    text = check(monkeypatch, function, X)
    assert "checkpointed_steps(" in text and "def step_vjp(" in text


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
def test_calls(function, monkeypatch):
    assert "= recomputed(" in check(monkeypatch, function, X)


def changed_through_a_view(x):
    v = x * 1.0
    w = v[1:]
    tail = w[1:]
    s = 0.0
    for k in range(2):
        for t in checkpointed(range(4), snapshots=2):
            w[0] = v[0] * 0.3 + w[2] * v[1]
            tail[:] = tail * w[0] + t
        s = s + np.sum(w * v[:-1]) * (k + 1)
        v[0] = s * 0.1
    return s + np.sum(tail)


def test_views_of_the_state_are_made_again_in_each_step(monkeypatch):
    text = check(monkeypatch, changed_through_a_view, X)
    assert "(v,), steps_pullback = checkpointed_steps(step, step_vjp, range(4), 2, (v,), ()" in text


def said(x):
    for _ in checkpointed(range(3), snapshots=1):
        x = x * x
        print(x)
    return np.sum(x)


def test_what_is_seen_is_refused():
    with pytest.raises(AutodiffError, match="give the same when it is run again"):
        grad(said)(X)
