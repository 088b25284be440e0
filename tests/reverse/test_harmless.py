"""What is told of SciPy's functions that have no rule, by running them."""

import numpy as np
import pytest

from autodiff.primitives.harmless import told

pytest.importorskip("scipy")
from scipy import fft, linalg, ndimage, optimize, signal, sparse, special  # noqa: E402
from scipy.spatial import distance  # noqa: E402

V, W = np.array([0.3, -0.7, 1.1, 0.4]), np.array([0.9, 0.2, -0.5, 1.3])
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]], order="F")

READING = [
    (signal.lfilter_zi, ([1.0, 0.5], np.array([1.0, -0.3])), {}),
    (signal.filtfilt, (np.ones(2), np.array([1.0, 0.2]), np.arange(12.0)), {}),
    (signal.savgol_filter, (np.arange(9.0), 5, 2), {}),
    (distance.canberra, (V, W), {}),
    (distance.cdist, (A, A), {}),
    (optimize.rosen_hess_prod, (V, W), {}),
    (special.logsumexp, (V,), {}),
    (linalg.inv, (A,), {}),
    (linalg.cholesky, (A, True, False), {}),
    (linalg.lstsq, (A, V[:3]), {"overwrite_b": False}),
    (ndimage.gaussian_filter, (V, 1.0), {}),
    (fft.dct, (V,), {}),
]

WRITING = [
    (linalg.inv, (A,), {"overwrite_a": True}),
    (linalg.cholesky, (A, True, True), {}),
    (linalg.solve_triangular, (A, V[:3], 0, True, False, True), {}),
    (distance.cdist, (A, A), {"out": np.zeros((3, 3))}),
    (ndimage.gaussian_filter, (V, 1.0), {"output": np.zeros(4)}),
    (ndimage.gaussian_filter, (V, 1.0, 0, np.zeros(4)), {}),
]


def copied(args, keywords):
    copy = [a.copy("K") if isinstance(a, np.ndarray) else a for a in args]
    return copy, {k: a.copy() if isinstance(a, np.ndarray) else a for k, a in keywords.items()}


def writes(function, args, keywords):
    """Whether a call is told to write; constants are told, arrays are not."""
    given = dict(enumerate(args)) | keywords
    given = {k: ... if isinstance(v, np.ndarray) else v for k, v in given.items()}
    known = told(function, given)
    return known is None or bool(known.writes)


@pytest.mark.parametrize(
    ("function", "args", "keywords"), READING, ids=[f.__name__ for f, *_ in READING]
)
def test_reads(function, args, keywords):
    assert not writes(function, args, keywords)
    given, named = copied(args, keywords)
    function(*given, **named)
    for before, after in zip([*args, *keywords.values()], [*given, *named.values()]):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize(
    ("function", "args", "keywords"), WRITING, ids=[f.__name__ for f, *_ in WRITING]
)
def test_writes(function, args, keywords):
    assert writes(function, args, keywords)
    given, named = copied(args, keywords)
    function(*given, **named)
    pairs = zip([*args, *keywords.values()], [*given, *named.values()])
    assert any(isinstance(a, np.ndarray) and not np.array_equal(a, b) for a, b in pairs)


def test_sparse_solvers_keep_what_they_found_in_the_callers_list():
    kept: list[object] = []
    sparse.linalg.lgmres(sparse.csr_array(A), V[:3], outer_v=kept)
    assert kept and told(sparse.linalg.lgmres, {0: ..., 1: ..., "outer_v": ...}) is None
