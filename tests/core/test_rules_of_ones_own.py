"""Functions with rules of the user's, and others of which kinds do not tell what they give."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import adjoint, d
from tests.core.judge import Verdict, judge, programs

X = np.array([0.7, -0.4, 1.3, 0.2])


def cube(y):
    return y**3


@adjoint(cube)
def cube_rule(z, y):
    d[y] = d[z] * 3 * y**2


def first(y):
    return y[:2]


@adjoint(first)
def first_rule(z, y):
    d[y] = np.append(d[z], 0.0 * d[z])


def opaque(y):
    return np.asarray([v**2 for v in np.atleast_1d(y).tolist()]).reshape(np.shape(y))


@adjoint(opaque)
def opaque_rule(z, y):
    d[y] = 2.0 * d[z] * y


def rule_of_what_is_not_read(x, a):
    y = opaque(x * a)
    return np.sum(y * y) + opaque(a) * y[0]


def rule_in_a_loop(x, a):
    s = x
    for _ in range(3):
        s = opaque(s * a) + 0.1 * cube(s)
    return np.sum(s)


def rule_of_a_view(x, a):
    y = first(x * x)
    return y[0] * a + np.sum(y)


def shape_by_an_array(x, a):
    k = np.array([2, 2])
    return np.sum((x * x).reshape(k) @ np.ones((2, 2))) * a


def number_of_text(x, a):
    s = f"{2.5:.3f}"
    return np.sum(x) * float(s) * a


def quotient_that_is_never_taken(x, a):
    n = 0
    s = np.sum(x) * a
    for i in range(n):
        s = s * (1 / n)
    return s


PROGRAMS = programs(globals())


def texts_in_a_list(x, a):
    t = [f"{a:.17g}", f"{x[0]:.17g}"]
    s = 0.0
    for k in t:
        s += float(k)
    return s * np.sum(x)


def text_of_each(x, a):
    t = [str(v) for v in x]
    return sum(float(k) for k in t) * a


@pytest.mark.parametrize("program", programs(globals()), ids=lambda program: program.__name__)
def test_right_or_not_taken(program):
    """A number that is read from text which depends on inputs is refused."""
    found = judge(program, [(X, 0.8)], ("x", "a"))
    assert found == Verdict("right" if program in PROGRAMS else "not yet", found.why)
