"""Rotations that carry a derivative: values as SciPy's, both modes, twice, and followed runs."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from autodiff import check_grads, grad, vjp
from tests.tracing.alone import followed_alone

RNG = np.random.default_rng(0)
ONE, SOME, POINTS = RNG.normal(size=4), RNG.normal(size=(3, 4)), RNG.normal(size=(3, 3))
ANGLES, KNOWN = RNG.uniform(-1, 1, 3), Rotation.from_quat(SOME)


def turned(q, v):
    r = Rotation.from_quat(q)
    return np.sum(np.sin(r.apply(v))) + np.sum(r.as_matrix() ** 3) + r.magnitude()


def composed(w, v):
    r = Rotation.from_rotvec(w)
    s = r * r.inv() * Rotation.from_rotvec(w**2) * KNOWN
    return np.sum(s.apply(v, inverse=True) ** 3) + np.sum((KNOWN * r).as_quat() ** 3)


def by_angles(e):
    r = Rotation.from_euler("xyz", e) * Rotation.from_euler("z", e[0])
    return np.sum(r.as_euler("ZXZ") ** 2) + np.sum(r.as_rotvec() ** 3)


def of_matrices(w):
    m = Rotation.from_rotvec(w).as_matrix()
    return np.sum(Rotation.from_matrix(m + 0.01 * w[0]).as_rotvec() ** 2 * np.arange(3.0))


def between(q, t):
    s = Slerp([0.0, 1.0, 2.5], Rotation.from_quat(q))
    return np.sum(s(t).as_matrix() ** 3) + np.sum(s(0.0).as_quat())


def constant(v):
    return np.sum(np.sin(KNOWN.apply(v, inverse=True)))


PROGRAMS = {
    turned: (ONE, POINTS),
    composed: (ANGLES, POINTS),
    by_angles: (ANGLES,),
    of_matrices: (ANGLES,),
    between: (SOME, np.array([0.3, 1.7])),
    constant: (POINTS,),
}


@pytest.mark.followed  # `constant` is, for the compiler knows nothing of an object of SciPy's
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(program):
    check_grads(program, *PROGRAMS[program])


@pytest.mark.parametrize("program", [turned, by_angles], ids=lambda f: f.__name__)
def test_second_derivatives(program):
    check_grads(program, *PROGRAMS[program], order=2)


@pytest.mark.followed
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_runs_that_are_followed(program):
    with followed_alone():
        check_grads(program, *PROGRAMS[program])


@pytest.mark.parametrize(
    "f",
    [
        lambda q: Rotation.from_quat(q).as_matrix(),
        lambda q: Rotation.from_quat(q, scalar_first=True).as_quat(canonical=True),
        lambda q: Rotation.from_quat(q).as_rotvec(degrees=True),
        lambda q: Rotation.from_quat(q).as_euler("ZXZ"),
        lambda q: Rotation.from_quat(q).as_euler("xyz"),
        lambda q: Rotation.from_quat(q).as_euler("YXZ", degrees=True),
        lambda q: (Rotation.from_quat(q) ** 2.5)[1:].as_matrix(),
        lambda q: Rotation.from_euler("XYZ", q[:, :3]).as_quat(),
        lambda q: Rotation.from_euler("zy", q[:, :2], degrees=True).as_matrix(),
        lambda q: Rotation.from_matrix(q[:3, :3] @ q[:3, :3].T + np.eye(3)).as_quat(),
    ],
)
def test_values(f):
    np.testing.assert_allclose(vjp(f, SOME)[0], f(SOME), rtol=1e-12, atol=1e-13)


def test_no_rotation_and_gimbal_lock():
    check_grads(composed, np.zeros(3), POINTS)
    with pytest.raises(ValueError, match="gimbal lock"):
        grad(lambda e: np.sum(Rotation.from_euler("xyz", e).as_euler("zxz")))(np.zeros(3))
    with pytest.raises(ValueError, match="range"):
        grad(lambda t: np.sum(Slerp([0.0, 1.0, 2.5], KNOWN)(t).as_quat()))(3.0)
