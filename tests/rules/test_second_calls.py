"""Second derivatives of calls as users write them, reverse over reverse and forward over reverse.

`test_second_programs.py` takes two samples of each rule; here are the forms that were refused once.
"""

import numpy as np
import pytest
from scipy import integrate

from autodiff import grad, hessian
from tests.installed import works

RNG = np.random.default_rng(11)
V, WEIGHTS, MORE = RNG.uniform(0.5, 1.5, (3, 6))
POINTS = np.cumsum(RNG.uniform(0.1, 0.3, 6))
M = RNG.uniform(0.5, 1.5, (4, 5))
T = RNG.uniform(0.5, 1.5, (3, 1, 4))
S = M[:, :4] @ M[:, :4].T + np.eye(4)
trapezoid = getattr(np, "trapezoid", None) or np.trapz  # NumPy 1

CASES = {
    "average": (V, lambda x: np.average(x**2, weights=WEIGHTS) ** 2),
    "average, its weights": (V, lambda x: np.average(WEIGHTS**2, weights=x) ** 2),
    "average, both": (V, lambda x: np.average(x**2, weights=x) ** 2),
    "average of columns": (M, lambda x: np.sum(np.average(x**2, 0, WEIGHTS[:4]) ** 2)),
    "average, weights of rows": (
        M[:, 0],
        lambda x: np.sum(np.average(M**2, axis=0, weights=x) ** 2),
    ),
    "slopes over all axes": (M, lambda x: sum(np.sum(g**3) for g in np.gradient(x**2))),
    "slopes with steps": (M, lambda x: np.sum(np.gradient(x**2, 0.1, 0.2)[0] ** 3)),
    "slopes over two axes": (M, lambda x: np.sum(np.gradient(x**2, axis=(0, 1))[1] ** 3)),
    "slopes at points": (POINTS, lambda x: np.sum(np.gradient(V**2, x) ** 3)),
    "slopes and points": (
        POINTS,
        lambda x: np.sum(np.sin(np.gradient(x[:4] ** 2, np.cumsum(x[2:]), edge_order=2))),
    ),
    "slopes of two and their points": (V, lambda x: np.sum(np.gradient(x[:2] ** 2, x[2:4]) ** 3)),
    "tensorsolve, both": (S[:3, :3], lambda x: np.sum(np.linalg.tensorsolve(x, x[0]) ** 2)),
    "parts that overlap": (V, lambda x: sum(np.sum(p**3) for p in np.split(x**2, [4, 2]))),
    "trapezoid": (V, lambda x: trapezoid(x**2, POINTS) ** 2),
    "trapezoid, its points": (POINTS, lambda x: trapezoid(V**2, x) ** 3),
    "trapezoid, both": (POINTS, lambda x: trapezoid(x**2, x) ** 3),
    "trapezoid of columns": (M, lambda x: np.sum(trapezoid(x**3, POINTS[:4], axis=0) ** 2)),
    **{
        f"simpson, {what} {n}": (POINTS[:n], f)
        for n in (5, 6)
        for what, f in (
            ("values", lambda x: integrate.simpson(x**2, x=POINTS[: len(x)]) ** 2),
            ("points", lambda x: integrate.simpson(V[: len(x)] ** 2, x=x) ** 3),
            ("both", lambda x: integrate.simpson(x**3, x=x**2) ** 2),
        )
    },
    "cumulative trapezoid, step": (
        POINTS[:1],
        lambda x: np.sum(integrate.cumulative_trapezoid(M**2, dx=x[0], axis=0, initial=0) ** 3),
    ),
    "largest": (V, lambda x: np.linalg.norm(x**2, np.inf) ** 2),
    "smallest": (V, lambda x: np.linalg.norm(x**2, -np.inf) ** 2),
    "sum of sizes": (V, lambda x: np.linalg.norm(x**2, 1) ** 2),
    "third norm": (V, lambda x: np.linalg.norm(x**2, 3) ** 2),
    "largest of rows": (M, lambda x: np.sum(np.linalg.norm(x**2, np.inf, axis=1) ** 2)),
    "sums of rows": (M, lambda x: np.linalg.norm(x**2, np.inf) ** 2),
    "spectral norm": (M, lambda x: np.linalg.norm(x**2, 2) ** 2),
    "delete columns": (M, lambda x: np.sum(np.delete(x**2, slice(1, 3), axis=1) ** 2)),
    "delete rows": (M, lambda x: np.sum(np.delete(x**2, slice(None, None, 2), 0) ** 2)),
    "delete elements": (V, lambda x: np.sum(np.delete(x**2, slice(1, 3)) ** 2)),
    "cholesky": (S, lambda x: np.sum(np.linalg.cholesky(x) ** 3)),
    "eigh": (S, lambda x: np.sum(np.linalg.eigh(x)[1] ** 2 * M[:, :4])),
    "eigh, upper": (S, lambda x: np.sum(np.linalg.eigh(x, "U")[0] ** 3)),
    "eigvalsh": (S, lambda x: np.sum(np.linalg.eigvalsh(x) ** 3)),
    "pinv, hermitian": (S, lambda x: np.sum(np.linalg.pinv(x, hermitian=True) ** 3)),
}
if works(lambda: np.average(T, axis=(0, 2), weights=T[:, 0, :])):  # since NumPy 2
    CASES["average over two axes"] = (
        T[:, 0, :],
        lambda x: np.sum(np.average(T**2, axis=(0, 2), weights=x) ** 2),
    )
    CASES["average over two axes, turned"] = (
        T[:, 0, :].T,
        lambda x: np.sum(np.average(T**2, axis=(2, 0), weights=x) ** 2),
    )


@pytest.mark.parametrize("name", CASES)
def test_the_second_derivative_agrees_with_differences(name):
    x, f = CASES[name]
    first = grad(f)
    v = np.cos(3.0 * np.arange(x.size) + 0.3).reshape(x.shape)

    def along(x):
        return np.sum(v * grad(f)(x))

    expected = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[place] = 1e-5
        expected[place] = np.sum(v * (first(x + step) - first(x - step))) / 2e-5
    np.testing.assert_allclose(grad(along)(x), expected, rtol=1e-5, atol=1e-6)
    product = np.tensordot(hessian(f)(x), v, x.ndim)
    np.testing.assert_allclose(product, expected, rtol=1e-5, atol=1e-6)
