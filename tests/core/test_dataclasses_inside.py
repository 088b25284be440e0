"""Dataclasses that are defined inside of functions (`lower/statement/definitions.py`)."""

import importlib
from dataclasses import InitVar, dataclass, field, replace
from typing import ClassVar, Optional

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
    return p.a * p.b


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


def with_constants(x):
    Shared = ClassVar

    @dataclass
    class Scaled:
        a: float
        scale: ClassVar[float] = 2.0
        b: float = 1.0
        shift: "ClassVar[float]" = 3.0
        c: float = 1.0
        power: Shared[int] = 2
        d: Optional[float] = None

    p = Scaled(x[0], x[1], x[2], x[3])
    return p.a * p.scale + p.b * p.shift + p.c**p.power * (p.d or 0.0)


def with_what_is_only_given(x):
    @dataclass
    class Scaled:
        a: float
        by: InitVar[float]
        b: float = 1.0

        def __post_init__(self, by):
            self.b = self.b * by

    p = Scaled(x[0], x[1], x[2])
    return p.a * p.b


PROGRAMS = (plain, frozen, begun, derived, tree, with_constants, with_what_is_only_given)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_dataclasses_are_those_of_python(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-6, atol=1e-8)
    value, tangent = jvp(f, (X,), (X,))
    assert value == f(X)
    assert tangent == pytest.approx(expected @ X, rel=1e-6)


AS_TEXT = """
from __future__ import annotations
from dataclasses import dataclass


def f(x):
    from typing import ClassVar

    @dataclass
    class Scaled:
        a: float
        scale: ClassVar[float] = 2.0
        b: "dict[str, ClassVar]" = 1.0

    p = Scaled(x[0], x[1], x[2])
    return p.a * p.scale * p.b
"""


def test_annotations_that_are_texts_are_read_as_python_reads_them(tmp_path, monkeypatch):
    """It does not find a name there that the function imports: `scale` is a field."""
    (tmp_path / "autodiff_as_text.py").write_text(AS_TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    f = importlib.import_module("autodiff_as_text").f
    np.testing.assert_allclose(grad(f)(X), differences(f, (X,)), rtol=1e-6, atol=1e-8)


def of_another_class(x):
    @dataclass(slots=True)
    class Point:
        a: float

    return Point(x[0]).a


def test_one_that_becomes_another_class_is_refused():
    with pytest.raises(AutodiffError, match="that something else makes"):
        grad(of_another_class)(X)
