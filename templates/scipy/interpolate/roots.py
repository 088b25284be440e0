"""Zeros of splines and of piecewise polynomials: those that were found, and two of Newton's steps
from there, which change no more than rounding and have the first three derivatives of a zero.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import math

import numpy as np
from autodiff.templates.scipy.interpolate.bases import splined
from autodiff.templates.scipy.interpolate.knots import as_found, crosses
from autodiff.templates.scipy.interpolate.places import intervals
from scipy.interpolate import _fitpack2, _ppoly

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued

_HOME = getattr(_fitpack2, "dfitpack", None) or _fitpack2._fitpack


def sproot(t, c, mest):
    zeros, count, ended = as_found(_HOME.sproot, t, c, mest)
    found = x = zeros[:count]
    own = c[: len(t) - 4, None]
    for _ in range(2):
        value, slope = splined(t, own, 3, x)[:, 0], splined(t, own, 3, x, 1)[:, 0]
        crosses(value, slope, t, own)
        x = x - value / slope
    rest = np.zeros(len(zeros) - count)
    return np.concatenate((valued(found, x), rest)), count, ended


def polynomials(c, x, at, i, order):
    """A derivative of the polynomials in intervals."""
    step, made = at - x[i], np.zeros(len(at))
    for power in range(len(c) - 1, order - 1, -1):
        made = made * step + math.perm(power, order) * c[len(c) - 1 - power, i]
    return made


def real_roots(c, x, y, report_discont, extrapolate):
    made = []
    found = as_found(_ppoly.real_roots, c, x, y, report_discont, extrapolate)
    for column, zeros in enumerate(found):
        at, i, own = zeros, intervals(x, zeros), c[:, :, column]
        for _ in range(2):
            value, slope = polynomials(own, x, at, i, 0) - y, polynomials(own, x, at, i, 1)
            crosses(value, slope, x, own)
            at = at - value / slope
        made.append(valued(zeros, at))
    return made


registry.add_written({_HOME.sproot: sproot, _ppoly.real_roots: real_roots})
add_recipes(__name__)
