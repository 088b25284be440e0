"""An OrderedDict or defaultdict as an argument: runs are followed with one of that class."""

from collections import OrderedDict, defaultdict, deque

import numpy as np
import pytest

from autodiff import AutodiffError, check_grads, grad, hvp, jvp, value_and_grad, vjp


def weighted(p):
    return np.sum(p["a"] ** 2) * p["b"]


def dispatched(p):
    """Right only for the class itself."""
    if isinstance(p, OrderedDict):
        p.move_to_end("b")
        return np.sum(list(p.values())[0] ** 2) * p["b"]
    return 0.0


def with_defaults(p):
    return np.sum(p["a"] ** 2) * p["missing"] + len(p)


def ordered():
    return OrderedDict(b=3.0, a=np.array([1.0, 2.0]))


@pytest.mark.parametrize("f", [weighted, dispatched])
def test_an_ordered_dict(f):
    given = ordered()
    found = grad(f)(given)
    assert type(found) is OrderedDict
    assert list(found) == list(given) == ["b", "a"]
    np.testing.assert_array_equal(found["a"], [6.0, 12.0])
    assert found["b"] == 5.0
    value, again = value_and_grad(f)(given)
    assert value == 15.0
    np.testing.assert_array_equal(again["a"], found["a"])
    tangent = OrderedDict(b=1.0, a=np.array([1.0, 0.0]))
    assert jvp(f, (given,), (tangent,)) == (15.0, 11.0)
    np.testing.assert_array_equal(vjp(f, given)[1](2.0)[0]["a"], [12.0, 24.0])
    assert type(vjp(f, given)[1](2.0)[0]) is OrderedDict


def test_second_derivatives():
    direction = OrderedDict(b=1.0, a=np.array([1.0, 0.0]))
    found = hvp(weighted)(ordered(), direction)
    assert type(found) is OrderedDict
    np.testing.assert_array_equal(found["a"], [8.0, 4.0])  # 2 b v_a + 2 a v_b
    assert found["b"] == 2.0
    check_grads(weighted, ordered(), order=2)


def test_a_defaultdict():
    given = defaultdict(lambda: 2.0, a=np.array([1.0, 2.0]))
    found = grad(with_defaults)(given)
    assert type(found) is defaultdict
    assert list(given) == ["a"]
    np.testing.assert_array_equal(found["a"], [4.0, 8.0])


def test_in_other_arguments_and_beside_them():
    def f(x, tables):
        return np.sum(x * tables[0]["a"]) * tables[0]["b"]

    slopes, (table,) = grad(f, wrt=(0, 1))(np.array([1.0, 2.0]), [ordered()])
    np.testing.assert_array_equal(slopes, [3.0, 6.0])
    assert type(table) is OrderedDict
    assert table["b"] == 5.0
    np.testing.assert_array_equal(grad(f)(np.array([1.0, 2.0]), [ordered()]), [3.0, 6.0])


class Holding:
    """An object that holds numbers in what is not followed, or none."""

    def __init__(self, *held):
        self.scale, self.held = 2.0, deque(held)


def test_what_is_held_and_not_followed():
    """It would be taken for a constant."""
    with pytest.raises(AutodiffError, match="a deque of floats in an argument"):
        grad(lambda x: x.scale * x.held[0])(Holding(1.0))
    assert grad(lambda x: x.scale * x.scale)(Holding("a")).scale == 4.0
