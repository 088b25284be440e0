"""Second derivatives of functions whose lists and dicts change: tangents of slots."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from autodiff import grad, hvp, jacobian, jvp
from autodiff.errors import AutodiffError
from tests.language.corpus import Program, collect

TOPICS = ("comprehensions", "dicts_that_change", "lists_that_change")
FOLLOWED = {
    "dicts_that_change.merged_in_place",
    "dicts_that_change.rebound_while_its_items_are_read",
}
COPIED = {"adversary_views.reshape_of_T", "overwritten.reshape_that_copies"}
WHOLE = {"comprehensions.list_arithmetic", "lists_that_change.used_whole_between_changes"}


def real(entry: Program) -> bool:
    """Whether the first argument holds floats, the value is one, and all are positional."""
    point = entry.points[0]
    first = point.args[0] if point.args else None
    if point.kwargs or not isinstance(first, float | np.ndarray) or np.iscomplexobj(first):
        return False
    return isinstance(entry.function(*copy.deepcopy(point.args)), float)


PROGRAMS = [entry for entry in collect() if entry.topic in TOPICS and real(entry)]


def test_what_is_followed_is_asked() -> None:
    names = {entry.name for entry in PROGRAMS}
    assert names >= FOLLOWED | WHOLE


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.name)
def test_product_agrees_with_differences(entry: Program) -> None:
    gradient = grad(entry.function)
    x, *rest = entry.points[0].args
    v = np.random.default_rng(0).standard_normal(np.shape(x))[()]

    def at(t: float) -> Any:
        return np.asarray(gradient(x + t * v, *copy.deepcopy(rest)))

    try:
        at(0.0)
        found = hvp(entry.function)(copy.deepcopy(x), *copy.deepcopy(rest), v)
    except AutodiffError:
        assert entry.name not in FOLLOWED
        return
    expected = (at(1e-5) - at(-1e-5)) / 2e-5
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(WHOLE | COPIED))
def test_what_helpers_add_to_is_not_left_out(name: str) -> None:
    """It was, in both modes: what is added to whole shadows, and to what may be a view."""
    (entry,) = (entry for entry in collect() if entry.name == name)
    x, *rest = entry.points[0].args
    gradient = grad(entry.function)
    v = np.random.default_rng(0).standard_normal(np.shape(x))[()]
    h = 1e-5 * v
    above, below = (gradient(x + step, *copy.deepcopy(rest)) for step in (h, -h))
    expected = (np.asarray(above) - np.asarray(below)) / 2e-5
    dots = (v, *[None] * len(rest))
    _, found = jvp(gradient, (x, *copy.deepcopy(rest)), dots)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    found = jacobian(gradient, mode="reverse")(x, *copy.deepcopy(rest))
    found = np.tensordot(found, v, np.ndim(v))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
