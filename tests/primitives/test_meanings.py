"""The meaning of each callable that changes arrays: run beside the callable itself."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff.primitives.meanings import MEANINGS, flat_item, flat_store
from tests.primitives.observed import content

A = np.array([3.0, 1.0, 2.0, 5.0])
M = np.arange(12.0).reshape(3, 4) % 5
TALL = M.T.copy()
B = np.array([0.5, 0.25, 0.125, 0.75])

# Operands of calls; the first is changed.
CALLS: dict[Any, list[Callable[[], tuple[Any, ...]]]] = {
    np.copyto: [lambda: (A.copy(), B), lambda: (M.copy(), B), lambda: (A.copy(), 7.0)],
    np.put: [
        lambda: (A.copy(), [0, 2], B),
        lambda: (A.copy(), [0, 0, -1], B[:2]),
        lambda: (A.copy(), 1, 7.0),
        lambda: (M.copy(), [1, 7, -2], B[:2]),
        lambda: (M.copy().T, [1, 7, 1], B),
        lambda: (A.copy(), np.array([[0, 1], [2, 2]]), B),
    ],
    np.putmask: [
        lambda: (A.copy(), A > 1.0, B),
        lambda: (A.copy(), A > 1.0, 7.0),
        lambda: (M.copy(), M > 1.0, B[:3]),
    ],
    np.place: [lambda: (A.copy(), A > 1.0, B[:2]), lambda: (M.copy(), M > 1.0, B)],
    np.fill_diagonal: [
        lambda: (M.copy(), 7.0),
        lambda: (M.copy(), B),
        lambda: (TALL.copy(), B[:2]),
        lambda: (np.zeros((2, 2, 2)), B),
    ],
    np.put_along_axis: [
        lambda: (A.copy(), np.array([1, 1]), B[:2], 0),
        lambda: (M.copy(), np.array([[0, 1, 1, 2]]), B, 0),
        lambda: (M.copy(), np.array([[0], [3], [3]]), 7.0, 1),
        lambda: (M.copy(), np.array([[0, 1], [3, 3], [3, 0]]), B[:2], -1),
    ],
    np.ndarray.fill: [lambda: (A.copy(), 7.0), lambda: (np.zeros(()), 7.0)],
    np.ndarray.sort: [lambda: (A.copy(),), lambda: (M.copy(),), lambda: (M.copy(), 0)],
    np.ndarray.partition: [lambda: (A.copy(), 2), lambda: (M.copy(), 1), lambda: (M.copy(), 1, 0)],
    **{
        function: [lambda: (M.copy(), (1, slice(0, 2)), 7.0), lambda: (A.copy(), [0, 0], B[:2])]
        for function in (np.ndarray.__setitem__, operator.setitem)
    },
    **{
        function: [lambda: (M.copy(), (1, slice(0, 2)))]
        for function in (np.ndarray.__getitem__, operator.getitem)
    },
    **{
        getattr(owner, name): [lambda: (A.copy(), B), lambda: (M.copy(), B)]
        for word in ("add", "sub", "mul", "truediv", "pow")
        for owner, name in ((np.ndarray, f"__i{word}__"), (operator, f"i{word}"))
    },
}
CALLS[np.ndarray.put] = CALLS[np.put]
MASKED = [(A, B, A > 1.0), (M, B, M > 1.0), (M, B, B > 0.3), (M, 7.0, M > 2.0)]


@pytest.mark.parametrize("function", MEANINGS, ids=lambda f: f"{type(f).__name__}.{f.__qualname__}")
def test_the_meaning_does_the_same(function: Any) -> None:
    meaning = MEANINGS[function]
    for operands in CALLS[function]:
        one, other = operands(), operands()
        found, expected = meaning(*one), function(*other)
        assert list(map(content, map(np.asarray, one[:1]))) == list(
            map(content, map(np.asarray, other[:1]))
        )
        assert (found is one[0]) == (expected is other[0])
        if expected is not None:
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("target", "source", "mask"), MASKED)
def test_copies_where_a_mask_says_so(target: Any, source: Any, mask: Any) -> None:
    one, other = target.copy(), target.copy()
    MEANINGS[np.copyto](one, source, where=mask)
    np.copyto(other, source, where=mask)
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("index", [3, -2, slice(1, 5), np.array([0, 0, 2]), np.arange(12) > 7])
def test_places_in_memory_order(index: Any) -> None:
    for like in (M, M.T, M.T.copy()):
        one, other = like.copy(order="K"), like.copy(order="K")
        np.testing.assert_array_equal(flat_item(one, index), other.flat[index])
        flat_store(one, index, B[:2] if np.ndim(other.flat[index]) else 7.0)
        other.flat[index] = B[:2] if np.ndim(other.flat[index]) else 7.0
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (np.place, lambda: (A.copy(), A > 1.0, np.zeros(0))),
        (np.fill_diagonal, lambda: (A.copy(), 7.0)),
        (np.fill_diagonal, lambda: (np.zeros((2, 3, 2)), 7.0)),
    ],
)
def test_values_that_are_refused(function: Any, given: Callable[[], tuple[Any, ...]]) -> None:
    with pytest.raises(ValueError, match=".") as expected:
        function(*given())
    with pytest.raises(ValueError, match=".") as found:
        MEANINGS[function](*given())
    assert str(found.value) == str(expected.value)


def test_nothing_is_stored_in_silence() -> None:
    """NumPy leaves the array as it is; zeros would be wrong."""
    for function, chosen in ((np.put, [0, 1]), (np.putmask, A > 1.0)):
        with pytest.raises(NotImplementedError, match="no values are stored"):
            MEANINGS[function](A.copy(), chosen, np.zeros(0))
