"""Calls into roboticstoolbox: kinematics and dynamics of arms, trajectories, vehicles."""

from __future__ import annotations

import numpy as np
import roboticstoolbox as rtb
from roboticstoolbox import ET, ET2, ETS, DHRobot, PrismaticDH, RevoluteDH, RevoluteMDH
from spatialmath import SE3

from tests.world.calls import call

DISTRIBUTION = "roboticstoolbox-python"

ARM = DHRobot(
    [
        RevoluteDH(
            d=0.3, a=0.1, alpha=np.pi / 2, m=2.0, r=[0.05, 0.0, 0.1], I=[0.1, 0.1, 0.05, 0, 0, 0]
        ),
        RevoluteDH(a=0.5, m=1.5, r=[0.2, 0.0, 0.0], I=[0.02, 0.1, 0.1, 0, 0, 0]),
        RevoluteDH(a=0.4, m=1.0, r=[0.2, 0.0, 0.0], I=[0.01, 0.05, 0.05, 0, 0, 0]),
    ],
    name="arm",
)
SCARA = DHRobot([RevoluteDH(a=0.3), RevoluteDH(a=0.25), PrismaticDH(theta=0.0)])
Q = np.array([0.3, -0.5, 0.8])
Q2 = np.array([1.1, 0.4, -0.6])


@call(Q, Q2)
def forward_kinematics(q):
    return ARM.fkine(q).t @ np.array([1.0, 2.0, 3.0])


@call(Q, Q2)
def scara_position(q):
    return np.sum(SCARA.fkine(q).A[:3, 3] ** 2)


@call(0.3, 0.9)
def link_transform(theta):
    return RevoluteDH(d=0.1, a=0.2, alpha=0.4).A(theta).A[0, 3]


@call(0.2, 0.45)
def arm_length(a):
    robot = DHRobot([RevoluteDH(a=a), RevoluteDH(a=0.3)])
    return robot.fkine([0.3, 0.5]).x


@call(0.2, 0.45)
def modified_links(a):
    robot = DHRobot([RevoluteMDH(a=a, alpha=0.2), RevoluteMDH(a=0.3), RevoluteMDH(d=a)])
    return robot.fkine([0.3, 0.5, 0.1]).t[1]


@call(Q, Q2)
def manipulability(q):
    j = ARM.jacob0(q)[:3]
    return np.sqrt(np.linalg.det(j @ j.T))


@call(Q, Q2)
def end_effector_jacobian(q):
    return np.sum(ARM.jacobe(q) ** 2)


@call(Q, Q2)
def gravity_load(q):
    return np.sum(ARM.gravload(q) ** 2)


@call(Q, Q2)
def inverse_dynamics(q):
    return np.sum(ARM.rne(q, np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.1, 0.2])))


@call(Q, Q2)
def inertia(q):
    return np.trace(ARM.inertia(q))


@call(0.3, 1.1)
def transforms(theta):
    chain = ET.tz(0.2) * ET.Rz() * ET.tx(0.4) * ET.Ry() * ET.tx(0.3)
    return np.sum(chain.eval(np.array([theta, 2 * theta]))[:3, 3] * np.array([1.0, 2.0, 3.0]))


@call(0.2, 0.7)
def symbolic_length(a):
    chain = ETS([ET.Rz(0.3), ET.tx(a), ET.Ry(0.4), ET.tz(2 * a)])
    return chain.fkine([]).t[0] + chain.fkine([]).t[2]


@call(0.3, 1.1)
def planar_chain(theta):
    chain = ET2.R() * ET2.tx(1.0) * ET2.R() * ET2.tx(0.5)
    return chain.fkine(np.array([theta, 0.4])).t[0]


@call(0.7, 2.2)
def joint_trajectory(goal):
    path = rtb.jtraj(np.array([0.0, 0.1]), np.array([goal, 0.5]), 8)
    return np.sum(path.s[3] ** 2) + np.sum(path.qd[5])


@call(0.7, 2.2)
def quintic(goal):
    return np.sum(rtb.quintic(0.0, goal, 9).s ** 2)


@call(1.3, 2.9)
def trapezoid(goal):
    path = rtb.trapezoidal(0.2, goal, 11)
    return path.q[4] + path.qd[5]


@call(0.4, 1.3)
def cartesian_path(x):
    path = rtb.ctraj(SE3(0.1, 0.2, 0.3), SE3(x, 0.5, 0.1) * SE3.Rz(0.3), 5)
    return path[2].t[0] + path[3].A[0, 1]


@call(0.2, 0.5)
def steered(angle):
    car = rtb.Bicycle(L=1.5)
    x = car.f(np.array([0.0, 0.1, 0.2]), [0.8, angle])
    return np.sum(np.asarray(x) ** 2)


@call(0.2, 0.5)
def vehicle_rates(angle):
    return np.sum(rtb.Bicycle(L=1.5).deriv([0.0, 0.1, 0.2], [2.0, angle]) ** 2)


@call(0.3, 0.9)
def servo(x):
    v, arrived = rtb.p_servo(SE3(0.1, 0.2, 0.3), SE3(x, 0.5, 0.1) * SE3.Rz(0.3), gain=0.7)
    return np.sum(v**2)
