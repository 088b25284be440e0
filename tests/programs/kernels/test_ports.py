"""The ports to JAX give the same values and gradients."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.language import oracle
from tests.language.corpus import Program
from tests.programs.kernels import checks
from tests.programs.kernels.peers import jax

pytestmark = pytest.mark.heavy  # JAX compiles each of them


def port(entry: Program) -> Callable[..., Any] | None:
    """The function of the same name in the module of the same name under `ports`."""
    if entry.topic not in TOPICS:
        return None
    module = importlib.import_module(f"tests.programs.kernels.ports.{entry.topic}")
    return getattr(module, entry.function.__name__, None)


TOPICS = [
    "pde_1d", "pde_2d", "factorizations", "iterations", "transforms", "recursions", "networks",
    "particles", "integrators", "filters", "dynamic_programming", "finance", "objects",
]  # fmt: skip
PORTS = [(entry, found) for entry in checks.KERNELS if (found := port(entry)) is not None]


def close(actual: Any, wanted: Any, message: str) -> None:
    size = max(1.0, float(np.max(np.abs(wanted))))
    np.testing.assert_allclose(actual, wanted, rtol=1e-9, atol=1e-9 * size, err_msg=message)


def ported(entry: Program, function: Callable[..., Any]) -> tuple[Any, tuple[Any, ...]]:
    """Value and adjoints by JAX, in our convention: the adjoint of z = x + iy is d/dx + i d/dy."""
    seeds = [jax.numpy.conj(s) for s in oracle.leaves(checks.seed(entry))]

    def projected(*args: Any) -> Any:
        value = function(*args)
        parts = value if isinstance(value, tuple) else (value,)
        total = sum(jax.numpy.sum(s * v) for s, v in zip(seeds, parts, strict=True))
        return jax.numpy.real(total), value

    args = tuple(map(jax.numpy.asarray, checks.fresh(entry).values()))
    by_all = jax.value_and_grad(projected, argnums=tuple(range(len(args))), has_aux=True)
    (_, value), gradients = jax.jit(by_all)(*args)
    return value, tuple(np.conj(g) for g in gradients)


@pytest.mark.parametrize(("entry", "function"), PORTS, ids=[entry.name for entry, _ in PORTS])
def test_port(entry: Program, function: Callable[..., Any]) -> None:
    value, gradients = ported(entry, function)
    primal = checks.primal(entry)
    assert isinstance(value, tuple) == isinstance(primal, tuple)
    for part, leaf in zip(oracle.leaves(primal), oracle.leaves(jax.device_get(value)), strict=True):
        close(leaf, part, "value")
    for name, gradient, (wanted,) in zip(
        checks.names(entry), gradients, checks.expected(entry), strict=True
    ):
        close(wanted, gradient, f"oracle, {name}")
    _, ours = checks.derivative(entry, checks.fresh(entry))
    for name, gradient, mine in zip(checks.names(entry), gradients, ours, strict=True):
        close(mine, gradient, name)
