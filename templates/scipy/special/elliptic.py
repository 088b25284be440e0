"""Elliptic integrals and functions. K(m) - E(m) = m R_D(0, 1 - m, 1) / 3 keeps m = 0 regular."""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise, registry


@elementwise(special.ellipk)
def ellipk(y, m):
    d[m] = d[y] * (y - special.elliprd(0.0, 1 - m, 1.0) / 3) / (2 * (1 - m))


@elementwise(special.ellipkm1)
def ellipkm1(y, p):
    d[p] = -d[y] * (y - special.elliprd(0.0, p, 1.0) / 3) / (2 * p)


@elementwise(special.ellipe)
def ellipe(y, m):
    d[m] = -d[y] * special.elliprd(0.0, 1 - m, 1.0) / 6


@elementwise(special.ellipkinc)
def ellipkinc(y, phi, m):
    delta = np.sqrt(1 - m * np.sin(phi) ** 2)
    between = np.where(
        m == 0,
        (phi - np.sin(phi) * np.cos(phi)) / 2,
        (y - special.ellipeinc(phi, m)) / np.where(m == 0, 1.0, m),
    )
    d[phi] = d[y] / delta
    d[m] = d[y] * (y - between - np.sin(phi) * np.cos(phi) / delta) / (2 * (1 - m))


@elementwise(special.ellipeinc)
def ellipeinc(y, phi, m):
    between = np.where(
        m == 0,
        (phi - np.sin(phi) * np.cos(phi)) / 2,
        (special.ellipkinc(phi, m) - y) / np.where(m == 0, 1.0, m),
    )
    d[phi] = d[y] * np.sqrt(1 - m * np.sin(phi) ** 2)
    d[m] = -d[y] * between / 2


_DUPLICATIONS = 14
"""After so many the three differ by 4**-14 of their size, and the square of that is rounding."""


def elliprd_slope(x: Any, y: Any, z: Any, wanted: int) -> Any:
    """The derivative of R_D(x, y, z) in the argument of that number.

    By R_D(x, y, z) = 2 R_D(x + u, y + u, z + u) + 3 / (sqrt(z) (z + u)), which brings the three
    together: right where they are equal, too. Source: DLMF 19.26.20.
    """
    parts = []
    a, b, c = x, y, z
    for _ in range(_DUPLICATIONS):
        roots = (np.sqrt(a), np.sqrt(b), np.sqrt(c))
        parts.append(roots)
        u = roots[0] * roots[1] + roots[1] * roots[2] + roots[2] * roots[0]
        a, b, c = a + u, b + u, c + u
    each = -0.3 * ((a + b + 3 * c) / 5) ** -2.5
    slopes = (each, each, 3 * each)
    for k in range(_DUPLICATIONS - 1):
        part = parts[_DUPLICATIONS - 1 - k]
        total = slopes[0] + slopes[1] + slopes[2]
        slopes = (
            before_duplication(part, slopes[0], total, 0),
            before_duplication(part, slopes[1], total, 1),
            before_duplication(part, slopes[2], total, 2),
        )
    return before_duplication(parts[0], slopes[wanted], slopes[0] + slopes[1] + slopes[2], wanted)


def before_duplication(roots: Any, slope: Any, total: Any, wanted: int) -> Any:
    """A slope of R_D at the squares, from that after a duplication and the sum of all three."""
    x, y, z = roots
    far = z**2 + x * y + y * z + z * x
    to_u = 2 * total - 3 / (z * far**2)
    if wanted == 0:
        return 2 * slope + to_u * (y + z) / (2 * x)
    if wanted == 1:
        return 2 * slope + to_u * (x + z) / (2 * y)
    return 2 * slope + to_u * (x + y) / (2 * z) - 3 / (z * far**2) - 1.5 / (z**3 * far)


registry.add_making([elliprd_slope])


@elementwise(special.elliprd)
def elliprd(r, x, y, z):
    d[x] = d[r] * elliprd_slope(x, y, z, 0)
    d[y] = d[r] * elliprd_slope(x, y, z, 1)
    d[z] = d[r] * elliprd_slope(x, y, z, 2)


@elementwise(special.elliprc)
def elliprc(z, x, y):
    d[x] = -d[z] * special.elliprd(y, y, x) / 6
    d[y] = -d[z] * special.elliprd(x, y, y) / 3


@elementwise(special.elliprf)
def elliprf(f, x, y, z):
    d[x] = -d[f] * special.elliprd(y, z, x) / 6
    d[y] = -d[f] * special.elliprd(z, x, y) / 6
    d[z] = -d[f] * special.elliprd(x, y, z) / 6


@elementwise(special.elliprg)
def elliprg(g, x, y, z):
    """Source: DLMF 19.20.11, 19.21.10."""
    d[x] = d[g] * (special.elliprf(x, y, z) - x * special.elliprd(y, z, x) / 3) / 4
    d[y] = d[g] * (special.elliprf(x, y, z) - y * special.elliprd(z, x, y) / 3) / 4
    d[z] = d[g] * (special.elliprf(x, y, z) - z * special.elliprd(x, y, z) / 3) / 4


@elementwise(special.elliprj)
def elliprj(r, x, y, z, p):
    """Partial fractions in `p`; where it is another argument, the slope of R_D in its third.

    The slope in `p` follows from R_J being homogeneous, of degree -3/2. Source: DLMF 19.16.2.
    """
    by_x = np.where(
        p == x,
        elliprd_slope(y, z, np.where(p == x, x, 1.0), 2) / 3,
        (r - special.elliprd(y, z, x)) / (2 * np.where(p == x, 1.0, p - x)),
    )
    by_y = np.where(
        p == y,
        elliprd_slope(z, x, np.where(p == y, y, 1.0), 2) / 3,
        (r - special.elliprd(z, x, y)) / (2 * np.where(p == y, 1.0, p - y)),
    )
    by_z = np.where(
        p == z,
        elliprd_slope(x, y, np.where(p == z, z, 1.0), 2) / 3,
        (r - special.elliprd(x, y, z)) / (2 * np.where(p == z, 1.0, p - z)),
    )
    d[x] = d[r] * by_x
    d[y] = d[r] * by_y
    d[z] = d[r] * by_z
    d[p] = -d[r] * (1.5 * r + x * by_x + y * by_y + z * by_z) / p


@elementwise(special.agm)
def agm(y, a, b):
    """pi a / (2 K(1 - (b / a)^2)), homogeneous in both."""
    p = (b / a) ** 2
    share = special.elliprd(0.0, p, 1.0) / (3 * special.ellipkm1(p))
    d[a] = d[y] * y / a * share
    d[b] = d[y] * y / b * (1 - share)


@elementwise(special.ellipj)
def ellipj(y, u, m):
    """sn, cn, dn and the amplitude, where `u` is the incomplete integral up to the amplitude."""
    between = np.where(
        m == 0,
        (y[3] - y[0] * y[1]) / 2,
        (u - special.ellipeinc(y[3], m)) / np.where(m == 0, 1.0, m),
    )
    integral_by_m = np.where(
        m == 1,
        (y[0] / y[1] ** 2 - u) / 4,
        (u - between - y[0] * y[1] / y[2]) / (2 * np.where(m == 1, 1.0, 1 - m)),
    )
    turn = -y[2] * integral_by_m
    d[u] = (
        d[y][0] * y[1] * y[2] - d[y][1] * y[0] * y[2] - d[y][2] * m * y[0] * y[1] + d[y][3] * y[2]
    )
    d[m] = (
        d[y][0] * y[1] * turn
        - d[y][1] * y[0] * turn
        - d[y][2] * (y[0] ** 2 / 2 + m * y[0] * y[1] * turn) / y[2]
        + d[y][3] * turn
    )
