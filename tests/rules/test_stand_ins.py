"""Functions of SciPy that are written out in plain Python: their values, and their derivatives."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import fft, integrate, linalg, optimize, signal, stats
from scipy._lib import _array_api
from scipy.spatial import distance

from autodiff import check_grads, grad, hessian
from autodiff.errors import AutodiffError
from autodiff.rules import registry, taking

RNG = np.random.default_rng(5)
X = RNG.uniform(0.3, 1.9, 30)
TABLE = RNG.uniform(0.3, 1.9, (14, 3))
SAME = np.full(5, 0.1)
IMAGE, KERNEL = RNG.uniform(0.3, 1.9, (5, 4)), RNG.uniform(-1, 1, (3, 2))
COEFFICIENTS = signal.butter(2, 0.3)
TAPS = RNG.uniform(-1, 1, 7)
SECTIONS = signal.butter(4, 0.2, output="sos")

CASES: dict[Any, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    stats.zscore: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"axis": 1, "ddof": 1})],
    stats.gmean: [((X,), {}), ((TABLE,), {"axis": 1}), ((TABLE,), {"weights": TABLE[::-1]})],
    stats.gstd: [((X,), {}), ((TABLE,), {"axis": 1, "ddof": 0})],
    stats.hmean: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"weights": TABLE[::-1]})],
    stats.sem: [((X,), {}), ((TABLE,), {"axis": None}), ((TABLE,), {"axis": 1, "ddof": 0})],
    stats.variation: [((X,), {}), ((TABLE,), {"axis": 1})],
    stats.skew: [((X,), {}), ((TABLE,), {"axis": 1, "bias": False}), ((TABLE,), {"axis": None})],
    stats.kurtosis: [((X,), {}), ((TABLE,), {"bias": False}), ((TABLE,), {"fisher": False})],
    distance.canberra: [((X, X[::-1] * 2), {}), ((X, X[::-1] * 2), {"w": X})],
    distance.jensenshannon: [
        *(((X, X[::-1]), {}), ((X, X[::-1]), {"base": 2.0, "keepdims": True})),
        ((TABLE, TABLE[::-1]), {"axis": 1}),
    ],
    stats.entropy: [((X,), {}), ((TABLE, TABLE[::-1] + 1), {"axis": 1, "base": 2})],
    stats.trim_mean: [
        ((X,), {"proportiontocut": 0.1}),
        ((TABLE,), {"proportiontocut": 0.3, "axis": 1}),
        ((TABLE,), {"proportiontocut": 0.0, "axis": None}),
    ],
    signal.hilbert: [((X,), {}), ((TABLE,), {"axis": 0, "N": 9}), ((TABLE,), {"axis": 0, "N": 20})],
    signal.sosfilt: [
        *(((SECTIONS, X), {}), ((SECTIONS, TABLE), {"axis": 0})),
        ((SECTIONS.tolist(), X), {}),
    ],
    signal.savgol_filter: [
        ((X,), {"window_length": 5, "polyorder": 2}),
        ((TABLE,), {"window_length": 3, "polyorder": 1, "axis": 0, "deriv": 1, "delta": 0.3}),
    ],
    **dict.fromkeys(
        (np.fft.fftfreq, np.fft.rfftfreq, fft.fftfreq, fft.rfftfreq),
        [((5, 0.3), {}), ((6, 1.7), {}), ((1, 0.4), {})],
    ),
    **dict.fromkeys(
        [getattr(np.emath, own) for own in "sqrt log log2 log10 arcsin arccos arctanh".split()],
        [((X,), {}), ((-X,), {}), ((X * (1 - 2j),), {}), ((0.7,), {}), ((-0.7 + 0.2j,), {})],
    ),
    signal.convolve2d: [
        *(((IMAGE, KERNEL), {"boundary": of}) for of in ("fill", "wrap", "symm", "circular")),
        *(((IMAGE, KERNEL), {"mode": m, "boundary": "symm"}) for m in ("same", "valid")),
        ((KERNEL[:2], IMAGE), {"mode": "same", "boundary": "wrap"}),
        ((IMAGE, KERNEL + 1j * KERNEL), {"boundary": "pad", "fillvalue": 0.7}),
    ],
    signal.correlate2d: [
        *(((IMAGE, KERNEL), {"boundary": of}) for of in ("fill", "wrap", "symmetric")),
        *(((IMAGE, KERNEL), {"mode": m, "boundary": "wrap"}) for m in ("same", "valid")),
        ((IMAGE, KERNEL[:2] * (1 + 1j)), {"mode": "same", "boundary": "symm"}),
    ],
    linalg.subspace_angles: [
        *(((TABLE, TABLE[::-1, :2] ** 2), {}), ((TABLE[:5, :1], TABLE[5:10] - 1), {})),
        ((TABLE[:2, :1], TABLE[2:4, :1]), {}),
    ],
    **{
        f: [((TABLE[:, :2] + 1j * TABLE[:, 1:],), {"norm": norm}) for norm in (None, "ortho")]
        for f in (fft.hfft2, fft.hfftn)
    },
    **{f: [((TABLE,), {"norm": "forward"}), ((TABLE,), {})] for f in (fft.ihfft2, fft.ihfftn)},
    signal.lfilter_zi: [(COEFFICIENTS, {}), ((np.array([0.3]), np.array([1.5, 0.4])), {})],
    signal.filtfilt: [((*COEFFICIENTS, X), {}), ((*COEFFICIENTS, TABLE), {"axis": 0})],
    signal.upfirdn: [
        ((TAPS, X), {"up": 3, "down": 2, "mode": mode})
        for mode in ("constant", "wrap", "edge", "symmetric", "reflect", "antireflect")
    ]
    + [
        *(
            ((TAPS, X[:4]), {"up": 2, "down": 5, "mode": mode})
            for mode in ("wrap", "line", "smooth")
        ),
        ((TAPS, TABLE), {"axis": 0, "mode": "line"}),
        ((TAPS, TABLE), {"axis": 0, "up": 2, "mode": "constant", "cval": 0.7}),
    ],
    **dict.fromkeys(
        (signal.cspline1d_eval, signal.qspline1d_eval),
        [
            ((X, 31 * X - 12), {}),
            ((X, np.array([[1.3, -2.7], [3.0, 90.2]])), {"dx": 0.3, "x0": 0.5}),
        ],
    ),
    signal.medfilt: [
        ((X,), {}),
        ((IMAGE[:4],), {"kernel_size": [3, 1]}),
        ((X,), {"kernel_size": 7}),
    ],
    signal.medfilt2d: [((IMAGE[:4],), {}), ((IMAGE,), {"kernel_size": [3, 1]})],
}
CALLS = [(f, args, options) for f, calls in CASES.items() for args, options in calls]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_values_and_derivatives(number: int) -> None:
    function, args, options = CALLS[number]
    expected = function(*args, **options)
    plain = registry.written_for(function)
    assert plain is not None
    np.testing.assert_allclose(plain(*args, **options), expected, rtol=1e-9, atol=1e-12)
    weights = RNG.uniform(0.5, 1.5, np.shape(expected))

    call = partial(plain, **options)

    def loss(y):
        return np.sum(np.sin(np.real(y)) * weights) + np.sum(np.cos(np.imag(y)) * weights)

    def of_one(x):
        return loss(call(x))

    def of_two(x, y):
        return loss(call(x, y))

    def of_three(x, y, z):
        return loss(call(x, y, z))

    check_grads((of_one, of_two, of_three)[len(args) - 1], *args)


def statistics(x):
    total = stats.zscore(x, ddof=1)[0] + stats.gmean(x) + stats.gstd(x) + stats.hmean(x)
    total += stats.sem(x) + stats.variation(x) + stats.skew(x, bias=False) + stats.kurtosis(x)
    return total + stats.entropy(x, base=2) + stats.trim_mean(x, 0.1)


def filters(x):
    b, a = COEFFICIENTS
    y = np.abs(signal.hilbert(x)) + signal.sosfilt(SECTIONS, x)
    y += signal.savgol_filter(x, 5, polyorder=2) + signal.filtfilt(b, a, x)
    y += signal.savgol_filter(x, 5, 3, deriv=1, delta=x[1])
    return np.sum(y**2) + np.sum(signal.lfilter_zi(b * x[0], a) ** 2)


@pytest.mark.parametrize("program", [statistics, filters])
def test_programs(program: Any) -> None:
    check_grads(program, X)


def test_all_are_tested() -> None:
    for function in CASES:
        registry.written_for(function)  # loads what belongs to its part
    # those of what SciPy asks its arrays for are tested by its functions, below
    # those that are given functions, by `test_solvers.py` and `test_quadratures.py`; rotations
    # by `test_rotations.py`
    own = (f for f in registry.stand_ins() if not taking.is_recipe(registry.written_for(f)))
    # those of images by `test_images.py`, sparse matrices by `test_sparse.py`
    elsewhere = ("scipy._", "scipy.ndimage", "scipy.sparse", "bottleneck.")  # `test_bottleneck.py`
    public = {each for each in own if not each.__module__.startswith(elsewhere)}
    public.remove(np.matrix)  # by `tests/tracing/test_array_classes.py`
    # those by `test_signals.py` and `test_banded.py`: a state, several arrays, a factor
    apart = {signal.lfilter, signal.get_window, signal.abcd_normalize, linalg.cho_solve_banded}
    assert {each for each in public if each.__name__[0] != "_"} | apart == {*CASES, *apart}


@pytest.mark.parametrize(
    ("b", "a", "shape", "axis"),
    [
        *((3, 2, (7,), -1), (1, 3, (7, 2), 0), (3, 1, (2, 3), 1), (4, 4, (2,), -1)),
        *((2, 2, (3, 5), -1), (2, 3, (1, 4), 0)),
    ],
)
def test_a_filter_with_a_state(b: int, a: int, shape: tuple[int, ...], axis: int) -> None:
    numerator, denominator = RNG.uniform(-1, 1, b), RNG.uniform(-1, 1, a) / 2
    denominator[0] = 1.7
    x = RNG.uniform(-1, 1, shape)
    state = np.moveaxis(np.moveaxis(RNG.uniform(-1, 1, shape), axis, 0)[:1], 0, axis)
    state = np.repeat(state, max(a, b) - 1, axis) * 0.5
    plain = registry.written_for(signal.lfilter)
    assert plain is not None
    found = plain(numerator, denominator, x, axis, zi=state)
    for one, expected in zip(found, signal.lfilter(numerator, denominator, x, axis, zi=state)):
        np.testing.assert_allclose(one, expected, atol=1e-12)

    def f(b: Any, a: Any, x: Any, state: Any) -> Any:
        y, left = signal.lfilter(b, a, x, axis, zi=state)
        return np.sum(y**2) + np.sum(left**3)

    check_grads(f, numerator, denominator, x, state)
    with pytest.raises(ValueError, match="does not fit|broadcast"):
        grad(f)(numerator, denominator, x, np.concatenate([state, state], axis))


def test_a_filter_in_pieces() -> None:
    b, a = COEFFICIENTS

    def f(x: Any) -> Any:
        total, state = 0.0, signal.lfilter_zi(b, a) * x[0]
        for k in range(3):
            y, state = signal.lfilter(b, a, x[8 * k : 8 * k + 8], zi=state)
            total += np.sum(y**2)
        return total + np.sum(signal.lfilter(b, a, x, zi=None) ** 3)

    check_grads(f, X[:24])


def test_a_boundary_that_is_none() -> None:
    with pytest.raises(ValueError, match="boundary"):
        grad(lambda x: np.sum(signal.convolve2d(x, KERNEL, boundary="round")))(IMAGE)


@pytest.mark.parametrize("function", [stats.zscore, stats.skew, stats.kurtosis])
def test_what_is_constant_has_no_standard_score(function: Any) -> None:
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning) as _:
        assert np.all(np.isnan(function(SAME)))
    with np.errstate(all="ignore"):
        assert np.all(np.isnan(registry.written_for(function)(SAME)))


def test_the_harmonic_mean_is_of_positive_values() -> None:
    with np.errstate(all="ignore"):
        assert np.isnan(registry.written_for(stats.hmean)(-X))


def test_single_precision_stays() -> None:
    def f(x):
        return np.sum(stats.zscore(x) ** 3) + stats.skew(x) + stats.gmean(x)

    assert grad(f)(X.astype(np.float32)).dtype == np.float32


def test_an_argument_that_the_plain_function_lacks() -> None:
    def f(x):
        return stats.skew(x, nan_policy="omit")

    with pytest.raises(Exception, match="skew|starred"):
        grad(f)(X)


POINT = np.array([1.3, 0.7, 0.8, 1.9])


@pytest.mark.skipif(not hasattr(np, "isdtype"), reason="SciPy wraps NumPy 1, which is refused")
def test_rosenbrocks_function_of_scipys():
    np.testing.assert_allclose(grad(optimize.rosen)(POINT), optimize.rosen_der(POINT), rtol=1e-12)
    np.testing.assert_allclose(hessian(optimize.rosen)(POINT), optimize.rosen_hess(POINT))
    single = grad(optimize.rosen)(POINT.astype(np.float32))
    assert single.dtype == np.float32
    check_grads(lambda x: np.sum(optimize.rosen_der(x) ** 2), POINT, order=2)
    check_grads(lambda x: np.sum(optimize.rosen_hess_prod(x, POINT) ** 2), POINT, order=2)
    check_grads(lambda p: np.sum(optimize.rosen(p)), np.stack([POINT, POINT[::-1]], 1), order=2)


def test_romberg_integration():
    check_grads(lambda y: integrate.romb(y, 0.3) ** 2, np.array([0.3, 0.9, 1.4, 1.1, 0.2]), order=2)


@pytest.mark.skipif(not hasattr(_array_api, "xp_promote"), reason="SciPy 1.15 has it not")
def test_several_arrays_that_scipy_promotes_are_refused():
    def f(x, c):
        a, b = _array_api.xp_promote(x, c, broadcast=True, force_floating=True, xp=np)
        return np.sum(np.sin(a) * b)

    with pytest.raises(AutodiffError):
        grad(f)(POINT[:, None], POINT)
