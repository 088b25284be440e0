"""Linear systems, least squares, inverses and determinants."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import (
    circulant_adjoint,
    circulant_right,
    sylvester,
    toeplitz_column_adjoint,
    toeplitz_right,
    toeplitz_row_adjoint,
)
from autodiff.templates.scipy.linalg.systems import (
    banded_left,
    banded_right,
    cho_solve_left,
    columns,
    hermitian_bands_left,
    is_lower,
    lu_solve_left,
    lu_solve_right,
    outer_columns,
    solved_left,
    solved_right,
    triangular_left,
    triangular_right,
    without_columns,
)
from scipy import linalg

from autodiff.rules import adjoint, d
from autodiff.runtime import (
    adjoint_matrix,
    cofactors,
    conj,
    lstsq_adjoint,
    mirrored,
    of_triangle,
    pinv_adjoint,
    unbroadcast,
)


@adjoint(linalg.solve, linear_in=("b",))
def solve(x, a, b, lower=False, *, check_finite=True, assume_a=None, transposed=False):
    """Of matrices that are assumed to be symmetric one triangle is read."""
    flat = np.ndim(a) == 2 and np.ndim(b) < 3
    b_bar = solved_right(d[x] if flat else columns(d[x], a, b), a, lower, assume_a, transposed)
    d[a] = (
        solved_left(b_bar, x, lower, assume_a, transposed)
        if flat
        else unbroadcast(solved_left(b_bar, columns(x, a, b), lower, assume_a, transposed), like=a)
    )
    d[b] = b_bar if flat else without_columns(b_bar, a, b)


@adjoint(linalg.solve_triangular, linear_in=("b",))
def solve_triangular(
    x, a, b, trans=0, lower=False, unit_diagonal=False, *, check_finite=True
):
    flat = np.ndim(a) == 2 and np.ndim(b) < 3
    g = d[x] if flat else columns(d[x], a, b)
    b_bar = triangular_right(g, a, trans, lower, unit_diagonal)
    d[a] = (
        triangular_left(b_bar, x, trans, lower, unit_diagonal)
        if flat
        else unbroadcast(
            triangular_left(b_bar, columns(x, a, b), trans, lower, unit_diagonal), like=a
        )
    )
    d[b] = b_bar if flat else without_columns(b_bar, a, b)


@adjoint(linalg.solve_banded)
def solve_banded(x, l_and_u, ab, b, *, check_finite=True):
    flat = np.ndim(ab) == 2 and np.ndim(b) < 3
    b_bar = banded_right(d[x] if flat else columns(d[x], ab, b), l_and_u, ab)
    d[ab] = banded_left(b_bar, x if flat else columns(x, ab, b), l_and_u, ab)
    d[b] = b_bar if flat else without_columns(b_bar, ab, b)


@adjoint(linalg.cho_solve, linear_in=("b",))
def cho_solve(x, c_and_lower, b, *, check_finite=True):
    flat = np.ndim(c_and_lower[0]) == 2 and np.ndim(b) < 3
    c = c_and_lower[0]
    lower = c_and_lower[1] if flat else is_lower(c_and_lower[1])
    b_bar = linalg.cho_solve(c_and_lower, d[x] if flat else columns(d[x], c, b))
    d[c_and_lower] = [
        cho_solve_left(b_bar, x if flat else columns(x, c, b), c, lower),
        0.0,
    ]
    d[b] = b_bar if flat else without_columns(b_bar, c, b)


@adjoint(linalg.lu_solve, linear_in=("b",))
def lu_solve(x, lu_and_piv, b, trans=0, *, check_finite=True):
    flat = np.ndim(lu_and_piv[0]) == 2 and np.ndim(b) < 3
    lu = lu_and_piv[0]
    piv = lu_and_piv[1]
    b_bar = lu_solve_right(d[x] if flat else columns(d[x], lu, b), lu, piv, trans)
    d[lu_and_piv] = [
        lu_solve_left(b_bar, x if flat else columns(x, lu, b), lu, piv, trans),
        0.0,
    ]
    d[b] = b_bar if flat else without_columns(b_bar, lu, b)


@adjoint(linalg.solve_sylvester)
def solve_sylvester(x, a, b, q):
    """a x + x b = q."""
    q_bar = sylvester(conj(a).T, conj(b).T, d[x])
    d[a] = -q_bar @ conj(x).T
    d[b] = -conj(x).T @ q_bar
    d[q] = q_bar


@adjoint(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(x, a, q):
    """a x + x a^H = q."""
    q_bar = linalg.solve_continuous_lyapunov(conj(a).T, d[x])
    d[a] = -q_bar @ conj(x).T - conj(q_bar).T @ x
    d[q] = q_bar


@adjoint(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(x, a, q, method=None):
    """a x a^H - x + q = 0."""
    q_bar = linalg.solve_discrete_lyapunov(conj(a).T, d[x], method)
    d[a] = q_bar @ a @ conj(x).T + conj(q_bar).T @ a @ x
    d[q] = q_bar


@adjoint(linalg.inv)
def inv(y, a, *, check_finite=True):
    d[a] = (
        -conj(y).T @ d[y] @ conj(y).T
        if np.ndim(y) == 2
        else -adjoint_matrix(y) @ d[y] @ adjoint_matrix(y)
    )


@adjoint(linalg.det)
def det(y, a, *, check_finite=True):
    d[a] = (
        d[y] * cofactors(a, y)
        if np.ndim(a) == 2
        else np.expand_dims(d[y], (-2, -1)) * cofactors(a, y)
    )


@adjoint(linalg.pinv)
def pinv(y, a, *, atol=None, rtol=None, check_finite=True):
    """At constant rank."""
    d[a] = pinv_adjoint(d[y], a, y)


@adjoint(linalg.pinvh)
def pinvh(y, a, atol=None, rtol=None, lower=True, *, check_finite=True):
    """At constant rank; one triangle is read."""
    d[a] = of_triangle(pinv_adjoint(d[y], mirrored(a, lower), y), lower)


@adjoint(linalg.lstsq)
def lstsq(y, a, b, cond=None, *, check_finite=True, lapack_driver=None):
    """At constant rank."""
    bars = lstsq_adjoint(d[y][0], d[y][1], d[y][3], a, b, y[0], y[2])
    d[a] = bars[0]
    d[b] = bars[1]


@adjoint(linalg.solveh_banded)
def solveh_banded(x, ab, b, *, lower=False, check_finite=True):
    flat = np.ndim(ab) == 2 and np.ndim(b) < 3
    b_bar = linalg.solveh_banded(ab, d[x] if flat else columns(d[x], ab, b), lower=lower)
    d[ab] = hermitian_bands_left(b_bar, x if flat else columns(x, ab, b), ab, lower)
    d[b] = b_bar if flat else without_columns(b_bar, ab, b)


@adjoint(linalg.solve_toeplitz)
def solve_toeplitz(x, c_or_cr, b, check_finite=True):
    b_bar = toeplitz_right(d[x], c_or_cr)
    matrix_bar = -outer_columns(b_bar, x)
    d[c_or_cr] = (
        [
            toeplitz_column_adjoint(matrix_bar, c_or_cr[0], c_or_cr[1]),
            toeplitz_row_adjoint(matrix_bar, c_or_cr[1]),
        ]
        if isinstance(c_or_cr, tuple)
        else toeplitz_column_adjoint(matrix_bar, c_or_cr, None)
    )
    d[b] = b_bar


@adjoint(linalg.solve_circulant)
def solve_circulant(x, c, b):
    """For one circulant matrix."""
    b_bar = circulant_right(d[x], c)
    d[c] = circulant_adjoint(-outer_columns(b_bar, x))
    d[b] = b_bar
