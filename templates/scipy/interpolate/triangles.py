"""`CloughTocher2DInterpolator` and `griddata(method="cubic")`, classes in C, in terms of NumPy.

Source: P. Alfeld, Comput. Aided Geom. Design 1 (1984) 169; the slopes at the points are those with
the least curvature along all edges (G. Nielson, Rocky Mountain J. Math. 14 (1984) 233). SciPy finds
them by steps that end at `tol`; here they solve the system.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.knots import agree, as_found
from autodiff.templates.scipy.interpolate.places import edges_of, triangles_around
from autodiff.templates.scipy.interpolate.scattered import as_points, call_linear, placed, scaling
from scipy.interpolate import CloughTocher2DInterpolator, LinearNDInterpolator

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued

_TURN = (1, 2, 0)
"""The corner behind each."""


def slopes(points, heights):
    """Two at each point, for each column."""
    here, there = edges_of(points)
    edge = points[there] - points[here]
    length = np.sum(edge**2, axis=1)[:, None] ** 1.5
    count = len(points)
    blocks = np.zeros((count, count, 2, 2))
    blocks[here, there] = 2 * edge[:, :, None] * edge[:, None, :] / length[:, :, None]
    blocks[np.arange(count), np.arange(count)] = 2 * np.sum(blocks, axis=1)
    rises = np.zeros((count, count, 2, heights.shape[1]))
    rise = 6 * (heights[there] - heights[here])
    rises[here, there] = (edge / length)[:, :, None] * rise[:, None, :]
    system = np.swapaxes(blocks, 1, 2).reshape(2 * count, 2 * count)
    right = np.sum(rises, axis=1).reshape(2 * count, -1)
    return np.linalg.solve(system, right).reshape(count, 2, -1)


def parts_of(corners, at):
    """Barycentric coordinates: a row for each point."""
    sides = np.ones((len(at), 3, 3))
    sides[:, 1:, :] = np.swapaxes(corners, 1, 2)
    right = np.ones((len(at), 3, 1))
    right[:, 1:, 0] = at
    return np.linalg.solve(sides, right)[:, :, 0]


def directions(points, corners, beside, there):
    """Where the slope across each edge is linear: to the middle of the triangle behind it."""
    made = []
    for k in range(3):
        middle = np.mean(points[beside[:, k]], axis=1)
        part = parts_of(corners, middle)
        two, three = part[:, _TURN[k]], part[:, _TURN[_TURN[k]]]
        bottom = np.where(there[:, k], 2 - 3 * three - 3 * two, 1.0)
        made.append(np.where(there[:, k], (2 * three + two - 1) / bottom, -0.5))
    return made


def patch(part, f, along, g):
    """A cubic of Bernstein and Bezier in each third of a triangle.

    f: heights at the corners; along[i][j]: the slope at i to j, by the length; g: directions.
    """
    near = [[f[i] + along[i][j] / 3 for j in range(3)] for i in range(3)]
    inner = [(f[i] + near[i][_TURN[i]] + near[i][_TURN[_TURN[i]]]) / 3 for i in range(3)]
    across = []
    for k in range(3):
        i, j = _TURN[k], _TURN[_TURN[k]]
        turn = g[k][:, None] * (f[j] - f[i] + 3 * (near[i][j] - near[j][i]))
        across.append((turn - f[i] + 2 * near[i][j] - near[j][i] + inner[j] + inner[i]) / 2)
    last = [(sum(across) - across[k] + inner[k]) / 3 for k in range(3)]
    least = np.min(part, axis=1)[:, None]
    b = [part[:, k, None] - least for k in range(3)]
    own = 3 * least
    made = own**3 * sum(last) / 3
    for k in range(3):
        i, j = _TURN[k], _TURN[_TURN[k]]
        made = made + b[k] ** 3 * f[k] + 3 * own * b[k] * (b[k] * inner[k] + own * last[k])
        made = made + 3 * b[i] * b[j] * (b[i] * near[i][j] + b[j] * near[j][i])
        made = made + 6 * own * b[i] * b[j] * across[k]
    return made


def clough_tocher(points, values, fill_value=np.nan, tol=1e-6, maxiter=400, rescale=False):
    """`CloughTocher2DInterpolator(points, values)`, as a function."""
    plain = as_found(CloughTocher2DInterpolator, points, values, fill_value, tol, maxiter, rescale)
    given, heights = as_points(points), np.asarray(values)
    shift, scale = scaling(given, rescale)
    own = (given - shift) / scale
    columns = heights.reshape(len(heights), -1)
    slope = slopes(own, columns)

    def value(*xi, simplex_tolerance=1.0):
        found = as_found(plain, *xi) if simplex_tolerance == 1.0 else None
        at, shape = placed(xi)
        at = (at - shift) / scale
        places, beside, there, inside = triangles_around(own, at, simplex_tolerance)
        corners = own[places]
        g = directions(own, corners, beside, there)
        edge = [[corners[:, j] - corners[:, i] for j in range(3)] for i in range(3)]
        along = [
            [np.sum(slope[places[:, i]] * edge[i][j][:, :, None], axis=1) for j in range(3)]
            for i in range(3)
        ]
        f = [columns[places[:, k]] for k in range(3)]
        made = patch(parts_of(corners, at), f, along, g)
        made = np.where(inside[:, None], made, fill_value)
        made = np.reshape(made, (*shape, *heights.shape[1:]))
        if found is None:  # what C is given by name
            return made
        agree(found, made, 1e-4)
        return valued(found, made)

    return value


def call(self, *xi, **options):
    """A call of an interpolant whose values carry no derivative."""
    if not isinstance(self, CloughTocher2DInterpolator):
        return call_linear(self, *xi, **options)
    scaled = self.scale is not None
    points = self.points * self.scale + self.offset if scaled else self.points
    values = np.reshape(self.values, (-1, *self.values_shape))
    return clough_tocher(points, values, self.fill_value, 1e-6, 400, scaled)(*xi, **options)


registry.add_written(
    {CloughTocher2DInterpolator: clough_tocher, LinearNDInterpolator.__call__: call}
)
add_recipes(__name__)
