"""Characteristic values of Mathieu's equation y'' + (a - 2 q cos(2 x)) y = 0, in `q`.

They turn by the mean of 2 cos(2 x) over y^2 (Hellmann-Feynman), DLMF 28.4; sums over equal steps
are exact for as many harmonics as there are points.
"""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise, registry

_POINTS = 256
_DEGREES = np.arange(_POINTS) * (360 / _POINTS)


def even_turn(m: Any, q: Any) -> Any:
    size = special.mathieu_cem(np.expand_dims(m, -1), np.expand_dims(q, -1), _DEGREES)[0] ** 2
    found = np.mean(2 * np.cos(np.deg2rad(2 * _DEGREES)) * size, -1) / np.mean(size, -1)
    return np.asarray(found, np.result_type(q))


def odd_turn(m: Any, q: Any) -> Any:
    size = special.mathieu_sem(np.expand_dims(m, -1), np.expand_dims(q, -1), _DEGREES)[0] ** 2
    found = np.mean(2 * np.cos(np.deg2rad(2 * _DEGREES)) * size, -1) / np.mean(size, -1)
    return np.asarray(found, np.result_type(q))


registry.add_making([even_turn, odd_turn])


@elementwise(special.mathieu_a)
def mathieu_a(y, m, q):
    d[q] = d[y] * even_turn(m, q)


@elementwise(special.mathieu_b)
def mathieu_b(y, m, q):
    d[q] = d[y] * odd_turn(m, q)
