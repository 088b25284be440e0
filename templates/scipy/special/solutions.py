"""Functions that come with their slope, whose own slope a differential equation tells; integrals
of functions over their argument.
"""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise
from autodiff.runtime import conj


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


@elementwise(special.kelvin)
def kelvin(y, x):
    """Be, Ke and their slopes: f'' = i f - f' / x of both."""
    first = d[y][0] * y[2] + d[y][2] * (1j * y[0] - y[2] / x)
    d[x] = first + d[y][1] * y[3] + d[y][3] * (1j * y[1] - y[3] / x)


@elementwise(special.airye, holomorphic=False)
def airye(y, z):
    """Ai and Ai' by exp(2 z^1.5 / 3), Bi and Bi' by exp(-|Re(2 z^1.5 / 3)|)."""
    root = conj(np.sqrt(z if np.iscomplexobj(z) else np.maximum(z, 0)))
    side = np.sign(np.real(z * np.sqrt(z)))
    first = d[y][0] * (conj(y[1]) + root * conj(y[0]))
    second = d[y][1] * (conj(z * y[0]) + root * conj(y[1]))
    third = d[y][2] * conj(y[3]) + d[y][3] * conj(z * y[2])
    scaled = np.real(d[y][2] * conj(y[2])) + np.real(d[y][3] * conj(y[3]))
    d[z] = (
        first + second + third - side * root * scaled
        if np.iscomplexobj(z)
        else np.where(z < 0, 0.0, first + second) + third - root * (d[y][2] * y[2] + d[y][3] * y[3])
    )
