"""The adjoint of `np.gradient`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, dtype_of_adjoint, fit


def gradient_adjoint(
    g: Any, f: Any, spacing: Any, axis: Any, edge_order: int, wanted: int | None = None
) -> Any:
    """The adjoint of `f`, or of the spacing `wanted`, when `g` is that of `np.gradient(f, ...)`.

    Each value is the slope, at its point, of a polynomial through two or three points. When a
    point moves and its value stays, that polynomial changes by minus its slope there.
    """
    f = np.asarray(f)
    if f.ndim == 1 and not spacing and edge_order == 1 and isinstance(g, np.ndarray):
        result = np.zeros(f.shape, dtype_of_adjoint(g, f))
        _unit_slopes_back(g, result)
        return result
    axes = range(f.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = [k % f.ndim for k in axes]
    parts = [g] if len(axes) == 1 and not isinstance(g, (list, tuple)) else g
    steps = [1.0] * len(axes) if not spacing else list(spacing)
    steps = steps * len(axes) if len(steps) == 1 and np.ndim(steps[0]) == 0 else steps
    result = np.zeros(f.shape, dtype_of_adjoint(parts[0], f))
    moved = np.zeros(np.shape(spacing[wanted]) if wanted is not None else ())
    for number, (k, step, part) in enumerate(zip(axes, steps, parts)):
        if wanted is None and np.ndim(step) == 0:
            _even_slopes_back(part, step, k, edge_order, result)
            continue
        rows = np.moveaxis(f, k, 0)
        points = step * np.arange(len(rows)) if np.ndim(step) == 0 else np.asarray(step)
        own = np.moveaxis(result, k, 0)
        at_points = _slopes_back(np.moveaxis(np.asarray(part), k, 0), rows, points, edge_order, own)
        if wanted is not None and (wanted == number or len(spacing) == 1):
            if np.ndim(step) == 0:
                at_points = np.sum(at_points * np.arange(len(rows)))
            moved = moved + fit(at_points, np.shape(moved))
    return result if wanted is None else moved[()]


def _even_slopes_back(g: Any, step: Any, axis: int, edge_order: int, out: Any) -> None:
    """Adds the adjoint of the values, which stand a step apart, to `out`."""
    own, rows = np.swapaxes(g, 0, axis), np.swapaxes(out, 0, axis)
    if not len(own):
        return
    step = conj(step)
    half = own[1:-1] / (2 * step)
    rows[2:] += half
    rows[:-2] -= half
    first, last = own[0] / step, own[-1] / step
    for k, weight in enumerate((-1.0, 1.0) if edge_order == 1 else (-1.5, 2.0, -0.5)):
        rows[k] += weight * first
        rows[-1 - k] -= weight * last


def _unit_slopes_back(g: Any, out: Any) -> None:
    """Adds the adjoint of the values, which stand one apart, to `out`."""
    if len(g):
        half = 0.5 * g[1:-1]
        out[2:] += half
        out[:-2] -= half
        out[0] -= g[0]
        out[1] += g[0]
        out[-2] -= g[-1]
        out[-1] += g[-1]


def only_of_values(g: Any) -> Any:
    """Refuse: the derivative in the spacing has no rule itself."""
    raise NotImplementedError("the derivative of np.gradient in its spacing has no derivative rule")


def _slopes_back(g: Any, rows: Any, x: Any, edge_order: int, out: Any) -> Any:
    """Adds the adjoint of `rows` to `out`, and returns that of the points `x`."""
    n = len(rows)
    inner = np.arange(1, n - 1)
    edges = 3 if edge_order == 2 else 2
    stencils = [(inner, np.stack([inner - 1, inner, inner + 1])), (np.array([0]), np.arange(edges))]
    stencils.append((np.array([n - 1]), np.arange(n - edges, n)))
    x_bar = np.zeros(n, np.result_type(x, np.float64))
    for at, nodes in stencils:
        nodes = nodes.reshape(len(nodes), -1)
        weights = _weights(x[nodes], x[at])
        for node, weight in zip(nodes, weights):
            weight = weight.reshape((-1,) + (1,) * (rows.ndim - 1))
            np.add.at(out, node, g[at] * conj(weight))
            slope = _combined(_weights(x[nodes], x[node]), rows[nodes])
            np.add.at(x_bar, node, -_total(g[at] * conj(slope * weight), x))
        if len(nodes) == 3:
            np.add.at(x_bar, at, _total(g[at] * conj(_curvature(x[nodes], rows[nodes])), x))
    return x_bar


def _weights(x: Any, at: Any) -> list[Any]:
    """The weights of the values in the slope, at a point, of the polynomial through them."""
    if len(x) == 2:
        return [1 / (x[0] - x[1]), 1 / (x[1] - x[0])]
    a, b, c = x
    return [
        ((at - b) + (at - c)) / ((a - b) * (a - c)),
        ((at - a) + (at - c)) / ((b - a) * (b - c)),
        ((at - a) + (at - b)) / ((c - a) * (c - b)),
    ]


def _combined(weights: list[Any], values: Any) -> Any:
    shape = (-1,) + (1,) * (values.ndim - 2)
    return sum(w.reshape(shape) * value for w, value in zip(weights, values))


def _curvature(x: Any, values: Any) -> Any:
    a, b, c = x
    pairs = [2 / ((a - b) * (a - c)), 2 / ((b - a) * (b - c)), 2 / ((c - a) * (c - b))]
    return _combined(pairs, values)


def _total(each: Any, like: Any) -> Any:
    """The sums over all axes but the first; real where `like` is."""
    total = np.sum(each, axis=tuple(range(1, np.ndim(each))))
    return total if np.iscomplexobj(like) else np.real(total)
