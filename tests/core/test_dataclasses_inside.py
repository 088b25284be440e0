"""Dataclasses that are defined inside of functions (`lower/statement/definitions.py`)."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, 0.7, 2.0])


def plain(x):
    @dataclass
    class Point:
        a: float
        b: float = 2.0

    p = Point(x[0])
    p.b = p.b * x[1]
    return p.a * p.b + (p == Point(x[0], p.b)) * x[2]


def frozen(x):
    @dataclass(frozen=True)
    class Point:
        a: float
        b: float = 2.0

    p = Point(x[0])
    q = replace(p, b=x[1])
    return p.b * q.a * q.b * x[2]


def begun(x):
    @dataclass
    class Square:
        a: float
        area: float = field(init=False)

        def __post_init__(self):
            self.area = self.a**2

    return Square(x[0]).area + Square(x[1]).area * x[2]


def derived(x):
    @dataclass
    class A:
        a: float

    @dataclass
    class B(A):
        b: float = 3.0

        def value(self):
            return self.a * self.b

    return B(x[0]).value() + B(x[1], x[2]).value() + isinstance(B(x[0]), A) * x[3]


def tree(x):
    @dataclass
    class Node:
        value: float
        kids: list = field(default_factory=list)

    def total(node, depth=1):
        return node.value * depth + sum(total(kid, depth + 1) for kid in node.kids)

    def walk(node):
        yield node.value
        for kid in node.kids:
            yield from walk(kid)

    root = Node(x[0], [Node(x[1], [Node(x[2])]), Node(x[3])])
    return total(root) * sum(v**2 for v in walk(root))


@pytest.mark.parametrize("f", [plain, frozen, begun, derived, tree], ids=lambda f: f.__name__)
def test_dataclasses_are_those_of_python(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-6, atol=1e-8)
    value, tangent = jvp(f, (X,), (X,))
    assert value == f(X)
    assert tangent == pytest.approx(expected @ X, rel=1e-6)


def of_another_class(x):
    @dataclass(slots=True)
    class Point:
        a: float

    return Point(x[0]).a


def test_one_that_becomes_another_class_is_refused():
    with pytest.raises(AutodiffError, match="that something else makes"):
        grad(of_another_class)(X)
