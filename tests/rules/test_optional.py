"""Templates of SciPy: loaded when one of its functions turns up, never before."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import integrate, interpolate, linalg, signal, special, stats
from scipy.spatial import distance

from autodiff import check_grads, grad
from autodiff.errors import MissingRuleError, NonDifferentiableError
from tests.rules.oracle import adjoints_of

LOADED = "sorted(m for m in sys.modules if m.startswith('autodiff.templates.scipy.'))"


def printed(root, code):
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    return found.stdout.split()


def test_scipy_is_not_imported(root, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        "import sys, numpy as np, autodiff\n"
        "def f(x):\n    return np.sum(np.sin(x))\n"
        "autodiff.grad(f)(np.ones(2))\n"
        f"print(any(m.split('.')[0] == 'scipy' for m in sys.modules), *{LOADED})\n"
    )
    assert printed(root, f"exec(compile(open({str(file)!r}).read(), {str(file)!r}, 'exec'))") == [
        "False"
    ]


def test_only_the_part_in_use_is_loaded(root, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        "import sys, numpy as np, autodiff\n"
        "import scipy.linalg\n"
        "from scipy import special\n"
        "def f(x):\n    return np.sum(special.erf(x))\n"
        "autodiff.grad(f)(np.ones(2))\n"
        f"print(*(m for m in {LOADED} if m.count('.') == 3))\n"
    )
    code = f"exec(compile(open({str(file)!r}).read(), {str(file)!r}, 'exec'))"
    assert printed(root, code) == ["autodiff.templates.scipy.special"]


def test_derivatives_are_saved_with_scipy(tmp_path):
    def f(x):
        return np.sum(special.gammaln(x) * special.expit(x))

    x = np.array([0.5, 2.0])
    derivative = grad(f)
    expected = derivative(x)
    derivative.save(tmp_path / "saved.py")
    text = (tmp_path / "saved.py").read_text()
    assert "from scipy import special" in text
    scope = {}
    exec(text, scope)
    np.testing.assert_array_equal(scope["f_grad"](x), expected)


def test_single_precision_stays_beside_python_numbers():
    def f(x):
        return np.sum(special.gammainc(1.5, x))

    assert grad(f)(np.ones(3, np.float32)).dtype == np.float32


def test_hankel_functions_of_real_numbers():
    def f(x):
        return np.sum(np.real(special.hankel1(1.5, x)) * np.imag(special.hankel2(0.5, x)))

    check_grads(f, np.array([0.7, 2.0]))


def test_logsumexp_of_nothing_but_minus_infinity():
    def f(x):
        return special.logsumexp(x)

    np.testing.assert_array_equal(grad(f)(np.full(3, -np.inf)), np.zeros(3))
    np.testing.assert_allclose(grad(f)(np.array([-np.inf, 0.0, 0.0])), [0.0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("distribution", "shapes"),
    [
        *((stats.expon, ()), (stats.halfnorm, ()), (stats.rayleigh, ()), (stats.uniform, ())),
        *((stats.gamma, (2.0,)), (stats.chi2, (3.0,)), (stats.invgamma, (2.0,))),
        *((stats.lognorm, (0.5,)), (stats.weibull_min, (1.5,)), (stats.pareto, (2.0,))),
        *((stats.invgauss, (0.7,)), (stats.f, (2.0, 3.0)), (stats.beta, (2.0, 3.0))),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_outside_of_the_support_the_derivative_is_zero(distribution, shapes):
    x = np.array([-0.5, -2.0])
    for function in (distribution.logpdf, distribution.logcdf):
        result, found = adjoints_of(function, (x, *shapes), {}, np.ones(2))
        assert np.all(np.isneginf(result))
        np.testing.assert_array_equal(found["x"], 0.0)


@pytest.mark.parametrize(
    ("function", "k", "parameters"),
    [
        (stats.poisson.logcdf, -1, (2.0,)),
        (stats.bernoulli.logsf, 1, (0.3,)),
        (stats.binom.logcdf, -1, (4, 0.3)),
        (stats.binom.logsf, 4, (4, 0.3)),
        (stats.geom.logcdf, 0, (0.3,)),
        (stats.nbinom.logcdf, -1, (2.0, 0.3)),
        *((stats.geom.cdf, np.inf, (0.3,)), (stats.nbinom.sf, np.inf, (2.0, 0.3))),
        *((stats.geom.sf, -np.inf, (0.3,)), (stats.poisson.cdf, np.inf, (2.0,))),
        *((stats.binom.cdf, 0, (0, 0.3)), (stats.binom.cdf, 5.0, (4, 0.3))),
    ],
)
def test_probabilities_that_are_zero_or_one_stay_so(function, k, parameters):
    name = "mu" if len(parameters) == 1 and parameters[0] == 2.0 else "p"
    _, found = adjoints_of(function, (k, *parameters), {}, np.float64(1.0), (name,))
    assert found[name] == 0.0


def test_probabilities_at_certainty():
    assert grad(lambda p: stats.binom.cdf(3, 4, p))(1.0) == -4.0
    assert grad(lambda p: stats.geom.cdf(1, p))(1.0) == 1.0
    assert grad(lambda p: stats.bernoulli.sf(0, p))(0.0) == 1.0


def test_shapes_of_distribution_functions_far_out():
    found = grad(lambda c: stats.weibull_min.logsf(30.0, c))(2.0)
    np.testing.assert_allclose(found, -900 * np.log(30.0))
    found = grad(lambda b: stats.pareto.logsf(1e50, b))(3.0)
    np.testing.assert_allclose(found, -np.log(1e50))
    for dist in (stats.weibull_min, stats.pareto, stats.lognorm, stats.invgauss, stats.skewnorm):
        for x in (-np.inf, np.inf) if dist is stats.skewnorm else (-1.0, 0.0, np.inf):
            with np.errstate(invalid="ignore"):  # in SciPy's densities
                assert grad(lambda a, x, dist: dist.cdf(x, a))(1.5, x, dist) == 0.0
                assert grad(lambda a, x, dist: dist.logsf(x, a))(1.5, x, dist) == 0.0


def test_a_distribution_by_any_name():
    def likelihood(x, family):
        density = family.logpdf
        return np.sum(density(x, scale=2.0)) + np.sum(stats.norm.logpdf(x, 0.5))

    x = np.array([0.3, -1.2])
    expected = -2 * x / (4 + x**2) - (x - 0.5)
    np.testing.assert_allclose(grad(likelihood)(x, stats.cauchy), expected)
    np.testing.assert_allclose(grad(likelihood)(x, stats.norm), -x / 4 - (x - 0.5))


def test_methods_without_a_rule_are_refused():
    with pytest.raises(MissingRuleError, match=r"stats\.norm\.entropy"):
        grad(lambda x: stats.norm.entropy(0.0, x))(0.3)


def test_shapes_without_a_derivative_are_refused():
    with pytest.raises(NonDifferentiableError, match="`shape`"):
        grad(lambda kappa: stats.vonmises.cdf(1.0, kappa))(2.0)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_simpson_of_few_points(n):
    points = np.array([0.0, 0.4, 1.1])[:n]
    check_grads(lambda y, x: integrate.simpson(y**2, x=x) ** 2, points + 1.0, points)


POINTS = np.array([0.0, 0.4, 1.1, 1.5, 2.3, 2.6])
TABLE = interpolate.CubicSpline(POINTS, np.sin(3 * POINTS))
BROKEN_LINE = interpolate.interp1d(POINTS, np.sin(3 * POINTS))
MATRIX = np.array([[2.0, 0.3, 0.1], [0.4, 0.5, 0.2], [0.1, 1.2, 1.0]])
VECTOR = np.array([1.0, 2.0, 3.0])


def test_interpolants_are_functions():
    def f(x):
        return np.sum(TABLE(x) ** 2 * BROKEN_LINE(x)) + TABLE(x[0], 1)

    check_grads(f, np.array([0.15, 1.0, 2.5]))

    def g(x, table):
        total = 0.0
        for k in range(len(x)):
            total = total + table(x[k]) ** 2
        return total

    x = np.array([0.15, 1.0])
    np.testing.assert_allclose(grad(g)(x, TABLE), 2 * TABLE(x) * TABLE(x, 1))


def solved(a, b):
    factors = linalg.lu_factor(a)
    return np.sum(linalg.lu_solve(factors, b) ** 2) + linalg.det(a)


def triangular(a, b):
    lower = linalg.cholesky(a @ a.T, lower=True)
    return np.sum(linalg.solve_triangular(lower, b, lower=True) ** 2)


def positive(a, b):
    factor = linalg.cho_factor(a @ a.T)
    return np.sum(linalg.cho_solve(factor, b) ** 2) + np.sum(np.log(np.diag(factor[0])))


def exponential(a, b):
    return np.sum(linalg.expm(a) @ b) + np.sum(linalg.block_diag(a, np.outer(b, b)) ** 3)


@pytest.mark.parametrize("f", [solved, triangular, positive, exponential])
def test_programs_of_linear_algebra(f):
    check_grads(f, MATRIX, VECTOR)


def test_programs_of_signals():
    def f(x, kernel):
        smooth = signal.fftconvolve(x, kernel, mode="same")
        filtered = signal.lfilter(kernel, [1.0, 0.4], smooth)
        return integrate.simpson(filtered**2, dx=0.1) + integrate.trapezoid(x**3)

    check_grads(f, np.array([0.5, -0.3, 1.2, 0.7, 0.1]), VECTOR)


def test_programs_of_distances():
    def f(x):
        kernel = np.exp(-distance.cdist(x, x, "sqeuclidean"))
        return np.sum(kernel**2) + np.sum(distance.pdist(x) ** 3)

    check_grads(f, MATRIX)


def test_equal_points_contribute_nothing():
    def f(x):
        return np.sum(distance.cdist(x, x))

    points = np.array([[1.0, 2.0], [1.0, 2.0], [4.0, 6.0]])
    np.testing.assert_allclose(grad(f)(points), [[-1.2, -1.6], [-1.2, -1.6], [2.4, 3.2]])


def test_second_derivatives_of_lines_through_values():
    """The gradient in the values defines a function, whose name was taken in its tangent."""

    def f(y, at):
        return np.sum(np.sin(interpolate.interp1d(np.arange(6.0), y, kind="cubic")(at)))

    values = np.array([0.5, -0.3, 1.2, 0.7, 0.1, 0.9])
    check_grads(f, values, np.array([0.4, 2.3, 3.9]), order=2)
