"""Rotations in space that carry a derivative: quaternions of length 1, the scalar behind.

    r = Rotation.from_euler("xyz", angles)        what stands for it is a `Turn`
    r.apply(vectors)                              np.einsum(..., r.as_matrix(), vectors)

Two quaternions mean each rotation: what SciPy gives of both is the same but for `as_quat`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from scipy.spatial import transform
from scipy.spatial.transform import Rotation

from autodiff.rules import nondifferentiable, registry
from autodiff.rules.taking import add_recipes

_SKEWED = Rotation.from_matrix([[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
_STEPS = 7 if np.isclose(_SKEWED.magnitude(), np.arctan(0.25), rtol=1e-9) else 0
"""Of Newton's method, for the orthogonal matrix next to one that nearly is: not in SciPy 1.15.0."""


class Turn:
    """What stands for a `Rotation`, or for several."""

    def __init__(self, quaternion):
        self.held = quaternion

    def __len__(self):
        if np.ndim(self.held) == 1:
            raise TypeError("Single rotation has no len().")
        return len(self.held)

    def __getitem__(self, key):
        if np.ndim(self.held) == 1:
            raise TypeError("Single rotation is not subscriptable.")
        return Turn(self.held[key])

    @property
    def single(self):
        return np.ndim(self.held) == 1

    def as_quat(self, canonical=False, *, scalar_first=False):
        q = upright(self.held) if canonical else self.held
        return np.roll(q, 1, axis=-1) if scalar_first else q

    def as_matrix(self):
        q = self.held
        x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
        rows = [
            np.stack([x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
            np.stack(
                [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)], -1
            ),
            np.stack(
                [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w], -1
            ),
        ]
        return np.stack(rows, -2)

    def as_rotvec(self, degrees=False):
        q = upright(self.held)
        xyz = q[..., :3]
        square = np.sum(xyz * xyz, axis=-1, keepdims=True)
        small = square < 1e-6
        length = np.sqrt(np.where(small, 1.0, square))
        near = 2 + square / 3 + 3 * square * square / 20
        scale = np.where(small, near, 2 * np.arctan2(length, q[..., 3:]) / length)
        return np.rad2deg(xyz * scale) if degrees else xyz * scale

    def as_euler(self, seq, degrees=False):
        found = euler_angles(self.held, seq)
        return np.rad2deg(found) if degrees else found

    def apply(self, vectors, inverse=False):
        matrix = self.inv().as_matrix() if inverse else self.as_matrix()
        return np.einsum("...jk,...k->...j", matrix, np.asarray(vectors))

    def inv(self):
        return Turn(self.held * np.array([-1.0, -1.0, -1.0, 1.0]))

    def magnitude(self):
        xyz, w = self.held[..., :3], self.held[..., 3]
        square = np.sum(xyz * xyz, axis=-1)
        length = np.where(square == 0, 0.0, np.sqrt(np.where(square == 0, 1.0, square)))
        return 2 * np.arctan2(length, np.abs(w))

    def __mul__(self, other):
        return Turn(after(self.held, other.as_quat()))

    def __rmul__(self, other):
        return Turn(after(other.as_quat(), self.held))

    def __pow__(self, n):
        return from_rotvec(n * self.as_rotvec())


def joined(vector, scalar):
    """The quaternion of which these are the parts."""
    return vector @ np.eye(3, 4) + scalar * np.array([0.0, 0.0, 0.0, 1.0])


def upright(q):
    """Of the two quaternions the one of which the scalar is positive."""
    return np.where(q[..., 3:] < 0, -q, q)


def after(p, q):
    """The quaternion of one rotation after another."""
    u, v, a, b = p[..., :3], q[..., :3], p[..., 3:], q[..., 3:]
    vector = a * v + b * u + np.cross(u, v)
    scalar = a * b - np.sum(u * v, axis=-1, keepdims=True)
    return normalized(joined(vector, scalar))


def normalized(q):
    length = np.sqrt(np.sum(q * q, axis=-1, keepdims=True))
    if np.any(length == 0):
        raise ValueError("Found zero norm quaternions in `quat`.")
    return q / length


def from_quat(quat, *, scalar_first=False):
    q = np.asarray(quat, dtype=float)
    return Turn(normalized(np.roll(q, -1, axis=-1) if scalar_first else q))


def from_matrix(matrix, *, assume_valid=False):
    m = np.asarray(matrix, dtype=float)
    if not assume_valid:
        if np.any(np.linalg.det(m) <= 0):
            raise ValueError("Non-positive determinant in a rotation matrix.")
        for _ in range(_STEPS):
            m = (m + np.swapaxes(np.linalg.inv(m), -1, -2)) / 2
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    d, e, f = m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]
    g, h, i = m[..., 1, 2], m[..., 2, 0], m[..., 0, 1]
    each = [
        np.stack([1 + a - b - c, f + i, e + h, d - g], -1),
        np.stack([f + i, 1 - a + b - c, d + g, e - h], -1),
        np.stack([e + h, d + g, 1 - a - b + c, f - i], -1),
        np.stack([d - g, e - h, f - i, 1 + a + b + c], -1),
    ]
    largest = np.argmax(np.stack([a, b, c, a + b + c], -1), axis=-1)[..., None]
    q = np.where(largest == 0, each[0], np.where(largest == 1, each[1], each[3]))
    return Turn(normalized(np.where(largest == 2, each[2], q)))


def from_rotvec(rotvec, degrees=False):
    v = np.asarray(rotvec, dtype=float)
    v = np.deg2rad(v) if degrees else v
    square = np.sum(v * v, axis=-1, keepdims=True)
    small = square < 1e-6
    angle = np.sqrt(np.where(small, 1.0, square))
    scale = np.where(small, 0.5 - square / 48 + square**2 / 3840, np.sin(angle / 2) / angle)
    scalar = np.where(small, 1 - square / 8 + square**2 / 384, np.cos(angle / 2))
    return Turn(joined(v * scale, scalar))


def axes_of(seq):
    """The numbers of the axes, and whether they turn with the body."""
    return tuple(["xyz".index(each) for each in seq.lower()]), seq == seq.upper()


nondifferentiable(axes_of)


def from_euler(seq, angles, degrees=False):
    given = np.asarray(angles, dtype=float)
    given = np.deg2rad(given) if degrees else given
    if len(seq) == 1 and (np.ndim(given) == 0 or np.shape(given)[-1] != 1):
        given = np.expand_dims(given, -1)
    axes, intrinsic = axes_of(seq)
    q = np.array([0.0, 0.0, 0.0, 1.0])
    for k in range(len(seq)):
        half = given[..., k : k + 1] / 2
        one = joined(np.sin(half) * np.eye(3)[axes[k]], np.cos(half))
        q = one if k == 0 else (after(q, one) if intrinsic else after(one, q))
    return Turn(q)


def euler_angles(q, seq):
    """As Bernardes and Viollet say, by half a sum and half a difference."""
    axes, intrinsic = axes_of(seq)
    i, j, k = (axes[2], axes[1], axes[0]) if intrinsic else (axes[0], axes[1], axes[2])
    same = i == k
    k = 3 - i - j if same else k
    sign = (i - j) * (j - k) * (k - i) // 2
    a, b, c, d = q[..., 3], q[..., i], q[..., j], q[..., k] * sign
    if not same:
        a, b, c, d = a - c, b + d, c + a, d - b
    outer, inner = np.hypot(a, b), np.hypot(c, d)
    if np.any(outer < 1e-7) or np.any(inner < 1e-7):
        raise ValueError("Euler angles have no derivative at gimbal lock: use as_rotvec()")
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    middle = 2 * np.arctan2(inner, outer) - (0.0 if same else np.pi / 2)
    first, third = half_sum - half_difference, half_sum + half_difference
    third = third if same else third * sign
    found = np.stack([third, middle, first] if intrinsic else [first, middle, third], -1)
    return np.mod(found + np.pi, 2 * np.pi) - np.pi


class Way:
    """What stands for a `Slerp`: from one rotation to the next with the same speed."""

    def __init__(self, times, rotations):
        self.times = np.asarray(times, dtype=float)
        self.turns = Turn(rotations.as_quat())
        self.steps = (self.turns[:-1].inv() * self.turns[1:]).as_rotvec()

    def __call__(self, times):
        t = np.asarray(times, dtype=float)
        if np.any(t < self.times[0]) or np.any(t > self.times[-1]):
            raise ValueError("Interpolation times must be within the range of the given ones.")
        k = np.maximum(np.searchsorted(self.times, t) - 1, 0)
        part = (t - self.times[k]) / (self.times[k + 1] - self.times[k])
        return self.turns[k] * from_rotvec(self.steps[k] * np.expand_dims(part, -1))


def slerp(times, rotations):
    return Way(times, rotations)


def apply(self, vectors, inverse=False):
    """What a rotation that has no derivative makes of vectors that have one."""
    how = "...kj,...k->...j" if inverse else "...jk,...k->...j"
    return np.einsum(how, self.as_matrix(), np.asarray(vectors))


registry.add_written(
    {
        Rotation.from_quat: from_quat,
        Rotation.from_matrix: from_matrix,
        Rotation.from_rotvec: from_rotvec,
        Rotation.from_euler: from_euler,
        Rotation.apply: apply,
        transform.Slerp: slerp,
    }
)
add_recipes(__name__)
