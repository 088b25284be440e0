"""Calls into ahrs: attitude from inertial sensors."""

from __future__ import annotations

import datetime

import ahrs
import numpy as np
from ahrs import DCM, Quaternion, QuaternionArray
from ahrs.common.orientation import ecompass, q2R, q_prod, slerp
from ahrs.filters import (
    AQUA,
    EKF,
    FLAE,
    SAAM,
    TRIAD,
    Complementary,
    Davenport,
    Madgwick,
    Mahony,
    Tilt,
)
from ahrs.utils import WGS, WMM

from tests.world.calls import call

DISTRIBUTION = "ahrs"
GYR = np.array([0.02, -0.03, 0.05])
ACC = np.array([0.3, -0.5, 9.7])
MAG = np.array([22.0, 3.0, -41.0])


@call(0.3, 1.1)
def product(a):
    p = Quaternion([1.0, a, 0.3, -0.2])
    q = Quaternion([0.7, 0.1, a, 0.5])
    return float(p.product(q)[1])


@call(0.3, 1.1)
def operators(a):
    p = Quaternion(np.array([1.0, a, 0.3, -0.2]))
    q = Quaternion(np.array([0.7, 0.1, a, 0.5]))
    r = p * q
    return r[0] + 2.0 * r[1] + (p + q).y


@call(0.4, 1.2)
def from_angles(roll):
    q = Quaternion(rpy=np.array([roll, -0.2, 0.4]))
    return q.x + q.to_DCM()[1, 2]


@call(0.4, 1.2)
def rotated(a):
    q = Quaternion([1.0, a, 0.2, 0.1])
    return q.rotate(np.array([1.0, 2.0, 3.0]))[2]


@call(0.4, 0.9)
def exp_log(a):
    q = Quaternion([0.9, a, 0.2, 0.1])
    return q.log[1] + q.exp[2] + q.conjugate[1]


@call(0.4, 0.9)
def angles(a):
    q = Quaternion([0.9, a, 0.2, 0.1])
    return np.sum(q.to_angles() ** 2)


@call(0.2, 0.7)
def dcm(a):
    r = DCM(rpy=[a, 0.3, -0.4])
    return r[0, 2] + r.to_quaternion()[1] + r.fro


@call(0.2, 0.7)
def dcm_axis(a):
    r = DCM(axang=(np.array([1.0, 2.0, 3.0]), a))
    axis, angle = r.to_axisangle()
    return angle * axis[1] + r.det


@call(np.array([0.1, 0.4, 0.2]), np.array([0.6, -0.3, 1.0]))
def many(x):
    q = QuaternionArray(np.stack([np.ones(3), x, 0.2 * x, x**2], axis=1))
    return np.sum(q.to_DCM()[:, 0, 1]) + np.sum(q.to_angles()[:, 2])


@call(np.array([0.1, 0.4, 0.2]), np.array([0.6, -0.3, 1.0]))
def averaged(x):
    q = QuaternionArray(np.stack([np.ones(3), x, 0.2 * x, x**2], axis=1))
    return q.average()[1] ** 2


@call(0.3, 0.8)
def functions(a):
    q = q_prod(np.array([0.9, a, 0.1, 0.2]), np.array([0.8, 0.1, a, 0.3]))
    r = q2R(q / np.linalg.norm(q))
    return r[0, 1] + r[2, 2]


@call(0.3, 0.8)
def interpolated(t):
    p = np.array([1.0, 0.0, 0.0, 0.0])
    q = np.array([0.5, 0.5, 0.5, 0.5])
    return slerp(p, q, np.array([t]))[0, 1]


@call(0.5, 2.0)
def compass(ax):
    r = ecompass(np.array([ax, -0.5, 9.7]), MAG, frame="NED")
    return r[0, 1]


@call(0.03, 0.3)
def madgwick_imu(gain):
    f = Madgwick(gain=gain, frequency=50.0)
    q = np.array([0.9, 0.1, 0.2, 0.3])
    for _ in range(3):
        q = f.updateIMU(q, gyr=GYR, acc=ACC)
    return q[1] * 10


@call(0.5, 1.5)
def madgwick_marg(ax):
    f = Madgwick()
    q = f.updateMARG(np.array([0.9, 0.1, 0.2, 0.3]), GYR, np.array([ax, -0.5, 9.7]), MAG)
    return q[2]


@call(0.5, 1.5)
def mahony_gain(kp):
    f = Mahony(k_P=kp, k_I=0.3)
    q = np.array([0.9, 0.1, 0.2, 0.3])
    for _ in range(3):
        q = f.updateIMU(q, gyr=GYR, acc=ACC)
    return q[3]


@call(np.array([0.2, 0.1, 9.6, 0.5, -0.3, 9.7]), np.array([1.2, 0.4, 9.3, 0.9, 0.2, 9.1]))
def mahony_series(a):
    f = Mahony(gyr=np.tile(GYR, (2, 1)), acc=a.reshape(2, 3), frequency=20.0)
    return np.sum(f.Q[:, 1])


@call(0.5, 1.5)
def kalman(ax):
    f = EKF(frequency=100.0, frame="NED")
    q = f.update(np.array([0.8, 0.2, 0.4, 0.4]), GYR, np.array([ax, -0.5, 9.7]))
    return q[1]


@call(0.5, 1.5)
def aqua(ax):
    f = AQUA()
    q = f.estimate(np.array([ax, -0.5, 9.7]), MAG)
    return q[1] + q[3]


@call(0.5, 1.5)
def estimates(ax):
    a = np.array([ax, -0.5, 9.7])
    return SAAM().estimate(acc=a, mag=MAG)[1] + Tilt().estimate(acc=a, mag=MAG)[2]


@call(0.5, 1.5)
def triad(ax):
    f = TRIAD()
    return f.estimate(np.array([ax, -0.5, 9.7]), MAG)[1, 2]


@call(0.5, 1.5)
def complementary(ax):
    acc = np.array([[ax, -0.5, 9.7], [ax, -0.4, 9.6]])
    f = Complementary(gyr=np.tile(GYR, (2, 1)), acc=acc)
    return f.Q[1, 1]


@call(0.5, 1.5)
def eigen(ax):
    f = FLAE(magnetic_dip=64.0)
    return (
        f.estimate(np.array([ax, -0.5, 9.7]), MAG)[1] ** 2
        + Davenport(magnetic_dip=64.0).estimate(np.array([ax, -0.5, 9.7]), MAG)[2] ** 2
    )


@call(12.0, 47.0)
def gravity(lat):
    return WGS().normal_gravity(lat, 500.0) + ahrs.utils.wgs84.welmec_gravity(lat, 100.0)


@call(6378137.0, 6.0e6)
def ellipsoid(a):
    w = WGS(a=a)
    return w.arithmetic_mean_radius + w.authalic_sphere_radius + w.normal_gravity(30.0)


@call(12.0, 47.0)
def magnetic(lat):
    w = WMM(datetime.date(2021, 5, 3))
    w.magnetic_field(lat, 10.0, height=0.5, date=datetime.date(2021, 5, 3))
    return w.F + w.D
