"""Functions that come with their slope, whose own slope a differential equation tells; integrals
of functions over their argument.
"""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.pbdv)
def pbdv(y, v, x):
    d[x] = d[y][0] * y[1] + d[y][1] * (x**2 / 4 - v - 0.5) * y[0]


@elementwise(special.pbvv)
def pbvv(y, v, x):
    d[x] = d[y][0] * y[1] + d[y][1] * (x**2 / 4 - v - 0.5) * y[0]


@elementwise(special.pbwa)
def pbwa(y, a, x):
    d[x] = d[y][0] * y[1] + d[y][1] * (a - x**2 / 4) * y[0]


@elementwise(special.mathieu_cem)
def mathieu_cem(y, m, q, x):
    """`x` in degrees, the slope in radians."""
    turn = 2 * q * np.cos(np.deg2rad(2 * x)) - special.mathieu_a(m, q)
    d[x] = (d[y][0] * y[1] + d[y][1] * turn * y[0]) * (np.pi / 180)


@elementwise(special.mathieu_sem)
def mathieu_sem(y, m, q, x):
    """`x` in degrees, the slope in radians."""
    turn = 2 * q * np.cos(np.deg2rad(2 * x)) - special.mathieu_b(m, q)
    d[x] = (d[y][0] * y[1] + d[y][1] * turn * y[0]) * (np.pi / 180)


@elementwise(special.mathieu_modcem1, special.mathieu_modcem2)
def mathieu_modcem(y, m, q, x):
    turn = special.mathieu_a(m, q) - 2 * q * np.cosh(2 * x)
    d[x] = d[y][0] * y[1] + d[y][1] * turn * y[0]


@elementwise(special.mathieu_modsem1, special.mathieu_modsem2)
def mathieu_modsem(y, m, q, x):
    turn = special.mathieu_b(m, q) - 2 * q * np.cosh(2 * x)
    d[x] = d[y][0] * y[1] + d[y][1] * turn * y[0]


@elementwise(special.it2j0y0)
def it2j0y0(y, x):
    safe = np.where(x == 0, 1.0, x)
    d[x] = d[y][0] * ((1 - special.j0(x)) / safe) - d[y][1] * special.y0(x) / x


@elementwise(special.it2i0k0)
def it2i0k0(y, x):
    safe = np.where(x == 0, 1.0, x)
    d[x] = d[y][0] * ((special.i0(x) - 1) / safe) - d[y][1] * special.k0(x) / x


@elementwise(special.it2struve0)
def it2struve0(y, x):
    safe = np.where(x == 0, 1.0, x)
    slope = np.where(x == 0, 2 / np.pi, special.struve(np.float32(0), x) / safe)
    d[x] = -d[y] * slope
