"""Distances between points: all metrics and options, their hard points, second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial import distance

from autodiff import check_grads, grad, hessian, jvp
from autodiff.errors import UnsupportedSyntaxError

RNG = np.random.default_rng(3)
A, B = RNG.uniform(0.1, 1.0, (3, 2)), RNG.uniform(0.1, 1.0, (4, 2))
W = RNG.uniform(0.5, 1.5, (3, 4))
WEIGHTS = np.array([0.7, 1.6])
INVERSE = np.array([[1.4, 0.3], [0.2, 0.9]])
METRICS = (
    *("euclidean", "sqeuclidean", "seuclidean", "mahalanobis", "cosine", "correlation"),
    *("jensenshannon", "cityblock", "chebyshev", "minkowski", "braycurtis", "canberra"),
)
FLAT = ("correlation", "chebyshev")  # of two coordinates: constant; with kinks at which rows meet


def between(metric: str) -> Any:
    return lambda a, b: np.sum(W * distance.cdist(a, b, metric) ** 2)


def with_weights(metric: str) -> Any:
    return lambda a, b, w: np.sum(W * distance.cdist(a, b, metric, w=w) ** 2)


@pytest.mark.heavy
@pytest.mark.parametrize("metric", METRICS)
def test_second_derivatives(metric: str) -> None:
    a, b = (A, B) if metric != "correlation" else (RNG.uniform(0, 1, (3, 3)), RNG.random((4, 3)))
    check_grads(between(metric), a, b, order=2)


@pytest.mark.heavy
@pytest.mark.parametrize("metric", ["minkowski", "canberra"])
def test_second_derivatives_with_weights(metric: str) -> None:
    check_grads(with_weights(metric), A, B, WEIGHTS, order=2)


@pytest.mark.parametrize("metric", [m for m in METRICS if m != "mahalanobis"])
def test_points_that_coincide_contribute_nothing(metric: str) -> None:
    points = np.array([[1.0, 2.0, 0.5], [1.0, 2.0, 0.5], [4.0, 6.0, 1.5]])

    def all_pairs(x: Any) -> Any:
        return np.sum(distance.cdist(x, x, metric))

    def other_pairs(x: Any) -> Any:
        y = distance.cdist(x, x, metric)
        return 2 * (y[0, 2] + y[1, 2])

    np.testing.assert_allclose(grad(all_pairs)(points), grad(other_pairs)(points), atol=1e-6)
    tangent = jvp(all_pairs, (points,), (points**2,))[1]
    np.testing.assert_allclose(tangent, np.sum(grad(all_pairs)(points) * points**2), atol=1e-5)
    assert np.all(np.isfinite(hessian(all_pairs)(points)))


def test_zeros_of_canberra() -> None:
    def f(a: Any, b: Any) -> Any:
        return distance.cdist(a, b, "canberra")[0, 0]

    def found(a: list[float], b: list[float]) -> Any:
        return grad(f)(np.array([a]), np.array([b]))[0]

    np.testing.assert_array_equal(found([0.0, 0.0], [0.0, 0.0]), 0.0)
    np.testing.assert_array_equal(found([0.0, 3.0], [2.0, 1.0]), [-0.5, 0.125])
    np.testing.assert_array_equal(found([2.0, -1.0], [0.0, 1.0]), 0.0)


def test_shares_that_are_zero() -> None:
    def f(a: Any, b: Any) -> Any:
        return distance.cdist(a, b, "jensenshannon")[0, 0]

    a, b = np.array([[0.0, 1.0, 3.0]]), np.array([[0.0, 2.0, 2.0]])
    expected = grad(f)(a[:, 1:], b[:, 1:])
    np.testing.assert_allclose(grad(f)(a, b)[0, 1:], expected[0])
    with np.errstate(divide="ignore"):
        assert np.isneginf(grad(f)(np.array([[0.0, 1.0]]), np.array([[1.0, 1.0]]))[0, 0])


def test_powers_below_one() -> None:
    def f(x: Any, w: Any) -> Any:
        return np.sum(distance.cdist(x, x[:1], "minkowski", p=0.5, w=w))

    found = grad(f, (0, 1))(np.array([[1.0, 2.0], [1.0, 3.0]]), np.ones(2))
    np.testing.assert_allclose(found[0], [[0.0, -1.0], [0.0, 1.0]])
    np.testing.assert_allclose(found[1], [0.0, 2.0])


@pytest.mark.parametrize(
    ("metric", "away"),
    [("euclidean", 40), ("sqeuclidean", 40), ("seuclidean", 20), ("mahalanobis", 20)],
)
def test_nothing_is_lost_far_from_zero(metric: str, away: int) -> None:
    def f(a: Any, b: Any) -> Any:
        return np.sum(W * distance.cdist(a, b, metric))

    near = np.round(A * 256) / 256, np.round(B * 256) / 256
    far = near[0] + 2.0**away, near[1] + 2.0**away
    for found, expected in zip(grad(f, (0, 1))(*far), grad(f, (0, 1))(*near)):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_variances_and_covariances_that_are_given() -> None:
    def f(a: Any, b: Any, v: Any, vi: Any) -> Any:
        y = distance.cdist(a, b, "seuclidean", V=v) * distance.cdist(a, b, "mahalanobis", VI=vi)
        return np.sum(W * y) + np.sum(distance.pdist(a, "seuclidean", V=v) ** 3)

    check_grads(f, A, B, WEIGHTS, INVERSE)


def test_those_found_from_the_points_are_part_of_the_derivative() -> None:
    def f(x: Any) -> Any:
        spread = np.arange(1.0, 7.0)
        y = distance.pdist(x, "seuclidean") * distance.pdist(x, "mahalanobis")
        return np.sum(spread * y)

    check_grads(f, B, order=2)


def test_unsigned_points() -> None:
    a, b = np.array([[1, 5]], np.uint8), np.array([[3, 2]], np.uint8)

    def f(w: Any) -> Any:
        return distance.cdist(a, b, "cityblock", w=w)[0, 0]

    np.testing.assert_array_equal(grad(f)(np.ones(2)), [2.0, 3.0])


@pytest.mark.parametrize(
    "metric", ["Euclid", "SqE", "s", "MAH", "cos", "js", "cb", "cheb", "pnorm"]
)
def test_other_names(metric: str) -> None:
    check_grads(lambda a, b: np.sum(W * distance.cdist(a, b, metric) ** 2), A, B)


def test_weights_of_single_distances() -> None:
    def f(u: Any, v: Any, w: Any) -> Any:
        return distance.canberra(u, v, w) + distance.braycurtis(u, v, w)

    check_grads(f, A[0], B[0], WEIGHTS, order=2)
    check_grads(lambda p, q: distance.jensenshannon(p, q, 2.0), A[0], B[0], order=2)


def test_arguments_by_name() -> None:
    def f(a: Any, b: Any) -> Any:
        y = distance.cdist(XB=b, XA=a, metric="canberra")
        return np.sum(W * y) + np.sum(distance.pdist(X=a, metric="braycurtis") ** 2)

    check_grads(f, A, B)


def test_without_points() -> None:
    def f(a: Any, b: Any) -> Any:
        return np.sum(distance.cdist(a, b)) + np.sum(distance.cdist(a, b, "cityblock"))

    assert grad(f)(np.ones((0, 2)), B).shape == (0, 2)
    np.testing.assert_array_equal(grad(f)(A, np.ones((0, 2))), 0.0)


@pytest.mark.parametrize("metric", ["hamming", "jaccard", "dice", "yule", "matching"])
def test_what_counts_coordinates_is_refused(metric: str) -> None:
    with pytest.raises(NotImplementedError, match=f"'{metric}' is piecewise constant"):
        grad(between(metric))(A, B)


def test_functions_are_refused() -> None:
    with pytest.raises((NotImplementedError, UnsupportedSyntaxError), match="a function"):
        grad(lambda a: np.sum(distance.cdist(a, B, distance.canberra)))(A)
