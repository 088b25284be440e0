"""No combination of passes changes a result, a side effect or their order."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodiff.optimize.optimize import _LAST, _ONCE, _PASSES, optimize
from autodiff.optimize.options import Options
from tests.optimize.programs import Program
from tests.optimize.running import facts_of, run, text_of, tree_of

pytestmark = pytest.mark.heavy  # a sweep

ROUNDING = {
    *("contract", "transposes", "totals", "complements", "constants", "likes", "methods"),
    *("regroup", "roots", "packed", "first_items", "popped", "same_tests"),
}
"""They round otherwise, or rewrite what is not in these programs."""
PASSES = [step.__name__ for step in (*_PASSES, *_ONCE, *_LAST) if step.__name__ not in ROUNDING]


def only(*names: str) -> Options:
    """No other pass runs."""
    return Options(**dict.fromkeys(ROUNDING, False), **{name: name in names for name in PASSES})


NUMBER = re.compile(r"-?\d+\.\d*(?:e[-+]\d+)?")
SWITCHES = st.lists(st.sampled_from(PASSES), unique=True).map(lambda names: only(*names))


def outcome(tree: Any) -> Any:
    """Results, final content of the arguments and log: everything that can be observed."""

    def use(function: Any, _: Any) -> Any:
        arrays = np.linspace(-1.0, 1.0, 3), np.linspace(0.3, 0.4, 3)
        result = function(np.float64(0.5), np.float64(0.75), *arrays, 2)
        if callable(result[-1]):
            result = (result[0], result[-1](1.0), result[-1](1.0))
        return flat([result, arrays])

    result, logged = run(tree, use)
    return result, logged


def flat(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [flat(item) for item in value]
    return np.asarray(value).shape, [repr(float(item)) for item in np.ravel(value)]


def examine(seed: int, switches: list[Options]) -> None:
    program = Program(Random(seed))
    text = program.text()
    origin = None if seed % 3 else "x" * 200
    facts = facts_of(frozenset(program.temporaries))
    try:
        expected = outcome(tree_of(text, origin))
    except (OverflowError, UnboundLocalError):
        return
    for options in switches:
        tree = tree_of(text, origin)
        before = text_of(tree)
        new = optimize(tree, facts, options)
        assert text_of(tree) == before, "the tree that was handed in changed"
        found = outcome(new)
        other = options.coalesce or options.independent or options.like_terms
        same = agree(found, expected) if other else found == expected
        assert same, f"{options}\n{before}\n{text_of(new)}"


def agree(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same but for rounding: three passes add in another order."""
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(agree, one, other))
    try:
        return bool(np.isclose(float(one), float(other), rtol=1e-9, atol=1e-12, equal_nan=True))
    except (TypeError, ValueError):  # text that was logged, with numbers in it
        texts = [NUMBER.split(text) for text in (one, other)]
        numbers = [[float(number) for number in NUMBER.findall(text)] for text in (one, other)]
        return texts[0] == texts[1] and agree(*numbers)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_all_passes(seed: int) -> None:
    examine(seed, [only(*PASSES)])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.lists(SWITCHES, min_size=1, max_size=4))
def test_combinations(seed: int, switches: list[Options]) -> None:
    examine(seed, switches)


@pytest.mark.parametrize("name", PASSES)
def test_each_pass_alone_finds_something(name: str) -> None:
    for seed in range(30):
        program = Program(Random(seed))
        tree = tree_of(program.text())
        facts = facts_of(frozenset(program.temporaries))
        if optimize(tree, facts, only(name)) is not tree:
            return
    pytest.fail(f"{name} never changed a program")
