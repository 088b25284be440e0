"""The statistics module of Python: averages and spreads that it computes in exact fractions."""

import statistics
import sys

import numpy as np

from autodiff.rules import adjoint, d, linear
from autodiff.runtime import unreduce


@linear(statistics.mean)
def mean(y, data):
    g = d[y] / len(data)
    d[data] = unreduce(g, like=data) if isinstance(data, np.ndarray) else [g for v in data]


if sys.version_info < (3, 11):

    @linear(statistics.fmean)
    def fmean(y, data):
        g = d[y] / len(data)
        d[data] = unreduce(g, like=data) if isinstance(data, np.ndarray) else [g for v in data]

else:

    @adjoint(statistics.fmean)
    def fmean(y, data, weights=None):
        g = d[y] / (len(data) if weights is None else np.sum(weights))
        w = np.ones(len(data)) if weights is None else weights
        d[data] = g * np.asarray(w) if isinstance(data, np.ndarray) else [g * share for share in w]
        d[weights] = (
            g * (np.asarray(data) - y)
            if isinstance(weights, np.ndarray)
            else [g * (v - y) for v in data]
        )


@adjoint(statistics.harmonic_mean)
def harmonic_mean(y, data, weights=None):
    g = d[y] * y**2 / (len(data) if weights is None else np.sum(weights))
    w = np.ones_like(data) if weights is None else np.asarray(weights)
    d[data] = (
        g * w / data**2
        if isinstance(data, np.ndarray)
        else [g * share / v**2 for share, v in zip(w, data)]
    )


@adjoint(statistics.geometric_mean)
def geometric_mean(y, data):
    g = d[y] * y / len(data)
    d[data] = g / data if isinstance(data, np.ndarray) else [g / v for v in data]


@adjoint(statistics.variance)
def variance(y, data, xbar=None):
    g = 2 * d[y] / (len(data) - 1)
    middle = np.mean(data) if xbar is None else xbar
    d[data] = (
        g * (data - middle) if isinstance(data, np.ndarray) else [g * (v - middle) for v in data]
    )
    d[xbar] = g * len(data) * (xbar - np.mean(data))


@adjoint(statistics.pvariance)
def pvariance(y, data, mu=None):
    g = 2 * d[y] / len(data)
    middle = np.mean(data) if mu is None else mu
    d[data] = (
        g * (data - middle) if isinstance(data, np.ndarray) else [g * (v - middle) for v in data]
    )
    d[mu] = g * len(data) * (mu - np.mean(data))


@adjoint(statistics.stdev)
def stdev(y, data, xbar=None):
    g = d[y] / ((len(data) - 1) * np.where(y == 0, 1.0, y))
    middle = np.mean(data) if xbar is None else xbar
    d[data] = (
        g * (data - middle) if isinstance(data, np.ndarray) else [g * (v - middle) for v in data]
    )
    d[xbar] = g * len(data) * (xbar - np.mean(data))


@adjoint(statistics.pstdev)
def pstdev(y, data, mu=None):
    g = d[y] / (len(data) * np.where(y == 0, 1.0, y))
    middle = np.mean(data) if mu is None else mu
    d[data] = (
        g * (data - middle) if isinstance(data, np.ndarray) else [g * (v - middle) for v in data]
    )
    d[mu] = g * len(data) * (mu - np.mean(data))
