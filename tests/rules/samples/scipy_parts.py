"""scipy.signal, scipy.integrate, scipy.interpolate, scipy.spatial."""

import numpy as np
from autodiff.templates.scipy.interpolate import interp1d_slope, splines
from autodiff.templates.scipy.interpolate.fitpack import splev_slope
from autodiff.templates.scipy.interpolate.points import around_values, over_values
from autodiff.templates.scipy.signal.convolutions import part, whole
from scipy import integrate, interpolate, signal
from scipy.interpolate import _fitpack_impl
from scipy.spatial import distance

from tests.rules.sample import Numbers, call

x, other = Numbers(19), Numbers(23)
MODES = ("full", "same", "valid")


def products(array, *shapes):
    """Of pairs of arrays, in all modes where one fits into the other."""
    return [call(array(*first), array(*second), mode) for first, second in shapes for mode in MODES]


def shares(*shape):
    return other(*shape, low=0.1)


def points(*shape):
    return np.cumsum(shares(*shape), axis=-1)


LINES = (((5,), (3,)), ((3,), (5,)), ((4,), (2,)), ((4,), (4,)), ((1,), (3,)))
PLANES = (((4, 5), (2, 3)), ((2, 3), (4, 5)), ((3, 4), (3, 1)))
CUBES = (((2, 3, 4), (2, 2, 2)),)
METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine")
FITTED = ("seuclidean", "mahalanobis")
OF_COUNTS = ("braycurtis", "canberra", "jensenshannon")
WEIGHTED = (*METRICS, "braycurtis", "canberra")
POINTS = np.array([0.0, 0.4, 1.1, 1.5, 2.3, 2.6])
VALUES = np.sin(3 * POINTS)
INSIDE = np.array([0.15, 1.0, 2.5, 0.7])
SPLINES = [
    interpolate.CubicSpline(POINTS, VALUES),
    interpolate.CubicSpline(POINTS, VALUES, bc_type="natural"),
    interpolate.CubicSpline(POINTS, VALUES, extrapolate=False),
    interpolate.PchipInterpolator(POINTS, VALUES),
    interpolate.Akima1DInterpolator(POINTS, VALUES),
]
OF_ARRAYS = [interpolate.CubicSpline(POINTS, x(6, 2)), interpolate.CubicSpline(POINTS, x(2, 6), 1)]


def interp1d(kind="linear", values=VALUES, **options):
    return interpolate.interp1d(POINTS, values, kind, **options)


def fitted(degree):
    return interpolate.splrep(POINTS, VALUES, k=degree)


SAMPLES = {
    signal.convolve: [
        *products(x, *LINES, *PLANES, *CUBES),
        *products(x.complex, *LINES[:2]),
        *(call(x(5), x(3), method=method) for method in ("direct", "fft")),
        *(call(x(5), x.complex(3)), call(x.complex(5), x(3), "same")),
    ],
    signal.correlate: [
        *products(x, *LINES, *PLANES, *CUBES),
        *products(x.complex, *LINES[:2]),
        *(call(x(5), x(3), method=method) for method in ("direct", "fft")),
        *(call(x(5), x.complex(3)), call(x.complex(5), x(3), "same")),
    ],
    signal.convolve2d: [*products(x, *PLANES), *products(x.complex, PLANES[0])],
    signal.correlate2d: [*products(x, *PLANES), *products(x.complex, PLANES[0])],
    signal.fftconvolve: [
        *products(x, *LINES, *PLANES),
        *products(x.complex, *LINES[:2]),
        *(call(x(3, 5), x(3, 2), mode, 1) for mode in MODES),
        *(call(x(3, 5), x(1, 2), mode, axes=-1) for mode in MODES),
        *(call(x(1, 4), x(3, 2), axes=[1]), call(x(4, 5), x(2, 3), "same", (0, 1))),
    ],
    signal.oaconvolve: [*products(x, *LINES[:2]), call(x(3, 5), x(1, 2), axes=1)],
    signal.lfilter: [
        *(call(x(3), x(2) + 2.0, x(6)), call(x(2), x(3) + [2.0, 0, 0], x(6))),
        *(call(x(3), x(2) + 2.0, x(2, 6), axis) for axis in (0, 1, -1)),
        *(call(x(3), np.ones(1), x(5)), call(x(1), x(2) + 2.0, x(5))),
        *(call(x.complex(2), x.complex(2) + 2.0, x.complex(5)), call(x(4), x(1) + 2, x(2))),
    ],
    whole: [
        call(other(*shape), other(4, 5), other(2, 3), mode, None, later, wrt=("g",))
        for mode, shape in zip(MODES, ((5, 7), (4, 5), (3, 3)))
        for later in (False, True)
    ],
    part: [
        call(other(5, 5), other(*shape), other(4, 5), other(2, 5), mode, 0, wrt=("full",))
        for mode, shape in zip(MODES, ((5, 5), (4, 5), (3, 5)))
    ],
    signal.detrend: [
        *(call(x(6)), call(x(6), type="constant"), call(x(3, 6), 0), call(x(6), bp=3)),
    ],
    integrate.trapezoid: [
        *(call(x(5)), call(x(5), np.sort(x(5))), call(x(5), dx=0.3), call(x(2, 5), axis=0)),
        call(x(2, 5), dx=0.3, axis=0, wrt=("y", "dx")),
        *(call(x(2, 5), np.sort(x(5))), call(x(2, 5), np.sort(x(2, 5))), call(x.complex(4))),
    ],
    integrate.simpson: [
        *(call(x(n)) for n in (2, 3, 4, 5, 6, 7)),
        *(call(x(n), points(n)) for n in (2, 3, 4, 5, 6, 7)),
        *(call(x(2, n), dx=0.3) for n in (4, 5)),
        *(call(x(2, n), dx=0.3, wrt=("y", "dx")) for n in (4, 5)),
        *(call(x(n, 2), axis=0) for n in (4, 5)),
        *(call(x(2, n), points(2, n)) for n in (4, 5)),
        *(call(x(n, 3), x=points(n), axis=0) for n in (4, 5)),
        *(call(x.complex(n), x=points(n)) for n in (4, 5)),
        call(x.complex(5)),
    ],
    integrate.cumulative_trapezoid: [
        *(call(x(5)), call(x(5), np.sort(x(5))), call(x(5), dx=0.3), call(x(2, 5), axis=0)),
        *(call(x(5), initial=0), call(x(5), np.sort(x(5)), initial=0), call(x.complex(4))),
        *(call(x(2, 5), np.sort(x(5))), call(x(2, 5), np.sort(x(2, 5))), call(x(5, 2), axis=0)),
        *(call(x(2, 5), np.sort(x(2, 5)), 1.0, 1, 0), call(x(3, 2), np.sort(x(3)), axis=0)),
        *(call(x(3, 2), dx=0.4, axis=0, initial=start, wrt=("y", "dx")) for start in (None, 0)),
    ],
    interpolate.PPoly.__call__: [
        *(call(spline, INSIDE) for spline in SPLINES),
        *(call(spline, INSIDE.reshape(2, 2)) for spline in [*SPLINES[:1], *OF_ARRAYS]),
        *(call(spline, INSIDE) for spline in OF_ARRAYS),
        *(call(SPLINES[0], INSIDE, nu) for nu in (1, 2)),
        *(call(SPLINES[0], 0.8), call(SPLINES[0], np.array([-0.5, 3.0]))),
        call(interpolate.PPoly(x(4, 5), POINTS), INSIDE),
    ],
    interpolate.BSpline.__call__: [
        *(call(interpolate.make_interp_spline(POINTS, VALUES, k), INSIDE) for k in (1, 2, 3)),
        call(interpolate.make_interp_spline(POINTS, x(6, 2)), INSIDE),
        call(interpolate.make_interp_spline(POINTS, VALUES), 0.8, 1),
    ],
    interpolate.interp1d.__call__: [
        *(call(interp1d(kind), INSIDE) for kind in ("linear", "cubic", "quadratic", "slinear")),
        *(call(interp1d(kind), INSIDE) for kind in ("nearest", "previous", "next", "zero")),
        *(call(interp1d(kind), INSIDE.reshape(2, 2)) for kind in ("linear", "cubic")),
        *(call(interp1d(kind, x(6, 2), axis=0), INSIDE) for kind in ("linear", "cubic")),
        *(call(interp1d(kind, x(2, 6)), INSIDE.reshape(2, 2)) for kind in ("linear", "cubic")),
        *(
            call(interp1d(kind, fill_value="extrapolate"), np.array([-0.5, 0.3, 3.0]))
            for kind in ("linear", "cubic")
        ),
        *(
            call(interp1d(kind, bounds_error=False, fill_value=0.5), np.array([-0.5, 0.3, 3.0]))
            for kind in ("linear", "cubic")
        ),
        call(interp1d(), 0.8),
    ],
    interpolate.splev: [
        *(call(INSIDE, fitted(k), der) for k in (1, 2, 3) for der in range(k + 1)),
        *(call(np.array([-0.5, 0.3, 3.0]), fitted(3), ext=ext) for ext in (0, 1, 3)),
        *(call(0.8, fitted(3)), call(INSIDE, interpolate.make_interp_spline(POINTS, VALUES))),
    ],
    _fitpack_impl.splev: [call(INSIDE, fitted(2)), call(0.8, fitted(3), 1)],
    splev_slope: [*(call(INSIDE, fitted(3), order) for order in (1, 2, 3))],
    interpolate.splint: [call(0.2, 1.7, fitted(3)), call(-0.5, 3.0, fitted(3))],
    distance.cdist: [
        *(call(x(3, 2), x(4, 2), metric) for metric in METRICS),
        *(call(x(2, 4), x(3, 4), metric=metric) for metric in METRICS),
        *(call(x(3, 2), x(2, 2)), call(x(3, 1), x(2, 1), "cityblock")),
        *(call(x(3, 2), x(4, 2), "minkowski", p=p) for p in (1.5, 3)),
        *(call(other(3, 3), other(5, 3), metric) for metric in ("correlation", *FITTED)),
        *(call(shares(3, 3), shares(2, 3), metric) for metric in OF_COUNTS),
        *(call(other(3, 2), other(4, 2), metric, w=shares(2)) for metric in WEIGHTED),
        call(other(2, 4), other(3, 4), "correlation", w=shares(4)),
        *(call(other(3, 2), other(4, 2), "minkowski", p=p, w=shares(2)) for p in (0.7, 1.5, 3.0)),
        call(other(2, 3), other(2, 3), "minkowski", p=np.inf),
        call(other(3, 2), other(4, 2), "seuclidean", V=shares(2)),
        call(other(3, 2), other(4, 2), "mahalanobis", VI=other.positive_definite(2, 2)),
        call(other(2, 3), other(2, 3), "mahalanobis", VI=2 * np.eye(3) + other(3, 3) / 4),
    ],
    distance.squareform: [
        *(call(x(6)), call(x(3), checks=False), call(x(1)), call(x(6), force="tomatrix")),
        *(call(x(4, 4), checks=False), call(x(3, 3), force="tovector", checks=False)),
    ],
    distance.pdist: [
        *(call(x(4, 2), metric) for metric in METRICS),
        *(call(x(3, 4), metric=metric) for metric in METRICS),
        *(call(x(4, 3)), call(x(2, 2)), call(x(4, 3), "minkowski", p=3)),
        *(call(other(6, 3), metric) for metric in ("correlation", *FITTED)),
        *(call(shares(4, 3), metric) for metric in OF_COUNTS),
        *(call(other(4, 2), metric, w=shares(2)) for metric in WEIGHTED),
        *(call(other(3, 2), "minkowski", p=p, w=shares(2)) for p in (0.7, 1.5, 3.0)),
        call(other(3, 2), "seuclidean", V=shares(2)),
        call(other(4, 2), "mahalanobis", VI=other.positive_definite(2, 2)),
    ],
    interp1d_slope: [
        *(call(interp1d(kind), INSIDE) for kind in ("linear", "cubic", "nearest")),
        *(call(interp1d("cubic", x(6, 2), axis=0), INSIDE), call(interp1d("cubic"), INSIDE, 2)),
    ],
    over_values: [
        *(call(x(4, 3), x(4, 3), INSIDE, 0), call(x(2, 4, 3), x(2, 4, 3), INSIDE, -2)),
        *(call(x(3), x(3), 0.8, 0), call(x(2, 2, 2), x(2, 2, 2), INSIDE.reshape(2, 2), 1)),
    ],
    around_values: [
        *(call(x(4), x(4, 3), INSIDE, 0), call(x(4), x(2, 4, 3), INSIDE, 1)),
        *(call(x(2, 2), x(2, 2, 2), INSIDE.reshape(2, 2), 1), call(x(4), x(4), INSIDE, 0)),
    ],
    splines.spline_values: [
        *(call(POINTS, VALUES, INSIDE), call(POINTS, VALUES, 0.8), call(POINTS, VALUES, INSIDE, 1)),
        *(call(POINTS, VALUES, INSIDE, bc_type=ends) for ends in ("natural", "clamped")),
        *(call(POINTS, x(6, 2), INSIDE), call(POINTS, x(2, 6), INSIDE.reshape(2, 2), axis=1)),
        call(POINTS, x(6), np.array([-0.5, 0.3, 3.0])),
    ],
    splines.fitted_values: [
        *(call(POINTS, VALUES, INSIDE, 0, k) for k in (1, 2, 3)),
        *(call(POINTS, x(6, 2), INSIDE), call(POINTS, x(2, 6), INSIDE.reshape(2, 2), axis=1)),
        *(call(POINTS, VALUES, 0.8), call(POINTS, VALUES, INSIDE, 1)),
    ],
    splines.line_values: [
        *(call(POINTS, VALUES, INSIDE, kind) for kind in ("linear", "cubic", "nearest")),
        *(call(POINTS, VALUES, INSIDE, kind="quadratic"), call(POINTS, VALUES, 0.8)),
        *(call(POINTS, x(2, 6), INSIDE), call(POINTS, x(6, 2), INSIDE.reshape(2, 2), axis=0)),
        call(POINTS, x(6), np.array([-0.5, 0.3, 3.0]), fill_value="extrapolate"),
        call(POINTS, x(6), np.array([-0.5, 0.3, 3.0]), bounds_error=False, fill_value=0.5),
        call(POINTS[::-1].copy(), x(6), INSIDE),
    ],
    splines.line_slopes: [
        *(call(POINTS, VALUES, INSIDE, kind, -1, np.nan, False) for kind in ("linear", "cubic")),
        call(POINTS, x(6, 2), INSIDE.reshape(2, 2), "cubic", 0, "extrapolate", False),
        call(POINTS, VALUES, INSIDE, "cubic", -1, np.nan, False, 2),
    ],
}
