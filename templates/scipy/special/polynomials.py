"""Orthogonal polynomials, in their argument.

Legendre and Chebyshev polynomials are Gegenbauer polynomials, whose derivatives are regular at the
ends of the interval: d/dx C_n^(a) = 2 a C_(n-1)^(a+1).
"""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.eval_legendre)
def eval_legendre(y, n, x):
    d[x] = d[y] * special.eval_gegenbauer(n - 1, 1.5, x)


@elementwise(special.eval_sh_legendre)
def eval_sh_legendre(y, n, x):
    d[x] = 2 * d[y] * special.eval_gegenbauer(n - 1, 1.5, 2 * x - 1)


@elementwise(special.eval_gegenbauer)
def eval_gegenbauer(y, n, alpha, x):
    d[x] = 2 * d[y] * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x)


@elementwise(special.eval_chebyt)
def eval_chebyt(y, n, x):
    d[x] = d[y] * n * special.eval_chebyu(n - 1, x)


@elementwise(special.eval_chebyu)
def eval_chebyu(y, n, x):
    d[x] = 2 * d[y] * special.eval_gegenbauer(n - 1, 2.0, x)


@elementwise(special.eval_sh_chebyt)
def eval_sh_chebyt(y, n, x):
    d[x] = 2 * d[y] * n * special.eval_chebyu(n - 1, 2 * x - 1)


@elementwise(special.eval_sh_chebyu)
def eval_sh_chebyu(y, n, x):
    d[x] = 4 * d[y] * special.eval_gegenbauer(n - 1, 2.0, 2 * x - 1)


@elementwise(special.eval_chebyc)
def eval_chebyc(y, n, x):
    d[x] = d[y] * n * special.eval_chebyu(n - 1, x / 2)


@elementwise(special.eval_chebys)
def eval_chebys(y, n, x):
    d[x] = d[y] * special.eval_gegenbauer(n - 1, 2.0, x / 2)


@elementwise(special.eval_jacobi)
def eval_jacobi(y, n, alpha, beta, x):
    lower = special.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    d[x] = d[y] * (n + alpha + beta + 1) / 2 * lower


@elementwise(special.eval_sh_jacobi)
def eval_sh_jacobi(y, n, p, q, x):
    lower = special.eval_jacobi(n - 1, p - q + 1, q, 2 * x - 1)
    d[x] = d[y] * (n + p) * lower / special.binom(2 * n + p - 1, n)


@elementwise(special.eval_laguerre)
def eval_laguerre(y, n, x):
    d[x] = -d[y] * special.eval_genlaguerre(n - 1, 1.0, x)


@elementwise(special.eval_genlaguerre)
def eval_genlaguerre(y, n, alpha, x):
    d[x] = -d[y] * special.eval_genlaguerre(n - 1, alpha + 1, x)


@elementwise(special.eval_hermite)
def eval_hermite(y, n, x):
    d[x] = 2 * d[y] * n * special.eval_hermite(np.maximum(n - 1, 0), x)


@elementwise(special.eval_hermitenorm)
def eval_hermitenorm(y, n, x):
    d[x] = d[y] * n * special.eval_hermitenorm(np.maximum(n - 1, 0), x)
