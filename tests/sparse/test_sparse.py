"""sparse_jacobian and sparse_hessian against dense derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize, sparse
from scipy.sparse.linalg import spsolve

from autodiff import (
    AutodiffError,
    InternalError,
    NonDifferentiableError,
    hessian,
    jacobian,
    sparse_hessian,
    sparse_jacobian,
)
from autodiff.sparsity import sparse as module


def stencil(u):
    """A step of a nonlinear equation on a line, updated in place."""
    new = u.copy()
    new[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) - u[1:-1] ** 3
    return new


def test_stencil():
    u = np.linspace(-1.0, 2.0, 200)
    jac = sparse_jacobian(stencil)
    found = jac(u)
    assert isinstance(found, sparse.csr_array)
    assert_allclose(found.toarray(), jacobian(stencil)(u))
    assert jac.pattern.sweeps == 3
    assert found.nnz == 198 * 3 + 2


def test_solvers_take_the_matrix():
    jac = sparse_jacobian(lambda u: np.append(u[1:] - u[:-1] ** 2, 3.0 * u[-1]))
    matrix, b = jac(np.ones(5)), np.arange(5.0)
    assert matrix.indices.dtype == matrix.indptr.dtype == np.intc
    np.testing.assert_allclose(spsolve(matrix, b), np.linalg.solve(matrix.toarray(), b))


def test_rows_are_coloured_where_that_takes_fewer_sweeps():
    def summed(x):
        return np.array([np.sum(x[:20] ** 2), np.sum(x[20:] ** 3)])

    x = np.linspace(1.0, 2.0, 40)
    jac = sparse_jacobian(summed)
    assert_allclose(jac(x).toarray(), jacobian(summed)(x))
    assert jac.pattern.sweeps == 1
    assert not jac.pattern.colours[0]


@dataclass
class Chain:
    masses: Any
    stiffness: float
    links: int = 2


def test_structured_arguments_and_values():
    def forces(chain, x, shift):
        stretch = np.diff(x) - shift["rest"]
        return {"f": chain.stiffness * stretch * chain.links, "p": (chain.masses * x, 7)}

    chain, x = Chain(np.array([1.0, 2.0, 3.0]), 4.0), np.array([0.5, 1.0, 2.5])
    shift = {"rest": 0.25, "n": 3}
    found = sparse_jacobian(forces, (0, "x", "shift"))(chain, x, shift).toarray()
    assert found.shape == (5, 3 + 1 + 3 + 1)
    stretch = np.diff(x) - 0.25
    slopes = 8.0 * (np.eye(2, 3, 1) - np.eye(2, 3))
    top = np.hstack([np.zeros((2, 3)), 2 * stretch[:, None], slopes, np.full((2, 1), -8.0)])
    bottom = np.hstack([np.diag(x), np.zeros((3, 1)), np.diag(chain.masses), np.zeros((3, 1))])
    assert_allclose(found, np.vstack([top, bottom]))


def branching(x):
    return x[0] * x if x[0] > 0 else x[1] ** 2 * np.ones(len(x))


def test_a_pattern_of_another_path_is_found_again():
    jac = sparse_jacobian(branching)
    right, left = np.array([2.0, 3.0, 4.0]), np.array([-2.0, 3.0, 4.0])
    for x in (right, left, right, 2 * left):
        assert_allclose(jac(x).toarray(), jacobian(branching)(x))
    both = jac.pattern.matrix.toarray()
    assert_allclose(both, [[1, 1, 0], [1, 1, 0], [1, 1, 1]])
    assert jac.pattern_at(right).columns.size == 5


def test_a_pattern_is_reused(monkeypatch):
    found = sparse_jacobian(stencil).pattern_at(np.ones(50))
    jac = sparse_jacobian(stencil, pattern=found)
    monkeypatch.setattr(type(jac), "pattern_at", None)
    u = np.linspace(0.0, 1.0, 50)
    assert_allclose(jac(u).toarray(), jacobian(stencil)(u))
    assert jac.pattern is found


def test_data_decide_the_pattern():
    def ordered(x, k):
        y = np.zeros(3)
        for i in range(k):
            y[np.argsort(x)[i]] += x[i] ** 2
        return y

    jac = sparse_jacobian(ordered)
    for x, k in (([3.0, 1.0, 2.0], 3), ([1.0, 3.0, 2.0], 3), ([1.0, 3.0, 2.0], 1)):
        assert_allclose(jac(np.array(x), k).toarray(), jacobian(ordered)(np.array(x), k))


def test_other_lengths():
    jac = sparse_jacobian(stencil)
    for n in (5, 9, 5):
        u = np.linspace(0.0, 1.0, n)
        assert_allclose(jac(u).toarray(), jacobian(stencil)(u))


def test_constant_matrices_and_contractions_stay_sparse():
    matrix = np.diag(np.ones(9)) - np.diag(np.ones(8), 1)

    def f(x):
        table = x.reshape(3, 3)
        rows = np.einsum("ij,ij->i", table, table)
        return np.concatenate([matrix @ x, rows, np.cumsum(table, axis=1)[1], table.T @ rows])

    x = np.linspace(1.0, 2.0, 9)
    jac = sparse_jacobian(f)
    assert_allclose(jac(x).toarray(), jacobian(f)(x))
    assert jac.pattern_at(x).columns.size == 17 + 9 + 9 + 27


def test_hessian_of_rosenbrock():
    x = np.linspace(-1.0, 1.5, 60)
    hess = sparse_hessian(rosenbrock)
    assert_allclose(hess(x).toarray(), optimize.rosen_hess(x), atol=1e-10)
    assert hess.pattern.sweeps == 3
    assert hess.pattern.columns.size == 60 + 2 * 59


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def test_hessian_of_loops_and_structures():
    def energy(p, n):
        x, total = p["x"], 0.0
        for i in range(n):
            step = x[i + 1] - x[i]
            if step > 0:
                total = total + p["k"] * step**2 * step
        return total

    p = {"x": np.array([0.0, 1.0, 0.5, 2.0, 2.5]), "k": 3.0, "name": "chain"}
    found = sparse_hessian(energy)(p, 4).toarray()
    dense = hessian(energy)(p, 4)
    expected = np.block(
        [[dense["x"]["x"], dense["x"]["k"][:, None]], [dense["k"]["x"], dense["k"]["k"]]]
    )
    assert_allclose(found, expected)
    x, k = p["x"], p["k"]
    pair = sparse_hessian(lambda x, k: energy({"x": x, "k": k}, 4), (0, 1))(x, k)
    assert_allclose(pair.toarray(), expected)


def test_what_has_no_sparse_jacobian_is_refused():
    with pytest.raises(NonDifferentiableError, match="complex"):
        sparse_jacobian(lambda z: z * z)(1j * np.ones(2))
    with pytest.raises(NonDifferentiableError, match="value is complex"):
        sparse_jacobian(lambda x: 1j * x)(np.ones(2))


def test_random_numbers_are_noticed():
    random = np.random.default_rng(0)

    def noisy(x):
        return x[1:] * x[:-1] * random.uniform()

    with pytest.raises(AutodiffError, match="random numbers"):
        sparse_jacobian(noisy)(np.ones(4))


def test_a_pattern_that_misses_an_entry_is_a_mistake_of_ours(monkeypatch):
    right = module.SparseJacobian.pattern_at

    def wrong(self, *args, **keywords):
        found = right(self, *args, **keywords)
        columns = np.where(found.columns == 3, 4, found.columns)
        return module.Pattern(found.shape, found.starts, columns)

    monkeypatch.setattr(module.SparseJacobian, "pattern_at", wrong)
    with pytest.raises(InternalError, match="does not agree with its tangent"):
        sparse_jacobian(stencil)(np.linspace(0.0, 1.0, 7))


def test_what_is_not_sparse_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(module, "_LIMIT", 50)
    with pytest.raises(AutodiffError, match="may have 100 entries") as caught:
        sparse_jacobian(lambda x: np.linalg.solve(np.eye(10), x))(np.ones(10))
    assert "depends_on_all(" in caught.value.why


def test_without_numbers():
    assert sparse_jacobian(stencil)(np.ones(2)).toarray().tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert sparse_jacobian(lambda x: 2 * x)(np.zeros(0)).shape == (0, 0)
    assert sparse_jacobian(lambda x: np.ones(3))(np.zeros(2)).nnz == 0


def test_single_precision():
    u = np.linspace(-1.0, 2.0, 20, dtype=np.float32)
    found = sparse_jacobian(stencil)(u)
    assert_allclose(found.toarray(), jacobian(stencil)(u), rtol=1e-5)


def test_what_is_returned_beside():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    pairs = (lambda x: (stencil(x), x * 2.0)), (lambda x: (stencil(x)[:1], {"a": "text"}))
    for f in pairs:
        matrix, aux = sparse_jacobian(f, has_aux=True)(x)
        assert_allclose(matrix.toarray(), jacobian(lambda x, f=f: f(x)[0])(x))
        assert isinstance(aux, dict) or np.array_equal(aux, 2.0 * x)
    matrix, aux = sparse_hessian(lambda x: (np.sum(x**3), x[0]), has_aux=True)(x)
    assert_allclose(matrix.toarray(), np.diag(6.0 * x))
    assert aux == 1.0
    with pytest.raises(NonDifferentiableError, match="has_aux"):
        sparse_jacobian(stencil, has_aux=True)(x)
