"""Variables of loops that hold `None` or a number, which is found when it runs."""

from __future__ import annotations

import pytest

from tests.core.differences import check
from tests.core.judge import judge


def bracket(x, n):
    low, high = None, None
    p = x
    for i in range(n):
        q = p * p - 2.0
        if q < 0.0:
            low = p
        else:
            high = p
        if low is not None and high is not None:
            p = 0.5 * (low + high)
        else:
            p = p * 1.3 if q < 0.0 else p * 0.8
    return p


def until(x, n):
    best = None
    k = 0
    while best is None or best < x * 3.0:
        if k > 2:
            best = x * k
        k += 1
    return best * best


def broken(x, xs):
    best = None
    for v in xs:
        if v < 0.0:
            continue
        d = (v - x) ** 2
        if best is None or d < best:
            best = d
        if best < 1e-3:
            break
    if best is None:
        return x
    return best * x


def index(x, xs):
    k = None
    for i in range(len(xs)):
        if xs[i] > x:
            k = i
    return x if k is None else xs[k] * x


def lost(x, xs):
    best = x
    for v in xs:
        if best is None:
            best = v * x
        elif v > 2:
            best = None
        else:
            best = best * v
    return 0.0 if best is None else best


def nested(x, n):
    a = None
    s = 0.0
    for i in range(n):
        for j in range(i):
            if a is None:
                a = x * j if j > 0 else None
            elif j > 1:
                a = a + x * x
        s = s + (a if a is not None else x)
    return s


def secant(x, n, require=False, xtol=1e-8, ytol=1e-5, bisects=True):
    p0, p1 = 1.0, 1.1
    q0, q1 = p0 * p0 - x, p1 * p1 - x
    if bisects:
        a, b = None, None
        if q1 < 0.0:
            a = p1
        else:
            b = p1
    for _ in range(n):
        p = p1 - q1 * (p1 - p0) / (q1 - q0) if q1 != q0 else p1
        if bisects and a is not None and b is not None:
            if not (a < p < b) or (b < p < a):
                p = 0.5 * (a + b)
        if ytol is not None and xtol is not None:
            if abs(q1) < ytol and (not require or abs(p0 - p1) <= abs(xtol * p0)):
                if require:
                    return p1
                return p
        elif xtol is not None:
            if abs(p0 - p1) <= abs(xtol * p0):
                return p
        if q1 == q0:
            if xtol is not None:
                xtol *= 1.0
            if ytol is not None and xtol is not None:
                if abs(p0 - p1) <= abs(xtol * p0) and abs(q1) < ytol:
                    return p
            elif ytol is not None:
                if abs(q1) < ytol:
                    return p
            if bisects and a is not None and b is not None:
                p = 0.5 * (a + b)
            else:
                raise ZeroDivisionError("no slope")
        p0, q0, p1 = p1, q1, p
        q1 = p1 * p1 - x
        if q1 == 0.0:
            return p1
        if bisects:
            if q1 < 0.0:
                a = p1
            else:
                b = p1
    return p1


def solved(x):
    return secant(x, 20) * x


def solved_well(x):
    return secant(x, 20, True, ytol=1e-8) * x


@pytest.mark.parametrize("function", [solved, solved_well])
@pytest.mark.parametrize("x", [0.5, 3.0])
def test_solvers(monkeypatch, function, x):
    check(monkeypatch, function, x)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        *((bracket, given) for given in [(1.0, 6), (2.0, 6), (1.0, 0)]),
        (until, (1.3, 1)),
        *((broken, (1.3, xs)) for xs in [[1.0, -1.0, 2.0, 1.25], [-1.0], [], [1.3001, 5.0]]),
        *((index, (1.0, xs)) for xs in [[0.5, 2.0, 3.0, 0.1], [0.2]]),
        *((lost, (1.3, xs)) for xs in [[1.0, 3.0, 2.0], [1.0, 3.0], [1.0]]),
        *((nested, (1.3, count)) for count in range(5)),
    ],
)
def test_none_or_a_number(monkeypatch, function, arguments):
    check(monkeypatch, function, *arguments)


def beside_what_grows(x, n):
    a, b = x, None
    for k in range(n):
        if a is not None and x * k > 2.0:
            a = None
        b = (x, b)
    return x * x if a is None or b is None else b[0] * a


def test_what_changes_in_each_iteration_ends_the_attempts():
    assert judge(beside_what_grows, [(1.3, 3), (1.3, 1)], ("x",)).what in ("right", "not yet")
