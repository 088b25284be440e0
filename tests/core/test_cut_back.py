"""What the body of a `try` pushed is taken off the tape again where it raises."""

from __future__ import annotations

import math

import pytest

from tests.core.differences import check


def half_way(x, n, top):
    p = x
    try:
        q = x
        for _ in range(n):
            q = q * q * 0.9
            if q > top:
                raise ValueError
        p = q * x
    except ValueError:
        p = p * p * x
    return p * p


def often(x, n, top):
    s = x
    for k in range(n):
        try:
            q = x
            for _ in range(k):
                q = q * q
                if q > top:
                    raise OverflowError("much")
            s = s * q
        except OverflowError:
            for _ in range(2):
                s = math.sin(s) * x
    return s


def inner(x, n, top):
    s = x
    try:
        for k in range(n):
            t = s
            try:
                for _ in range(k):
                    t = t * t
                    if t > top:
                        raise OverflowError
            except OverflowError:
                t = x * x
            s = s * t
            if s > 2 * top:
                raise ValueError
        r = s * s
    except ValueError:
        r = x * x * x
    return r


def told(x, n, len):
    q = x
    try:
        for k in range(n):
            q = q * q * len
            w = math.log(3.0 - q)
            q = q * w
        y = q
    except ValueError:
        y = x * x
    return y


def raises(x):
    try:
        q = x
        for _ in range(5):
            q = q * q * math.sqrt(3 - q)
        y = q * q
    except ValueError:
        y = x
    return y


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        *((half_way, (1.3, *rest)) for rest in [(4, 1.5), (4, 100.0), (0, 1.0)]),
        *((often, given) for given in [(1.3, 5, 2.0), (1.1, 5, 1e9), (0.7, 5, 0.5)]),
        *(
            pytest.param(inner, (1.1, *rest), marks=pytest.mark.followed)
            for rest in [(4, 1.3), (4, 1e9), (5, 2.0)]
        ),
        *((told, given) for given in [(1.3, 5, 1.0), (1.1, 3, 2.0), (0.5, 3, 1.0)]),
        *((raises, (x,)) for x in (1.7, 0.9)),
    ],
)
def test_the_tape_is_cut_back(monkeypatch, function, arguments):
    check(monkeypatch, function, *arguments)
