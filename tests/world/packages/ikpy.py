"""Calls into ikpy: kinematics of chains of links."""

from __future__ import annotations

import numpy as np
from ikpy.chain import Chain
from ikpy.link import DHLink, OriginLink, URDFLink
from ikpy.utils import geometry

from tests.world.calls import call

DISTRIBUTION = "ikpy"


def arm(shoulder=0.4, symbolic=False):
    return Chain(
        name="left_arm",
        links=[
            OriginLink(),
            URDFLink("base", [0, 0, 0.1], [0, 0, 0.2], [0, 0, 1], use_symbolic_matrix=symbolic),
            URDFLink(
                "shoulder", [0, 0, shoulder], [0, 0.1, 0], [0, 1, 0], use_symbolic_matrix=symbolic
            ),
            URDFLink("elbow", [0.3, 0, 0], [0, 0, 0], [0, 1, 0], use_symbolic_matrix=symbolic),
        ],
        active_links_mask=[False, True, True, True],
    )


ARM = arm(symbolic=True)


@call(np.array([0.0, 0.3, -0.4, 0.6]), np.array([0.0, 1.1, 0.2, -0.5]))
def forward(joints):
    return ARM.forward_kinematics(joints)[0, 3]


@call(np.array([0.0, 0.3, -0.4, 0.6]), np.array([0.0, 1.1, 0.2, -0.5]))
def frames(joints):
    return sum(
        np.sum(frame[:3, 3]) for frame in ARM.forward_kinematics(joints, full_kinematics=True)
    )


@call(0.4, 0.7)
def length(reach):
    return np.sum(arm(reach).forward_kinematics([0, 0.3, -0.4, 0.6])[:3, 3])


@call(0.3, 0.7)
def link(theta):
    joint = URDFLink(
        "j", [0.1, 0.2, 0.1], [0.1, 0.2, 0.3], [0.0, 0.6, 0.8], use_symbolic_matrix=False
    )
    return np.sum(joint.get_link_frame_matrix(theta))


@call(0.3, 0.7)
def slider(mu):
    joint = URDFLink(
        "s",
        [0.1, 0.2, 0.1],
        [0.1, 0.2, 0.3],
        translation=[0.0, 0.6, 0.8],
        use_symbolic_matrix=False,
        joint_type="prismatic",
    )
    return joint.get_link_frame_matrix(mu)[1, 3]


@call(0.3, 0.7)
def denavit_hartenberg(theta):
    joint = DHLink("j", d=0.1, a=0.4, alpha=0.5, theta=0.1)
    return np.sum(joint.get_link_frame_matrix(theta))


@call(np.array([0.1, 0.3, -0.4]), np.array([0.5, -0.2, 0.3]))
def rpy(angles):
    return np.sum(geometry.rpy_matrix(*angles) @ np.array([0.2, 0.5, 0.7]))


@call(np.array([0.1, 0.3, -0.4]), np.array([0.5, -0.2, 0.3]))
def round_trip(angles):
    back = geometry.rotation_matrix_to_rpy(geometry.rpy_matrix(*angles))
    return np.sum(np.asarray(back) ** 2)


@call(np.array([0.1, 0.3, -0.4]), np.array([0.5, -0.2, 0.3]))
def quaternion(angles):
    matrix = geometry.euler_to_rotation_matrix(angles, "xyz")
    return geometry.rotation_matrix_to_quaternion(matrix, scalar_first=True)[1]


@call(np.array([0.1, 0.3, -0.4]), np.array([0.5, -0.2, 0.3]))
def homogeneous(where):
    made = geometry.to_transformation_matrix(where, geometry.rz_matrix(0.4))
    point = geometry.cartesian_to_homogeneous_vectors(where)
    position, _ = geometry.from_transformation_matrix(made)
    return np.sum(geometry.homogeneous_to_cartesian_vectors(made @ point)) + position[0]
