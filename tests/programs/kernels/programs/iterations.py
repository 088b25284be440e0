"""Iterative methods of linear algebra, matrix functions, sparse matrices."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import definite, dominant, fixed, wavy


@program([(definite(5), wavy(5))], analytic=True)
def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    ap = np.empty_like(b)
    rs = r @ r
    for it in range(3):
        np.matmul(a, p, out=ap)
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        p *= rs_new / rs
        p += r
        rs = rs_new
    return x


@program([(definite(4), dominant(4), wavy(4))], analytic=True)
def preconditioned_gradients(a, m, b):
    x = np.zeros(4)
    inv_diag = 1.0 / np.diag(m)
    r = np.array(b)
    z = inv_diag * r
    p = z.copy()
    old = r @ z
    for k in range(2):
        w = a @ p
        step = old / (p @ w)
        x[:] += step * p
        r[:] -= step * w
        np.multiply(inv_diag, r, out=z)
        new = r @ z
        p[:] = z + new / old * p
        old = new
    return b @ x


@program([(definite(4), wavy(4, low=0.2))], analytic=True)
def power_iteration(a, v):
    w = np.empty_like(v)
    for k in range(6):
        np.dot(a, v, out=w)
        w /= np.sqrt(np.sum(w**2))
        v[:] = w
    return v @ a @ v


@program([(definite(4, 0.3), wavy(4, 2))], analytic=True)
def subspace_iteration(a, x):
    for k in range(3):
        x[:] = a @ x
        x[:, 0] /= np.linalg.norm(x[:, 0])
        x[:, 1] -= (x[:, 0] @ x[:, 1]) * x[:, 0]
        x[:, 1] /= np.linalg.norm(x[:, 1])
    return x


@program([(definite(4, 1.2), wavy(4))], analytic=True)
def lanczos(a, start):
    m = 2
    alpha = np.zeros(m)
    beta = np.zeros(m)
    basis = [start / np.linalg.norm(start)]
    for j in range(m):
        w = a @ basis[j]
        alpha[j] = w @ basis[j]
        w -= alpha[j] * basis[j]
        if j > 0:
            w -= beta[j - 1] * basis[j - 1]
        beta[j] = np.linalg.norm(w)
        w /= beta[j]
        basis.append(w)
    return alpha, beta


@program([(dominant(4), wavy(4))], analytic=True)
def gmres_arnoldi(a, b):
    n, m = len(b), 3
    q = np.zeros((n, m + 1))
    h = np.zeros((m + 1, m))
    q[:, 0] = b / np.linalg.norm(b)
    for k in range(m):
        y = a @ q[:, k]
        for j in range(k + 1):
            h[j, k] = q[:, j] @ y
            y -= h[j, k] * q[:, j]
        h[k + 1, k] = np.linalg.norm(y)
        q[:, k + 1] = y / h[k + 1, k]
    return h


@program([(wavy(4, 4),)], analytic=True)
def matrix_exponential(a):
    n = len(a)
    a /= 8.0
    result = np.eye(n)
    term = np.eye(n)
    work = np.empty((n, n))
    for k in range(1, 13):
        np.matmul(term, a, out=work)
        work /= k
        term, work = work, term
        result += term
    for _ in range(3):
        np.matmul(result, result, out=work)
        result[...] = work
    return result


@program([(wavy(4, 3, 3), wavy(3))], analytic=True)
def tensor_train(cores, v):
    left = np.zeros((len(cores) + 1, 3))
    left[0] = v
    for k in range(len(cores)):
        left[k + 1] = left[k] @ cores[k]
    right = np.zeros((len(cores) + 1, 3))
    right[-1] = 1.0
    for k in range(len(cores) - 1, -1, -1):
        right[k] = cores[k] @ right[k + 1]
    return np.sum(np.log(1.0 + np.sum(left * right, axis=1) ** 2))


@program([(wavy(5, low=0.5, high=1.5),)], analytic=True)
def products_except_self(x):
    n = len(x)
    out = np.ones(n)
    running = 1.0
    for i in range(n):
        out[i] *= running
        running *= x[i]
    running = 1.0
    for i in range(n)[::-1]:
        out[i] *= running
        running *= x[i]
    return out


INDPTR = np.array([0, 2, 3, 6, 7, 9])
INDICES = np.array([0, 3, 1, 0, 2, 4, 3, 1, 4])


@program([(wavy(9), wavy(5))], analytic=True)
def csr_product(data, x):
    y = np.zeros(len(INDPTR) - 1)
    for i in range(len(y)):
        for k in range(INDPTR[i], INDPTR[i + 1]):
            y[i] += data[k] * x[INDICES[k]]
    return y


@program([(wavy(9), wavy(5))], analytic=True)
def csr_transposed_product(data, x):
    y = np.zeros(5)
    for i in range(5):
        row = slice(INDPTR[i], INDPTR[i + 1])
        y[INDICES[row]] += data[row] * x[i]
    return np.sum(y**3)


ELEMENTS = np.array([[0, 1, 2], [1, 3, 2], [2, 3, 4]])
NODES = fixed([[0.0, 0.1], [1.0, 0.0], [0.2, 1.1], [1.2, 0.9], [0.7, 2.0]])


def element_stiffness(xy, conductivity):
    b = np.empty((2, 3))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        b[0, k] = xy[i, 1] - xy[j, 1]
        b[1, k] = xy[j, 0] - xy[i, 0]
    area = 0.5 * (b[0, 0] * b[1, 1] - b[0, 1] * b[1, 0])
    return conductivity * (b.T @ b) / (4.0 * area)


@program([(NODES, wavy(3, low=0.5, high=2.0))], analytic=True)
def stiffness_by_loops(nodes, conductivity):
    k = np.zeros((len(nodes), len(nodes)))
    for e, element in enumerate(ELEMENTS):
        ke = element_stiffness(nodes[element], conductivity[e])
        for a in range(3):
            for b in range(3):
                k[element[a], element[b]] += ke[a, b]
    k[0, :] = 0.0
    k[:, 0] = 0.0
    k[0, 0] = 1.0
    return k


@program([(NODES, wavy(3, low=0.5, high=2.0), wavy(5))], analytic=True)
def stiffness_by_add_at(nodes, conductivity, load):
    n = len(nodes)
    rows = np.repeat(ELEMENTS, 3, axis=1).ravel()
    cols = np.tile(ELEMENTS, 3).ravel()
    values = np.zeros((len(ELEMENTS), 3, 3))
    for e in range(len(ELEMENTS)):
        values[e] = element_stiffness(nodes[ELEMENTS[e]], conductivity[e])
    k = np.zeros((n, n))
    np.add.at(k, (rows, cols), values.ravel())
    k[np.diag_indices(n)] += 0.5
    return load @ np.linalg.solve(k, load)


@program([(wavy(6), wavy(6, phase=1.0))], analytic=True)
def scatter_coo(values, x):
    i = np.array([0, 2, 2, 1, 0, 3])
    j = np.array([1, 4, 4, 0, 5, 2])
    y = np.zeros(4)
    np.add.at(y, i, values * x[j])
    np.subtract.at(y, i[::2], x[::2] ** 2)
    return y
