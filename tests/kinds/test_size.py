"""Arithmetic of symbolic sizes."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff.kinds.arguments import kinds_and_sizes, kinds_of
from autodiff.kinds.kind import Array
from autodiff.kinds.size import INTEGER, Dim, lowest, total

N = Dim("n0", 4)


def test_multiples_add_up() -> None:
    assert N.times(3).plus(N) == N.times(4) == Dim("4*n0", 16)
    assert N.times(4).plus(N.times(3), -1) == N
    assert N.times(2).minus(3).plus(N.times(2), -1) == -3
    assert N.plus(N.times(2), -1) is None
    assert N.plus(Dim("n1", 4)) is None


def test_multiples_divide_without_a_rest() -> None:
    assert N.times(4).over(2) == N.times(2)
    assert N.times(3).over(2) is None
    assert N.times(2).minus(1).over(2) is None


def test_the_whole_of_parts() -> None:
    assert total([N, N.times(2), 3]) == N.times(3).minus(-3)
    assert total([2, 3]) == 5
    assert total([N, None]) is total([N, Dim("n1", 4)]) is None
    assert total([N.minus(5), N]) is None  # the first may be empty, and is not of length -1


def test_any_integer_may_be_negative() -> None:
    assert lowest(Dim(f"k{INTEGER}").times(2)) is None
    assert lowest(N.times(2).minus(1)) == 7


@pytest.mark.parametrize(
    ("sizes", "told", "shown"),
    [
        ((8, 32), ("n1", "n0"), "4*n0"),
        ((32, 8), ("n0", "n1"), "4*n1"),
        ((9, 10), ("n1", 2), "2*n1/2"),
        ((5, 10), ("n1", 2), "2*n0"),
    ],
)
def test_told_sizes_have_names_that_say_so(
    sizes: tuple[int, int], told: tuple[str, str | int], shown: str
) -> None:
    values = [np.zeros(n) for n in sizes]
    assert told in kinds_and_sizes(values, 4)[1]
    found = kinds_of(values, 4, frozenset({told}))
    shapes = [kind.shape for kind in found if isinstance(kind, Array)]
    assert shown in {dim.name for (dim,) in shapes if isinstance(dim, Dim)}
