"""How a derivative is shown in a session: its name, its text, what IPython says of it."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from autodiff import grad, jacobian


def total(x, k=2.0):
    """A weighted sum of squares."""
    return k * np.sum(x**2)


def test_its_name_says_where_it_is_from_once_it_was_called():
    derivative = grad(total)
    assert repr(derivative) == str(derivative) == "<grad of total with respect to x>"
    derivative(np.ones(3))
    line = total.__code__.co_firstlineno
    name = f"<grad of total (test_looked_at.py:{line}) with respect to x>"
    assert repr(derivative) == name
    assert str(derivative) == f"{name}\n\n{derivative.source}"


@pytest.mark.parametrize("make", [grad, jacobian])
def test_signatures_have_no_marks_of_ours(make):
    derivative = make(total)
    assert inspect.signature(derivative) == inspect.signature(total)
    assert "object" not in str(inspect.signature(derivative.__call__))


def test_ipython_shows_the_text():
    inspector = pytest.importorskip("IPython.core.oinspect").Inspector(theme_name="nocolor")
    derivative = grad(total)
    derivative(np.ones(3))
    short, long = (inspector.info(derivative, "d", detail_level=level) for level in (0, 1))
    assert "object object" not in str(short) + str(long)
    assert short["docstring"] == "A weighted sum of squares."
    assert short["definition"] == "d(x, k=2.0)"
    assert derivative.source in long["string_form"]
