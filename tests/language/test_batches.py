"""Batches of seeds over the corpus: one pullback gives what a new one gives for each seed alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError
from autodiff.derivatives.derivative import Derivative
from autodiff.structure import map_leaves
from autodiff.transforms.pullback import Pullback
from tests.language import oracle
from tests.language.known import WRONG
from tests.language.test_language import PROGRAMS, Program, fresh, primal_value

COUNT = 3
SOME = PROGRAMS[3::40]


def pullback_of(entry: Program) -> Callable[[], Pullback]:
    """What makes a new pullback at the first point of a program."""
    point = entry.points[0]
    derivative = Derivative(entry.function, "vjp", entry.wrt_at(point))

    def made() -> Pullback:
        args, keywords = fresh(point)
        value, function = derivative(*args, **keywords)
        return Pullback(function, value)

    return made


def batch_for(value: Any) -> Any:
    """Seeds of the structure of the value, with an axis of `COUNT` in front of each leaf."""
    random = np.random.default_rng(7)

    def drawn(leaf: Any) -> Any:
        batch = random.standard_normal((COUNT, *np.shape(leaf)))
        if np.iscomplexobj(leaf):
            batch = batch + 1j * random.standard_normal(batch.shape)
        return batch.astype(np.asarray(leaf).dtype)

    return map_leaves(drawn, value)


def check(entry: Program) -> None:
    if not oracle.leaves(primal_value(entry, entry.points[0])):
        return
    try:
        made = pullback_of(entry)
        pullback = made()
    except AutodiffError:
        return  # test_language asks which programs may be refused
    seeds = batch_for(pullback.value)
    found = pullback.batch(seeds)
    for k in range(COUNT):
        wanted = made()(map_leaves(lambda batch, k=k: batch[k], seeds))
        map_leaves(lambda one, every, k=k: _compare(every[k], one), wanted, found)
    again = pullback.batch(seeds)
    map_leaves(_compare, again, found)


def _compare(found: Any, wanted: Any) -> Any:
    assert np.shape(found) == np.shape(wanted)
    assert np.result_type(found) == np.result_type(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=0.0)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_some_programs(entry: Program) -> None:
    check(entry)


@pytest.mark.heavy  # a sweep
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "entry",
    [entry for entry in PROGRAMS if entry not in SOME and entry.name not in WRONG],
    ids=lambda entry: entry.name,
)
def test_program(entry: Program) -> None:
    check(entry)
