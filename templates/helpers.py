"""The helpers of generated code: none has an effect, some have a derivative again."""

import inspect

import numpy as np

from autodiff import runtime
from autodiff.rules import d, elementwise, linear, nondifferentiable, registry
from autodiff.runtime import conj, unbroadcast
from autodiff.runtime.broadcasting import dtype_of_adjoint
from autodiff.runtime.factorizations import check_invariant, tolerance
from autodiff.runtime.sets import inserted

registry.add_pure(
    function
    for function in map(vars(runtime).get, runtime.__all__)
    if inspect.isfunction(function) and function not in (runtime.add_at, runtime.distinct)
)

registry.add_transparent(
    f"autodiff.runtime.{module}"
    for module in (
        *("broadcasting", "extrema", "factorizations", "folds", "fourier", "linalg", "padding"),
        *("polynomials", "products", "quantiles", "rearranging", "scans", "sets", "signals"),
        *("slopes", "special", "statistics"),
    )
)


@linear(runtime.unbroadcast)
def unbroadcast_again(y, g, like):
    d[g] = np.broadcast_to(d[y], np.shape(g))
    d[like] = 0.0


@elementwise(runtime.bessel_i1)
def bessel_i1_again(y, x):
    d[x] = d[y] * (np.i0(x) - np.where(x == 0, 0.5, y / np.where(x == 0, 1.0, x)))


@linear(runtime.conj)
def conj_again(y, x):
    d[x] = conj(d[y])


@linear(runtime.adjoint_of)
def adjoint_of_again(y, g, like):
    d[g] = unbroadcast(d[y], like=g)
    d[like] = 0.0


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


@linear(runtime.scatter_diagonal)
def scatter_diagonal_again(y, g, like, offset=0, axis1=0, axis2=1):
    d[g] = unbroadcast(np.diagonal(d[y], offset, axis1, axis2), like=g)
    d[like] = 0.0


@linear(runtime.undiff)
def undiff_again(y, g, n, axis):
    d[g] = np.diff(d[y], n, axis)


nondifferentiable(runtime.zeros_like, runtime.reduced_size, runtime.winners, runtime.memory_order)
nondifferentiable(dtype_of_adjoint, tolerance, inserted)
nondifferentiable(check_invariant, pure=False)
