"""`KDTree` and `ConvexHull` in their points, and in the points that are asked for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import spatial

from autodiff import check_grads, grad, value_and_grad

pytestmark = pytest.mark.followed
RNG = np.random.default_rng(0)
W = np.array([0.5, 1.5, 0.8, 1.1, 2.3])
X, Z = RNG.normal(size=(8, 2)), RNG.normal(size=(9, 3))
IN_C, IN_PYTHON = spatial.cKDTree(X), spatial.KDTree(X)


def moving_points(p):
    distances, _ = spatial.cKDTree(X * p[0]).query(np.array([[p[1], 0.9]]), k=2)
    return distances.sum()


def moving_places(p):
    several = IN_PYTHON.query(p[:4].reshape(2, 2), k=3, p=1)[0].sum()
    return IN_C.query(p[:2])[0] + several + IN_PYTHON.query(p[1:3], p=np.inf)[0]


def both(p):
    distances, places = spatial.KDTree(X + p[:2]).query(X * 0.5)
    return distances @ distances + p[places % 5].sum()


def in_a_ball(p):
    near = spatial.KDTree(X * p[0]).query_ball_point(p[:2], 1.0)
    return np.sum((X[near] - p[:2]) ** 2) + len(IN_C.query_ball_point(p[:2], 2.0)) * p[0]


def flat_hull(p):
    hull = spatial.ConvexHull(X * p[:2])
    return hull.volume + hull.area + hull.points[hull.vertices].sum()


def hull_in_space(p):
    hull = spatial.ConvexHull(Z * p[:3])
    return hull.volume + 2 * hull.area


@pytest.mark.parametrize(
    "program", [moving_points, moving_places, both, in_a_ball, flat_hull, hull_in_space]
)
def test_programs(program):
    value, _ = value_and_grad(program)(W)
    np.testing.assert_allclose(value, program(W), rtol=1e-12)
    check_grads(program, W)


def test_second_derivatives():
    check_grads(hull_in_space, W, order=2)
    check_grads(moving_points, W, order=2)


def test_what_is_out_of_reach_and_points_that_are_met():
    def far(p):
        found, _ = IN_C.query(p[:2], distance_upper_bound=1e-3)
        return np.where(np.isinf(found), p[0], found)

    assert grad(far)(W)[0] == 1.0
    assert not np.any(grad(lambda x: IN_C.query(x)[0])(X[3]))


def test_a_periodic_box_is_refused():
    with pytest.raises(NotImplementedError, match="periodic box"):
        grad(lambda p: spatial.cKDTree(np.abs(X) * p[0], boxsize=9.0).query(p[:2])[0])(W)
    by_position = 16, True, False, True, 9.0
    with pytest.raises(NotImplementedError, match="periodic box"):
        grad(lambda p: spatial.cKDTree(np.abs(X) * p[0], *by_position).query(p[:2])[0])(W)
