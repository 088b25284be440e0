"""Random programs in forward mode, and twice: against their gradients and differences of those.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from autodiff.errors import AutodiffError
from autodiff.structure import map_leaves
from autodiff.transforms.tangents import Tangent
from tests.forward.running import direction, inner
from tests.language import oracle
from tests.programs.random.changing import generate_changing
from tests.programs.random.generator import generate
from tests.programs.random.loading import load
from tests.programs.random.memory import generate_memory

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "300")) // 6
FIRST = int(os.environ.get("RANDOM_SEED", "0"))
KINDS = {"plain": generate, "memory": generate_memory, "changing": generate_changing}


def drawn(kind: str, seed: int, folder: Path) -> tuple[Any, Any, tuple[int, ...], tuple[Any, ...]]:
    """A program, its function, the places of its arguments, and a direction."""
    program = dataclasses.replace(KINDS[kind](seed), seed=10**6 * len(kind) + seed)
    print(program.text)
    random = np.random.default_rng(seed)
    v = tuple(direction(argument, random) for argument in program.args)
    return program, load(program, folder), tuple(range(len(program.args))), v


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
@pytest.mark.parametrize("kind", KINDS)
def test_tangent_agrees_with_gradient(kind: str, seed: int, tmp_path: Path) -> None:
    program, function, wrt, v = drawn(kind, seed, tmp_path)
    try:
        value, gradients = value_and_grad(function, wrt)(*oracle.copied(program.args))
        args = oracle.copied(program.args)
        again, tangent = Tangent(function, "jvp", wrt).along(tuple(args), {}, v)
    except AutodiffError as error:
        pytest.skip(f"refused: {error.what}")
    oracle.assert_same(args, program.args, "arguments")
    np.testing.assert_allclose(again, value, rtol=1e-12)
    pairs = zip(oracle.leaves(list(gradients)), oracle.leaves(list(v)), strict=True)
    size = sum(float(np.sum(np.abs(a) * np.abs(b))) for a, b in pairs)
    wanted = sum(inner(a, b) for a, b in zip(gradients, v))
    assert abs(wanted - float(np.real(tangent))) <= 1e-9 * max(1.0, size)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT // 3))
@pytest.mark.parametrize("kind", KINDS)
def test_second_derivative_agrees_with_differences(kind: str, seed: int, tmp_path: Path) -> None:
    program, function, wrt, v = drawn(kind, seed, tmp_path)
    gradient = grad(function, wrt)

    def at(h: float) -> Any:
        args = oracle.copied(program.args)
        moved = gradient(*(map_leaves(lambda a, b: a + h * b, x, w) for x, w in zip(args, v)))
        return np.concatenate([np.ravel(leaf) for leaf in oracle.leaves(list(moved))])

    try:
        found = Tangent(gradient, "jvp", wrt).along(tuple(oracle.copied(program.args)), {}, v)[1]
    except AutodiffError as error:
        pytest.skip(f"refused: {error.what}")
    first, second = ((at(h) - at(-h)) / (2 * h) for h in (1e-5, 3e-6))
    size = max(1.0, float(np.max(np.abs(second))))
    if not np.max(np.abs(first - second)) <= 1e-5 * size:
        pytest.skip("differences do not settle")
    tangent = np.concatenate([np.ravel(leaf) for leaf in oracle.leaves(list(found))])
    np.testing.assert_allclose(tangent, second, rtol=0, atol=1e-4 * size)
