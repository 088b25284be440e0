"""The corpus of the language in forward mode: it agrees with the oracle of the adjoints."""

from __future__ import annotations

import pytest

from autodiff.errors import AutodiffError
from tests.forward.running import check_tangent
from tests.language import oracle
from tests.language.known import WRONG
from tests.language.test_language import PROGRAMS, Program, expected_at, primal_value

SOME = PROGRAMS[::20]


def check(entry: Program) -> None:
    point = entry.points[0]
    seed = oracle.seed_for(primal_value(entry, point))
    expected = expected_at(entry, point, seed)
    try:
        check_tangent(
            entry.function,
            point.args,
            dict(point.kwargs),
            entry.wrt_at(point),
            expected,
            repeatable=entry.repeatable,
        )
    except AutodiffError:
        assert entry.refusable


@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_some_programs(entry: Program) -> None:
    check(entry)


@pytest.mark.heavy  # a sweep
@pytest.mark.parametrize(
    "entry",
    [entry for entry in PROGRAMS if entry not in SOME and entry.name not in WRONG],
    ids=lambda entry: entry.name,
)
def test_program(entry: Program) -> None:
    check(entry)
