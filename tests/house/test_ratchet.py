"""The house shrinks: old rooms only lose lines, new ones stay within their rules."""

import pytest

from tests.house.ratchet import NEW, figures, in_rooms, lines, pinned

LONGEST = 300


@pytest.mark.parametrize("figure", pinned())
def test_only_falls(figure):
    now = figures()
    assert figure in now, f"{figure} is not measured any more"
    assert now[figure] <= pinned()[figure], f"{figure}: {now[figure]}; make room before you add"


@pytest.mark.parametrize("module", in_rooms(NEW))
def test_new_rooms_have_short_files(module):
    assert lines(in_rooms(NEW)[module]) <= LONGEST, f"{module}: two ideas in one file"
