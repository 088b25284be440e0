"""Calls into pytransform3d: rotations, transformations, graphs of frames."""

from __future__ import annotations

import numpy as np
import pytransform3d.batch_rotations as pbr
import pytransform3d.camera as pc
import pytransform3d.coordinates as pco
import pytransform3d.rotations as pr
import pytransform3d.trajectories as ptr
import pytransform3d.transformations as pt
from pytransform3d.transform_manager import TransformManager

from tests.world.calls import call

DISTRIBUTION = "pytransform3d"
V = np.array([0.3, -0.7, 1.1])
PQ = np.array([0.5, 0.7, -0.4, 0.9, 0.1, 0.3, -0.2])
OTHER_PQ = np.array([0.1, 0.2, 0.9, 0.8, 0.5, -0.3, 0.2])


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def euler(e):
    return pr.matrix_from_euler(e, 0, 1, 2, True) @ V @ V


@call(np.array([0.2, -0.5, 0.9, 0.7]), np.array([1.0, 0.4, -0.2, 1.3]))
def axis_angle(a):
    return np.sum(pr.matrix_from_axis_angle(pr.norm_axis_angle(a)) @ V)


@call(np.array([0.2, -0.5, 0.9, 0.7]), np.array([1.0, 0.4, -0.2, 1.3]))
def quaternion(q):
    return np.sum(pr.q_prod_vector(pr.check_quaternion(q), V) * V)


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def logarithm(e):
    return np.sum(pr.compact_axis_angle_from_matrix(pr.matrix_from_euler(e, 0, 1, 0, False)))


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def parameters(a):
    q = pr.quaternion_from_compact_axis_angle(a)
    return np.sum(pr.mrp_from_quaternion(q)) + pr.euler_from_quaternion(q, 2, 1, 0, True)[1]


@call(0.3, 0.8)
def slerp(t):
    start = pr.quaternion_from_angle(0, 0.4)
    end = pr.quaternion_from_angle(1, 1.3)
    return np.sum(pr.quaternion_slerp(start, end, t))


@call(0.3, 0.8)
def distance(angle):
    first = pr.quaternion_from_angle(0, angle)
    second = pr.quaternion_from_angle(2, 1.3)
    return pr.quaternion_dist(first, second)


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def jacobians(a):
    return np.sum(pr.left_jacobian_SO3(a)) + np.sum(pr.left_jacobian_SO3_inv(a) @ V)


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def rotors(a):
    rotor = pr.rotor_from_two_directions(a, V)
    return np.sum(pr.rotor_apply(rotor, np.array([0.1, 0.2, 0.3])))


@call(np.array([0.1, 0.3, -0.2, 0.5, 0.7, -0.4]), np.array([0.5, -0.3, 0.2, 0.1, 0.0, 0.9]))
def exponential(s):
    return np.sum(pt.transform_from_exponential_coordinates(s)[:3, 3] * V)


@call(PQ, OTHER_PQ)
def pose(pq):
    transform = pt.transform_from_pq(pq)
    return np.sum(pt.exponential_coordinates_from_transform(pt.invert_transform(transform)))


@call(0.3, 0.8)
def screw(t):
    start = pt.transform_from(pr.matrix_from_euler([0.1, 0.2, 0.3], 0, 1, 2, True), [1.0, 2.0, 0.5])
    end = pt.transform_from(pr.matrix_from_euler([0.6, -0.2, 0.9], 0, 1, 2, True), [0.0, 1.0, 1.5])
    return np.sum(pt.transform_sclerp(start, end, t))


@call(PQ, OTHER_PQ)
def dual_quaternion(pq):
    dq = pt.dual_quaternion_from_pq(pq)
    moved = pt.dq_prod_vector(pt.concatenate_dual_quaternions(dq, dq), V)
    return np.sum(moved * V)


@call(0.4, 1.2)
def frames(angle):
    manager = TransformManager()
    rotation = pr.active_matrix_from_angle(2, angle)
    manager.add_transform("tool", "arm", pt.transform_from(rotation, np.array([0.1, 0.0, 0.4])))
    manager.add_transform("arm", "base", pt.transform_from(np.eye(3), np.array([0.3, angle, 0.0])))
    return np.sum(manager.get_transform("tool", "base")[:3, 3]) + np.sum(
        manager.get_transform("base", "tool")[:2, 3]
    )


@call(np.array([[0.1, 0.3, 0.2], [0.5, 0.7, -0.4]]), np.array([[0.5, -0.3, 0.2], [0.1, 0.2, 0.9]]))
def batches(a):
    matrices = pbr.matrices_from_compact_axis_angles(a)
    return np.sum(pbr.quaternions_from_matrices(matrices)[:, 1:]) + np.sum(matrices[0] @ V)


@call(np.array([[0.1, 0.3, 0.2, 0.5, 0.7, -0.4]]), np.array([[0.5, -0.3, 0.2, 0.1, 0.2, 0.9]]))
def trajectory(s):
    transforms = ptr.transforms_from_exponential_coordinates(s)
    return np.sum(ptr.pqs_from_transforms(transforms)[:, :3])


@call(0.6, 1.3)
def camera(focal):
    world = np.array([[0.1, 0.2, 2.0, 1.0], [0.3, -0.2, 3.0, 1.0]])
    seen = pc.world2image(world, np.eye(4), (0.036, 0.024), (640, 480), 0.05 * focal)
    return np.sum(seen)


@call(np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.4, -0.2]))
def spherical(p):
    return np.sum(pco.spherical_from_cartesian(p)) + np.sum(pco.cylindrical_from_cartesian(p))
