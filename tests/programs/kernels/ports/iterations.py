"""Iterative methods, matrix functions, sparse matrices: through dense matrices."""

import numpy as np

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def conjugate_gradients(a, b):
    x, r, p = jnp.zeros(len(b)), b, b
    for _ in range(3):
        step = (r @ r) / (p @ a @ p)
        x, new = x + step * p, r - step * (a @ p)
        p = new + (new @ new) / (r @ r) * p
        r = new
    return x


def power_iteration(a, v):
    v = jnp.linalg.matrix_power(a, 6) @ v
    return v @ a @ v / (v @ v)


def matrix_exponential(a):
    return jax.scipy.linalg.expm(a)


def tensor_train(cores, v):
    chain = [v]
    for core in cores:
        chain.append(chain[-1] @ core)
    total = jnp.sum(chain[-1])
    return len(chain) * jnp.log(1.0 + total**2)


def products_except_self(x):
    return jnp.prod(x) / x


ROWS = np.array([0, 0, 1, 2, 2, 2, 3, 4, 4])
COLUMNS = np.array([0, 3, 1, 0, 2, 4, 3, 1, 4])


def dense(data):
    return jnp.zeros((5, 5)).at[ROWS, COLUMNS].set(data)


def csr_product(data, x):
    return dense(data) @ x


def csr_transposed_product(data, x):
    return jnp.sum((dense(data).T @ x) ** 3)


TRIANGLES = np.array([[0, 1, 2], [1, 3, 2], [2, 3, 4]])


def stiffness(nodes, conductivity):
    """Through the gradients of the shape functions, from the inverse of [1 x y]."""
    total = jnp.zeros((len(nodes), len(nodes)))
    for triangle, k in zip(TRIANGLES, conductivity):
        corners = jnp.concatenate([jnp.ones((3, 1)), nodes[triangle]], axis=1)
        slopes = jnp.linalg.inv(corners)[1:]
        area = 0.5 * jnp.linalg.det(corners)
        total = total.at[np.ix_(triangle, triangle)].add(k * area * slopes.T @ slopes)
    return total


def stiffness_by_loops(nodes, conductivity):
    inner = stiffness(nodes, conductivity)[1:, 1:]
    return jax.scipy.linalg.block_diag(jnp.ones((1, 1)), inner)


def stiffness_by_add_at(nodes, conductivity, load):
    k = stiffness(nodes, conductivity) + 0.5 * jnp.eye(len(nodes))
    return load @ jnp.linalg.inv(k) @ load


def scatter_coo(values, x):
    i, j = np.array([0, 2, 2, 1, 0, 3]), np.array([1, 4, 4, 0, 5, 2])
    one_hot = jax.nn.one_hot(i, 4, dtype=float)
    return (values * x[j]) @ one_hot - x[::2] ** 2 @ one_hot[::2]
