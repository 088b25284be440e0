"""What generators that are asked for an item here and for others there go over: iterators that
others draw from, too, and those of the user's classes.
"""

import itertools

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, 0.7, 2.0])


def iter(xs):
    """Of the user's: nobody else takes it for Python's."""
    return [1.0, 1.0, 1.0]


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Bag:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        for v in self.xs:
            yield v


def shared(x):
    def g():
        source = itertools.chain(x, x)
        for v in source:
            yield v
            w = next(source)
            yield w * v

    it = g()
    a, b, c = next(it), next(it), next(it)
    return a + b * 2 + c**3


def shared_with_who_asks(x):
    source = map(np.sin, x)

    def g():
        for v in source:
            yield v * v

    it = g()
    a, b, c = next(it), next(source), next(it)
    return a + b * 2 + c**3


def of_a_class(x):
    def g():
        for v in Countdown(3):
            yield v * x[0]

    it = g()
    a, b = next(it), next(it)
    return a * b + b


def from_a_class(x):
    def g():
        yield from Countdown(2)
        yield x[0]

    it = g()
    a, b, c = next(it), next(it), next(it)
    return x[0] * a + x[1] * b + c**2


def of_a_container(x):
    def g():
        for v in Bag(x):
            yield v * x[0]

    it = g()
    a, b = next(it), next(it)
    return a * b + b


def from_a_container(x):
    def g():
        yield from Bag(x)
        yield x[0]

    it = g()
    a, b = next(it), next(it)
    return x[0] * a + x[1] * b


def beside_an_iter_of_the_users(x):
    def g():
        for v in x:
            yield v * x[0]

    it = g()
    a, b = next(it), next(it)
    return a * b + sum(iter(x)) * b


def numbered(x):
    it = enumerate(Countdown(3))
    (i, a), (k, b) = next(it), next(it)
    return a * x[0] + b * x[1] + (i + k) * x[2]


def mapped(x):
    it = map(lambda a: a * x[1], Countdown(3))
    return next(it) + x[0] * next(it)


def chained(x):
    it = itertools.chain(Countdown(3), x)
    return next(it) * x[0] + next(it) * x[1]


def cut(x):
    it = itertools.islice(Countdown(3), 2)
    return next(it) * x[0] + next(it) * x[1]


def of_three_loops(x):
    for k, v in enumerate(x):
        yield k * v
    for k in range(3):
        yield k * x[k]
    for _, v in {"a": x[0], "b": x[1]}.items():
        yield v**2


def six_of_three_loops(x):
    it = of_three_loops(x)
    return next(it) + x[0] * next(it) + next(it) + next(it) ** 2 + next(it) + next(it)


def one_behind_the_other(x):
    t = 0.0
    for b, a in zip(x, Countdown(3)):
        t = t * x[0] + a * b
    return t


@pytest.mark.parametrize(
    "f",
    [
        shared,
        shared_with_who_asks,
        of_a_class,
        from_a_class,
        of_a_container,
        from_a_container,
        beside_an_iter_of_the_users,
        numbered,
        mapped,
        chained,
        cut,
        six_of_three_loops,
        one_behind_the_other,
    ],
)
def test_items_are_those_of_python(f):
    expected = differences(f, (X,))
    assert grad(f)(X) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    along = np.array([0.3, -1.1, 0.7, 0.2])
    value, change = jvp(f, (X,), (along,))
    assert value == pytest.approx(f(X))
    assert change == pytest.approx(expected @ along, rel=1e-6, abs=1e-9)
