"""scipy.ndimage: values as SciPy's, derivatives in both modes, twice, and of followed runs."""

import numpy as np
import pytest
from scipy import ndimage

from autodiff import check_grads, grad, value_and_grad
from autodiff.errors import AutodiffError, NonDifferentiableError
from tests.tracing.alone import followed_alone

# SciPy before 1.16 says of each matrix of one axis what it was before 0.18
pytestmark = pytest.mark.filterwarnings("ignore:The behavior of affine_transform")

RNG = np.random.default_rng(7)
X, Y = RNG.normal(size=(5, 6)), RNG.normal(size=(5, 6))
SQUARE, LINE = RNG.normal(size=(3, 2)), RNG.normal(size=3)
AT = RNG.uniform(-1.5, 6.5, (2, 7))
MATRIX, OFFSET = np.array([[0.9, 0.2], [-0.3, 1.1]]), np.array([0.31, -0.42])
LABELS = RNG.integers(0, 4, (5, 6))
PARTS = np.array([3, 1, 2])


def correlations(x, w, v):
    y = ndimage.correlate1d(x, v, 0, mode="mirror", origin=1) * ndimage.convolve1d(x, v)
    z = ndimage.convolve(x, w, mode="constant", cval=0.3) - ndimage.correlate(x, w, mode="wrap")
    return np.sum(y**2) + np.sum(np.sin(z)) + np.sum(ndimage.convolve(x, v, axes=1) ** 3)


def widths(x, s):
    y = ndimage.gaussian_filter(x, s, order=(1, 0), mode=["wrap", "nearest"])
    z = ndimage.gaussian_filter1d(x, s, radius=2) - ndimage.gaussian_filter(x, (s, 0.0))
    return np.sum(y**2) + np.sum(z**3) + np.sum(ndimage.gaussian_laplace(x, s) ** 2)


def differences(x):
    y = ndimage.sobel(x, 0) * ndimage.prewitt(x, mode="constant") - ndimage.laplace(x, axes=(1,))
    z = ndimage.gaussian_gradient_magnitude(x, 0.8)
    return np.sum(y**2) + np.sum(z**2) + np.sum(ndimage.uniform_filter(x, (3, 2), origin=(0, -1)))


def read(x, at):
    y = ndimage.map_coordinates(x, at, order=3, mode="mirror")
    z = ndimage.map_coordinates(x, at, order=2, mode="grid-constant", cval=0.4)
    return np.sum(np.sin(y)) + np.sum(y * z) + np.sum(ndimage.spline_filter(x, 4) ** 2)


def moved(x, m, o):
    y = ndimage.affine_transform(x, m, o, (3, 4), mode="reflect")
    z = ndimage.affine_transform(x, np.column_stack([m, o]), order=1, cval=0.3)
    return np.sum(np.sin(y)) + np.sum(z**2) + np.sum(ndimage.affine_transform(x, m[0], o) ** 2)


def turned(x, angle, s):
    y = ndimage.rotate(x, angle, mode="nearest", reshape=False)
    z = ndimage.shift(x, s, mode="wrap") * ndimage.shift(x, (s, 2 * s), order=5)
    return np.sum(y**2) + np.sum(z) + np.sum(ndimage.zoom(x, 1.7, mode="reflect") ** 2)


def choices(x):
    y = ndimage.median_filter(x, 3, mode="mirror") * ndimage.minimum_filter(x, (2, 3), mode="wrap")
    z = ndimage.rank_filter(x, -2, footprint=[[1, 0, 1], [0, 1, 0]])
    z = z - ndimage.percentile_filter(x, 30, size=2) * ndimage.maximum_filter1d(x, 3, 0)
    return np.sum(y) + np.sum(z**2) + np.sum(ndimage.maximum_filter(x, 3, axes=0) ** 2)


def grey(x):
    y = ndimage.grey_opening(x, (2, 3)) * ndimage.grey_dilation(x, footprint=[[1, 0], [1, 1]])
    z = ndimage.morphological_gradient(x, 3) * ndimage.morphological_laplace(x, 2)
    return np.sum(y) + np.sum(z) + np.sum(ndimage.white_tophat(x, 3) - ndimage.black_tophat(x, 2))


def parts(x):
    total = np.sum(ndimage.sum_labels(x**2, LABELS, PARTS) ** 2) + ndimage.mean(x**2, LABELS)
    total += np.sum(ndimage.standard_deviation(x, LABELS, PARTS)) + ndimage.variance(x)
    total += np.sum(ndimage.maximum(x, LABELS, PARTS) ** 2) + ndimage.extrema(x, LABELS)[0]
    row, column = ndimage.center_of_mass(x**2)
    return total + row * column + ndimage.center_of_mass(x**2, LABELS, PARTS)[1][0]


def of_labels(x):
    labels, count = ndimage.label(x > 0)
    away = ndimage.distance_transform_edt(ndimage.binary_dilation(labels == 1))
    return np.sum(ndimage.sum(x**2, labels, np.arange(1, count + 1)) ** 2) + np.sum(away * x)


def spectra(x):
    shifted = ndimage.fourier_shift(np.fft.fft2(x), (0.3, 0.7))
    smooth = np.fft.ifft2(ndimage.fourier_gaussian(shifted, 1.2)).real
    return np.sum(smooth**3) + np.sum(ndimage.fourier_uniform(x, 2) ** 2)


PROGRAMS = {
    correlations: (X, SQUARE, LINE),
    widths: (X, 0.8),
    differences: (X,),
    read: (X, AT),
    moved: (X, MATRIX, OFFSET),
    turned: (X, 20.0, 0.37),
    **dict.fromkeys((choices, grey, parts, of_labels, spectra), (X,)),
}


@pytest.mark.followed  # `differences` is: sizes in a tuple
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(program):
    args = PROGRAMS[program]
    assert value_and_grad(program, tuple(range(len(args))))(*args)[0] == program(*args)
    check_grads(program, *args)


@pytest.mark.parametrize("program", [correlations, read, choices, parts], ids=lambda f: f.__name__)
def test_second_derivatives(program):
    check_grads(program, *PROGRAMS[program], order=2)


@pytest.mark.followed
@pytest.mark.parametrize("program", [widths, moved, turned, grey], ids=lambda f: f.__name__)
def test_runs_that_are_followed(program):
    with followed_alone():
        check_grads(program, *PROGRAMS[program])


def test_output_that_is_given():
    def f(x):
        out = np.ones_like(x)
        ndimage.sobel(x, 0, output=out)
        single = ndimage.gaussian_filter(x, 1.0, output=np.float32)
        total = np.sum(out**3) + np.sum(single) * 0.0
        ndimage.grey_erosion(out, 2, output=out)
        return total + np.sum(out**2)

    check_grads(f, X)


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "grid-wrap"])
@pytest.mark.parametrize("order", range(6))
def test_places_far_outside(mode, order):
    at = RNG.integers(-12, 19, (2, 5)) + RNG.uniform(-0.4, 0.4, (2, 5))  # order 0 jumps at halves
    check_grads(lambda x, at: np.sum(ndimage.map_coordinates(x, at, None, order, mode)), X, at)


def test_kinks():
    flat = np.ones((4, 4))
    assert not np.any(grad(lambda x: np.sum(ndimage.gaussian_gradient_magnitude(x, 1.0)))(flat))
    assert not np.any(grad(lambda x: np.sum(ndimage.standard_deviation(x)))(flat))
    # ties share equally, whatever is behind the ends
    share = grad(lambda x: np.sum(ndimage.maximum_filter(x, 3, mode="wrap")))(flat)
    np.testing.assert_allclose(share, flat)
    share = grad(lambda x: ndimage.minimum(x, flat, [1, 1])[1])(flat)
    np.testing.assert_allclose(share, flat / 16)
    # at a knot: to the right
    slope = grad(lambda t: ndimage.map_coordinates(X, np.array([[1.0], [t]]), order=1)[0])(2.0)
    np.testing.assert_allclose(slope, X[1, 3] - X[1, 2])


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: ndimage.generic_filter(x, np.max, 3), "sliding_window_view"),
        (lambda x: ndimage.geometric_transform(x, lambda at: at), "map_coordinates"),
        (lambda x: ndimage.rotate(np.stack([x, x]), 20.0), "turn each plane by itself"),
        (lambda x: ndimage.grey_erosion(x, structure=np.eye(3)), "flat windows"),
    ],
)
def test_refusals(f, message):
    with pytest.raises((AutodiffError, NotImplementedError), match=message):
        grad(lambda x: np.sum(f(x)))(X)
    constant = value_and_grad(lambda x: np.sum(x * np.sum(f(Y))))(X)
    np.testing.assert_allclose(constant[1], np.full(X.shape, np.sum(f(Y))))


def test_what_has_no_derivative_is_refused():
    def f(s):
        return np.sum(ndimage.distance_transform_edt(X > 0, s))

    with pytest.raises(NonDifferentiableError, match="sampling"):
        grad(f)(1.3)
    with pytest.raises(NonDifferentiableError, match="cval"):
        grad(lambda c: np.sum(ndimage.correlate1d(X, LINE, mode="constant", cval=c)))(0.3)
