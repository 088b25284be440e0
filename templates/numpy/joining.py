"""Joining arrays and taking them apart."""

import numpy as np

from autodiff.rules import d, linear, newer
from autodiff.runtime import block_adjoint, insert_adjoint, unsplit
from autodiff.runtime import split as split_adjoint


@linear(np.concatenate)
def concatenate(y, arrays, axis=0, *, dtype=None, casting="same_kind"):
    d[arrays] = split_adjoint(d[y], like=arrays, axis=0 if axis is None else axis)


@linear(np.stack)
def stack(y, arrays, axis=0, *, dtype=None, casting="same_kind"):
    d[arrays] = split_adjoint(d[y], like=arrays, axis=axis)


@linear(np.vstack)
def vstack(y, tup, *, dtype=None, casting="same_kind"):
    d[tup] = split_adjoint(d[y], like=tup, axis=0)


@linear(np.hstack)
def hstack(y, tup, *, dtype=None, casting="same_kind"):
    d[tup] = split_adjoint(d[y], like=tup, axis=0 if np.ndim(y) == 1 else 1)


@linear(np.column_stack)
def column_stack(y, tup):
    d[tup] = split_adjoint(d[y], like=tup, axis=1)


@linear(np.dstack)
def dstack(y, tup):
    d[tup] = split_adjoint(d[y], like=tup, axis=2)


@linear(np.append)
def append(y, arr, values, axis=None):
    d[arr] = (
        np.reshape(d[y][: np.size(arr)], np.shape(arr))
        if axis is None
        else split_adjoint(d[y], like=(arr, values), axis=axis)[0]
    )
    d[values] = (
        np.reshape(d[y][np.size(arr) :], np.shape(values))
        if axis is None
        else split_adjoint(d[y], like=(arr, values), axis=axis)[1]
    )


@linear(np.block)
def block(y, arrays):
    d[arrays] = block_adjoint(d[y], arrays)


@linear(np.insert)
def insert(y, arr, obj, values, axis=None):
    d[arr] = insert_adjoint(d[y], arr, obj, values, axis, False)
    d[values] = insert_adjoint(d[y], arr, obj, values, axis, True)


@linear(np.split, np.array_split)
def split(y, ary, indices_or_sections, axis=0):
    d[ary] = unsplit(d[y], ary, indices_or_sections, axis=axis)


@linear(np.vsplit)
def vsplit(y, ary, indices_or_sections):
    d[ary] = unsplit(d[y], ary, indices_or_sections, axis=0)


@linear(np.hsplit)
def hsplit(y, ary, indices_or_sections):
    d[ary] = unsplit(d[y], ary, indices_or_sections, axis=0 if np.ndim(ary) == 1 else 1)


@linear(np.dsplit)
def dsplit(y, ary, indices_or_sections):
    d[ary] = unsplit(d[y], ary, indices_or_sections, axis=2)


@linear(newer.unstack)
def unstack(y, x, *, axis=0):
    d[x] = np.stack(d[y], axis=axis)
