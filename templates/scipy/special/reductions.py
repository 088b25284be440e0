"""logsumexp and softmax."""

import numpy as np
from scipy import special

from autodiff.rules import adjoint, d
from autodiff.runtime import conj, unbroadcast


@adjoint(special.logsumexp)
def logsumexp(y, a, axis=None, b=None, keepdims=False):
    """Of terms that are all -inf, 0."""
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    whole = y if axis is None or keepdims else np.expand_dims(y, axis)
    share = np.exp(a - np.where(np.real(whole) == -np.inf, 0.0, whole))
    d[a] = (
        g * conj(share) if b is None else unbroadcast(g * conj(b * share), like=a)
    )
    d[b] = unbroadcast(g * conj(share), like=b)


@adjoint(special.softmax)
def softmax(y, x, axis=None):
    d[x] = conj(y) * (d[y] - np.sum(d[y] * conj(y), axis=axis, keepdims=True))


@adjoint(special.log_softmax)
def log_softmax(y, x, axis=None):
    d[x] = d[y] - conj(np.exp(y)) * np.sum(d[y], axis=axis, keepdims=True)


@adjoint(special.multigammaln)
def multigammaln(y, a, dimension):
    d[a] = d[y] * np.sum(
        special.psi(np.expand_dims(a, -1) - np.arange(dimension) / 2), axis=-1
    )
