"""A sample of the corpus on both backends: the same gradient, or a refusal."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("numba")
pytestmark = pytest.mark.heavy  # Numba compiles each of them

from tests.native import survey  # noqa: E402

SAMPLE = survey.programs()[::36]


def test_a_sample_of_the_corpus():
    taken = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # programs of the corpus divide by zero, and Numba talks
        for program in SAMPLE:
            made = survey.differentiated(program)
            if made is not None and survey.refusal(program, made[0]) is None:
                taken += survey.compare(program, *made) == "agrees"
    assert taken >= 6
