"""Sparse matrices: with and without a derivative, in all formats (templates/scipy/sparse)."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from autodiff.templates.scipy.sparse import multiplied
from scipy.sparse.linalg import spsolve

from autodiff import grad, hessian
from autodiff.rules import registry
from tests.core.differences import check_both_modes
from tests.rules.sparse_programs import BY_COLUMNS, DENSE, PROGRAMS, A

pytestmark = [pytest.mark.followed, pytest.mark.filterwarnings("ignore::Warning")]
X = np.array([0.7, 1.3, 2.1])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_programs(program):
    check_both_modes(program, X)


TOOLS = ("scipy.sparse._sparsetools", "_csparsetools")


def by_numpy(data, rows, cols, x, size):
    """The product of a sparse matrix without SciPy."""
    made = np.zeros((size, *x.shape[1:]), np.result_type(data, x))
    np.add.at(made, rows, data.reshape(-1, *[1] * (x.ndim - 1)) * x[cols])
    return made


def filled(shape, dtype=float, **_):
    """Memory in which something is left."""
    return np.full(shape, 7, dtype)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_what_stands_for_c_gives_the_same(program, monkeypatch):
    expected = program(X)
    for name, module in list(sys.modules.items()):
        if not name.startswith("scipy.sparse"):
            continue
        for key, own in list(vars(module).items()):
            if getattr(own, "__module__", None) in TOOLS and registry.written_for(own) is not None:
                monkeypatch.setattr(module, key, registry.written_for(own))
    monkeypatch.setattr(multiplied, "product", by_numpy)
    monkeypatch.setattr(np, "empty", filled)
    np.testing.assert_allclose(program(X), expected, rtol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
@pytest.mark.heavy
def test_second_derivatives(program):
    first = grad(program)
    steps = 1e-5 * np.eye(3)
    expected = np.array([(first(X + e) - first(X - e)) / 2e-5 for e in steps])
    np.testing.assert_allclose(hessian(program)(X), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("cls", [sp.csr_array, sp.csc_matrix, sp.coo_array])
def test_gradients_of_matrices_are_matrices(cls):
    given = cls(DENSE)
    before = given.toarray()
    found = grad(lambda a, x: np.sum((a @ x) ** 2))(given, X)
    assert type(found) is cls
    expected = np.where(before != 0, np.outer(2 * before @ X, X), 0.0)
    np.testing.assert_allclose(found.toarray(), expected)
    np.testing.assert_array_equal(given.toarray(), before)


def test_constant_matrices_compile():
    first = grad(lambda x: np.sum((A @ x) ** 2), trace=False)
    first(X)
    assert first.source.splitlines()[-1] == "    return transposed_product(A, 2 * (A @ x))"
    second = grad(lambda x: np.sum(spsolve(BY_COLUMNS, x) ** 2), trace=False)
    second(X)
    line = "    return transposed_solution(BY_COLUMNS, 2 * plain_solution(BY_COLUMNS, x))"
    assert second.source.splitlines()[-1] == line


def test_nothing_becomes_dense():
    size = 20_000
    line = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(size, size), format="csc")

    def loss(d):
        return np.sum(spsolve(line + sp.diags(d, format="csc"), np.ones(size)) ** 2)

    first = grad(loss)
    first(np.ones(size))
    tracemalloc.start()
    first(np.ones(size))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * 8 * size  # a dense one has 8 * size**2
