"""The methods of ufuncs: `np.add.reduce`, `np.maximum.accumulate`, `np.multiply.outer` ..."""

import numpy as np

from autodiff.rules import adjoint, d, linear, multilinear
from autodiff.runtime import (
    binary_exponential_slope,
    conj,
    cumprod_adjoint,
    exponential_slope,
    extremum_slope,
    fold_back,
    initial_share,
    others,
    product_slope,
    reduceat_adjoint,
    sum_slope,
    unreduce,
    winners,
    without_end,
    without_start,
)


@linear(np.add.reduce)
def add_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=0.0, where=True):
    d[array] = (
        unreduce(d[y], like=array, axis=axis, keepdims=keepdims)
        if where is True
        else np.where(where, unreduce(d[y], like=array, axis=axis, keepdims=keepdims), 0.0)
    )
    d[initial] = np.sum(d[y])


@adjoint(np.multiply.reduce)
def multiply_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=1.0, where=True):
    g = d[y] if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(d[y], axis)
    factors = array if where is True else np.where(where, array, 1.0)
    slope = g * conj(initial) * conj(others(factors, axis))
    d[array] = slope if where is True else np.where(where, slope, 0.0)
    d[initial] = np.sum(d[y] * conj(np.prod(factors, axis, keepdims=keepdims)))


@adjoint(np.maximum.reduce, np.minimum.reduce, np.fmax.reduce, np.fmin.reduce)
def extremum_reduce(y, array, axis=0, *, keepdims=False, initial=None, where=True):
    candidates = array if where is True else np.where(where, array, np.nan)
    d[array] = unreduce(d[y], like=array, axis=axis, keepdims=keepdims) * (
        winners(candidates, y, axis, keepdims)
    )
    d[initial] = np.sum(d[y] * initial_share(candidates, y, axis, keepdims))


@adjoint(np.logaddexp.reduce)
def logaddexp_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=-np.inf, where=True):
    """The logarithm of a sum of exponentials; what is -inf everywhere receives 0."""
    total = np.where(y == -np.inf, 0.0, y)
    size = total if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(total, axis)
    g = d[y] if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(d[y], axis)
    share = g * np.exp(array - size)
    d[array] = share if where is True else np.where(where, share, 0.0)
    d[initial] = np.sum(d[y] * np.exp(initial - total))


@adjoint(np.logaddexp2.reduce)
def logaddexp2_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=-np.inf, where=True):
    total = np.where(y == -np.inf, 0.0, y)
    size = total if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(total, axis)
    g = d[y] if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(d[y], axis)
    share = g * np.exp2(array - size)
    d[array] = share if where is True else np.where(where, share, 0.0)
    d[initial] = np.sum(d[y] * np.exp2(initial - total))


@adjoint(np.hypot.reduce)
def hypot_reduce(y, array, axis=0, dtype=None, *, keepdims=False, initial=0.0, where=True):
    ratio = d[y] / np.where(y == 0, 1.0, y)
    g = ratio if axis is None or keepdims or np.ndim(array) == 0 else np.expand_dims(ratio, axis)
    d[array] = g * array if where is True else np.where(where, g * array, 0.0)
    d[initial] = np.sum(ratio * initial)


@linear(np.subtract.reduce)
def subtract_reduce(y, array, axis=0, dtype=None, *, keepdims=False):
    along = 0 if axis is None else axis  # of one axis, which None stands for, too
    g = d[y] if keepdims or np.ndim(array) == 0 else np.expand_dims(d[y], along)
    first = np.arange(1 if np.ndim(array) == 0 else np.shape(array)[along]) == 0
    sign = np.where(first, 1, -1).astype(np.result_type(array))
    d[array] = (
        g
        if np.ndim(array) == 0
        else g * np.moveaxis(np.expand_dims(sign, tuple(range(1, np.ndim(array)))), 0, along)
    )


@adjoint(np.divide.reduce)
def divide_reduce(y, array, axis=0, dtype=None, *, keepdims=False):
    """The first divided by the product of the others."""
    along = 0 if axis is None else axis  # of one axis, which None stands for, too
    g = d[y] if keepdims or np.ndim(array) == 0 else np.expand_dims(d[y], along)
    value = y if keepdims or np.ndim(array) == 0 else np.expand_dims(y, along)
    d[array] = (
        g
        if np.ndim(array) == 0
        else np.concatenate(
            [
                g / conj(np.prod(without_start(array, along), axis=along, keepdims=True)),
                -g * conj(value / without_start(array, along)),
            ],
            along,
        )
    )


@linear(np.add.accumulate)
def add_accumulate(y, array, axis=0, dtype=None):
    d[array] = (
        np.cumsum(d[y][::-1])[::-1]
        if np.ndim(array) == 1
        else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    )


@linear(np.subtract.accumulate)
def subtract_accumulate(y, array, axis=0, dtype=None):
    g = np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    d[array] = np.concatenate(
        [
            np.take(g, np.arange(np.shape(array)[axis])[:1], axis),
            -without_start(g, axis),
        ],
        axis,
    )


@adjoint(np.multiply.accumulate)
def multiply_accumulate(y, array, axis=0, dtype=None):
    d[array] = cumprod_adjoint(d[y], array, y, axis)


@adjoint(np.divide.accumulate)
def divide_accumulate(y, array, axis=0, dtype=None):
    divisor = without_start(array, axis)
    d[array] = fold_back(d[y], 1 / divisor, -without_start(y, axis) / divisor, axis)


@adjoint(np.maximum.accumulate, np.minimum.accumulate, np.fmax.accumulate, np.fmin.accumulate)
def extremum_accumulate(y, array, axis=0, dtype=None):
    """An element as good as the best before it takes half, like `np.maximum` of the two."""
    before = without_end(y, axis)
    here = without_start(array, axis)
    best = without_start(y, axis)
    share = np.where(before == here, 0.5, np.where(best == here, 1.0, 0.0)).astype(array.dtype)
    d[array] = fold_back(d[y], 1 - share, share, axis)


@adjoint(np.logaddexp.accumulate)
def logaddexp_accumulate(y, array, axis=0, dtype=None):
    best = without_start(y, axis)
    total = np.where(best == -np.inf, 0.0, best)
    before = without_end(y, axis)
    here = without_start(array, axis)
    d[array] = fold_back(d[y], np.exp(before - total), np.exp(here - total), axis)


@adjoint(np.logaddexp2.accumulate)
def logaddexp2_accumulate(y, array, axis=0, dtype=None):
    best = without_start(y, axis)
    total = np.where(best == -np.inf, 0.0, best)
    before = without_end(y, axis)
    here = without_start(array, axis)
    d[array] = fold_back(d[y], np.exp2(before - total), np.exp2(here - total), axis)


@adjoint(np.hypot.accumulate)
def hypot_accumulate(y, array, axis=0, dtype=None):
    best = without_start(y, axis)
    size = np.where(best == 0, 1.0, best)
    before = without_end(y, axis)
    here = without_start(array, axis)
    d[array] = fold_back(d[y], before / size, here / size, axis)


@linear(np.add.reduceat)
def add_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(d[y], array, y, indices, axis, sum_slope)


@adjoint(np.multiply.reduceat)
def multiply_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(d[y], array, y, indices, axis, product_slope)


@adjoint(np.maximum.reduceat, np.minimum.reduceat, np.fmax.reduceat, np.fmin.reduceat)
def extremum_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(d[y], array, y, indices, axis, extremum_slope)


@adjoint(np.logaddexp.reduceat)
def logaddexp_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(d[y], array, y, indices, axis, exponential_slope)


@adjoint(np.logaddexp2.reduceat)
def logaddexp2_reduceat(y, array, indices, axis=0, dtype=None):
    d[array] = reduceat_adjoint(d[y], array, y, indices, axis, binary_exponential_slope)


@linear(np.add.outer)
def add_outer(y, A, B):
    d[A] = np.sum(d[y], axis=tuple(range(np.ndim(A), np.ndim(y))))
    d[B] = np.sum(d[y], axis=tuple(range(np.ndim(A))))


@linear(np.subtract.outer)
def subtract_outer(y, A, B):
    d[A] = np.sum(d[y], axis=tuple(range(np.ndim(A), np.ndim(y))))
    d[B] = -np.sum(d[y], axis=tuple(range(np.ndim(A))))


@multilinear(np.multiply.outer)
def multiply_outer(y, A, B):
    d[A] = np.tensordot(d[y], conj(B), np.ndim(B))
    d[B] = np.tensordot(conj(A), d[y], np.ndim(A))


@adjoint(np.divide.outer)
def divide_outer(y, A, B):
    d[A] = np.tensordot(d[y], conj(1 / B), np.ndim(B))
    d[B] = -np.sum(d[y] * conj(y), axis=tuple(range(np.ndim(A)))) / conj(B)


@adjoint(np.maximum.outer, np.minimum.outer, np.fmax.outer, np.fmin.outer)
def extremum_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    first = np.expand_dims(A, inner)
    share = np.where(first == B, 0.5, np.where(first == y, 1.0, 0.0)).astype(np.result_type(y))
    d[A] = np.sum(d[y] * share, axis=inner)
    d[B] = np.sum(d[y] * (1 - share), axis=tuple(range(np.ndim(A))))


@adjoint(np.hypot.outer)
def hypot_outer(y, A, B):
    ratio = d[y] / np.where(y == 0, 1.0, y)
    d[A] = A * np.sum(ratio, axis=tuple(range(np.ndim(A), np.ndim(y))))
    d[B] = B * np.sum(ratio, axis=tuple(range(np.ndim(A))))


@adjoint(np.arctan2.outer)
def arctan2_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    first = np.expand_dims(A, inner)
    ratio = d[y] / (first**2 + B**2)
    d[A] = np.sum(ratio * B, axis=inner)
    d[B] = -np.sum(ratio * first, axis=tuple(range(np.ndim(A))))


@adjoint(np.power.outer, np.float_power.outer)
def power_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    first = np.expand_dims(A, inner)
    d[A] = np.sum(d[y] * conj(B * first ** np.where(B == 0, 1.0, B - 1)), axis=inner)
    d[B] = np.sum(
        d[y] * conj(y * np.log(np.where(first == 0, 1.0, first))), axis=tuple(range(np.ndim(A)))
    )


@adjoint(np.logaddexp.outer)
def logaddexp_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    total = np.where(y == -np.inf, 0.0, y)
    d[A] = np.sum(d[y] * np.exp(np.expand_dims(A, inner) - total), axis=inner)
    d[B] = np.sum(d[y] * np.exp(B - total), axis=tuple(range(np.ndim(A))))


@adjoint(np.logaddexp2.outer)
def logaddexp2_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    total = np.where(y == -np.inf, 0.0, y)
    d[A] = np.sum(d[y] * np.exp2(np.expand_dims(A, inner) - total), axis=inner)
    d[B] = np.sum(d[y] * np.exp2(B - total), axis=tuple(range(np.ndim(A))))


@adjoint(np.copysign.outer)
def copysign_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    first = np.expand_dims(A, inner)
    d[A] = np.sum(d[y] * np.copysign(np.sign(first), first * B), axis=inner)
    d[B] = 0.0


@adjoint(np.nextafter.outer)
def nextafter_outer(y, A, B):
    d[A] = np.sum(d[y], axis=tuple(range(np.ndim(A), np.ndim(y))))
    d[B] = 0.0


@adjoint(np.heaviside.outer)
def heaviside_outer(y, A, B):
    zero = np.expand_dims(A, tuple(range(np.ndim(A), np.ndim(y)))) == 0
    d[A] = 0.0
    d[B] = np.sum(np.where(zero, d[y], 0.0), axis=tuple(range(np.ndim(A))))


@adjoint(np.fmod.outer)
def fmod_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    d[A] = np.sum(d[y], axis=inner)
    d[B] = -np.sum(d[y] * np.trunc(np.expand_dims(A, inner) / B), axis=tuple(range(np.ndim(A))))


@adjoint(np.remainder.outer)
def remainder_outer(y, A, B):
    inner = tuple(range(np.ndim(A), np.ndim(y)))
    d[A] = np.sum(d[y], axis=inner)
    d[B] = -np.sum(d[y] * (np.expand_dims(A, inner) // B), axis=tuple(range(np.ndim(A))))
