"""Spheroidal wave functions, in their argument; their characteristic values, in `c`.

Angular and radial functions solve one equation, DLMF 30.2.1, whose eigenvalue turns with c^2 by the
mean of x^2 (Hellmann-Feynman). No function of SciPy gives the slope of the functions in `c`.
"""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import adjoint, d, elementwise, registry

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)


def mean_square(f: Any, m: Any, n: Any, c: Any) -> Any:
    """The mean of x^2 over the square of an angular function; SciPy hangs in single precision."""
    given = (np.expand_dims(np.asarray(own, np.float64), -1) for own in (m, n, c))
    size = _WEIGHTS * f(*given, _NODES)[0] ** 2
    found = np.sum(_NODES**2 * size, -1) / np.sum(size, -1)
    return np.asarray(found, np.result_type(c))


def prolate_turn(m: Any, n: Any, c: Any) -> Any:
    """The slope of the prolate characteristic value in `c`."""
    return 2 * c * mean_square(special.pro_ang1, m, n, c)


def oblate_turn(m: Any, n: Any, c: Any) -> Any:
    return -2 * c * mean_square(special.obl_ang1, m, n, c)


_VALUES = (special.pro_cv, special.obl_cv, special.pro_cv_seq, special.obl_cv_seq)
_PAIRS = [
    getattr(special, f"{kind}_{part}{last}")
    for kind in ("pro", "obl")
    for part in ("ang1", "rad1", "rad2")
    for last in ("", "_cv")
]
registry.add_making([mean_square, prolate_turn, oblate_turn, *_VALUES])
registry.add_demanding([mean_square, prolate_turn, oblate_turn, *_VALUES])
registry.add_demanding(_PAIRS, (np.ndarray, np.ndarray))
"""Where the order is greater than the degree SciPy overwrites memory."""


@elementwise(special.pro_cv)
def pro_cv(y, m, n, c):
    d[c] = d[y] * prolate_turn(m, n, c)


@elementwise(special.obl_cv)
def obl_cv(y, m, n, c):
    d[c] = d[y] * oblate_turn(m, n, c)


@adjoint(special.pro_cv_seq)
def pro_cv_seq(y, m, n, c):
    d[c] = np.sum(d[y] * prolate_turn(m, np.arange(m, n + 1), c))


@adjoint(special.obl_cv_seq)
def obl_cv_seq(y, m, n, c):
    d[c] = np.sum(d[y] * oblate_turn(m, np.arange(m, n + 1), c))


@elementwise(special.pro_ang1_cv, special.pro_rad1_cv, special.pro_rad2_cv)
def prolate_cv(y, m, n, c, cv, x):
    size = cv - c**2 * x**2 - m**2 / (1 - x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (2 * x * y[1] - size * y[0]) / (1 - x**2)


@elementwise(special.pro_ang1, special.pro_rad1, special.pro_rad2)
def prolate(y, m, n, c, x):
    size = special.pro_cv(m, n, c) - c**2 * x**2 - m**2 / (1 - x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (2 * x * y[1] - size * y[0]) / (1 - x**2)


@elementwise(special.obl_ang1_cv)
def oblate_angular_cv(y, m, n, c, cv, x):
    size = cv + c**2 * x**2 - m**2 / (1 - x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (2 * x * y[1] - size * y[0]) / (1 - x**2)


@elementwise(special.obl_ang1)
def oblate_angular(y, m, n, c, x):
    size = special.obl_cv(m, n, c) + c**2 * x**2 - m**2 / (1 - x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (2 * x * y[1] - size * y[0]) / (1 - x**2)


@elementwise(special.obl_rad1_cv, special.obl_rad2_cv)
def oblate_radial_cv(y, m, n, c, cv, x):
    size = cv - c**2 * x**2 - m**2 / (1 + x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (size * y[0] - 2 * x * y[1]) / (1 + x**2)


@elementwise(special.obl_rad1, special.obl_rad2)
def oblate_radial(y, m, n, c, x):
    size = special.obl_cv(m, n, c) - c**2 * x**2 - m**2 / (1 + x**2)
    d[x] = d[y][0] * y[1] + d[y][1] * (size * y[0] - 2 * x * y[1]) / (1 + x**2)
