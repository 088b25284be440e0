"""Linear algebra and its adjoints, as `runtime/linalg.py` has them, for what Numba compiles.

LAPACK takes arrays that are contiguous, so each of these copies what is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from autodiff import runtime
from autodiff.native.stands import stands_for


@stands_for(np.linalg.solve, a="matrix", b="side")
@register_jitable
def solve(a: Any, b: Any) -> Any:
    """`np.linalg.solve`."""
    return np.linalg.solve(np.ascontiguousarray(a), np.ascontiguousarray(b))


def _of_contiguous(function: Any, **wanted: Any) -> Any:
    """A helper for a function of one matrix, with constants that are `wanted`."""

    @register_jitable
    def helper(a: Any) -> Any:
        return function(np.ascontiguousarray(a))

    helper.__name__ = helper.__qualname__ = function.__name__
    return stands_for(function, a="matrix", **wanted)(helper)


inv, det, slogdet = map(_of_contiguous, (np.linalg.inv, np.linalg.det, np.linalg.slogdet))
cholesky = _of_contiguous(np.linalg.cholesky, upper=(None, False))
eigh = _of_contiguous(np.linalg.eigh, UPLO=(None, "L"))
eigvalsh = _of_contiguous(np.linalg.eigvalsh, UPLO=(None, "L"))


@stands_for(runtime.cofactors, a="matrix", det="number")
@register_jitable
def cofactors(a: Any, det: Any) -> Any:
    """`runtime.cofactors` of a matrix and its determinant."""
    if det != 0.0 and np.isfinite(det):
        return inv(a).T * det
    u, s, vh = np.linalg.svd(np.ascontiguousarray(a))
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return (u * (sign * others(s))) @ vh


@stands_for(runtime.cholesky_adjoint, g="matrix", y="matrix")
@register_jitable
def cholesky_adjoint(g: Any, y: Any) -> Any:
    """`runtime.cholesky_adjoint`, in loops: LAPACK's solvers take ten times as long to compile."""
    n = len(y)
    inner = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, n):
                total += y[k, i] * g[k, j]
            inner[i, j] = inner[j, i] = total / 2.0
    right = _solved_above(y, _solved_above(y, inner).T)
    return _of_triangle(right)


@register_jitable
def _of_triangle(g: Any) -> Any:
    """`runtime.of_triangle` of a real matrix, in its place."""
    for i in range(len(g)):
        for j in range(i):
            g[i, j] += g[j, i]
            g[j, i] = 0.0
    return g


@register_jitable
def _solved_above(y: Any, b: Any) -> Any:
    """The solution of `y.T @ x = b` for a lower triangle `y`."""
    n = len(y)
    x = np.empty((n, n))
    for i in range(n - 1, -1, -1):
        for c in range(n):
            x[i, c] = b[i, c]
        for k in range(i + 1, n):
            for c in range(n):
                x[i, c] -= y[k, i] * x[k, c]
        for c in range(n):
            x[i, c] /= y[i, i]
    return x


@register_jitable
def eigh_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any) -> Any:
    """`runtime.eigh_adjoint` where both adjoints are there."""
    n = len(w)
    inner = np.ascontiguousarray(v.T) @ np.ascontiguousarray(v_bar)
    close = 8 * np.finfo(np.float64).eps * np.max(np.abs(w))
    for i in range(n):
        for j in range(n):
            gap = w[j] - w[i]
            inner[i, j] = inner[i, j] / gap if abs(gap) > close else 0.0
        inner[i, i] += w_bar[i]
    return _of_triangle(np.ascontiguousarray(v) @ inner @ np.ascontiguousarray(v.T))


@register_jitable
def eigenvalue_adjoint(w_bar: Any, v: Any) -> Any:
    """`runtime.eigh_adjoint` where nothing depends on the vectors."""
    return _of_triangle(np.ascontiguousarray(v * w_bar) @ np.ascontiguousarray(v.T))


@stands_for(np.trace, a="matrix", offset=(None, 0))
@register_jitable
def trace(a: Any) -> Any:
    """`np.trace` of a matrix."""
    total = 0.0
    for k in range(min(a.shape)):
        total += a[k, k]
    return total


@stands_for(runtime.others, x="array")
@register_jitable
def others(x: Any) -> Any:
    """`runtime.others` over all axes: for each element the product of all others."""
    flat = np.ascontiguousarray(x).reshape(-1)
    result = np.ones(len(flat))
    before = after = 1.0
    for k in range(len(flat)):
        result[k] *= before
        before *= flat[k]
    for k in range(len(flat) - 1, -1, -1):
        result[k] *= after
        after *= flat[k]
    return result.reshape(x.shape)


@stands_for(runtime.cumprod_adjoint, g="vector", x="vector", y=None)
@register_jitable
def cumprod_adjoint(g: Any, x: Any) -> Any:
    """`runtime.cumprod_adjoint` for one axis; right with zeros, too."""
    n = len(x)
    result = np.empty(n)
    rest = 0.0
    for k in range(n - 1, -1, -1):
        rest = g[k] + (x[k + 1] * rest if k + 1 < n else 0.0)
        result[k] = rest
    before = 1.0
    for k in range(n):
        result[k] *= before
        before *= x[k]
    return result
