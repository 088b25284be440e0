"""Calls into pyquaternion: the class Quaternion."""

from __future__ import annotations

import numpy as np
from pyquaternion import Quaternion

from tests.world.calls import call

DISTRIBUTION = "pyquaternion"


@call(0.3, 1.1)
def product(a):
    p = Quaternion(1.0, a, 0.3, -0.2) * Quaternion(0.5, 0.2, a, 0.1)
    return p.w + 2 * p.x + p.norm


@call(0.3, 1.1)
def of_axis(a):
    q = Quaternion(axis=[1.0, 2.0, 0.5], angle=a)
    return q.rotate([1.0, 2.0, 3.0])[1]


@call(20.0, 75.0)
def of_degrees(a):
    q = Quaternion(axis=(0.0, 1.0, 1.0), degrees=a)
    return q.rotate(np.array([1.0, 2.0, 3.0]))[0]


@call(0.3, 1.1)
def of_matrix(a):
    c, s = np.cos(a), np.sin(a)
    q = Quaternion(matrix=np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
    return q.z + q.angle


@call(0.3, 1.1)
def of_parts(a):
    q = Quaternion(scalar=a, vector=[0.2, a, 0.3])
    return q.scalar + q.vector[1] ** 2


@call(np.array([0.3, 0.1, 0.5, 0.7]), np.array([1.0, -0.4, 0.2, 0.3]))
def of_array(x):
    q = Quaternion(array=x)
    return q.unit.rotation_matrix[0, 2] + q.magnitude


@call(0.3, 1.1)
def matrix(a):
    q = Quaternion(0.9, a, 0.1, 0.2)
    return q.rotation_matrix[0, 1] + q.transformation_matrix[2, 1]


@call(0.3, 1.1)
def angles(a):
    yaw, pitch, roll = Quaternion(0.9, a, 0.1, 0.2).yaw_pitch_roll
    return yaw + 2 * pitch + roll**2


@call(0.3, 1.1)
def axis_angle(a):
    q = Quaternion(0.9, a, 0.1, 0.2)
    return q.radians + q.axis[0] + 0.01 * q.degrees


@call(0.3, 1.1)
def inverse(a):
    q = Quaternion(0.9, a, 0.1, 0.2)
    return q.inverse.x + q.conjugate.y * q.real + (1 / q).z


@call(0.3, 1.1)
def arithmetic(a):
    q = Quaternion(0.9, a, 0.1, 0.2)
    r = 2.0 * q - q / 3.0 + 1.0
    r += Quaternion(0.1, 0.2, 0.3, a)
    r *= q
    return (-r).w + r[2]


@call(0.3, 0.8)
def slerp(t):
    p = Quaternion(axis=[1, 0, 0], angle=0.2)
    q = Quaternion(axis=[0, 1, 0], angle=1.4)
    return Quaternion.slerp(p, q, amount=t).y


@call(0.3, 0.8)
def intermediates(a):
    p = Quaternion(axis=[1, 0, 0], angle=a)
    q = Quaternion(axis=[0, 1, 0], angle=1.4)
    return sum(r.x * r.w for r in Quaternion.intermediates(p, q, 3, include_endpoints=True))


@call(0.3, 0.8)
def exp_log(a):
    q = Quaternion(0.9, a, 0.1, 0.2)
    return Quaternion.exp(q).x + Quaternion.log(q).y


@call(0.3, 0.8)
def manifold(a):
    p = Quaternion(axis=[1, 0, 0], angle=a)
    q = Quaternion(axis=[0, 1, 0], angle=1.4)
    return Quaternion.log_map(p, q).z + Quaternion.exp_map(p, q).y + Quaternion.sym_distance(p, q)


@call(0.3, 0.8)
def distances(a):
    p = Quaternion(axis=[1, 0, 0], angle=a)
    q = Quaternion(axis=[0, 1, 0], angle=1.4)
    return Quaternion.distance(p, q) + Quaternion.absolute_distance(p, q)


@call(1.5, 2.4)
def power(e):
    q = Quaternion(0.9, 0.3, 0.1, 0.2)
    return (q**e).x + (q**2).w * e


@call(0.1, 0.4)
def integrated(dt):
    q = Quaternion(0.9, 0.3, 0.1, 0.2)
    q.integrate([0.1, 0.4, -0.2], dt)
    return q.x


@call(0.1, 0.4)
def rate(w):
    q = Quaternion(0.9, 0.3, 0.1, 0.2)
    return q.derivative([w, 0.4, -0.2]).w + q.derivative([w, 0.4, -0.2]).y


@call(0.3, 0.8)
def rotated_quaternion(a):
    q = Quaternion(axis=[1, 2, 0], angle=a)
    v = q.rotate(Quaternion(vector=[1.0, 0.0, 2.0]))
    q.normalised.elements
    return v.x + abs(q) + q.polar_angle
