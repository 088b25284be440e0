"""Calls into geomdl (NURBS-Python): curves and surfaces."""

from __future__ import annotations

import math

from geomdl import (
    NURBS,
    BSpline,
    construct,
    convert,
    fitting,
    helpers,
    knotvector,
    linalg,
    operations,
    utilities,
)

from tests.world.calls import call

DISTRIBUTION = "geomdl"


def curve(y=2.0):
    c = BSpline.Curve()
    c.degree = 3
    c.ctrlpts = [[0.0, 0.0], [1.0, y], [2.0, -1.0], [3.0, 0.5], [4.0, 1.0]]
    c.knotvector = utilities.generate_knot_vector(c.degree, len(c.ctrlpts))
    return c


@call(0.3, 0.72)
def point(u):
    x, y = curve().evaluate_single(u)
    return x + y**2


@call(1.2, 3.1)
def control(y):
    return curve(y).evaluate_single(0.4)[1]


@call(1.2, 3.1)
def sampled(y):
    c = curve(y)
    c.sample_size = 7
    return sum(p[1] ** 2 for p in c.evalpts)


@call(1.2, 3.1)
def listed(y):
    pts = curve(y).evaluate_list([0.1, 0.5, 0.9])
    return pts[0][1] * pts[1][1] + pts[2][0]


@call(0.3, 0.72)
def derivatives(u):
    d = curve().derivatives(u, order=2)
    return d[1][0] + d[2][1]


@call(0.3, 0.72)
def tangent(u):
    c = curve()
    _, t = operations.tangent(c, u, normalize=True)
    return t[1] * t[0]


@call(1.2, 3.1)
def inserted(y):
    c = curve(y)
    c.insert_knot(0.4)
    return c.ctrlpts[2][1]


@call(1.2, 3.1)
def arc_length(y):
    c = curve(y)
    c.delta = 0.1
    return operations.length_curve(c)


@call(0.4, 2.0)
def rational(w):
    c = NURBS.Curve()
    c.degree = 2
    c.ctrlpts = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    c.weights = [1.0, w, 1.0]
    c.knotvector = [0, 0, 0, 1, 1, 1]
    return math.hypot(*c.evaluate_single(0.4))


@call(0.3, 0.7)
def circle(u):
    c = NURBS.Curve()
    c.degree = 2
    s = math.sqrt(0.5)
    c.ctrlptsw = [[1.0, 0.0, 1.0], [s, s, s], [0.0, 1.0, 1.0]]
    c.knotvector = knotvector.generate(2, 3)
    d = c.derivatives(u, 1)
    return d[0][0] * d[1][1]


def surface(z=1.0):
    s = BSpline.Surface()
    s.degree_u, s.degree_v = 2, 2
    s.ctrlpts2d = [
        [[float(i), float(j), z * i * j * (1.0 - 0.2 * i)] for j in range(4)] for i in range(4)
    ]
    s.knotvector_u = utilities.generate_knot_vector(2, 4)
    s.knotvector_v = utilities.generate_knot_vector(2, 4)
    return s


@call(0.3, 0.7)
def surface_point(u):
    return surface().evaluate_single((u, 0.4))[2]


@call(0.5, 1.4)
def surface_normal(z):
    _, n = operations.normal(surface(z), (0.3, 0.6))
    return n[0] + surface(z).derivatives(0.3, 0.6, 1)[1][0][2]


@call(0.5, 1.4)
def surface_grid(z):
    s = surface(z)
    s.sample_size = 4
    return sum(p[2] for p in s.evalpts)


@call(1.2, 3.1)
def interpolated(y):
    c = fitting.interpolate_curve([[0.0, 0.0], [1.0, y], [2.0, 1.0], [3.0, 2.0]], 3)
    return c.evaluate_single(0.35)[1]


@call(1.2, 3.1)
def approximated(y):
    pts = [[0.0, 0.0], [1.0, y], [2.0, 1.0], [3.0, 2.0], [4.0, 1.5], [5.0, 0.0]]
    c = fitting.approximate_curve(pts, 2, ctrlpts_size=4)
    return c.evaluate_single(0.35)[1]


@call(20.0, 70.0)
def moved(a):
    c = operations.rotate(operations.translate(curve(), [1.0, 2.0]), a)
    c = operations.scale(c, 1.0 + 0.01 * a)
    return c.evaluate_single(0.4)[0]


@call(1.2, 3.1)
def split(y):
    left, right = operations.split_curve(curve(y), 0.4)
    return left.evaluate_single(0.5)[1] + right.ctrlpts[1][1]


@call(1.2, 3.1)
def bezier(y):
    parts = operations.decompose_curve(curve(y))
    return parts[1].ctrlpts[1][1] + convert.bspline_to_nurbs(curve(y)).ctrlpts[1][1]


@call(1.2, 3.1)
def algebra(y):
    m = [[4.0, y], [1.0, 3.0]]
    x = linalg.lu_solve(m, [[1.0], [2.0]])
    return x[0][0] + linalg.matrix_determinant(m) + linalg.vector_magnitude([y, 1.0, 2.0])


@call(0.3, 0.72)
def basis(u):
    kv = utilities.generate_knot_vector(3, 6)
    span = helpers.find_span_linear(3, kv, 6, u)
    return (
        helpers.basis_function(3, kv, span, u)[1]
        + helpers.basis_function_ders(3, kv, span, u, 1)[1][2]
    )


@call(0.5, 1.4)
def extruded(z):
    s = construct.construct_surface("u", curve(z), curve(z + 1.0), curve(2 * z), degree=2)
    return s.evaluate_single((0.3, 0.6))[1]
