"""Objects that are changed: what the programs of the corpus cannot say of them."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from autodiff.errors import AutodiffError
from tests.language.programs.aliased import Cell, Holder

SHARED = Cell(2.0)


def moves_both(p, q):
    p.v = p.v * 3.0
    return p.v * q.v


def moves_part(h):
    h.first.v = h.first.v * 2.0
    return h.first.v * h.second.v


def changes_global(x):
    SHARED.v = SHARED.v * x
    return SHARED.v


def raises_half_way(p, x):
    p.v = p.v * x
    if x < 0.0:
        raise ValueError("negative")
    p.v = p.v + x
    return p.v


class Listed:
    items: list = []  # noqa: RUF012

    def __init__(self, v):
        self.v = v


def appends_to_class(x):
    own = Listed(x)
    own.items.append(x)
    return own.v * own.items[0]


def test_one_object_as_two_arguments():
    p, q = Cell(2.0), Cell(5.0)
    assert grad(moves_both)(p, q).v == 15.0
    with pytest.raises(ValueError, match="same Cell is passed twice"):
        grad(moves_both)(p, p)


def test_one_object_in_two_attributes():
    p = Cell(2.0)
    assert grad(moves_part)(Holder(p, Cell(5.0))).second.v == 4.0
    with pytest.raises(ValueError, match="passed twice"):
        grad(moves_part)(Holder(p, p))
    assert p.v == 2.0


def test_global_object_is_changed_once():
    before = SHARED.v
    try:
        assert grad(changes_global)(3.0) == before
        assert SHARED.v == 3.0 * before
    finally:
        SHARED.v = before


def test_list_of_the_class_is_not_changed():
    with pytest.raises(AutodiffError):
        grad(appends_to_class)(3.0)
    assert Listed.items == []


def test_the_callers_object_after_an_exception():
    p = Cell(2.0)
    with pytest.raises(ValueError, match="negative"):
        value_and_grad(raises_half_way)(p, -1.0)
    assert p.v == 2.0
    value, gradient = value_and_grad(raises_half_way)(p, 3.0)
    assert (value, gradient.v, p.v) == (9.0, 3.0, 2.0)


def test_the_class_may_change():
    class Scaled:
        def __init__(self, v):
            self.v = v

        def scale(self):
            self.v = self.v * 2.0

    def f(x):
        s = Scaled(x)
        s.scale()
        return s.v * x

    derivative = grad(f)
    assert derivative(3.0) == 12.0

    def scale(self):
        self.v = self.v * 5.0

    Scaled.scale = scale
    assert np.isclose(derivative(3.0), 30.0)
