"""What Core claims of functions holds while they run; and a claim that does not is noticed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from autodiff.analysis.arguments import LEAST, kinds_and_sizes
from autodiff.analysis.kind import Array, Scalar
from autodiff.core.operation import Apply, Store, View
from autodiff.core.region import Region
from autodiff.dataflow.settle import settle
from autodiff.lower.frame import Unit
from autodiff.lower.lowering import lowered
from autodiff.primitives.either import either
from autodiff.rules import registry
from tests.core import results
from tests.core.claims import Falsehood
from tests.core.honest import corpus, derived, drawn, honest
from tests.core.interpreter import run

A, B = np.array([0.4, 1.6, 1.3]), np.array([0.7, -0.2, 0.5])
TABLE = np.array([0.5, 0.25, 2.0])
HALF = TABLE[1:]


def stencil(u, n):
    w = u[::-1]
    for i in range(n):
        u[1:-1] = u[1:-1] + 0.5 * (u[2:] - u[:-2])
        w[0] *= float(i)
    return u, np.sum(w)


def outside_twice(x):
    return x * TABLE, TABLE, HALF, np.sum(TABLE)


def zero_or_more(x, n):
    s = 0
    for i in range(n):
        s = s + x[i]
    return s * np.arange(3), np.array([s]), np.multiply(s, 2), s * 2


def zero_or_number(x, n):
    z = 2 if n > 0 else x[0]
    return z * np.arange(3), z // 2


def listed(x):
    pair = [x, x + 1.0]
    total = 0.0
    for part in pair:
        total = total + np.sum(np.concatenate([part, x]))
    return total


def grown(x, n):
    items = [x.copy()]
    for i in range(n):
        items.append(items[i] * x)
    items[0][0] = 7.0
    return items, items[-1], np.sum(np.array(items))


def grown_number(x, n):
    items = [x * 2.0]
    for i in range(n):
        items.append(items[i] * x)
    return np.sum(items[-1] * items[0])


def products(x):
    return math.prod([2.0, 3.0], start=x[0]), math.prod([], start=1.0), sum([], 0.5)


def atleast(x):
    return np.atleast_1d(x), np.atleast_2d(x), np.atleast_1d(2.0), np.diff(x, 0), np.diff(x)


def divided(x, y):
    return x / y


def logarithm(x):
    return math.log(x)


class Counter:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value = self.value + other
        return self

    def __add__(self, other):
        return Counter(self.value + 2.0 * other)


def counted(x):
    counter = Counter(x[0])
    same = counter
    counter += x[1]
    return same.value, counter.value


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    *((stencil, (A, n)) for n in (1, 3)),
    (outside_twice, (A,)),
    *((zero_or_more, (A, n)) for n in (0, 1, 3)),
    *((zero_or_number, (A, n)) for n in (0, 3)),
    (listed, (A,)),
    *((grown, (A, n)) for n in (0, 2)),
    (products, (A,)),
    (atleast, (A,)),
    *((divided, (1.5, y)) for y in (2.0, 0.0)),
    *((divided, (1.5, np.float64(y))) for y in (2.0, 0.0)),
    *((logarithm, (x,)) for x in (2.0, -1.0)),
    (counted, (A,)),
]


def rows_of_itself(x):
    return np.sum(np.stack([x, x]) ** 3) + np.sum(np.hstack([x, 2.0 * x]) * 0.5)


def broadcast(x, y):
    x = x * 1.0
    x[1:] *= y
    return np.sum(x * np.ones((2, 1)))


def horner(a, x):
    y = 0.0
    for k in range(len(a)):
        y = y * x + a[k]
    return y


def helper(x, s):
    a = np.sin(x) * s
    b = np.cos(x) + s * a
    return np.exp(-b) * a + b * x


def calls(x, s):
    y = helper(x, s)
    for k in range(2):
        y = y + helper(y, s) * x[k]
    return np.sum(helper(y, s))


@pytest.mark.parametrize(
    ("function", "args", "wrt"),
    [
        (rows_of_itself, (A,), ("x",)),
        (broadcast, (A, 2.0), ("x", "y")),
        (horner, (A, 0.7), ("a", "x")),
        (grown_number, (A, 2), ("x",)),
        (calls, (A, 0.3), ("x", "s")),
    ],
)
def test_both_sweeps(function: Any, args: tuple[Any, ...], wrt: tuple[str, ...]) -> None:
    assert derived(function, args, {}, wrt) == "honest"


@pytest.mark.parametrize(("function", "args"), CASES)
def test_honest(function: Any, args: tuple[Any, ...]) -> None:
    with np.errstate(all="ignore"):
        assert honest(function, args, {}) == "honest"


def said(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is neither honest nor left to others."""
    fine = ("honest", "not yet")
    return [each for each in found if not each[1].startswith(fine)]


def test_share_of_the_corpus() -> None:
    found = list(corpus("7/40"))
    assert sum(what == "honest: both sweeps" for _, what in found) > 10
    assert said(found) == []


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(1, 13))
def test_corpus(part: int) -> None:
    assert said(list(corpus(f"{part}/12"))) == []


def test_some_random_programs() -> None:
    found = list(drawn(5000, 5012))
    assert sum(what.startswith("honest") for _, what in found) > 8
    assert said(found) == []


@pytest.mark.heavy
@pytest.mark.parametrize("start", range(10_000, 12_000, 250))
def test_random_programs(start: int) -> None:
    assert said(list(drawn(start, start + 250))) == []


# Claims that are false are noticed ----------------------------------------------------------------


def unit_of(function: Any, *args: Any) -> Unit:
    registry.load()
    unit = lowered(function, kinds_and_sizes(args, LEAST)[0])
    settle(unit.function)
    return unit


def applied(unit: Unit, name: str) -> Apply:
    """The application of a primitive."""
    return next(
        op
        for op in unit.function.body.walk()
        if isinstance(op, Apply) and op.primitive.name == name
    )


def viewed(x):
    y = x[1:]
    y[0] = 2.0
    return np.sum(y) + np.sum(np.reshape(x * 2.0, (3, 1)))


def test_two_regions_that_share() -> None:
    unit = unit_of(viewed, A)
    view = next(op for op in unit.function.body.walk() if isinstance(op, View))
    view.result.memory = Region()
    with pytest.raises(Falsehood, match="shares memory"):
        run(unit, {"x": A.copy()})


def test_a_write_that_nobody_announces() -> None:
    unit = unit_of(viewed, A)
    store = next(op for op in unit.function.body.walk() if isinstance(op, Store))
    store.effects = list  # type: ignore[method-assign]
    with pytest.raises(Falsehood, match="changes"):
        run(unit, {"x": A.copy()})


def test_a_result_that_is_not_new() -> None:
    unit = unit_of(viewed, A)
    op = applied(unit, "reshape")
    op.primitive = dataclasses.replace(op.primitive, memory="new")
    with pytest.raises(Falsehood, match="is not new"):
        run(unit, {"x": A.copy()})


def test_a_view_that_is_none() -> None:
    unit = unit_of(viewed, A)
    op = applied(unit, "mul")
    op.primitive = dataclasses.replace(op.primitive, memory="view")
    with pytest.raises(Falsehood, match="is no view"):
        run(unit, {"x": A.copy()})


@pytest.mark.parametrize(
    "kind",
    [
        Array("float32", (3,)),
        Array("float64", (4,)),
        Array("float64", ()),
        Scalar("float", "float64"),
    ],
)
def test_a_wrong_kind(kind: Any) -> None:
    unit = unit_of(viewed, A)
    applied(unit, "mul").result.kind = kind
    with pytest.raises(Falsehood):
        run(unit, {"x": A.copy()})


def test_a_size_of_another_number() -> None:
    unit = unit_of(listed, A)
    with pytest.raises(Falsehood, match="axis"):
        run(unit, {"x": np.array([0.5])})


def test_an_error_that_nobody_announces() -> None:
    unit = unit_of(divided, 1.0, 2.0)
    op = applied(unit, "truediv")
    assert op.raises
    op.raises = False
    with pytest.raises(Falsehood, match="raises"):
        run(unit, {"x": 1.0, "y": 0.0})


def test_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "copied", lambda value: value)  # a load is no copy
    with pytest.raises(Falsehood, match="not new"):
        honest(rotated, (A,), {})


def rotated(x):
    y = x * 1.0
    y[:] = y[[1, 2, 0]] + 1.0
    y += y
    return y


def test_numbers_of_two_types_are_of_no_known_class() -> None:
    assert either(Scalar("int"), Scalar("float")) == Scalar("float", "?")
    assert either(Scalar("float"), Scalar("float")) == Scalar("float")
