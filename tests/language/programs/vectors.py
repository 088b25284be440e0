"""Objects of a vector class, which operators make anew."""

import math

from tests.language.corpus import program


class Vector:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __add__(self, o):
        return Vector(self.x + o.x, self.y + o.y, self.z + o.z)

    def __mul__(self, s):
        return Vector(self.x * s, self.y * s, self.z * s)

    __rmul__ = __mul__

    def __neg__(self):
        return -1 * self

    def __sub__(self, o):
        return self + (-o)

    def dot(self, o):
        return self.x * o.x + self.y * o.y + self.z * o.z

    def cross(self, o):
        return Vector(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )

    @property
    def length(self):
        return math.sqrt(self.dot(self))


@program([(0.3, 0.4)], analytic=False)
def each_from_the_other(a, b):
    u = Vector(a, b, 1.0)
    v = Vector(b, 2.0, a)
    w = u.cross(v)
    for _ in range(3):
        w = w + 0.1 * u - v * 0.2
        u = -w * 0.5
    return w.length + u.dot(v)


@program([(0.3, 0.4)], analytic=False)
def made_in_turn(a, b):
    u = Vector(a, b, 2.0)
    for _ in range(3):
        w = u * 2
        u = w * 0.5 - w
    return u.x * u.length


@program([(0.3, 0.4)], analytic=False)
def a_number_or_a_vector(a, b):
    u = Vector(a, b, 2.0)
    w = u.dot(u)
    for _ in range(2):
        u = u * w
        w = u.dot(u) * 0.1
    return u.x * w


@program([(0.3, 0.4)], analytic=True, refusable=True)
def first_a_vector_then_a_number(a, b):
    u = Vector(a, b, 2.0)
    w = u * 2
    y = w.x
    w = 3.0 * y
    for _ in range(2):
        w = w * y
        u = u * w
    return u.x * w
