"""scipy.signal: stand-ins that are given a state, or give several arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import signal
from scipy.signal import _peak_finding_utils as utils

from autodiff import check_grads
from autodiff.rules import registry

RNG = np.random.default_rng(8)
X = RNG.uniform(0.3, 1.9, 30)
TABLE = RNG.uniform(0.3, 1.9, (5, 12))
SECTIONS = signal.butter(4, 0.2, output="sos")
WAVES = np.array([0.1, 0.5, 1.0, 0.2, 0.6, 0.4, 0.9, 0.15, 0.3, 0.0])


@pytest.mark.parametrize(("x", "axis"), [(X, -1), (TABLE, 1), (TABLE, 0)])
def test_sections_with_a_state(x: Any, axis: int) -> None:
    shape = list(np.shape(x))
    shape[axis] = 2
    state = RNG.uniform(-1, 1, (len(SECTIONS), *shape))
    plain = registry.written_for(signal.sosfilt)
    assert plain is not None
    for one, other in zip(
        plain(SECTIONS, x, axis, state), signal.sosfilt(SECTIONS, x, axis, zi=state), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)

    def f(x: Any, state: Any) -> Any:
        y, left = signal.sosfilt(SECTIONS, x, axis=axis, zi=state)
        return np.sum(y**3) + np.sum(left**2)

    check_grads(f, x, state)


A, B = np.array([[0.3, 0.5], [-0.2, 0.4]]), np.array([[1.0], [0.5]])
C, D = np.array([[0.7, -0.3]]), np.array([[0.2]])
FITS = "fit|tell|ndefined|should be|incompatible|nough"


@pytest.mark.parametrize(
    "given",
    [
        *((A, B, C, D), (A, B, C, None), (A, B, None, D), (A, None, C, D), (None, None, None, D)),
        *((None, B, C, D), (A, None, None, D), (A, B[:, 0].reshape(2, 1), C[0], 0.2)),
    ],
)
def test_matrices_that_are_not_given(given: Any) -> None:
    plain = registry.written_for(signal.abcd_normalize)
    assert plain is not None
    try:
        expected = signal.abcd_normalize(*given)
    except ValueError:
        with pytest.raises(ValueError, match=FITS):
            plain(*given)
        return
    for one, other in zip(plain(*given), expected, strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.shape(one) == np.shape(other)


@pytest.mark.parametrize("given", [(A, C, B, D), (A, B, C, None)[:2], (A, B, C, B)])
def test_matrices_that_do_not_fit(given: Any) -> None:
    plain = registry.written_for(signal.abcd_normalize)
    assert plain is not None
    with pytest.raises(ValueError, match=FITS):
        signal.abcd_normalize(*given)
    with pytest.raises(ValueError, match=FITS):
        plain(*given)


def test_peaks() -> None:
    peaks = np.array([2, 4, 6, 8])
    given = (WAVES, peaks, -1)
    expected = signal.peak_prominences(WAVES, peaks)
    plain = registry.written_for(utils._peak_prominences)
    assert plain is not None
    for one, other in zip(plain(*given), expected, strict=True):
        np.testing.assert_array_equal(one, other)
    widths = registry.written_for(utils._peak_widths)
    assert widths is not None
    for height in (0.3, 0.5, 1.0):
        for one, other in zip(
            widths(WAVES, peaks, height, *expected),
            signal.peak_widths(WAVES, peaks, height),
            strict=True,
        ):
            np.testing.assert_allclose(one, other, rtol=1e-14)
