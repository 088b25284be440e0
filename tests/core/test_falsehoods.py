"""A claim of Core's that does not hold is noticed: the interpreter fails on each kind of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from autodiff.core.operation import Apply, Store, View
from autodiff.core.region import Region
from autodiff.dataflow.settle import settle
from autodiff.kinds.arguments import LEAST, kinds_and_sizes
from autodiff.kinds.kind import Array, Scalar
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.function import lowered
from autodiff.primitives.algebra import either
from autodiff.rules import registry
from tests.core import results
from tests.core.claims import Falsehood
from tests.core.honest import honest
from tests.core.interpreter import run
from tests.core.test_claims import A, divided, listed


def unit_of(function: Any, *args: Any) -> Unit:
    registry.load()
    unit = lowered(function, kinds_and_sizes(args, LEAST)[0])
    settle(unit.function, unit.references)
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
