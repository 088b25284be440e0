"""What runs behind a block even where that raises: `finally`, and managers of the user's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad
from autodiff.pipeline import compiler
from tests.core.differences import check

X = np.array([0.3, 0.5, 0.9])
SEEN = np.zeros(2)


class Scaling:
    def __init__(self, held):
        self.held = held

    def __enter__(self):
        self.held *= 2.0
        return self.held

    def __exit__(self, *_):
        self.held += 0.5


def in_a_loop(x, n):
    c, y = np.ones(3), 0.0
    alias = c
    for i in range(n):
        try:
            c[i] += x[0]
            y = y + np.sum(x * c) * x[i]
        except IndexError:
            alias[0] = x[1]
            y = y * np.sum(x * c)
        finally:
            c *= 1.5
            y = y + np.sum(np.sin(x * alias))
    return y


def deeper(x, held, k):
    try:
        y = np.sum(x * held[:1]) * x[k]
        if k < 2:
            y = y + deeper(x, held, k + 1)
    finally:
        held *= 1.5
    return y


def calls_itself(x, n):
    held = np.ones(n)
    return deeper(x, held, 0) * held[0]


def managed(x, n):
    held = np.ones(3)
    y = 0.0
    for k in range(n):
        with Scaling(held) as b, np.errstate(all="ignore") as nothing:
            y = y + np.sum(b * x) * (1.0 if nothing is None else x[k])
    return y * np.sum(held * x)


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize(
    "function", [pytest.param(in_a_loop, marks=pytest.mark.followed), calls_itself, managed]
)
def test_right(monkeypatch, function, n):
    check(monkeypatch, function, X, n)


def seen_outside(x, w):
    try:
        return np.sum(x * w)
    finally:
        SEEN[0] += 1.0


def seen_after_an_item(x, k):
    try:
        return x[k]
    finally:
        SEEN[0] += 1.0


@pytest.mark.parametrize(
    ("function", "given"), [(seen_outside, np.ones(2)), (seen_after_an_item, 7)]
)
def test_what_is_seen_outside_after_an_error(monkeypatch, function, given):
    SEEN[0] = 0.0
    with pytest.raises((ValueError, IndexError)):
        grad(function)(X, given)
    assert SEEN[0] == 1.0


MODE = "doubled"


class Mode:
    """Sets a switch of the module, as packages do."""

    def __init__(self, own):
        self.own, self.before = own, MODE

    def __enter__(self):
        global MODE
        MODE = self.own
        return self

    def __exit__(self, *_):
        global MODE
        MODE = self.before


def by_mode(x):
    return x * 2.0 if MODE == "doubled" else x * 3.0


def in_a_mode(x):
    with Mode("tripled"):
        y = by_mode(x) * math.sqrt(x)
    return y * by_mode(x)


def in_modes(x):
    y = x
    with Mode("tripled"):
        z = np.linalg.inv(np.array([[x, 1.0], [0.5, x]]))
        y = y * by_mode(x) * math.log(x) + np.sum(z)
    return y * by_mode(x)


def changed_at_last(x):
    try:
        x[0] = x[0] * 2.0
        y = math.sqrt(x[0]) * x[1]
    finally:
        x[1] = x[1] + 1.0
    return y * x[1]


@pytest.mark.parametrize("f", [in_a_mode, in_modes])
def test_a_switch_is_set_back_where_the_block_raises(f):
    compiler.REASONS.clear()
    expected = (f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6
    assert grad(f)(2.0) == pytest.approx(expected, rel=1e-7)
    assert not compiler.REASONS and MODE == "doubled"
    with pytest.raises(ValueError, match="math domain"):
        grad(f)(-1.0)
    assert MODE == "doubled"


def test_an_argument_is_changed_where_the_block_raises(monkeypatch):
    check(monkeypatch, changed_at_last, X)
