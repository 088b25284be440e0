"""Rearranging the elements of an array."""

import math

import numpy as np

from autodiff.rules import adjoint, d, linear, newer
from autodiff.runtime import (
    edges_adjoint,
    inverse_permutation,
    is_known,
    memory_order,
    odd_pad_adjoint,
    pad_adjoint,
    pad_values_adjoint,
    repeat_adjoint,
    scatter,
    scatter_flat,
    tile_adjoint,
)


@linear(np.reshape)
def reshape(y, a, shape, order="C"):
    d[a] = (
        np.reshape(d[y], np.shape(a))
        if order == "C"
        else np.reshape(d[y], np.shape(a), order=memory_order(a, order))
    )
    d[shape] = 0.0


@linear(np.ravel, np.ndarray.flatten)
def ravel(y, a, order="C"):
    d[a] = (
        np.reshape(d[y], np.shape(a))
        if order == "C"
        else np.reshape(d[y], np.shape(a), order=memory_order(a, order))
    )


@linear(np.squeeze)
def squeeze(y, a, axis=None):
    d[a] = np.reshape(d[y], np.shape(a))


@linear(np.expand_dims)
def expand_dims(y, a, axis):
    d[a] = np.reshape(d[y], np.shape(a))


@linear(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(y, *arys):
    d[arys] = (
        [np.reshape(d[y], np.shape(arys[0]))]
        if len(arys) == 1
        else [np.reshape(d[y][k], np.shape(arys[k])) for k in range(len(arys))]
    )


@linear(np.transpose)
def transpose(y, a, axes=None):
    d[a] = d[y].T if axes is None else np.transpose(d[y], inverse_permutation(axes))


@linear(newer.matrix_transpose, newer.linalg.matrix_transpose)
def matrix_transpose(y, x):
    d[x] = d[y].T if np.ndim(x) == 2 else np.swapaxes(d[y], -1, -2)


@linear(np.swapaxes)
def swapaxes(y, a, axis1, axis2):
    d[a] = np.swapaxes(d[y], axis1, axis2)


@linear(np.moveaxis)
def moveaxis(y, a, source, destination):
    d[a] = np.moveaxis(d[y], destination, source)


@linear(np.rollaxis)
def rollaxis(y, a, axis, start=0):
    source = axis % np.ndim(a)
    target = start + np.ndim(a) if start < 0 else start
    d[a] = np.moveaxis(d[y], target - 1 if target > source else target, source)


@linear(np.flip)
def flip(y, m, axis=None):
    d[m] = np.flip(d[y], axis)


@linear(np.fliplr)
def fliplr(y, m):
    d[m] = np.fliplr(d[y])


@linear(np.flipud)
def flipud(y, m):
    d[m] = np.flipud(d[y])


@linear(np.roll)
def roll(y, a, shift, axis=None):
    d[a] = np.roll(d[y], -shift if np.ndim(shift) == 0 else np.negative(shift), axis)


@linear(np.rot90)
def rot90(y, m, k=1, axes=(0, 1)):
    d[m] = np.rot90(d[y], -k, axes)


@linear(np.tile)
def tile(y, A, reps):
    d[A] = (
        np.sum(np.reshape(d[y], (reps, np.size(A))), axis=0)
        if np.ndim(A) == 1 and np.ndim(reps) == 0
        else tile_adjoint(d[y], A, reps)
    )


@linear(np.repeat)
def repeat(y, a, repeats, axis=None):
    d[a] = (
        np.sum(np.reshape(d[y], (np.size(a), repeats)), axis=1)
        if np.ndim(a) == 1 and np.ndim(repeats) == 0
        else repeat_adjoint(d[y], a, repeats, axis)
    )


@linear(np.resize)
def resize(y, a, new_shape):
    d[a] = scatter_flat(d[y], like=a, at=np.resize(np.arange(np.size(a)), new_shape))
    d[new_shape] = 0.0


@adjoint(np.pad)
def pad(
    y,
    array,
    pad_width,
    mode="constant",
    *,
    constant_values=0,
    end_values=0,
    stat_length=None,
    reflect_type="even",
):
    g = d[y]
    d[array] = (
        pad_adjoint(g, array, 1, "constant")
        + scatter(g[0], like=array, at=0)
        + scatter(g[-1], like=array, at=-1)
        if mode == "edge" and np.ndim(array) == 1 and is_known(pad_width, 1)
        else edges_adjoint(g, array, pad_width)
        if mode == "edge" and np.ndim(array) == 1 and np.ndim(pad_width) == 0
        else pad_adjoint(g, array, pad_width, mode, stat_length)
        if reflect_type == "even"
        else odd_pad_adjoint(g, array, pad_width, mode)
    )
    d[constant_values] = pad_values_adjoint(d[y], array, pad_width, mode, constant_values)
    d[end_values] = pad_values_adjoint(d[y], array, pad_width, mode, end_values)


@adjoint(np.unwrap)
def unwrap(y, p, discont=None, axis=-1, *, period=2 * math.pi):
    d[p] = d[y]
