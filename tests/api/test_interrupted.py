"""A compilation says what it compiles where it takes long, and may be interrupted anywhere."""

import gc
import io
import sys
import time

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives import cache, saying
from autodiff.pipeline import compiler


def helper(u, k):
    return u * np.exp(-k * u)


def wave(x, k):
    u = x.copy()
    total = 0.0
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1] + helper(u[i], k)
        if u[i] > 0.5:
            total += np.sin(u[i])
    return total + np.sum(np.tanh(u) ** 2)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def slowly(monkeypatch):
    """The first compilation takes a while, as does one that it needs."""
    whole = compiler.compile

    def compile(function, request):
        time.sleep(0.1)
        cache.compiled(helper, request.__class__("jvp", ("u",), True, False, request.kinds[:1] * 2))
        return whole(function, request)

    def first(function, request):
        monkeypatch.setattr(compiler, "compile", whole)
        return compile(function, request)

    monkeypatch.setattr(compiler, "compile", first)
    monkeypatch.setattr(saying, "AFTER", 0.05)


def test_what_takes_long_is_said_on_a_terminal(slowly, monkeypatch):
    cache._shelves.clear()
    monkeypatch.setattr(sys, "stderr", Terminal())
    grad(wave)(np.ones(5), 2.0)
    said = sys.stderr.getvalue()
    assert said.startswith("autodiff is compiling the grad of wave (test_interrupted.py:")
    assert said.count("compiling") == 1
    assert said.endswith(" s\n")


@pytest.mark.parametrize("stderr", [io.StringIO(), None])
def test_nothing_is_said_elsewhere(slowly, monkeypatch, stderr):
    cache._shelves.clear()
    monkeypatch.setattr(sys, "stderr", stderr)
    grad(wave)(np.ones(5), 2.0)
    assert stderr is None or stderr.getvalue() == ""


def calls_of(f):
    """How many calls of Python functions a call makes."""
    count = 0

    def look(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(look)
    try:
        f()
    finally:
        sys.setprofile(None)
    return count


def test_ctrl_c_leaves_all_usable():
    """At many places: what was left half done then does not change what is compiled next."""
    derivative = grad(wave)
    args = np.linspace(0.1, 1.0, 6), 2.0
    expected = derivative(*args)
    source, limit = derivative.source, sys.getrecursionlimit()

    def again():
        cache._shelves.clear()
        derivative._memo.clear()
        return derivative(*args)

    total = calls_of(again)
    for part in range(1, 24):
        left = total * part // 24

        def interrupt(frame, event, argument):
            nonlocal left
            left -= event == "call"
            if left == 0:
                raise KeyboardInterrupt

        sys.setprofile(interrupt)
        try:
            with pytest.raises(KeyboardInterrupt):
                again()
        finally:
            sys.setprofile(None)
        assert gc.isenabled()
        assert sys.getrecursionlimit() == limit
        np.testing.assert_array_equal(again(), expected)
        assert derivative.source == source
