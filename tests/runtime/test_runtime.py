"""The helpers of generated code, on every structure and shape."""

import itertools
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from autodiff.runtime import (
    Tape,
    accumulate,
    digamma,
    scatter,
    sequence,
    unbroadcast,
    unreduce,
    zeros_like,
)

Point = namedtuple("Point", "x y")


@dataclass
class Body:
    mass: float
    place: np.ndarray
    name: str = "earth"


@dataclass(frozen=True)
class Fixed:
    mass: float


class Slotted:
    __slots__ = ("mass",)

    def __init__(self, mass):
        self.mass = mass


class Plain:
    def __init__(self):
        self.values = [1.0, 2.0]


def test_tape():
    tape = Tape()
    tape.push((1, 2))
    tape.push(3.0)
    assert (tape.pop(), tape.pop(), len(tape)) == (3.0, (1, 2), 0)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (2.0, 0.0),
        (3, 0.0),
        (True, 0.0),
        (1 + 2j, 0j),
        ("text", None),
        (None, None),
        (math.sin, None),
        (len, None),
        (np, None),
        ([1.0, (2, "a")], [0.0, (0.0, None)]),
        ({"a": 1.0, "b": [2.0]}, {"a": 0.0, "b": [0.0]}),
        (Point(1.0, 2.0), Point(0.0, 0.0)),
        (np.float64(1.5), 0.0),
    ],
)
def test_zeros_like(x, expected):
    found = zeros_like(x)
    assert found == expected and type(found) is (
        type(expected) if not isinstance(x, np.generic) else type(x)
    )


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "g"])
def test_zeros_like_keeps_dtype_and_shape(dtype):
    found = zeros_like(np.ones((2, 3), dtype))
    assert found.shape == (2, 3) and found.dtype == dtype and not found.any()
    number = zeros_like(np.dtype(dtype).type(3))
    assert number == 0 and number.dtype == dtype


def test_zeros_like_of_integers_are_floats():
    assert zeros_like(np.arange(3)).dtype == float
    assert isinstance(zeros_like(np.int64(3)), float)


def test_zeros_like_of_object_arrays():
    x = np.empty(2, object)
    x[0], x[1] = 1.0, np.ones(2)
    found = zeros_like(x)
    assert found[0] == 0.0 and found[1].shape == (2,)


def test_zeros_like_of_objects():
    found = zeros_like(Body(1.0, np.ones(2)))
    assert type(found) is Body and found.mass == 0.0 and found.name is None
    np.testing.assert_array_equal(found.place, [0.0, 0.0])
    assert zeros_like(Fixed(2.0)) == Fixed(0.0)
    assert zeros_like(Slotted(2.0)).mass == 0.0
    assert zeros_like(Plain()).values == [0.0, 0.0]


def test_zeros_like_keeps_sharing_and_cycles():
    row = [1.0]
    found = zeros_like([row, row])
    assert found[0] is found[1]
    loop = Plain()
    loop.values.append(loop)
    found = zeros_like(loop)
    assert found.values[2] is found


def test_accumulate():
    assert accumulate(1.0, 2.0) == 3.0
    assert accumulate(None, 2.0) == 2.0 and accumulate(2.0, None) == 2.0
    assert accumulate([1.0, (2.0,)], [1.0, (1.0,)]) == [2.0, (3.0,)]
    assert accumulate(Point(1.0, 2.0), Point(3.0, 4.0)) == Point(4.0, 6.0)
    assert accumulate({"a": 1.0}, {"a": 2.0, "b": 3.0}) == {"a": 3.0, "b": 3.0}
    assert accumulate(Fixed(1.0), Fixed(2.0)) == Fixed(3.0)
    np.testing.assert_array_equal(accumulate(np.ones(2), np.ones(2)), [2.0, 2.0])
    with pytest.raises(ValueError, match="cannot be added"):
        accumulate([1.0], [1.0, 2.0])


def test_accumulate_makes_a_new_value():
    a = np.ones(2)
    assert accumulate(a, a) is not a


def test_sequence():
    items = [1, 2]
    array = np.ones(2)
    assert sequence(items) is items and sequence(array) is array and sequence(range(2)) == range(2)
    assert sequence({"a": 1}) == ["a"] and sequence(iter([1])) == [1] and sequence({3}) == [3]


def test_endless_iterators_have_no_list():
    assert sequence(itertools.repeat(1, 3)) == [1, 1, 1]
    for endless in (itertools.cycle([0, 1]), itertools.count(), itertools.repeat(1)):
        with pytest.raises(ValueError, match="has no end"):
            sequence(endless)


SHAPES = [
    ((3,), (2, 3)),
    ((1, 3), (2, 3)),
    ((2, 1), (2, 3)),
    ((), (2, 3)),
    ((1, 1), (2, 3)),
    ((2, 3), (2, 3)),
]


@pytest.mark.parametrize(("small", "large"), SHAPES)
def test_unbroadcast_is_the_adjoint_of_broadcasting(small, large):
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=small), rng.normal(size=large)
    found = unbroadcast(g, np.asarray(x))
    assert found.shape == small and isinstance(found, np.ndarray)
    np.testing.assert_allclose(np.sum(found * x), np.sum(g * np.broadcast_to(x, large)))


def test_unbroadcast_of_numbers():
    assert unbroadcast(np.ones((2, 3)), 2.0) == 6.0
    assert unbroadcast(1 + 2j, 2.0) == 1.0 and unbroadcast(1 + 2j, 2j) == 1 + 2j
    assert unbroadcast(np.ones(3), np.float32(1)).dtype == np.float32
    assert unbroadcast(2.0, np.ones(2)).tolist() == [2.0, 2.0]


def test_unbroadcast_keeps_dtype():
    assert unbroadcast(np.ones(3), np.ones(3, np.float32)).dtype == np.float32
    assert unbroadcast(np.ones(3) * 1j, np.ones(3, np.float32)).dtype == np.float32
    assert unbroadcast(np.ones(3), np.ones(3, complex)).dtype == complex


def test_unbroadcast_gives_lists_back():
    assert unbroadcast(np.ones((2, 2)), [1.0, 2.0]) == [2.0, 2.0]
    assert unbroadcast(np.ones((2, 2)), [[1.0, 2.0], (3.0, 4)]) == [[1.0, 1.0], (1.0, 1.0)]


@pytest.mark.parametrize(
    ("axis", "keepdims"),
    [(None, False), (None, True), (0, False), (1, True), ((0, 2), False), (-1, False)],
)
def test_unreduce_is_the_adjoint_of_sum(axis, keepdims):
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    y = np.sum(x, axis=axis, keepdims=keepdims)
    found = unreduce(y, like=x, axis=axis, keepdims=keepdims)
    assert found.shape == x.shape and found.flags.writeable
    np.testing.assert_allclose(np.sum(found * x), np.sum(y * y))


def test_unreduce_keeps_dtype_and_numbers():
    assert unreduce(1.0, like=np.ones(3, np.float32)).dtype == np.float32
    assert unreduce(1j, like=np.ones(3)).dtype == float
    assert unreduce(2.0, like=1.5) == 2.0


KEYS = [
    1,
    -1,
    slice(1, 3),
    (0, 1),
    (slice(None), 1),
    [0, 0],
    ([0, 1], [1, 1]),
    None,
    Ellipsis,
    np.array([1, 0]) > 0,
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_scatter_is_the_adjoint_of_indexing(key):
    x = np.random.default_rng(0).normal(size=(2, 3))
    y = x[key]
    found = scatter(y, like=x, at=key)
    assert found.shape == x.shape
    np.testing.assert_allclose(np.sum(found * x), np.sum(y * y))


def test_scatter_into_containers():
    assert scatter(2.0, like=[1.0, 1.0], at=1) == [0.0, 2.0]
    assert scatter([2.0, 3.0], like=[1.0, 1.0, 1.0], at=slice(1, None)) == [0.0, 2.0, 3.0]
    assert scatter(2.0, like=(1.0, 1.0), at=-1) == (0.0, 2.0)
    assert scatter(2.0, like=Point(1.0, 1.0), at=0) == Point(2.0, 0.0)
    assert scatter(2.0, like={"a": 1.0, "b": 1.0}, at="b") == {"a": 0.0, "b": 2.0}


def test_digamma():
    euler = 0.57721566490153286
    assert digamma(1.0) == pytest.approx(-euler, rel=1e-14)
    assert digamma(0.5) == pytest.approx(-euler - 2 * math.log(2), rel=1e-14)
    np.testing.assert_allclose(digamma(-0.5), 0.03648997397857652, rtol=1e-12)
    assert np.isnan(digamma(0.0)) and np.isnan(digamma(-3.0))
