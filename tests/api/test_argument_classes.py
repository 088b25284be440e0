"""Arguments of classes that others define: the gradient is one of that class, or an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import check_grads, grad, hvp, jacobian, jvp, value_and_grad, vjp


def squares(x):
    return np.sum(x**2)


def of_parts(parts):
    return np.sum(parts.weights**2) * parts.scale


@pytest.fixture
def mapped(tmp_path):
    found = np.memmap(tmp_path / "data.bin", float, "w+", shape=(3,))
    found[:] = [1.0, 2.0, 3.0]
    return found


def test_a_memory_map_is_an_array(mapped):
    slopes = 2.0 * np.asarray(mapped)
    found = grad(squares)(mapped)
    assert type(found) is np.ndarray
    np.testing.assert_array_equal(found, slopes)
    np.testing.assert_array_equal(value_and_grad(squares)(x=mapped)[1], slopes)
    np.testing.assert_array_equal(jvp(squares, (mapped,), (np.ones(3),))[1], slopes.sum())
    np.testing.assert_array_equal(vjp(squares, mapped)[1](1.0)[0], slopes)
    np.testing.assert_array_equal(hvp(squares)(mapped, np.ones(3)), [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(jacobian(lambda x: x**2)(mapped), np.diag(slopes))
    check_grads(squares, mapped, order=2)


def test_memory_maps_in_lists_and_dicts(mapped):
    def f(data, n):
        return np.sum(data[0] * data[1]["w"]) * n

    def rows(data):
        data[0][0] = 3.0
        return np.sum(data[0]) * data[0][1]

    found = grad(f)([mapped, {"w": mapped}], n=2)
    assert type(found[0]) is type(found[1]["w"]) is np.ndarray
    np.testing.assert_array_equal(found[0], 2.0 * np.asarray(mapped))
    before = np.array(mapped)
    np.testing.assert_array_equal(grad(rows)([mapped])[0], [0.0, 10.0, 2.0])
    np.testing.assert_array_equal(mapped, before)  # nothing is written to the file


def test_a_memory_map_that_may_not_be_written(mapped):
    def f(x):
        x = x * 1.0
        x[0] = 0.0
        return np.sum(x**2)

    mapped.flush()
    again = np.memmap(mapped.filename, float, "r")
    np.testing.assert_array_equal(grad(f)(again), [0.0, 4.0, 6.0])


def test_what_holds_itself_is_left_alone():
    held: list[Any] = [np.ones(2)]
    held.append(held)

    def f(x, held):
        return np.sum(x * held[0])

    np.testing.assert_array_equal(grad(f)(np.ones(2), held), np.ones(2))
    np.testing.assert_array_equal(grad(f)(x=np.ones(2), held=held), np.ones(2))


def test_attrs():
    attr = pytest.importorskip("attr")
    for options in ({}, {"frozen": True}, {"slots": True, "frozen": True}):
        made = attr.make_class("Parts", ["weights", "scale"], **options)
        found = grad(of_parts)(made(np.array([1.0, 2.0]), 3.0))
        assert type(found) is made
        np.testing.assert_array_equal(found.weights, [6.0, 12.0])
        assert found.scale == 5.0


def test_pydantic():
    pydantic = pytest.importorskip("pydantic")

    class Parts(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
        weights: np.ndarray
        scale: float

    found = grad(of_parts)(Parts(weights=np.array([1.0, 2.0]), scale=3.0))
    assert type(found) is Parts
    np.testing.assert_array_equal(found.weights, [6.0, 12.0])
    assert found.scale == 5.0
