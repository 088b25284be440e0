"""A compilation says what it compiles where it takes long, and may be interrupted anywhere."""

import gc
import io
import sys
import threading
import time

import numpy as np
import pytest

from autodiff import CompileTimeoutError, OptionError, grad, hessian, jacobian
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


def is_interrupted(f, left):
    """Whether Ctrl-C after so many calls ends a call: what ends a generator that nobody holds any
    more swallows it.
    """

    def interrupt(frame, event, argument):
        nonlocal left
        left -= event == "call"
        if left == 0:
            raise KeyboardInterrupt

    sys.setprofile(interrupt)
    try:
        f()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
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
        assert any(is_interrupted(again, total * part // 24 - later) for later in range(5))
        assert gc.isenabled()
        assert sys.getrecursionlimit() == limit
        np.testing.assert_array_equal(again(), expected)
        assert derivative.source == source


# ---- timeout -----------------------------------------------------------------------------------


def sooner(monkeypatch, checks):
    """Time goes by with each look at it."""
    from autodiff import deadline

    clock = iter(range(10**9))
    monkeypatch.setattr(deadline.time, "monotonic", lambda: next(clock))
    return float(checks)


def test_a_compilation_may_take_so_long():
    cache._shelves.clear()
    derivative = grad(wave, timeout=1e-6)
    limit = sys.getrecursionlimit()
    with pytest.raises(CompileTimeoutError) as caught:
        derivative(np.linspace(0.1, 1.0, 6), 2.0)
    assert isinstance(caught.value, TimeoutError)
    assert caught.value.what == (
        f"compiling the grad of wave (test_interrupted.py:{wave.__code__.co_firstlineno}) takes "
        "more than 1e-06 s"
    )
    assert "timeout=1e-05" in caught.value.cure
    assert gc.isenabled() and sys.getrecursionlimit() == limit


def test_all_stays_usable_wherever_the_time_is_over(monkeypatch):
    args = np.linspace(0.1, 1.0, 6), 2.0
    expected, source = grad(wave)(*args), grad(wave).source_for(*args)
    for looks in (1, 3, 10, 20, 30):
        cache._shelves.clear()
        with monkeypatch.context() as patch:
            with pytest.raises(CompileTimeoutError):
                grad(wave, timeout=sooner(patch, looks))(*args)
        again = grad(wave, timeout=600.0)
        np.testing.assert_array_equal(again(*args), expected)
        assert again.source == source


def test_what_is_compiled_takes_no_time():
    derivative = grad(wave, timeout=600.0)
    args = np.linspace(0.1, 1.0, 6), 2.0
    derivative(*args)
    np.testing.assert_array_equal(grad(wave, timeout=1e-9)(*args), derivative(*args))


@pytest.mark.parametrize("make", [jacobian, hessian])
def test_of_what_is_put_together_from_others(make):
    cache._shelves.clear()
    with pytest.raises(CompileTimeoutError):
        make(wave, timeout=1e-6)(np.linspace(0.1, 1.0, 6), 2.0)


def test_other_threads_have_their_own_time():
    cache._shelves.clear()
    found = []

    def run(**options):
        try:
            found.append(grad(wave, **options)(np.linspace(0.1, 1.0, 6), 2.0))
        except CompileTimeoutError as error:
            found.append(error)

    threads = [threading.Thread(target=run, kwargs=each) for each in ({"timeout": 1e-6}, {})]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(each).__name__ for each in found) in (
        ["CompileTimeoutError", "ndarray"],
        ["ndarray", "ndarray"],  # the second was first
    )


@pytest.mark.parametrize("given", [0, -1.0, "10", True])
def test_what_is_no_time(given):
    with pytest.raises(OptionError, match="timeout"):
        grad(wave, timeout=given)
