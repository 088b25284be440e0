"""Variables of loops that hold `None` or a number, which is found when it runs."""

from __future__ import annotations

import pytest

from tests.core.differences import check


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
