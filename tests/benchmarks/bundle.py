"""The objective of ADBench's bundle adjustment, observation by observation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("data") / "ba1_n49_m7776_p31843.txt"


def bundle(cameras, points, weights, features, observed):
    """Half the sum of the squared weighted reprojection errors: rotation, distortion, scaling."""
    total = 0.0
    for p in range(len(weights)):
        c, j = observed[p, 0], observed[p, 1]
        x = points[j, 0] - cameras[c, 3]
        y = points[j, 1] - cameras[c, 4]
        z = points[j, 2] - cameras[c, 5]
        rx, ry, rz = cameras[c, 0], cameras[c, 1], cameras[c, 2]
        angle = math.sqrt(rx * rx + ry * ry + rz * rz)
        ax, ay, az = rx / angle, ry / angle, rz / angle
        cosine, sine = math.cos(angle), math.sin(angle)
        along = (ax * x + ay * y + az * z) * (1.0 - cosine)
        u = x * cosine + (ay * z - az * y) * sine + ax * along
        v = y * cosine + (az * x - ax * z) * sine + ay * along
        w = z * cosine + (ax * y - ay * x) * sine + az * along
        u, v = u / w, v / w
        square = u * u + v * v
        distortion = 1.0 + cameras[c, 9] * square + cameras[c, 10] * square * square
        u = cameras[c, 6] * distortion * u + cameras[c, 7]
        v = cameras[c, 6] * distortion * v + cameras[c, 8]
        du = weights[p] * (u - features[p, 0])
        dv = weights[p] * (v - features[p, 1])
        total += 0.5 * (du * du + dv * dv)
    return total


def bundle_by_hand(cameras, points, weights, features, observed):
    """As the adjoint in C: no observation needs another one, and what has one factor is a sum."""
    cameras_bar = np.zeros_like(cameras)
    points_bar = np.zeros_like(points)
    weights_bar = np.zeros_like(weights)
    for p in range(len(weights)):
        c, j = observed[p, 0], observed[p, 1]
        x = points[j, 0] - cameras[c, 3]
        y = points[j, 1] - cameras[c, 4]
        z = points[j, 2] - cameras[c, 5]
        rx, ry, rz = cameras[c, 0], cameras[c, 1], cameras[c, 2]
        angle = math.sqrt(rx * rx + ry * ry + rz * rz)
        ax, ay, az = rx / angle, ry / angle, rz / angle
        cosine, sine = math.cos(angle), math.sin(angle)
        dot = ax * x + ay * y + az * z
        along = dot * (1.0 - cosine)
        cx, cy, cz = ay * z - az * y, az * x - ax * z, ax * y - ay * x
        w = z * cosine + cz * sine + az * along
        u = (x * cosine + cx * sine + ax * along) / w
        v = (y * cosine + cy * sine + ay * along) / w
        square = u * u + v * v
        focus, first, second = cameras[c, 6], cameras[c, 9], cameras[c, 10]
        distortion = 1.0 + first * square + second * square * square
        scale = focus * distortion
        weight = weights[p]
        eu = scale * u + cameras[c, 7] - features[p, 0]
        ev = scale * v + cameras[c, 8] - features[p, 1]
        du, dv = weight * eu, weight * ev

        weights_bar[p] += du * eu + dv * ev
        pu, pv = weight * du, weight * dv
        both = u * pu + v * pv
        cameras_bar[c, 6] += distortion * both
        cameras_bar[c, 7] += pu
        cameras_bar[c, 8] += pv
        distortion_bar = focus * both
        cameras_bar[c, 9] += distortion_bar * square
        cameras_bar[c, 10] += distortion_bar * square * square
        square_bar = 2.0 * distortion_bar * (first + 2.0 * second * square)
        u_bar = (scale * pu + u * square_bar) / w
        v_bar = (scale * pv + v * square_bar) / w
        w_bar = -(u_bar * u + v_bar * v)
        along_bar = ax * u_bar + ay * v_bar + az * w_bar
        dot_bar = (1.0 - cosine) * along_bar
        x_bar = cosine * u_bar + sine * (az * v_bar - ay * w_bar) + ax * dot_bar
        y_bar = cosine * v_bar + sine * (ax * w_bar - az * u_bar) + ay * dot_bar
        z_bar = cosine * w_bar + sine * (ay * u_bar - ax * v_bar) + az * dot_bar
        ax_bar = along * u_bar + sine * (y * w_bar - z * v_bar) + x * dot_bar
        ay_bar = along * v_bar + sine * (z * u_bar - x * w_bar) + y * dot_bar
        az_bar = along * w_bar + sine * (x * v_bar - y * u_bar) + z * dot_bar
        cosine_bar = x * u_bar + y * v_bar + z * w_bar - dot * along_bar
        sine_bar = cx * u_bar + cy * v_bar + cz * w_bar
        turn_bar = (ax * ax_bar + ay * ay_bar + az * az_bar) / angle
        angle_bar = cosine * sine_bar - sine * cosine_bar - turn_bar
        cameras_bar[c, 0] += ax_bar / angle + ax * angle_bar
        cameras_bar[c, 1] += ay_bar / angle + ay * angle_bar
        cameras_bar[c, 2] += az_bar / angle + az * angle_bar
        cameras_bar[c, 3] -= x_bar
        cameras_bar[c, 4] -= y_bar
        cameras_bar[c, 5] -= z_bar
        points_bar[j, 0] += x_bar
        points_bar[j, 1] += y_bar
        points_bar[j, 2] += z_bar
    return cameras_bar, points_bar, weights_bar


def arguments(limit=None):
    """The suite's file: one camera, point, weight and feature, repeated."""
    numbers = FILE.read_text().split()
    n, m, p = map(int, numbers[:3])
    values = np.array(numbers[3:], dtype=float)
    camera, point, weight, feature = np.split(values, [11, 14, 15])
    p = min(p, limit or p)
    observed = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    return (
        np.tile(camera, (n, 1)), np.tile(point, (m, 1)), np.tile(weight, p),
        np.tile(feature, (p, 1)), observed,
    )  # fmt: skip
