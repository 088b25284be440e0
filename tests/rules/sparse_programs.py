"""Programs with sparse matrices, of a vector of three numbers."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

DENSE = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 1.0, 2.0]])
A = sp.csr_array(DENSE)
BY_COLUMNS = A.tocsc()
MATRIX = sp.csr_matrix(DENSE)
FACTORS = sl.splu(BY_COLUMNS)


class Model:
    """Holds a matrix."""

    def __init__(self):
        self.matrix = A

    def loss(self, x):
        return np.sum((self.matrix @ x) ** 2)


# A matrix that carries no derivative


def product(x):
    return np.sum((A @ x) ** 2)


def product_by_a_method(x):
    return np.sum(A.dot(x) ** 2) + A.dot(x[0]).sum()


def product_of_matrices(x):
    return np.sum((A @ np.outer(x, x)) ** 2) + np.sum((np.outer(x, x) @ A) ** 2)


def from_the_left(x):
    return np.sum((x @ A) ** 2) + (A.sum(axis=0) * x).sum()


def transposed(x):
    return (A.T @ x**2).sum()


def of_a_class(x):
    return Model().loss(x)


def times_a_matrix(x):
    return np.sum((MATRIX * x) ** 2)


def times_a_number(x):
    return (A * x[0]).sum() + (A.toarray() @ x).sum() + A.mean() * x[0]


def entry_by_entry(x):
    return np.sum(A.multiply(x).toarray() ** 2)


def solution(x):
    return np.sum(sl.spsolve(BY_COLUMNS, x) ** 2) + np.sum(sl.spsolve(A, x[:, None]) ** 2)


def implicit_steps(x):
    u = x
    for _ in range(3):
        u = sl.spsolve(BY_COLUMNS, u + 0.1 * A.dot(u**2))
    return u.sum()


def factors(x):
    return np.sum(FACTORS.solve(x) ** 2) + np.sum(FACTORS.solve(x, "T") ** 2)


def converted(x):
    """What `astype` gives is known when it runs."""
    return np.sum((A.astype(np.float64) @ x) ** 2)


def operator(x):
    made = sl.LinearOperator((3, 3), matvec=lambda v: A @ v * x)
    return made.matvec(x).sum()


def at_random(x):
    made = sp.random(3, 3, 0.5, random_state=0).tocsr()
    return ((made + sp.identity(3)) @ x).sum()


# Matrices that are made of what carries one


def of_coordinates(x):
    made = sp.coo_matrix((x[[0, 1, 2, 0]], ([0, 1, 2, 0], [0, 1, 2, 0])), shape=(3, 3)).tocsr()
    return np.sum((made.T @ made @ x) ** 2)


def assembled(x):
    rows, cols = np.repeat(np.arange(3), 2), np.array([0, 1, 1, 2, 0, 2])
    values = np.concatenate([x, 2 * x])
    whole = sp.coo_matrix((values, (rows, cols)), shape=(3, 3)).tocsc()
    return np.dot(x, sl.splu(whole + 5 * sp.eye(3, format="csc")).solve(x))


def of_diagonals(x):
    made = sp.diags([x, x[:2]], [0, 1], format="csc")
    return np.sum(sl.splu(made).solve(x) ** 2) + np.sum(sl.factorized(made)(np.ones(3)) ** 2)


def diagonals_and_more(x):
    return np.sum(sl.spsolve((sp.diags_array(x) + A).tocsc(), np.ones(3)) ** 2)


def lists_of_lists(x):
    made = sp.lil_matrix((3, 3))
    for i in range(3):
        made[i, i] += x[i]
        if i:
            made[i, i - 1] -= x[i] * 0.5
    return np.sum(sl.spsolve(made.tocsr(), np.ones(3)) ** 2)


def rows_of_lists(x):
    made = sp.lil_array((3, 3))
    made.setdiag(x)
    made[0, :] = x
    made[1, [0, 2]] = x[:2]
    return (made.tocsr() @ x).sum() + made[0, 1] + made.T.tocsr().sum()


def by_keys(x):
    made = sp.dok_matrix((3, 3))
    for i in range(3):
        made[i, i] += x[i]
        if i:
            made[i, i - 1] = made[i, i - 1] - x[i] * 0.5
    return np.sum((made.tocsr() @ x) ** 2)


def in_blocks(x):
    made = sp.bmat([[A, sp.diags(x)], [None, A * x[0]]]).tocsr()
    return np.sum((made @ np.arange(6.0)) ** 2)


def kronecker(x):
    left = sp.kron(sp.eye(2), sp.diags(x))
    made = left @ sp.kron(sp.diags(x[:2]), sp.csr_matrix(DENSE))
    return (made.multiply(made)).sum()


def of_kronecker_sums(x):
    both = sp.kronsum(sp.csr_matrix(np.eye(2)), sp.csr_matrix(DENSE)).tocsr()[:6, :6]
    return sl.spsolve(sp.kron(sp.diags(x), sp.eye(2)).tocsr() + both, np.ones(6)).sum()


def of_a_dense_one(x):
    made = sp.csr_matrix(np.outer(x, x))
    parts = made[2, 1] * made[0, 0] + made[:, 1].sum() + made[1:, :2].sum() + made[[0, 2]].sum()
    several = made[:, [0, 2]].sum() + made[[0, 1], [1, 2]].sum()
    return (made[1] @ x)[0] + parts + made.diagonal() @ x + several


def stacked(x):
    wide = sp.hstack([sp.diags(x), A]).tocsr()
    tall = sp.vstack([wide, wide * 2])
    return tall.power(2).sum() + abs(tall).sum() + tall.max()


def of_blocks(x):
    made = sp.csr_array((x, [0, 1, 2], [0, 1, 2, 3]))
    return made.tobsr((1, 1)).sum() + (made.tobsr(blocksize=(3, 3)) @ x).sum()


def products_of_diagonals(x):
    made = sp.diags_array(x) @ sp.diags_array([x, x[:2]], offsets=[0, 1])
    return (made @ x).sum() + made.tocsc().tocoo().data.sum()


def larger_entries(x):
    made = sp.random_array((3, 3), density=0.6, rng=1)
    return (made.multiply(x[:, None])).tocsr().maximum(A * x[1]).sum()


def changed(x):
    made = sp.csc_matrix(np.outer(x, x))
    made[0, 1] = x[0]
    made[1] = x
    other = A.copy()
    other.data = other.data * x[0]
    other.setdiag(x)
    return (made @ x).sum() + np.sum((other @ x) ** 2)


def of_memory_that_is_shared(x):
    data = x**2
    rows = sp.csr_array((data, [0, 1, 2], [0, 1, 2, 3]))
    places = sp.coo_array((data, (np.arange(3), np.arange(3))))
    data[0] = x[1] ** 3
    rows.data *= x[2]
    return np.sum((rows @ np.ones(3)) ** 2) + data[2] + places.sum()


def factors_that_stay(x):
    made = sp.diags_array([x + 4, x[:2]], offsets=[0, 1]).tocsc()
    made_of = sl.splu(made)
    made.data *= x[0]
    return np.sum(made_of.solve(x) ** 2) + made.sum()


def reduced(x):
    made = sp.coo_array((x, (np.arange(3), np.arange(3))))
    rows = sp.csr_array(made)
    rows.data[:] = rows.data**2
    return rows.sum(axis=1) @ x + (rows != 0).sum() + made.reshape((1, 9)).sum() + rows.trace()


def each_entry(x):
    made, total = sp.csr_array(DENSE * x).astype(float).copy(), 0.0
    for i, j, value in zip(*sp.find(made)):
        total += value * (i + 2 * j)
    return total + (made > 1).sum() + made.count_nonzero()


def triangular(x):
    lower = sp.tril(sp.csr_array(np.outer(x, x))).tocsr()
    upper = sp.triu(sp.csc_array(np.outer(x, x))).tocsc()
    return (
        sl.spsolve_triangular(lower, x, lower=True).sum()
        + sl.spsolve_triangular(upper, x, lower=False) @ x
    )


def norms(x):
    made = sp.csr_array(DENSE * x)
    return sl.norm(made, "fro") + sl.norm(made, 1)


def inverse_and_exponential(x):
    made = sp.csc_array(np.diag(x) + DENSE)
    return sl.inv(made).sum() + sl.expm(made * 0.1).sum()


def exponential_times(x):
    return np.sum(sl.expm_multiply(sp.diags(-x) + A, x) ** 2)


def laplacian(x):
    made = sp.csgraph.laplacian(sp.csr_array(np.abs(np.outer(x, x))))
    return (made @ x**3).sum() + (x @ made) @ x


def krylov(x):
    made = A + sp.diags_array(x)
    return sl.gmres(made, x, rtol=1e-13)[0].sum() + sl.cg(made @ made.T, x, rtol=1e-13)[0] @ x


def krylov_that_ends_early(x):
    return sl.cg(A.T @ A + sp.diags(x), np.ones(3), maxiter=1)[0].sum()


def eigenvalues(x):
    whole = sp.diags(x, format="csr") + sp.csr_matrix(DENSE + DENSE.T)
    values, vectors = sl.eigsh(whole, k=2, v0=np.ones(3))
    return values @ values + (vectors[0] ** 2).sum() + sl.eigsh(whole, 1, v0=np.ones(3))[0][0]


def singular_values(x):
    wide = sp.csr_array(np.eye(3, 5)) * x[0] + sp.csr_array(np.outer(np.arange(3.0), np.arange(5)))
    u, w, vh = sl.svds(wide * x[1], k=1, v0=np.ones(3))
    alone = sl.svds(DENSE * x[2], k=2, v0=np.ones(3), return_singular_vectors=False)
    return np.sum(w**3) + u[0, 0] * vh[0, 1] + alone @ alone


# What is 0 here has a derivative: SciPy has no entry for it


def zero_of_a_dense_one(x):
    return (sp.csr_matrix(np.outer(x - [0.7, 0.0, 0.0], x)) @ x).sum()


def zero_of_a_difference(x):
    return ((sp.diags(x) - sp.diags([0.7, 1.3, 2.1])) @ x).sum()


def zero_of_keys(x):
    made = sp.dok_matrix((3, 3))
    made[0, 1] = x[0] - 0.7
    made[1, 1] = x[1]
    return (made.tocsr() @ x).sum()


def zero_of_lists(x):
    made = sp.lil_matrix((3, 3))
    made[0, 1] = x[0] - 0.7
    return (made.tocsr() @ x).sum()


PROGRAMS = [
    singular_values,
    *(product, product_by_a_method, product_of_matrices, from_the_left, transposed, of_a_class),
    *(times_a_matrix, times_a_number, entry_by_entry, solution, implicit_steps, factors, operator),
    *(
        converted,
        at_random,
        of_coordinates,
        assembled,
        of_diagonals,
        diagonals_and_more,
        lists_of_lists,
    ),
    *(rows_of_lists, by_keys, in_blocks, kronecker, of_kronecker_sums, of_a_dense_one, stacked),
    *(of_blocks, products_of_diagonals, larger_entries, changed, reduced, each_entry, triangular),
    *(norms, inverse_and_exponential, exponential_times, laplacian, krylov, eigenvalues),
    krylov_that_ends_early,
    *(zero_of_a_dense_one, zero_of_a_difference, zero_of_keys, zero_of_lists),
    *(of_memory_that_is_shared, factors_that_stay),
]
