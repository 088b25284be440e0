"""Lists and dicts whose parts are known, changed as Python does it (`expression/parts.py`)."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import differences
from tests.core.judge import Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])


def two_names_of_one_list(x, a):
    xs = [x, a[0]]
    ys = xs
    xs += [x * x, a[1]]
    xs.insert(1, 2.0 * x)
    ys.reverse()
    zs = xs + ys
    zs[0] = 3.0
    del ys[2]
    return xs[0] * xs[2] + sum(zs) * ys.pop(1) * len(xs)


def list_extended_by_itself(x, a):
    xs = [x, a[1]]
    xs += xs
    xs.extend([v * x for v in xs])
    return sum((k + 1) * v for k, v in enumerate(xs))


def extended_in_a_loop(x, a):
    xs = [x]
    ys = xs
    for k in range(3):
        xs += [xs[-1] * a[k], x]
    return sum(ys) * ys[3] + (xs + [a[0]] + ys)[-1]


def dicts_change(x, a):
    d = {"u": x, "v": a[0]}
    e = d
    d.update({"v": x * x}, w=a[1])
    f = d | {"u": a[2]}
    e |= {"t": x}
    s = d.setdefault("u", 5.0) * d.setdefault("s", a[0]) + d.pop("w") + d.pop("none", x)
    del d["v"]
    return s * sum(e.values()) * f["u"] + len(d) * f["v"] + sum(f.values())


def arrays_held_twice(x, a):
    b = a * x
    d = {"one": b}
    d.update(two=b)
    d["two"][0] = x
    rows = [b, d["one"]]
    rows.insert(0, rows.pop(1))
    rows[0] += 1.0
    return np.sum(d["one"] * a) + d["two"][0] * rows[1][1]


def repeated_at_run_time(x, a):
    dp = [0.0] * (len(a) + 1)
    other = dp
    dp[0] = x
    for k in range(len(a)):
        dp[k + 1] = dp[k] * a[k] + x
    return sum(other) * dp[-1]


def lists_beside_arrays(x, a):
    q = [x, 2.0, a[0]]
    s = np.sum(a * q)
    q.pop()
    q.append(x * x)
    return s * np.sum((q - a) ** 2) + np.sum(q / (2.0 + a))


def defaults_made_in_branches(x, a):
    d = {"u": x}
    if x > 0.2:
        d["u"] = d.pop("u") * a[0]
        d["u"] += x
    return d["u"] ** 2


class Holder:
    limit = 2.0

    def __init__(self, first, second):
        self.first, self.second = first, second


def attributes_by_name(x, a):
    holder = Holder(x, a)
    other = holder
    for name in ("first", "limit"):
        setattr(holder, name, getattr(holder, name) * x)
    if hasattr(other, "third") or not hasattr(holder, "limit"):
        return x
    getattr(other, "second", None)[1:] *= holder.first
    return np.sum(a) + getattr(other, "third", x * x) * other.limit + np.sum(holder.second)


def text(x, a):
    name = " Sin-Cos "
    s = x
    for part in name.strip().lower().split("-"):
        s = np.sin(s) if part.startswith("s") else np.cos(s) * a[len(part) - 3]
    return s * name.count("s")


ENDS = slice(1, -1)


def slices_that_variables_hold(x, a):
    y = [x, x * a[0], 3.0 * x, x * x, a[1]]
    others = slice(None, None, 2)
    first, second, third = y[others]
    return sum(y[ENDS]) * first + second * third + (a[0], x, x * x)[ENDS][0]


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")


TWICE, CORNER, OF_AXES = (0, 0), (1, 2), (slice(None), (0, 0))


def by_tuples_of_outside(m):
    y = m * 1.0
    y[:, TWICE] += m[:, 1:]
    return np.sum(y[:, TWICE] * V[:2]) * y[CORNER] + np.sum(m[OF_AXES] * V[1:])


def test_tuples_of_outside_name_places_that_may_be_the_same():
    m = np.outer(V, V)
    np.testing.assert_allclose(
        grad(by_tuples_of_outside)(m), differences(by_tuples_of_outside, (m,)), 1e-6
    )
