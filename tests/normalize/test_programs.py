"""Every program of `programs/` behaves as before after `desugar`, `control`, and both."""

from __future__ import annotations

import pytest

from tests.normalize.behaviour import check
from tests.normalize.data import Program, programs

PROGRAMS = programs()


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_behaviour_is_kept(program: Program) -> None:
    check(program.text, *program.calls)
