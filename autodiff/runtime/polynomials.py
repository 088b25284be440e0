"""Adjoints of polynomials given by their coefficients, that of the highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, fit


def tail(g: Any, like: Any) -> Any:
    """The last coefficients, as many as `like` has: of a sum, the lower powers are aligned."""
    g = np.asarray(g)
    return np.reshape(g[len(g) - np.size(like) :], np.shape(like))


def padded_front(g: Any, length: int) -> Any:
    """Zeros before the coefficients that are missing at the front."""
    g = np.asarray(g)
    return np.concatenate([np.zeros(length - len(g), g.dtype), g])


def polymul_adjoint(g: Any, own: Any, other: Any) -> Any:
    """The adjoint of one factor when `g` is that of their product; zeros in front were cut off."""
    length = np.size(own) + np.size(other) - 1
    whole = np.correlate(padded_front(g, length), np.ravel(other), "valid")
    return np.reshape(whole, np.shape(own))


def polyder_adjoint(g: Any, p: Any, m: int) -> Any:
    """The adjoint of `p` when `g` is that of `np.polyder(p, m)`."""
    kept = max(np.size(p) - m, 0)
    powers = np.arange(np.size(p) - 1, np.size(p) - 1 - kept, -1)
    scale = np.ones(kept, np.result_type(g))
    for k in range(m):
        scale *= powers - k
    zeros = np.zeros(np.size(p) - kept, np.result_type(g))
    return np.concatenate([np.asarray(g)[len(g) - kept :] * scale, zeros])


def polyint_adjoint(g: Any, p: Any, m: int, k: Any, wanted: str) -> Any:
    """The adjoint of `p`, or of the constants `k`, when `g` is that of `np.polyint(p, m, k)`."""
    g = np.asarray(g)
    constants = []
    for _ in range(m):
        constants.append(g[-1])
        g = g[:-1] / np.arange(len(g) - 1, 0, -1, dtype=np.result_type(g).char.lower())
    if wanted == "k":
        return fit(np.array(constants[::-1], g.dtype), np.shape(k))[()]
    return np.reshape(g, np.shape(p))


def polydiv_adjoint(q_bar: Any, r_bar: Any, q: Any, u: Any, v: Any, wanted: str) -> Any:
    """The adjoint of `u` or `v` when those of quotient and remainder are given: `u = q v + r`.

    None stands for the adjoint of a part that nobody used.
    """
    u, v = np.ravel(u), np.ravel(v)
    q_bar = np.zeros_like(q) if q_bar is None else q_bar
    r_bar = np.zeros(1, u.dtype) if r_bar is None else r_bar
    whole = padded_front(r_bar, len(u)).astype(np.result_type(q_bar, r_bar, u, v))
    if len(u) < len(v):
        return whole if wanted == "u" else np.zeros(len(v), whole.dtype)
    rest = np.asarray(q_bar) - np.correlate(whole, v, "valid")
    for k in range(len(q) - 1, -1, -1):  # back through the triangle of the long division
        rest[k] /= conj(v[0])
        for j in range(max(0, k - len(v) + 1), k):
            rest[j] -= rest[k] * conj(v[k - j])
    whole[: len(q)] += rest
    return whole if wanted == "u" else -np.correlate(whole, q, "valid")


def roots_adjoint(g: Any, y: Any, p: Any) -> Any:
    """The adjoint of the coefficients when `g` is that of the (simple) roots `y`."""
    slope = np.polyval(np.polyder(p), y)
    powers = np.vander(y, np.size(p))
    whole = -(np.asarray(g) / conj(slope)) @ conj(powers)
    return whole.astype(np.result_type(g, y), copy=False)


def poly_adjoint(g: Any, y: Any, roots: Any) -> Any:
    """The adjoint of the roots, or of a matrix, when `g` is that of the coefficients `y`."""
    roots = np.asarray(roots)
    if roots.ndim == 2:
        power = np.eye(len(roots), dtype=np.result_type(roots, y))
        result = np.zeros_like(power)
        for k in range(len(roots)):
            result -= g[k + 1] * conj(power).T
            power = roots @ power + y[k + 1] * np.eye(len(roots))
        return result
    others = 1 - np.eye(len(roots))
    rest = np.zeros(others.shape, dtype=np.result_type(roots, y))
    rest[:, :1] = 1
    for k in range(len(roots)):  # in row j the polynomial of all roots but j
        rest[:, 1:] = rest[:, 1:] - (roots[k] * others[k])[:, None] * rest[:, :-1]
    return -(conj(rest) @ np.ravel(g)[1:])


def polyfit_adjoint(g: Any, c: Any, x: Any, y: Any, deg: int, w: Any, wanted: str) -> Any:
    """The adjoint of `x`, `y` or `w` when `g` is that of `c = np.polyfit(x, y, deg, w=w)`.

    The least squares of full rank: G. H. Golub and V. Pereyra (1973).
    """
    x, y = np.asarray(x), np.asarray(y)
    weights = np.ones(len(x), x.dtype) if w is None else np.asarray(w)
    columns = y.reshape(len(x), -1)
    powers = np.vander(x, deg + 1)
    matrix = powers * weights[:, None]
    inverse = np.linalg.pinv(matrix)
    g, c = np.reshape(g, (deg + 1, -1)), np.reshape(c, (deg + 1, -1))
    right = conj(inverse).T @ g
    if wanted == "y":
        return np.reshape(right * conj(weights)[:, None], y.shape)
    residual = columns * weights[:, None] - matrix @ c
    left = residual @ conj(inverse @ right).T - right @ conj(c).T
    if wanted == "w":
        return np.sum(left * conj(powers), axis=1) + np.sum(right * conj(columns), axis=1)
    slopes = np.arange(deg, 0, -1) * powers[:, 1:]
    return conj(weights) * np.sum(left[:, :-1] * conj(slopes), axis=1)
