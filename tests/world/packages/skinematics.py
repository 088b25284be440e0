"""Calls into scikit-kinematics: movements in space."""

from __future__ import annotations

import numpy as np
from skinematics import imus, markers, quat, rotmat, vector

from tests.world.calls import call

DISTRIBUTION = "scikit-kinematics"
OMEGA = np.column_stack([np.linspace(0.1, 0.6, 8), np.full(8, 0.2), np.linspace(0.3, -0.1, 8)])


@call(20.0, 70.0)
def rotation(angle):
    return np.sum(rotmat.R("z", angle) @ rotmat.R("x", 30.0) @ np.array([1.0, 2.0, 3.0]))


@call(20.0, 70.0)
def angles(angle):
    made = rotmat.R("z", angle) @ rotmat.R("y", 20.0) @ rotmat.R("x", 10.0)
    return np.sum(rotmat.sequence(made, to="nautical"))


@call(20.0, 70.0)
def denavit_hartenberg(theta):
    return np.sum(rotmat.dh(theta, 0.3, 0.5, 40.0)[:, 3])


@call(20.0, 70.0)
def translated(angle):
    return np.sum(rotmat.stm("x", angle, [1.0, 2.0, 3.0]) @ np.array([0.3, 0.2, 0.7, 1.0]))


@call(np.array([[0.9, 0.1, 0.3, 0.2]]), np.array([[0.5, 0.4, -0.3, 0.2]]))
def product(q):
    return np.sum(quat.q_mult(quat.unit_q([0.1, 0.2, 0.3]), q)) + np.sum(quat.q_inv(q))


@call(np.array([0.1, 0.3, 0.2]), np.array([0.4, -0.3, 0.2]))
def converted(v):
    q = quat.unit_q(v)
    return np.sum(quat.convert(q, to="rotmat")) + np.sum(quat.quat2deg(q))


@call(np.array([0.1, 0.3, 0.2]), np.array([0.4, -0.3, 0.2]))
def held(v):
    q = quat.Quaternion(v, inType="vector")
    return np.sum((q * q.inv() * q).values)


@call(OMEGA, 2 * OMEGA)
def orientation(omega):
    return np.sum(quat.calc_quat(omega, [0.0, 0.0, 0.0], 10.0, "bf")[-1])


@call(OMEGA, 2 * OMEGA)
def velocity(omega):
    q = quat.calc_quat(omega, [0.0, 0.0, 0.0], 10.0, "sf")
    return np.sum(quat.calc_angvel(q, 10.0))


@call(np.array([1.0, 2.0, 0.5]), np.array([0.4, -0.3, 0.2]))
def vectors(v):
    other = np.array([0.3, 0.8, 0.1])
    turned = vector.rotate_vector(v, vector.q_shortest_rotation(v, other))
    return vector.angle(v, other) + np.sum(vector.project(v, other)) + turned[0]


@call(np.array([1.0, 2.0, 0.5]), np.array([0.4, -0.3, 0.2]))
def planes(p):
    a, b = np.array([0.0, 0.3, 0.2]), np.array([1.0, 0.1, 0.9])
    return np.sum(vector.GramSchmidt(p, a, b)) + np.sum(vector.plane_orientation(p, a, b))


@call(np.array([1.0, 2.0, 0.5]), np.array([0.4, -0.3, 0.2]))
def target(p):
    return np.sum(vector.target2orient(p, orient_type="nautical"))


@call(OMEGA, 2 * OMEGA)
def inertial(omega):
    acceleration = np.tile([0.1, 0.2, 9.81], (8, 1))
    q, position, _ = imus.analytical(np.eye(3), omega, np.zeros(3), acceleration, 10.0)
    return np.sum(q[-1]) + np.sum(position[-1])


@call(np.array([1.0, 2.0, 0.5]), np.array([0.4, -0.3, 0.2]))
def trajectory(r):
    where = np.tile([0.1, 0.2, 0.3], (4, 1)) * np.arange(4)[:, None]
    turned = quat.unit_q(np.tile([0.1, 0.2, 0.3], (4, 1)) * 0.1 * np.arange(4)[:, None])
    return np.sum(markers.find_trajectory(r, where, turned))
