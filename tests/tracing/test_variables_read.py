"""What reads the variables of functions that run is refused: those of a derivative, and those of a
run that is followed, are not those of the primal. `locals()` that a followed function asks itself
gives its own variables.
"""

from __future__ import annotations

import inspect
import sys
from collections import deque

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp
from autodiff.primitives.executing import reads_variables

X = np.array([1.0, 2.0, 3.0])
PACKAGE = """
import sys

_last = {}

def evaluate(text):
    if not hasattr(_last, "kept"):
        _last[text] = looked_up(text)
    return _last[text]

def looked_up(text):
    frame = sys._getframe(2)
    return eval(text, frame.f_globals, dict(frame.f_locals))

def named():
    return sys._getframe(1).f_code.co_name
"""


def seen():
    return sys._getframe(1).f_locals["x"]


def by_a_helper(x):
    return np.sum(seen() ** 2)


def by_the_frame(x):
    frame = inspect.currentframe()
    return np.sum(frame.f_locals["x"] * X)


def by_a_library(x):
    given = inspect.getargvalues(inspect.currentframe()).locals
    return np.sum(given["x"] ** 2)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A library of somebody else's, as numexpr is."""
    home = tmp_path / "site-packages"
    home.mkdir()
    (home / "formulas_of_text.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(home))
    import formulas_of_text

    yield formulas_of_text
    del sys.modules["formulas_of_text"]


@pytest.mark.parametrize("program", [by_a_helper, by_the_frame, by_a_library])
def test_variables_of_a_frame_are_refused(program):
    for derived in (grad(program), lambda x: jvp(program, (x,), (x,))):
        with pytest.raises(AutodiffError) as caught:
            derived(X)
        assert "variables" in str(caught.value)


def test_a_text_that_a_library_evaluates_is_refused(package):
    def program(x):
        return package.evaluate("x * x + 1").sum()

    assert program(X) == 17.0
    for derived in (grad(program), lambda x: jvp(program, (x,), (x,))):
        with pytest.raises(AutodiffError):
            derived(X)


def test_what_reads_them_is_known(package):
    assert reads_variables(package.evaluate)
    assert not reads_variables(package.named)
    assert not reads_variables(np.linalg.norm)


def test_a_library_that_reads_other_things_of_a_frame_is_called(package):
    def program(x):
        return np.sum(x**2) * len(package.named()) ** 0

    np.testing.assert_array_equal(grad(program)(X), 2 * X)


@pytest.mark.followed
def test_joined_by_an_index():
    """`np.r_` reads variables where it is given text: here it is given arrays."""

    def joined(x):
        kept = deque([np.r_[X, 0.0][:3], x])
        return np.sum(kept.pop() * kept.pop() ** 2)

    np.testing.assert_array_equal(grad(joined)(2 * X), X**2)


class Kept:
    def __init__(self, rate, scale=2.0):
        self.__dict__.update(locals())


def kept_by_names(x):
    return np.sum(Kept(x).rate ** 2) * Kept(x[0]).scale


def chosen_by_names(x):
    for k in range(2):
        first, (second, *_) = x, (x * k, 1.0)
    names = sorted(vars())
    assert names == ["_", "first", "k", "second", "x"], names
    return np.sum(vars()["first"] * locals()["second"])


def seen_later(x):
    held = locals()
    held["x"], y = 3 * x, x * x
    return np.sum(held["x"] * x) if "y" in held else np.sum(held["x"] * y)


def of_other_functions(x):
    def locals():
        return {"x": x**3}

    return np.sum(locals()["x"])


@pytest.mark.followed
@pytest.mark.parametrize(
    "program", [kept_by_names, chosen_by_names, seen_later, of_other_functions]
)
def test_own_variables_are_followed(program):
    steps = 1e-6 * np.eye(3)
    slopes = [(program(X + h) - program(X - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(grad(program)(X), slopes, rtol=1e-8)
    np.testing.assert_allclose(jvp(program, (X,), (X,))[1], slopes @ X, rtol=1e-8)
