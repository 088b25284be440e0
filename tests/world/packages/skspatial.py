"""Calls into scikit-spatial: lines, planes and bodies, as objects over arrays."""

from __future__ import annotations

import numpy as np
from skspatial.measurement import area_signed, area_triangle, volume_tetrahedron
from skspatial.objects import (
    Circle,
    Cylinder,
    Line,
    LineSegment,
    Plane,
    Point,
    Points,
    Sphere,
    Triangle,
    Vector,
)
from skspatial.transformation import transform_coordinates

from tests.world.calls import call

DISTRIBUTION = "scikit-spatial"


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def vectors(v):
    a, b = Vector(v), Vector([1.0, 0.5, 0.2])
    return a.angle_between(b) + a.cross(b).norm() + a.unit()[0]


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def projected(v):
    a = Vector([1.0, 0.5, 0.2]).project_vector(v)
    return a.norm() + Vector(v).scalar_projection([0.2, 0.3, 0.9])


@call(np.array([0.3, -0.7]), np.array([1.4, 0.2]))
def signed(v):
    return Vector(v).angle_signed([1.0, 0.5])


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def points(p):
    return Point(p).distance_point([0.1, 0.2, 0.3]) + Points([p, [1, 2, 0.5]]).centroid()[1]


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def line(p):
    own = Line([0.0, 1.0, 0.0], [1.0, 1.0, 0.5])
    return own.distance_point(p) + np.sum(own.project_point(p))


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def skew_lines(d):
    own, other = Line([0.0, 1.0, 0.0], d), Line([1.0, 0.0, 2.0], [0.3, 0.2, 1.0])
    return own.distance_line(other)


@call(0.4, 1.6)
def crossing(slope):
    own, other = Line.from_slope(slope, 0.3), Line.from_points([0.0, 2.0], [3.0, 0.5])
    return np.sum(own.intersect_line(other))


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, -0.6]))
def plane(p):
    own = Plane([0.1, 0.2, 0.3], [0.3, 0.5, 1.0])
    return own.distance_point_signed(p) + np.sum(own.project_point(p)) + own.distance_point(p)


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, 0.6]))
def through_points(p):
    own = Plane.from_points(p, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    return np.sum(own.intersect_line(Line([0.0, 0.0, 2.0], [0.2, 0.3, -1.0])) * [1.0, 2.0, 3.0])


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, 0.6]))
def two_planes(normal):
    found = Plane([0.0, 0.0, 1.0], normal).intersect_plane(Plane([1.0, 0.0, 0.0], [1.0, 0.2, 0.1]))
    return np.sum(found.direction) + np.sum(found.project_point([0.2, 0.1, 0.5]))


@call(0.8, 2.1)
def sphere(radius):
    own = Sphere([0.1, 0.0, 0.2], radius)
    a, b = own.intersect_line(Line([0.0, 0.1, 0.0], [1.0, 0.5, 0.3]))
    return own.volume() + own.surface_area() + a[0] + b[1] + np.sum(own.project_point([1, 2, 3]))


@call(1.2, 2.1)
def circle(radius):
    own = Circle([0.0, 0.0], radius)
    a, b = own.intersect_circle(Circle([1.0, 0.5], 1.1))
    c, d = own.intersect_line(Line([0.0, 0.1], [1.0, 0.5]))
    return own.area() + a[0] + b[1] + c[0] * d[1] + own.circumference()


@call(1.2, 2.1)
def circle_of_points(x):
    own = Circle.from_points([x, 0.0], [0.0, 1.0], [-1.0, 0.2])
    return own.radius + own.point[0]


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, 0.6]))
def triangle(p):
    own = Triangle(p, [1.0, 0.0, 0.0], [0.0, 1.0, 0.3])
    return own.area() + own.perimeter() + own.angle("A") + np.sum(own.orthocenter())


@call(1.2, 2.1)
def cylinder(radius):
    own = Cylinder([0.0, 0.0, 0.0], [0.0, 0.3, 2.0], radius)
    a, b = own.intersect_line(Line([0.0, 0.1, 0.5], [1.0, 0.2, 0.1]))
    return own.volume() + own.lateral_surface_area() + a[0] + b[1]


@call(np.array([[0, 0.1], [1, 0.9], [2, 2.2]]), np.array([[0.3, 0.1], [1, 1.9], [2.5, 2.2]]))
def best_line(p):
    return abs(Line.best_fit(p).direction[0])


@call(
    np.array([[1, 0, 0.1], [0, 1.1, 0], [-1, 0.1, 0.2], [0, -0.9, 0.3], [0.1, 0.2, 1.2]]),
    np.array([[1.2, 0, 0.1], [0, 1.4, 0], [-1.1, 0.1, 0.2], [0.3, -0.9, 0.3], [0.1, 0.2, 0.8]]),
)
def best_sphere(p):
    return Sphere.best_fit(p).radius


@call(0.3, 0.7)
def segments(y):
    own, other = LineSegment([0.0, y], [2.0, 1.0]), LineSegment([0.0, 1.5], [1.5, 0.0])
    return np.sum(own.intersect_line_segment(other))


@call(np.array([0.3, -0.7, 1.1]), np.array([1.4, 0.2, 0.6]))
def measured(p):
    total = area_triangle(p, [1.0, 0.0, 0.0], [0.0, 1.0, 0.3])
    total += volume_tetrahedron(p, [1.0, 0.0, 0.0], [0.0, 1.0, 0.3], [0.2, 0.2, 2.0])
    moved = transform_coordinates([[0.5, 0.2, 0.1]], [0.1, 0.1, 0.0], [p, [0, 1, 0], [0, 0.2, 1]])
    return total + np.sum(moved) + area_signed([[p[0], 0.0], [1.0, 0.2], [0.3, 1.0]])
