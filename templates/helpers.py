"""The helpers of generated code: what has an effect, and what has a derivative again."""

import inspect

import numpy as np

from autodiff import runtime
from autodiff.rules import adjoint, d, elementwise, linear, nondifferentiable, registry
from autodiff.runtime import (
    conj,
    dependence,
    dependence_of_products,
    edges_adjoint,
    interp_slope,
    interp_values_adjoint,
    nanquantile_adjoint,
    nanquantile_level_adjoint,
    odd_pad_adjoint,
    pad_adjoint,
    quantile_adjoint,
    quantile_level_adjoint,
    spacing_adjoint,
    split,
    stored,
    unbroadcast,
)
from autodiff.runtime.broadcasting import dtype_of_adjoint
from autodiff.runtime.extrema import axes_last, ties
from autodiff.runtime.factorizations import check_invariant, size_of_columns, tolerance
from autodiff.runtime.fourier import transformed
from autodiff.runtime.linalg import cofactors_adjoint, solved_axes
from autodiff.runtime.padding import padded_change, padded_values
from autodiff.runtime.products import blocked
from autodiff.runtime.quantiles import (
    level_shape,
    nanquantile_change,
    quantile_change,
    quantile_shares,
)
from autodiff.runtime.rearranging import first_of, none_of
from autodiff.runtime.scans import alignment, alignment_back
from autodiff.runtime.scattering import joined, placed
from autodiff.runtime.sets import insertion, trim_adjoint, trimmed
from autodiff.runtime.signals import first_kept, interp_values
from autodiff.runtime.statistics import variables

_WITH_EFFECT = runtime.CHANGING | {check_invariant, runtime.distinct}
_INNER = (
    "aligned arrays_in as_dtype as_tuple blank checked checkpointed containers_in"
    " counts_adjoint current fields in_form is_record like_value numbers of_columns"
    " of_complex_power opposite_norm padded_front parts_in repeats restructure schedule"
    " singular_cofactors united_along unshared"
)
"""What generated code does not call itself."""

registry.add_pure(
    function
    for function in vars(runtime).values()
    if inspect.isfunction(function) and function.__module__.startswith("autodiff.runtime.")
    if function not in _WITH_EFFECT and function.__name__ not in _INNER.split()
)

registry.add_pure((cofactors_adjoint,))
registry.add_making(
    function
    for module in (dependence, dependence_of_products)
    for function in vars(module).values()
    if inspect.isfunction(function) and function.__module__ == module.__name__
)

registry.add_making((runtime.norm_slope, runtime.vector_norm_slope, interp_values))
registry.add_making((runtime.solve_adjoint, runtime.polydiv_adjoint, padded_values, trimmed))
registry.add_making((runtime.pad_values_adjoint, joined))
registry.add_making((runtime.trapezoid_points_adjoint, runtime.trapezoid_step_adjoint))

registry.add_transparent(
    f"autodiff.runtime.{module}"
    for module in (
        *("broadcasting", "extrema", "factorizations", "folds", "fourier", "linalg", "padding"),
        *("polynomials", "products", "quantiles", "rearranging", "scans", "sets"),
        *("signals", "slopes", "special", "statistics"),
    )
)


@elementwise(runtime.i0_slope)
def i0_slope_again(y, x, order):
    d[x] = d[y] * runtime.i0_slope(x, order + 1)


@elementwise(runtime.sinc_slope)
def sinc_slope_again(y, x, order):
    d[x] = d[y] * runtime.sinc_slope(x, order + 1)


@linear(runtime.conj)
def conj_again(y, x):
    d[x] = conj(d[y])


@linear(runtime.replica)
def replica_again(y, x):
    d[x] = d[y]


@linear(runtime.checked_residual)
def checked_residual_again(value, given, y):
    d[given] = d[value]
    d[y] = 0.0


@linear(runtime.split)
def split_again(y, g, like, axis):
    d[g] = joined(d[y], g, axis)
    d[like] = 0.0


@linear(runtime.unsplit)
def unsplit_again(y, parts, like, at, axis):
    d[parts] = np.split(d[y], at, axis)
    d[like] = 0.0


@linear(joined)
def joined_again(y, parts, like, axis):
    d[parts] = split(d[y], parts, axis)
    d[like] = 0.0


@linear(runtime.stored)
def stored_again(y, g, at):
    d[g] = placed(d[y], g, at)


@linear(placed)
def placed_again(y, g, like, at):
    d[g] = stored(d[y], at)
    d[like] = 0.0


@adjoint(runtime.interp_values_adjoint)
def interp_values_again(y, g, x, xp, left=None, right=None, period=None):
    low = None if left is None else 0.0
    high = None if right is None else 0.0
    slope = conj(g) * interp_slope(x, xp, d[y], low, high, period)
    d[g] = unbroadcast(interp_values(d[y], x, xp, left, right, period), like=g)
    d[x] = unbroadcast(slope, like=x)
    d[xp] = -interp_values_adjoint(np.real(slope), x, xp, left, right, period)
    d[left] = 0.0  # it only matters whether it is given
    d[right] = 0.0


@linear(runtime.rfftn_adjoint)
def rfftn_adjoint_again(y, g, a, s, axes, norm):
    d[g] = np.fft.rfftn(d[y], s, axes, norm)
    d[a] = 0.0


@linear(runtime.irfftn_adjoint)
def irfftn_adjoint_again(y, g, a, s, axes, norm):
    over = transformed(np.ndim(a), s, axes)
    d[g] = np.fft.irfftn(d[y], [np.shape(g)[axis] for axis in over], over, norm)
    d[a] = 0.0


@adjoint(runtime.gradient_adjoint, linear_in=("g",))
def gradient_adjoint_again(y, g, f, spacing, axis, edge_order):
    slopes = np.gradient(d[y], *spacing, axis=axis, edge_order=edge_order)
    d[g] = slopes
    d[f] = 0.0
    d[spacing] = [
        spacing_adjoint(
            g,
            slopes,
            d[y],
            spacing,
            k if axis is None else axis[k] if isinstance(axis, tuple) else axis,
            edge_order,
            k,
        )
        for k in range(len(spacing))
    ]


@linear(runtime.tile_adjoint)
def tile_adjoint_again(y, g, like, reps):
    d[g] = np.tile(d[y], reps)
    d[like] = 0.0


@linear(runtime.repeat_adjoint)
def repeat_adjoint_again(y, g, like, repeats, axis):
    d[g] = np.repeat(d[y], repeats, axis)
    d[like] = 0.0


@adjoint(quantile_adjoint, linear_in=("g",))
def quantile_adjoint_again(y, g, x, q, axis=None, method="linear"):
    """Quantiles are linear where the order of the elements stays."""
    d[g] = np.reshape(quantile_change(d[y], x, q, axis, method), np.shape(g))
    d[x] = 0.0
    d[q] = quantile_level_adjoint(g, d[y], q, axis, method, x)


@adjoint(quantile_change, linear_in=("x_dot",))
def quantile_change_again(y, x_dot, x, q, axis=None, method="linear"):
    d[x_dot] = quantile_adjoint(d[y], x, q, axis, method)
    d[x] = 0.0
    d[q] = quantile_level_adjoint(d[y], x_dot, q, axis, method, x)


@adjoint(nanquantile_adjoint, linear_in=("g",))
def nanquantile_adjoint_again(y, g, x, q, axis=None, method="linear"):
    d[g] = np.reshape(nanquantile_change(d[y], x, q, axis, method), np.shape(g))
    d[x] = 0.0
    d[q] = nanquantile_level_adjoint(g, d[y], q, axis, method, x)


@adjoint(nanquantile_change, linear_in=("x_dot",))
def nanquantile_change_again(y, x_dot, x, q, axis=None, method="linear"):
    d[x_dot] = nanquantile_adjoint(d[y], x, q, axis, method)
    d[x] = 0.0
    d[q] = nanquantile_level_adjoint(d[y], x_dot, q, axis, method, x)


@linear(runtime.select_adjoint)
def select_adjoint_again(y, g, k, condlist, choicelist):
    d[g] = np.broadcast_to(np.where(first_of(k, condlist), d[y], 0.0), np.shape(g))
    d[choicelist] = 0.0


@linear(runtime.select_default_adjoint)
def select_default_adjoint_again(y, g, condlist, default):
    d[g] = np.broadcast_to(np.where(none_of(condlist), d[y], 0.0), np.shape(g))
    d[default] = 0.0


@linear(runtime.windows_adjoint)
def windows_adjoint_again(y, g, x, window_shape, axis):
    d[g] = np.lib.stride_tricks.sliding_window_view(d[y], window_shape, axis)
    d[x] = 0.0


@linear(runtime.trim_adjoint)
def trim_adjoint_again(y, g, filt, trim, axis=None, x=None):
    d[g] = trimmed(d[y], g, filt, trim, axis)
    d[filt] = 0.0
    d[x] = 0.0


@linear(trimmed)
def trimmed_again(y, x, like, filt, trim, axis=None):
    d[x] = trim_adjoint(d[y], filt, trim, axis, x)
    d[like] = 0.0
    d[filt] = 0.0


@linear(runtime.block_adjoint)
def block_adjoint_again(y, g, arrays):
    d[g] = np.reshape(np.block(d[y]), np.shape(g))
    d[arrays] = 0.0


@linear(runtime.unreduce)
def unreduce_again(y, g, like, axis=None, keepdims=False):
    d[g] = unbroadcast(np.sum(d[y], axis=axis, keepdims=keepdims), like=g)
    d[like] = 0.0


@linear(runtime.scatter)
def scatter_again(y, g, like, at):
    d[g] = unbroadcast(d[y][at], like=g)
    d[like] = 0.0


@linear(runtime.scatter_flat)
def scatter_flat_again(y, g, like, at):
    d[g] = np.reshape(np.ravel(d[y])[np.ravel(at)], np.shape(g))
    d[like] = 0.0


@linear(runtime.scatter_along)
def scatter_along_again(y, g, like, indices, axis):
    d[g] = np.take_along_axis(d[y], indices, axis)
    d[like] = 0.0


@linear(runtime.unsorted)
def unsorted_again(y, g, order, axis):
    d[g] = np.take_along_axis(d[y], order, axis)


@linear(runtime.scatter_diagonal)
def scatter_diagonal_again(y, g, like, offset=0, axis1=0, axis2=1):
    d[g] = unbroadcast(np.diagonal(d[y], offset, axis1, axis2), like=g)
    d[like] = 0.0


@linear(runtime.insert_adjoint)
def insert_adjoint_again(y, g, arr, obj, values, axis, own):
    d[g] = (
        np.insert(np.zeros_like(arr), obj, d[y], axis)
        if own
        else np.insert(d[y], obj, np.zeros_like(values), axis)
    )
    d[arr] = 0.0
    d[values] = 0.0


@linear(runtime.pad_adjoint)
def pad_adjoint_again(y, g, like, pad_width, mode, stat_length=None):
    d[g] = padded_change(d[y], like, pad_width, mode, stat_length)
    d[like] = 0.0


@linear(runtime.full_convolution)
def full_convolution_again(y, g, a, v, mode):
    start = first_kept(a, v, mode)
    d[g] = d[y][start : start + np.size(g)]
    d[a] = 0.0
    d[v] = 0.0


@linear(edges_adjoint)
def edges_adjoint_again(y, g, like, width):
    d[g] = np.pad(d[y], width, mode="edge")
    d[like] = 0.0


@linear(padded_change)
def padded_change_again(y, x_dot, x, pad_width, mode, stat_length):
    d[x_dot] = (
        pad_adjoint(np.real(d[y]), x, pad_width, mode, stat_length)
        + 1j * pad_adjoint(np.imag(d[y]), x, pad_width, mode, stat_length)
        if np.iscomplexobj(x_dot) and np.isrealobj(x)
        else pad_adjoint(d[y], x, pad_width, mode, stat_length)
    )
    d[x] = 0.0


@linear(odd_pad_adjoint)
def odd_pad_adjoint_again(y, g, like, pad_width, mode):
    d[g] = np.pad(d[y], pad_width, mode, reflect_type="odd")
    d[like] = 0.0


@linear(runtime.pad_values_adjoint)
def pad_values_adjoint_again(y, g, like, pad_width, mode, values):
    d[g] = padded_values(d[y], like, pad_width, mode)
    d[like] = 0.0
    d[values] = 0.0


@linear(runtime.undiff)
def undiff_again(y, g, n, axis, size=None):
    d[g] = np.diff(d[y], n, axis)


nondifferentiable(runtime.zeros_like, runtime.zeros_alike, runtime.reduced_size, runtime.winners)
nondifferentiable(runtime.memory_order, runtime.shadow_of)
nondifferentiable(alignment, alignment_back)
nondifferentiable(
    dtype_of_adjoint, tolerance, size_of_columns, insertion, axes_last, blocked, first_kept
)
nondifferentiable(level_shape, quantile_shares, runtime.turns)
nondifferentiable(first_of, none_of, runtime.zip_length, solved_axes, transformed, variables, ties)
nondifferentiable(check_invariant, runtime.scalar_seed, pure=False)


@adjoint(runtime.cofactors)
def cofactors_again(c, a, det=None):
    """The determinant only saves work: the cofactors are those of `a`."""
    d[a] = cofactors_adjoint(d[c], a)
    d[det] = 0.0
