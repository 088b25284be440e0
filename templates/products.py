"""The adjoints of products once more: each is a product of the other factors again.

If `left(g, b)` is the adjoint of `x` in `z = product(x, b)`, then <x_bar, left(g, b)> is
<product(x_bar, b), g>: so the adjoint of `g` is a product again, and that of `b` what it is in it.
"""

import numpy as np

from autodiff import runtime
from autodiff.rules import adjoint, d, linear, registry
from autodiff.runtime import unbroadcast
from autodiff.runtime.broadcasting import fit
from autodiff.runtime.products import (
    einsum_with,
    other_factor_adjoint,
    other_operand_adjoint,
    replaced,
)


@adjoint(fit, linear_in=("g",))
def fit_again(y, g, shape):
    """Summing is undone by repeating, and the other way round."""
    d[g] = fit(d[y], np.shape(g))


@adjoint(runtime.matmul_left, linear_in=("g",))
def matmul_left_again(x_bar, g, x, y):
    d[g] = unbroadcast(np.matmul(d[x_bar], y), like=g)
    d[x] = 0.0
    d[y] = runtime.matmul_right(g, d[x_bar], y)


@adjoint(runtime.matmul_right, linear_in=("g",))
def matmul_right_again(y_bar, g, x, y):
    d[g] = unbroadcast(np.matmul(x, d[y_bar]), like=g)
    d[x] = runtime.matmul_left(g, x, d[y_bar])
    d[y] = 0.0


@adjoint(runtime.tensordot_left, linear_in=("g",))
def tensordot_left_again(a_bar, g, a, b, axes):
    d[g] = np.tensordot(d[a_bar], b, axes)
    d[a] = 0.0
    d[b] = runtime.tensordot_right(g, d[a_bar], b, axes)


@adjoint(runtime.tensordot_right, linear_in=("g",))
def tensordot_right_again(b_bar, g, a, b, axes):
    d[g] = np.tensordot(a, d[b_bar], axes)
    d[a] = runtime.tensordot_left(g, a, d[b_bar], axes)
    d[b] = 0.0


@adjoint(runtime.kron_left, linear_in=("g",))
def kron_left_again(a_bar, g, a, b):
    d[g] = np.kron(d[a_bar], b)
    d[a] = 0.0
    d[b] = runtime.kron_right(g, d[a_bar], b)


@adjoint(runtime.kron_right, linear_in=("g",))
def kron_right_again(b_bar, g, a, b):
    d[g] = np.kron(a, d[b_bar])
    d[a] = runtime.kron_left(g, a, d[b_bar])
    d[b] = 0.0


@linear(replaced)
def replaced_again(y, items, k, new):
    d[items] = replaced(d[y], k, np.zeros_like(items[k]))
    d[new] = d[y][k]


registry.add_making((einsum_with, other_operand_adjoint, other_factor_adjoint))


@adjoint(runtime.einsum_adjoint, linear_in=("g",))
def einsum_adjoint_again(bar, g, subscripts, operands, k):
    d[g] = einsum_with(subscripts, operands, k, d[bar])
    d[operands] = [
        other_operand_adjoint(g, subscripts, operands, k, d[bar], j) for j in range(len(operands))
    ]


@adjoint(runtime.multi_dot_adjoint, linear_in=("g",))
def multi_dot_adjoint_again(bar, g, arrays, k):
    d[g] = np.linalg.multi_dot(replaced(arrays, k, d[bar]))
    d[arrays] = [other_factor_adjoint(g, arrays, k, d[bar], j) for j in range(len(arrays))]
