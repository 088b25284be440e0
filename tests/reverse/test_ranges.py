"""Elements that no later store reaches are read again; those that one may reach are recorded."""

from __future__ import annotations

import pytest

from autodiff import grad
from tests.language.programs import ranges_of_indices as programs
from tests.language.test_language import PROGRAMS

LASTING = (
    programs.forward_substitution,
    programs.back_substitution,
    programs.cholesky_by_columns,
)
OVERWRITTEN = (
    programs.the_element_itself_is_read_too,
    programs.elements_that_are_stored_later,
    programs.elements_above_that_are_stored_later,
    programs.indices_from_the_end,
    programs.lags_that_wrap_around,
    programs.several_times_over,
    programs.bounds_that_change,
    programs.a_branch_in_which_an_index_changes,
    programs.shortest_of_sums,
    programs.differences_that_reach_the_same,
)


def source(function):
    (entry,) = [entry for entry in PROGRAMS if entry.function is function]
    point = entry.points[0]
    return grad(function, wrt=entry.wrt_at(point)).source_for(*point.args)


@pytest.mark.parametrize("function", LASTING, ids=lambda f: f.__name__)
def test_nothing_is_recorded(function):
    assert "tape" not in source(function)


@pytest.mark.parametrize("function", OVERWRITTEN, ids=lambda f: f.__name__)
def test_elements_are_recorded(function):
    assert "tape.push" in source(function)


def test_a_test_tells_that_an_index_does_not_count_from_the_end():
    text = source(programs.moving_average_of_what_is_left)
    assert "e[t - j - 1]" in text.partition("# Reverse sweep")[2]


def test_branches_tell_indices_apart():
    text = source(programs.cholesky_by_rows)
    assert "lower[i, k]" in text.partition("# Reverse sweep")[2]
