"""Small arguments for callables that have no derivative, and so no samples of a rule."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from tests.rules.sample import Numbers, Sample, call

x = Numbers(8)
A, V, M = x(3), x(3), x(2, 3)
I = np.array([2, 0, 1])
B = np.array([True, False, True])

_OF_ONE = (
    *(np.zeros_like, np.ones_like, np.empty_like, np.shape, np.ndim, np.size, np.iscomplexobj),
    *(np.isrealobj, np.isscalar, np.sign, np.signbit, np.floor, np.ceil, np.trunc, np.rint),
    *(np.round, np.around, np.fix, np.spacing, np.isnan, np.isinf, np.isfinite, np.isneginf),
    *(np.isposinf, np.isreal, np.iscomplex, np.argsort, np.argwhere, np.nonzero, np.flatnonzero),
    *(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.count_nonzero, np.all, np.any),
    *(np.logical_not, np.result_type),
)
_OF_TWO = (
    *(np.isclose, np.allclose, np.array_equal, np.array_equiv, np.floor_divide, np.equal),
    *(np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and),
    *(np.logical_or, np.logical_xor, np.isin),
    *(operator.floordiv, operator.eq, operator.ne, operator.lt, operator.le, operator.gt),
    *(operator.ge,),
)
_OF_NUMBER = (math.isnan, math.isinf, math.isfinite, int, bool, str, repr, round)
_OF_INTEGERS = (np.gcd, np.lcm, np.bitwise_and, np.bitwise_or, np.bitwise_xor)
_OF_INTEGERS += (np.left_shift, np.right_shift)

SMALL: dict[Any, list[Sample]] = {
    **{function: [call(A), call(M), call(0.7)] for function in _OF_ONE},
    **{function: [call(A, V), call(M, V), call(0.7, V), call(A, 2.0)] for function in _OF_TWO},
    **{function: [call(0.7)] for function in _OF_NUMBER},
    **{function: [call(I, I), call(I, 3)] for function in _OF_INTEGERS},
    np.zeros: [call(3), call((2, 3))],
    np.ones: [call(3), call((2, 3))],
    np.empty: [call(3), call((2, 3))],
    np.eye: [call(3), call(2, 3)],
    np.identity: [call(3)],
    np.tri: [call(3)],
    np.indices: [call((2, 3))],
    np.argpartition: [call(A, 1)],
    np.lexsort: [call((A, V))],
    np.searchsorted: [call(np.sort(A), V), call(np.sort(A), 0.2)],
    np.digitize: [call(A, np.sort(V))],
    np.tril_indices: [call(3)],
    np.triu_indices: [call(3)],
    np.tril_indices_from: [call(x(3, 3))],
    np.triu_indices_from: [call(x(3, 3))],
    np.diag_indices: [call(3)],
    np.diag_indices_from: [call(x(3, 3))],
    np.unravel_index: [call(I, (3,)), call(4, (2, 3))],
    np.ravel_multi_index: [call((I, I), (3, 3))],
    np.invert: [call(I), call(B)],
    np.linalg.matrix_rank: [call(x(3, 3))],
    np.fft.fftfreq: [call(4)],
    np.fft.rfftfreq: [call(4)],
    len: [call(A), call([A, V])],
    range: [call(3)],
    isinstance: [call(A, np.ndarray)],
    callable: [call(A)],
    hasattr: [call(A, "shape")],
    type: [call(A)],
    slice: [call(1, 2)],
    all: [call(B), call([True])],
    any: [call(B), call([True])],
    np.ndarray.__len__: [call(A)],
    operator.not_: [call(0.7), call(np.array(0.7))],
    operator.truth: [call(0.7)],
    operator.is_: [call(A, V)],
    operator.is_not: [call(A, V)],
    operator.invert: [call(I)],
    operator.and_: [call(B, B)],
    operator.or_: [call(B, B)],
    operator.xor: [call(B, B)],
    math.floor: [call(0.7)],
    math.ceil: [call(0.7)],
    math.trunc: [call(0.7)],
}
