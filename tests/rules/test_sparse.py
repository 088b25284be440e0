"""Sparse matrices: with and without a derivative, in all formats (templates/scipy/sparse)."""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl
from autodiff.templates.scipy.sparse import multiplied
from scipy.sparse.linalg import spsolve

from autodiff import AutodiffError, grad, hessian
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
    assert "transposed_solution(BY_COLUMNS, 2 * spsolve(BY_COLUMNS, x))" in second.source


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


# What is refused: SciPy drops what is 0, which stays here, as it may have a derivative


def mean_of_entries(x):
    made = sp.csr_array(np.diag(x))
    return made.sum() / made.nnz


def mean_by_size(x):
    made = sp.csr_array(np.diag(x))
    return made.sum() / made.size


def logarithms(x):
    made = sp.csr_array((x, [0, 1, 2], [0, 1, 2, 3]))
    made = made + sp.eye_array(3, k=1) - sp.eye_array(3, k=1)
    made.eliminate_zeros()
    return np.log(made.data).sum()


def keys(x):
    made = sp.dok_array((3, 3))
    made[0, 0] = x[0]
    made[1, 1] = x[1] - x[1]
    return made.sum() * len(made.keys())


def lists(x):
    made = sp.lil_array((3, 3))
    made[0] = x
    made[1, 1] = x[1] - x[1]
    return sum(len(row) * sum(row) for row in made.data)


def double_eigenvalues(x):
    made = sp.diags_array(np.concatenate([x, x])).tocsr()
    return sl.eigsh(made, k=2, v0=np.arange(6.0) + 1, return_eigenvectors=False).sum()


def double_singular_values(x):
    return sl.svds(sp.eye_array(6).tocsr() * x[0], k=2, v0=np.arange(6.0) + 1)[1].sum()


def any_eigenvalues(x):
    return np.abs(sl.eigs(sp.diags_array(x) + A, k=1, v0=np.arange(1.0, len(x) + 1))[0]).sum()


def upper_factor(x):
    return sl.splu((sp.diags_array(x) + A).tocsc()).U.diagonal().sum()


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (mean_of_entries, "`nnz` of a sparse matrix with entries that are 0"),
        (mean_by_size, "`size` of a sparse matrix with entries that are 0"),
        (logarithms, "`data` of a sparse matrix with entries that are 0"),
        (keys, "`keys` of a sparse matrix with entries that are 0"),
        (lists, "`data` of a sparse matrix with entries that are 0"),
        (double_eigenvalues, "an eigenvalue is a double one; ask for one that is not"),
        (double_singular_values, "a singular value is 0 or a double one"),
        (any_eigenvalues, "use eigsh, or np.linalg.eig of A.toarray()"),
        (upper_factor, "U of sparse factors"),
    ],
    ids=lambda own: getattr(own, "__name__", ""),
)
def test_what_is_refused(program, why):
    with pytest.raises(AutodiffError) as found:
        grad(program)(X)
    assert why in f"{found.value} {found.value.__cause__}"


def entries_without_zeros(x):
    made = sp.csr_array(np.outer(x, x))
    return (made.data**2).sum() + made.nnz


def test_entries_are_read_where_none_is_0():
    check_both_modes(entries_without_zeros, X)


def of_a_matrix(held):
    return (held["matrix"] @ X).sum()


def of_lists(matrix):
    return (matrix @ X).sum()


def test_lists_of_lists_are_refused_as_arguments():
    matrix = sp.lil_array(np.diag(X))
    with pytest.raises(AutodiffError, match=r"pass matrix\.tocsr\(\)"):
        grad(of_lists)(matrix)
    with pytest.raises(AutodiffError, match="lil_array as an argument"):
        grad(of_a_matrix)({"matrix": matrix})
    np.testing.assert_allclose(grad(of_lists)(matrix.tocsr()).diagonal(), X)
