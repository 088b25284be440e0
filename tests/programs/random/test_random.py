"""The gradient of random programs against finite differences.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin. The seed of a
failing program stands in the name of its test, its text in the report.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, value_and_grad
from tests.language import oracle
from tests.programs.random.generator import generate
from tests.programs.random.loading import load

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "200"))
FIRST = int(os.environ.get("RANDOM_SEED", "0"))
REFUSED = {9}
"""A variable that a loop leaves is not followed there."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_gradient_of_random_program(seed: int, tmp_path: Path) -> None:
    program = generate(seed)
    print(program.text)
    function = load(program, tmp_path)
    wrt = tuple(range(len(program.args)))
    try:
        expected = oracle.gradients(function, program.args, {}, wrt)
    except oracle.OracleError as kink:
        pytest.skip(f"at a kink: {kink}")
    args = oracle.copied(program.args)
    if seed in REFUSED:
        with pytest.raises(UnsupportedSyntaxError, match="a variable of a loop"):
            value_and_grad(function, wrt=wrt)(*args)
        return
    value, gradient = value_and_grad(function, wrt=wrt)(*args)
    oracle.assert_same(args, program.args)
    np.testing.assert_array_equal(value, function(*args))
    for place in wrt:
        oracle.compare(gradient[place], args[place], expected[place], 1e-6)


def test_generation_is_deterministic() -> None:
    assert generate(7).text == generate(7).text
    assert generate(7).text != generate(8).text
