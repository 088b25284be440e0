"""Copies that keep what is shared, and the adjoints of stores."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from autodiff.runtime import duplicates, stored

Pair = namedtuple("Pair", "x y")


@dataclass
class Box:
    u: Any
    name: str = "box"


def matrix() -> Any:
    return np.arange(12.0).reshape(3, 4)


# What is made of a matrix: a view of any layout.
VIEWS = {
    "itself": lambda m: m,
    "row": lambda m: m[1],
    "column": lambda m: m[:, 2],
    "block": lambda m: m[1:, 1:3],
    "transposed": lambda m: m.T,
    "backwards": lambda m: m[::-1],
    "backwards in both": lambda m: m[::-1, ::-2],
    "every other": lambda m: m[::2, ::3],
    "a view of a view": lambda m: m[1:][:, 1:][0],
    "raveled": lambda m: m.ravel(),
    "a new axis": lambda m: m[:, None],
    "no dimension": lambda m: m[1, 2, ...],
    "diagonal": lambda m: np.diagonal(m),
    "broadcast": lambda m: np.broadcast_to(m[0], (2, 4)),
    "empty": lambda m: m[3:],
}


def overlapping(x: Any, y: Any) -> list[tuple[int, int]]:
    """The places of elements that are the same memory."""

    def address(array: Any, place: list[Any]) -> Any:
        return array[tuple(place)].__array_interface__["data"][0]

    found = []
    ones = {address(x, [*i, ...]): i for i in np.ndindex(x.shape)}
    for place in np.ndindex(y.shape):
        at = address(y, [*place, ...])
        if at in ones:
            found.append((ones[at], place))
    return found


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("left", VIEWS)
@pytest.mark.parametrize("right", VIEWS)
def test_duplicates_share_as_the_originals_do(left: str, right: str, layout: str) -> None:
    whole = np.array(matrix(), order=layout)
    x, y = VIEWS[left](whole), VIEWS[right](whole)
    new_x, new_y = duplicates(x, y)
    for new, old in ((new_x, x), (new_y, y)):
        np.testing.assert_array_equal(new, old)
        assert (new.shape, new.dtype) == (old.shape, old.dtype)
        assert old.size == 0 or not np.shares_memory(new, old)
    assert overlapping(new_x, new_y) == overlapping(x, y)


@pytest.mark.parametrize("layout", ["C", "F"])
def test_the_layout_is_kept(layout: str) -> None:
    whole = np.array(matrix(), order=layout)
    (new,) = duplicates(whole)
    assert new.strides == whole.strides


def test_views_that_do_not_overlap_stay_apart() -> None:
    whole = matrix()
    row, other = duplicates(whole[0], whole[2])
    row[:] = -1.0
    assert whole[0, 0] == 0.0 and other[0] == 8.0


def test_views_that_a_third_one_joins() -> None:
    whole = matrix()
    row, column, other = duplicates(whole[0], whole[:, 0], whole[2])
    column[:] = -1.0
    assert row[0] == other[0] == -1.0 and row[1] == 1.0 and not (whole == -1.0).any()


def test_arrays_apart_stay_apart() -> None:
    x = np.zeros(3)
    y = x.copy()
    new_x, new_y = duplicates(x, y)
    new_x[:] = 1.0
    assert not new_y.any() and not x.any()


@pytest.mark.parametrize("dtype", [np.float32, complex, int, bool, "U3"])
def test_dtypes(dtype: Any) -> None:
    x = np.zeros(4, dtype)
    whole, part = duplicates(x, x[1:])
    assert whole.dtype == part.dtype == x.dtype
    assert np.shares_memory(whole, part)


def test_containers() -> None:
    u = np.zeros(3)
    xs = [u, u[1:], (u, 1.0)]
    box = Box(u)
    given = {"xs": xs, "again": xs, "box": box, "pair": Pair(u, "text"), "n": None}
    found, alone = duplicates(given, u)
    assert found["xs"] is found["again"] is not xs
    assert type(found["pair"]) is Pair and type(found["box"]) is Box and found["box"].name == "box"
    alone[1] = 7.0
    for same in (found["xs"][0], found["xs"][2][0], found["box"].u, found["pair"].x):
        assert same is alone
    assert found["xs"][1][0] == 7.0
    assert not u.any()


def test_a_list_that_holds_itself() -> None:
    xs: list[Any] = [np.zeros(2)]
    xs.append(xs)
    (new,) = duplicates(xs)
    assert new[1] is new is not xs


def test_a_subclass_of_list_stays_one() -> None:
    class Numbers(list):
        pass

    (new,) = duplicates(Numbers([1.0]))
    assert type(new) is Numbers and new == [1.0]


def test_memory_in_several_pieces() -> None:
    owner = np.ndarray((3,), float, buffer=bytearray(48), strides=(16,))
    whole, part = duplicates(owner, owner[1:])
    part[:] = 1.0
    assert whole.tolist() == [0.0, 1.0, 1.0] and not owner.any()


def test_memory_of_another_owner() -> None:
    memory = bytearray(32)
    one, other = np.frombuffer(memory), np.frombuffer(memory, offset=8)
    new, part = duplicates(one, other)
    part[:] = 1.0
    assert new.tolist() == [0.0, 1.0, 1.0, 1.0] and not one.any()


def test_arrays_of_objects_are_copied() -> None:
    objects = np.array([1.0, None], dtype=object)
    (new,) = duplicates(objects[1:])
    assert new.tolist() == [None] and not np.shares_memory(new, objects)


STORES = {
    "slice": (np.arange(5.0), slice(1, 3), [1.0, 2.0]),
    "number": (np.arange(5.0), 2, 2.0),
    "each once": (np.arange(5.0), [0, 3], [0.0, 3.0]),
    "repeated": (np.arange(1.0, 6.0), [0, 2, 2], [1.0, 0.0, 3.0]),
    "all the same": (np.arange(1.0, 6.0), np.array([1, 1, 1]), [0.0, 0.0, 2.0]),
    "negative": (np.arange(1.0, 6.0), np.array([4, -1]), [0.0, 5.0]),
    "mask": (np.arange(5.0), np.array([True, False, True, False, False]), [0.0, 2.0]),
    "nothing": (np.arange(5.0), np.zeros(0, int), []),
    "pairs": (matrix(), ([0, 0, 1], [1, 1, 2]), [0.0, 1.0, 6.0]),
    "rows": (matrix(), [1, 1], [[0.0] * 4, [4.0, 5.0, 6.0, 7.0]]),
    "two dimensions": (np.arange(1.0, 4.0), np.array([[0, 1], [1, 2]]), [[1.0, 0.0], [2.0, 3.0]]),
}


@pytest.mark.parametrize(("g", "at", "expected"), STORES.values(), ids=STORES)
def test_stored(g: Any, at: Any, expected: Any) -> None:
    before = g.copy()
    np.testing.assert_array_equal(stored(g, at), expected)
    np.testing.assert_array_equal(g, before)


@pytest.mark.parametrize(("g", "at", "expected"), STORES.values(), ids=STORES)
def test_stored_is_the_adjoint_of_a_store(g: Any, at: Any, expected: Any) -> None:
    """<g, S v> = <stored(g), v> for the linear map S that stores v into zeros."""
    v = np.cos(np.arange(float(np.size(expected)))).reshape(np.shape(expected))
    zeros = np.zeros_like(g)
    zeros[at] = v
    assert np.sum(g * zeros) == pytest.approx(np.sum(stored(g, at) * v))


def test_stored_is_no_view() -> None:
    g = np.arange(5.0)
    taken = stored(g, slice(1, 3))
    taken[:] = 9.0
    assert g[1] == 1.0
