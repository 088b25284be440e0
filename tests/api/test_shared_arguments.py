"""Arguments that share memory which the function changes: the derivative would be wrong."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest

from autodiff import AutodiffError, SharedMemoryError, grad

X = np.array([1.0, 2.0])
LONG = np.arange(3.0)


def doubled(xs):
    for a in xs:
        a *= 2.0
    return np.sum(xs[0] * xs[1])


def element_set(xs):
    xs[0][0] = xs[1][1] * 2.0
    return np.sum(xs[0] * xs[1])


def beside_a_list(a, xs):
    a[0] = a[0] * 3.0
    return np.sum(xs[0] * a)


def beside_a_table(a, tables):
    a[0] = a[0] * 3.0
    return np.sum(tables["x"][0] * a)


def one_is_set(a, b):
    a[0] = b[1] * 2.0
    return np.sum(a * b)


def item_replaced(xs):
    xs[0] = xs[1] * 2.0
    return np.sum(xs[0] * xs[1])


@dataclasses.dataclass
class Pair:
    u: np.ndarray
    v: np.ndarray


@dataclasses.dataclass
class Holder:
    pair: Pair
    w: np.ndarray


def one_of_an_object(pair):
    pair.u[0] = pair.v[1] * 2.0
    return np.sum(pair.u * pair.v)


def object_beside_an_array(pair, x):
    pair.u[0] = x[1] * 2.0
    return np.sum(pair.u * pair.v * x)


def object_in_an_object(holder):
    holder.pair.u[0] = holder.w[1] * 2.0
    return np.sum(holder.pair.u * holder.w)


def array_beside_a_list_of_the_object(pair):
    pair.u[0] = pair.v[0][1] * 2.0
    return np.sum(pair.u * pair.v[0])


def array_beside_a_table_of_the_object(pair):
    pair.u[0] = pair.v["w"][1] * 2.0
    return np.sum(pair.u * pair.v["w"])


def attribute_replaced(pair):
    pair.u = pair.v * 2.0
    return np.sum(pair.u * pair.v)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (doubled, ([X, X],)),
        (doubled, ([LONG[:2], LONG[1:]],)),
        (element_set, ([X, X],)),
        (beside_a_list, (X, [X])),
        (beside_a_table, (X, {"x": (X, 1.0)})),
        (one_of_an_object, (Pair(X, X),)),
        (object_beside_an_array, (Pair(X, X.copy()), X)),
        (array_beside_a_list_of_the_object, (Pair(X, [X]),)),
        (array_beside_a_table_of_the_object, (Pair(X, {"w": X}),)),
        (object_in_an_object, (Holder(Pair(X, X.copy()), X),)),
    ],
)
def test_shared_memory_is_an_error(function, arguments):
    with pytest.raises(SharedMemoryError, match="share") as caught:
        grad(function)(*arguments)
    assert isinstance(caught.value, AutodiffError)
    assert isinstance(caught.value, ValueError)  # as which it was raised before
    assert "pass" in caught.value.cure


@pytest.mark.parametrize(
    ("function", "arguments", "line"),
    [
        (doubled, ([X, X],), "a *= 2.0"),
        (beside_a_list, (X, [X]), "a[0] = a[0] * 3.0"),
        (one_of_an_object, (Pair(X, X),), "pair.u[0] = pair.v[1] * 2.0"),
    ],
)
def test_the_update_is_shown(function, arguments, line):
    with pytest.raises(SharedMemoryError) as caught:
        grad(function)(*arguments)
    told = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    lines, first = inspect.getsourcelines(function)
    at = next(k for k, text in enumerate(lines, first) if text.strip() == line)
    assert f'File "{__file__}", line {at}\n    {line}' in told


def test_compiled_code_says_so_too():
    pytest.importorskip("numba")
    derivative = grad(one_is_set, backend="numba")
    np.testing.assert_allclose(derivative(X, X.copy()), [0.0, 2.0])
    with pytest.raises(SharedMemoryError, match="pass a copy"):
        derivative(X, X)


def test_arrays_that_nobody_changes_may_be_one():
    np.testing.assert_allclose(grad(item_replaced)([X, X]), [[0.0, 0.0], 4.0 * X])
    np.testing.assert_allclose(grad(beside_a_list)(X, [X.copy()]), [3.0, 2.0])
    found = grad(attribute_replaced)(Pair(X, X))
    np.testing.assert_allclose(found.v, 4.0 * X)
    found = grad(one_of_an_object)(Pair(X.copy(), X))
    np.testing.assert_allclose(found.u, [0.0, 2.0])


def test_the_arrays_of_an_object_stay_as_they_are():
    pair = Pair(X.copy(), X + 1.0)
    grad(one_of_an_object)(pair)
    np.testing.assert_array_equal(pair.u, X)


class Node:
    def __init__(self, v, following=None):
        self.v, self.following = v, following


ONE, ROW, TABLE = Node(2.0, Node(3.0)), [2.0, 3.0], {"a": 2.0}


def replaced_beside_one_outside(p):
    p.v = 2.0 * p.v
    return p.v * ONE.v


def replaced_beside_a_part_of_one_outside(p):
    p.v = p.v * ONE.following.v
    return p.v


def one_outside_is_replaced(p):
    ONE.v = 3.0 * p.v
    return p.v * ONE.v


def item_replaced_beside_a_list_outside(row):
    row[0] = row[1] * 2.0
    return row[0] * ROW[0]


def key_replaced_beside_a_dict_outside(table):
    table["a"] = table["a"] ** 2
    return table["a"] * TABLE["a"]


def of_one_outside(x):
    return x * ONE.v + np.sin(x) * ONE.v**2 + np.cos(x * ONE.v)


def replaced_between_calls_that_read_one_outside(p):
    a = of_one_outside(p.v)
    p.v = p.v * a
    return of_one_outside(p.v) * of_one_outside(a) * of_one_outside(2.0 * a)


@pytest.mark.parametrize(
    ("function", "other", "outside"),
    [
        (replaced_beside_one_outside, Node(3.0), ONE),
        (replaced_beside_a_part_of_one_outside, Node(3.0), ONE.following),
        (one_outside_is_replaced, Node(3.0), ONE),
        (item_replaced_beside_a_list_outside, [1.0, 2.0], ROW),
        (key_replaced_beside_a_dict_outside, {"a": 3.0}, TABLE),
        (replaced_between_calls_that_read_one_outside, Node(0.3), ONE),
    ],
)
def test_an_argument_that_is_an_object_of_outside(function, other, outside):
    """One is refused, another is not."""
    assert grad(function)(other) is not None
    with pytest.raises(SharedMemoryError, match="passed twice"):
        grad(function)(outside)
