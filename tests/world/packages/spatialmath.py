"""Calls into spatialmath: poses, rotations, twists, quaternions."""

from __future__ import annotations

import numpy as np
import spatialmath.base as smb
from spatialmath import (
    SE2,
    SE3,
    SO2,
    SO3,
    Line3,
    Plane3,
    Quaternion,
    SpatialInertia,
    SpatialVelocity,
    Twist3,
    UnitQuaternion,
)

from tests.world.calls import call

DISTRIBUTION = "spatialmath-python"


@call(0.4, 1.7)
def rotated_point(theta):
    p = SE3.Rx(theta) * SE3.Trans(0.1, 0.2, 0.3) * np.array([1.0, 2.0, 3.0])
    return p[1, 0] + p[2, 0]


@call(0.3, 1.1)
def composed(theta):
    pose = SE3.Rx(theta) * SE3.Ry(2 * theta) * SE3.Tx(0.4)
    return pose.t @ np.array([0.2, 1.0, -0.5]) + pose.R[0, 1]


@call(0.3, 1.2)
def inverse(theta):
    pose = SE3.Rz(theta) * SE3(0.1, theta, 0.3)
    return np.sum(pose.inv().A[:3, 3] ** 2 * np.array([1.0, 2.0, 3.0]))


@call(0.2, 0.9)
def roll_pitch_yaw(theta):
    return SO3.RPY([theta, 0.3, 2 * theta]).eul()[1]


@call(0.2, 0.9)
def back_to_rpy(theta):
    return np.sum((SO3.Rx(theta) * SO3.Ry(0.3)).rpy() * np.array([1.0, 2.0, 3.0]))


@call(0.4, 1.3)
def planar(theta):
    pose = SE2(1.0, 2.0, theta) * SE2(0.5, 0.0, 0.1)
    return pose.x + 2 * pose.y + pose.theta()


@call(0.4, 1.3)
def planar_point(theta):
    return float((SO2(theta) * np.array([1.0, 0.4]))[0, 0])


@call(0.5, 1.6)
def quaternion_rotation(theta):
    q = UnitQuaternion.Rx(theta) * UnitQuaternion.Ry(0.3)
    return (q * np.array([1.0, 2.0, 3.0]))[2]


@call(0.3, 1.4)
def quaternion_algebra(a):
    q = Quaternion([a, 0.1, 0.2, 0.3]) * Quaternion([0.5, a, 1.0, 2.0])
    return q.norm() + q.s


@call(0.2, 0.7)
def interpolated(s):
    q = UnitQuaternion.Rx(0.3).interp(UnitQuaternion.Rz(1.1), s)
    return q.v[0] + q.s


@call(0.4, 1.5)
def twist(theta):
    pose = Twist3.UnitRevolute([0, 0, 1], [1.0, 0.3, 0.0]).exp(theta)
    return pose.t[0] + pose.A[1, 0]


@call(0.4, 1.4)
def logarithm(theta):
    return (
        np.linalg.norm(SE3.Trans(theta, 0.2, 0.3).Ad() @ np.arange(6.0)) + SO3.Rx(theta).log()[2, 1]
    )


@call(0.3, 1.2)
def angle_axis(theta):
    angle, axis = SO3.AngleAxis(theta, [1.0, 2.0, 2.0]).angvec()
    return angle + axis[0]


@call(0.1, 0.8)
def distance(theta):
    return SO3.Rx(theta).angdist(SO3.Ry(0.4))


@call(np.array([0.1, 0.4, 0.8]), np.array([1.1, 0.3, -0.6]))
def euler_matrix(angles):
    return np.trace(smb.eul2r(angles)) + smb.rpy2tr(angles[0], angles[1], angles[2])[0, 2]


@call(0.3, 1.9)
def line_distance(x):
    first = Line3.Join([0.0, 0.0, 0.0], [1.0, 0.2, x])
    second = Line3.Join([0.5, 1.0, 0.3], [x, 2.0, 0.0])
    return first.distance(second) + np.linalg.norm(first.v)


@call(0.3, 1.9)
def plane(x):
    return float(Plane3.ThreePoints(np.array([[1.0, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.3, 1.0]])).d)


@call(0.4, 2.2)
def momentum(m):
    inertia = SpatialInertia(m, [0.1, 0.2, 0.3], np.diag([1.0, 2.0, 3.0]))
    h = inertia * SpatialVelocity([1.0, 0.2, 0.3, 0.1, m, 0.5])
    return np.sum(h.A**2)


@call(0.2, 1.0)
def exponential(theta):
    return (
        SE3.Exp([0.1, 0.2, theta, 0.3, theta, 0.5]).A[0, 3]
        + smb.trexp(smb.skew([theta, 0.2, 0.1]))[0, 1]
    )
