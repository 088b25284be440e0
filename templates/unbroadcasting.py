"""Helpers that fit an adjoint to the shape of a value, once more: repeating undoes summing."""

import numpy as np

from autodiff import runtime
from autodiff.rules import d, linear
from autodiff.runtime import resized, unbroadcast
from autodiff.runtime.broadcasting import broadcast_parts


@linear(runtime.unbroadcast)
def unbroadcast_again(y, g, like):
    d[g] = (
        np.broadcast_to(d[y], np.shape(g))
        if isinstance(g, np.ndarray)
        else broadcast_parts(d[y], like=g)  # a zero may be a number, whatever it is of
    )
    d[like] = 0.0


@linear(broadcast_parts)
def broadcast_parts_again(y, g, like):
    d[g] = unbroadcast(d[y], like=g)
    d[like] = 0.0


@linear(runtime.adjoint_of)
def adjoint_of_again(y, g, like):
    d[g] = unbroadcast(d[y], like=g)
    d[like] = 0.0


@linear(runtime.fitted)
def fitted_again(y, given, like):
    d[given] = d[y]
    d[like] = 0.0


@linear(runtime.tangent_of)
def tangent_of_again(y, g, like):
    d[g] = unbroadcast(d[y], like=g)
    d[like] = 0.0


@linear(runtime.accumulate)
def accumulate_again(y, a, b):
    d[a] = unbroadcast(d[y], like=a)
    d[b] = unbroadcast(d[y], like=b)


@linear(runtime.resized)
def resized_again(y, g, like):
    d[g] = resized(d[y], like=g)
    d[like] = 0.0
