"""Hessians against SciPy's and JAX's."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import grad, hessian, hvp, jacrev, sparse_hessian
from tests.benchmarks import gmm
from tests.benchmarks.workload import ported


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def rosenbrock_in_a_loop(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    return total


@pytest.mark.parametrize("function", [rosenbrock, rosenbrock_in_a_loop])
@pytest.mark.parametrize("n", [2, 5, 12])
def test_rosenbrock(function, n):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(n)
    x, v = rng.uniform(-2.0, 2.0, n), rng.standard_normal(n)
    expected = optimize.rosen_hess(x)
    assert_allclose(hessian(function)(x), expected, rtol=1e-13, atol=1e-12)
    assert_allclose(jacrev(grad(function))(x), expected, atol=1e-11)
    assert_allclose(sparse_hessian(function)(x).toarray(), expected, rtol=1e-13, atol=1e-12)
    assert_allclose(hvp(function)(x, v), optimize.rosen_hess_prod(x, v), rtol=1e-11, atol=1e-11)


def mixture(limit: int) -> tuple[Any, ...]:
    """The mixture of the examples, of few points."""
    return gmm.read(gmm.FILES["GMM, d = 2, K = 5"], limit)


def test_gaussian_mixture():
    """Symmetric, and by products with vectors."""
    alphas, *rest = mixture(7)
    parameters = ("alphas", "means", "icf")
    blocks = hessian(gmm.log_likelihood, parameters)(alphas, *rest)
    means_icf = blocks[1][2]
    assert_allclose(np.moveaxis(blocks[2][1], (0, 1), (2, 3)), means_icf, rtol=1e-11, atol=1e-11)
    v = np.cos(np.arange(alphas.size))
    product = hvp(gmm.log_likelihood)(alphas, *rest, v)
    assert_allclose(product, blocks[0][0] @ v, rtol=1e-11, atol=1e-12)


def test_gaussian_mixture_against_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    given = mixture(7)
    primal = ported(gmm.log_likelihood, importlib.import_module("jax.numpy"))
    expected = jax.hessian(primal, (0, 1, 2))(*given)
    found = hessian(gmm.log_likelihood, ("alphas", "means", "icf"))(*given)
    for ours, theirs in zip(found, expected, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def network(layers, x):
    for layer in layers:
        x = np.tanh(x @ layer["w"] + layer["b"])
    return np.sum(x**2)


def test_layers_in_dicts():
    """A list of dicts whose entries have different numbers of axes."""
    rng = np.random.default_rng(0)
    layers = [
        {"w": rng.standard_normal((3, 4)), "b": rng.standard_normal(4)},
        {"w": rng.standard_normal((4, 2)), "b": np.zeros(2)},
    ]
    direction = [{key: rng.standard_normal(own.shape) for key, own in l.items()} for l in layers]
    x = rng.standard_normal((5, 3))
    product = hvp(network)(layers, x, direction)
    for matrix in (hessian(network)(layers, x), jacrev(grad(network))(layers, x)):
        for row, expected in zip(matrix, product):
            for key, blocks in row.items():
                found = sum(
                    np.tensordot(blocks[place][name], along, along.ndim)
                    for place, own in enumerate(direction)
                    for name, along in own.items()
                )
                assert_allclose(found, expected[key], rtol=1e-11, atol=1e-11)


def test_the_gradient_itself_is_not_computed_for_a_product():
    x = np.linspace(-1.0, 1.5, 6)
    product = hvp(rosenbrock)
    product(x, np.cos(x))
    assert "x_bar_dot[" in product.source
    assert "x_bar[" not in product.source
