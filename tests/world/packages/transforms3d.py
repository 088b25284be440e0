"""Calls into transforms3d: rotations, affine maps."""

from __future__ import annotations

import numpy as np
import transforms3d as t3
from transforms3d import (
    affines,
    axangles,
    euler,
    quaternions,
    reflections,
    shears,
    taitbryan,
    zooms,
)

from tests.world.calls import call

DISTRIBUTION = "transforms3d"


@call(0.3, 1.1)
def euler_matrix(a):
    m = euler.euler2mat(a, 0.4, -0.2, "sxyz")
    return m[0, 1] + 2 * m[2, 1]


@call(0.3, 1.1)
def euler_frames(a):
    total = 0.0
    for axes in ("sxyx", "rzyx", "szxz", "rxzy"):
        total += euler.euler2mat(a, 0.4 * a, -0.2, axes)[1, 2]
    return total


@call(0.3, 1.1)
def euler_back(a):
    return sum(euler.mat2euler(euler.euler2mat(a, 0.4, 0.3 * a, "rzyx"), "sxyz"))


@call(0.3, 1.1)
def euler_quaternion(a):
    q = euler.euler2quat(a, 0.4, -0.2, "sxyz")
    return q[1] + euler.quat2euler(q, "rzxz")[0]


@call(0.3, 1.1)
def euler_axis(a):
    v, theta = euler.euler2axangle(a, 0.4, -0.2)
    return v[0] * theta


@call(0.3, 1.1)
def quaternion_matrix(a):
    return quaternions.quat2mat([1.0, a, 0.2, -0.3])[1, 2]


@call(0.3, 1.1)
def matrix_quaternion(a):
    m = axangles.axangle2mat([1.0, 2.0, 0.5], a)
    return quaternions.mat2quat(m)[2]


@call(0.3, 1.1)
def quaternion_algebra(a):
    q = quaternions.qmult([1.0, a, 0.2, -0.3], [0.4, 0.1, a, 0.2])
    return quaternions.qnorm(q) + quaternions.qinverse(q)[1] + quaternions.qconjugate(q)[2]


@call(0.3, 1.1)
def quaternion_maps(a):
    q = np.array([0.8, a, 0.2, -0.3])
    return quaternions.qexp(q)[1] + quaternions.qlog(q)[2] + quaternions.qpow(q, 1.5)[3]


@call(0.3, 1.1)
def quaternion_rotation(a):
    q = quaternions.axangle2quat([0.0, 1.0, 1.0], a)
    return quaternions.rotate_vector([1.0, 2.0, 3.0], q)[0]


@call(0.3, 1.1)
def quaternion_axis(a):
    v, theta = quaternions.quat2axangle([0.9, a, 0.1, 0.2])
    return v[1] + theta


@call(0.3, 1.1)
def positive(a):
    return quaternions.fillpositive([0.1 * a, 0.2 * a, 0.3])[0]


@call(0.3, 1.1)
def axis_matrix(a):
    v, theta = axangles.mat2axangle(axangles.axangle2mat([1.0, 2.0, 0.5], a))
    return theta * v[0]


@call(0.3, 1.1)
def axis_affine(a):
    m = axangles.axangle2aff([1.0, a, 0.5], 0.6, point=[1.0, 2.0, 3.0])
    return m[0, 3] + axangles.axangle2mat([1.0, 0.0, 0.0], a, is_normalized=True)[1, 2]


@call(0.3, 1.1)
def composed(a):
    r = euler.euler2mat(a, 0.1, 0.2)
    m = affines.compose([a, 2.0, 3.0], r, [1.0, 2.0, a], [0.1, a, 0.2])
    return m[0, 1] + m[2, 2]


@call(0.3, 1.1)
def decomposed(a):
    r = euler.euler2mat(a, 0.1, 0.2)
    m = affines.compose([a, 2.0, 3.0], r, [1.0, 2.0, 1.5], [0.1, a, 0.2])
    t, rot, z, s = affines.decompose(m)
    return t[0] + rot[1, 2] + z[2] + s[1]


@call(0.3, 1.1)
def decomposed_44(a):
    r = euler.euler2mat(a, 0.1, 0.2)
    m = affines.compose([a, 2.0, 3.0], r, [1.0, 2.0, 1.5])
    t, rot, z, s = affines.decompose44(m)
    return t[0] + rot[0, 1] + z[1]


@call(0.3, 1.1)
def reflected(a):
    m = reflections.rfnorm2mat([1.0, a, 0.7])
    return m[0, 1] + reflections.rfnorm2aff([1.0, a, 0.5], [0.0, 1.0, 0.3])[0, 3]


@call(0.3, 1.1)
def sheared(a):
    m = shears.sadn2mat(a, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    return m[0, 1] + shears.striu2mat([a, 0.2, 0.3])[0, 1]


@call(0.4, 1.2)
def zoomed(a):
    m = zooms.zfdir2mat(a, [1.0, 2.0, 0.5])
    f, d = zooms.mat2zfdir(m)
    return m[0, 1] + f + zooms.zfdir2aff(a)[0, 0]


@call(0.3, 1.1)
def tait_bryan(a):
    z, y, x = taitbryan.quat2euler(taitbryan.euler2quat(a, 0.2, 0.4))
    return (
        z * 2 + y + taitbryan.euler2mat(a, 0.2, a)[0, 0] + taitbryan.mat2euler(np.eye(3) * a)[0] + a
    )


@call(0.3, 1.1)
def tait_axis(a):
    theta, v = taitbryan.euler2axangle(a, 0.2, 0.4)[::-1]
    return theta * 1.0 + t3.quaternions.nearly_equivalent([1, 0, 0, 0], [-1, 0, 0, 0])
