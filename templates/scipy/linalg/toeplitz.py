"""Products with Toeplitz matrices, which are never formed."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj


@adjoint(linalg.matmul_toeplitz)
def matmul_toeplitz(y, c_or_cr, x, check_finite=True, workers=None):
    lags = lag_sums(d[y], x)
    d[c_or_cr] = (
        [
            toeplitz_column_of(lags, c_or_cr[0], c_or_cr[1]),
            toeplitz_row_of(lags, c_or_cr[0], c_or_cr[1]),
        ]
        if isinstance(c_or_cr, tuple)
        else toeplitz_column_of(lags, c_or_cr, None)
    )
    d[x] = linalg.matmul_toeplitz(adjoint_toeplitz(c_or_cr), d[y])


def lag_sums(g: Any, x: Any) -> Any:
    """The sums of g[i + k] conj(x[i]) over i and columns: from k = 0 up, then those below, to -1.

    They are the sums of the diagonals of g x^H.
    """
    size = np.shape(g)[0] + np.shape(x)[0] - 1
    rows, others = np.reshape(g, (len(g), -1)), np.reshape(x, (len(x), -1))
    spectrum = np.fft.fft(rows, size, axis=0) * conj(np.fft.fft(others, size, axis=0))
    sums = np.fft.ifft(np.sum(spectrum, axis=1))
    real = np.isrealobj(g) and np.isrealobj(x)
    return np.asarray(np.real(sums) if real else sums, np.result_type(g, x))


def toeplitz_column_of(lags: Any, c: Any, r: Any) -> Any:
    """The adjoint of the first column."""
    n = np.size(c)
    below = lags[:n]
    if r is None and n > 1:
        below = np.concatenate([below[:1], below[1:] + conj(lags[: n - 1 : -1])])
    return np.reshape(below, np.shape(c))


def toeplitz_row_of(lags: Any, c: Any, r: Any) -> Any:
    """The adjoint of the first row, whose first element is not used."""
    rest = lags[: np.size(c) - 1 : -1]
    return np.reshape(np.concatenate([np.zeros_like(lags[:1]), rest]), np.shape(r))


def adjoint_toeplitz(c_or_cr: Any) -> tuple[Any, Any]:
    """Column and row of the conjugate transpose."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, conj(c_or_cr))
    if np.ndim(c) > 1 or np.ndim(r) > 1:
        raise NotImplementedError("scipy.linalg.matmul_toeplitz of stacks has no derivative rule")
    return conj(np.concatenate([c[:1], r[1:]])), conj(c)


registry.add_making([lag_sums, toeplitz_row_of])
registry.add_pure([toeplitz_column_of, adjoint_toeplitz])
