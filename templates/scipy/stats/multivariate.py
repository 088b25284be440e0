"""The normal distribution in several dimensions; of the covariance the lower triangle is read."""

from typing import Any

import numpy as np
from scipy import special, stats

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import mirrored, of_triangle, unbroadcast


def normal_score(x: Any, mean: Any, cov: Any) -> Any:
    """inv(cov) (x - mean) for each point, with one row for each; `cov` as SciPy takes it."""
    deviation = np.asarray(x - (0.0 if mean is None else mean))
    if np.ndim(cov) < 2:  # of equal or of separate variances
        return deviation / cov
    if np.shape(cov) == (1, 1):
        return deviation / np.reshape(cov, ())
    return np.linalg.solve(mirrored(cov), deviation[..., None])[..., 0]


def normal_covariance_adjoint(g: Any, score: Any, cov: Any) -> Any:
    """The adjoint of `cov` when `g` is that of the logarithm of the density."""
    dimension = 1 if np.ndim(cov) == 0 or np.shape(cov) == (1, 1) else np.shape(cov)[-1]
    if np.ndim(cov) == 0 and np.ndim(score) > np.ndim(g):
        dimension = np.shape(score)[-1]
    rows, weights = np.reshape(score, (-1, dimension)), np.ravel(g)
    if np.ndim(cov) == 2:
        squares = np.transpose(np.expand_dims(weights, -1) * rows) @ rows
        return of_triangle((squares - np.sum(weights) * np.linalg.inv(mirrored(cov))) / 2)
    each = (weights @ rows**2 - np.sum(weights) / cov) / 2
    return np.sum(each) if np.ndim(cov) == 0 else each


def dirichlet_points(g: Any, x: Any, alpha: Any) -> Any:
    """The adjoint of points `x` when `g` is that of the logarithm of the Dirichlet density.

    With one number less than shapes in a point, the last one is what is missing to 1.
    """
    powers = np.reshape(np.asarray(alpha) - 1.0, (-1,) + (1,) * (np.ndim(x) - 1))
    if len(x) == len(powers):
        return g * powers / x
    return g * (powers[:-1] / x - powers[-1] / (1.0 - np.sum(x, axis=0)))


def dirichlet_shapes(g: Any, x: Any, alpha: Any) -> Any:
    """The adjoint of the shapes `alpha`."""
    whole = x if len(x) == len(alpha) else np.concatenate([x, 1.0 - np.sum(x, 0, keepdims=True)])
    logarithms = np.sum(np.reshape(g * np.log(whole), (len(alpha), -1)), axis=1)
    return logarithms + np.sum(g) * (special.psi(np.sum(alpha)) - special.psi(alpha))


registry.add_making([normal_score, normal_covariance_adjoint, dirichlet_points, dirichlet_shapes])


def multivariate_normal(logarithmic):
    @adjoint(stats.multivariate_normal.logpdf if logarithmic else stats.multivariate_normal.pdf)
    def density(y, x, mean=None, cov=1, allow_singular=False):
        score = normal_score(x, mean, cov)
        g = d[y] if logarithmic else d[y] * y
        moved = g * score if np.ndim(score) == np.ndim(y) else np.expand_dims(g, -1) * score
        d[x] = unbroadcast(-moved, like=x)
        d[mean] = unbroadcast(moved, like=mean)
        d[cov] = normal_covariance_adjoint(g, score, cov)


def dirichlet(logarithmic):
    @adjoint(stats.dirichlet.logpdf if logarithmic else stats.dirichlet.pdf)
    def density(y, x, alpha):
        g = d[y] if logarithmic else d[y] * y
        d[x] = dirichlet_points(g, x, alpha)
        d[alpha] = dirichlet_shapes(g, x, alpha)


@adjoint(stats.multivariate_normal.entropy)
def normal_entropy(y, mean=None, cov=1):
    dimension = np.size(mean) if mean is not None and np.ndim(cov) == 0 else 1
    d[mean] = 0.0
    d[cov] = d[y] * (
        0.5 * dimension / cov
        if np.ndim(cov) < 2
        else of_triangle(0.5 * np.linalg.inv(mirrored(cov)))
    )


dirichlet(logarithmic=True)
dirichlet(logarithmic=False)
multivariate_normal(logarithmic=True)
multivariate_normal(logarithmic=False)
