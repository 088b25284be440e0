"""Programs with complex numbers: in loops, in arrays, as parameters."""

import numpy as np

from tests.rules.sample import NUMPY


def julia(x, y):
    z = complex(x, y)
    c = z
    for _ in range(3):
        z = z * z * 0.5 + c
    return z.real**2 + z.imag * x


def escaping(x, y):
    z = x + 1j * y
    steps = 0
    while abs(z) < 4.0 and steps < 20:
        z = z**2 + np.exp(0.3j * z) / (z + 2.0)
        steps += 1
    return abs(z) + np.abs(z.real)


def waves(k, t):
    total = 0j
    for n in range(len(k)):
        total += np.exp(1j * k[n] * t) * (1.0 + k[n]) / (n + 1.0)
    return np.real(total * np.conj(total)) + np.imag(np.sqrt(total))


def transferred(z, a):
    """A product of matrices by hand, of complex arrays that are stored to."""
    u = z.copy()
    w = np.zeros(len(z), dtype=complex)
    for k in range(1, len(u)):
        u[k] = u[k - 1] * z[k] + a
        w[k] = u[k].conjugate() * 1j
    s = np.sum(u * w) + np.sum(w * np.conj(w))
    return s.real + 2.0 * s.imag


def powers(x, y):
    z = complex(x, y)
    b = z / (z.conjugate() * z) + 1 / (z - 1j)
    return (b**3).real + (b**-2).imag + (2.0**z).real + (z**x).real


def rotated(z, angle):
    turn = np.cos(angle) + 1j * np.sin(angle)
    y = z * turn
    y[1:] += 0.5 * y[:-1]
    big = np.abs(y) > 1.0
    y = np.where(big, y / 2.0, y * y)
    return np.sum(np.abs(y) ** 2) + np.sum(y.real * y.imag) + np.sum(y).real


def turned(z, w, zs):
    """The sign of a complex number is its direction since NumPy 2; Numba has none."""
    return np.real(np.sign(z) * w) + np.sum(np.real(np.sign(w * zs) * z))


Z = np.array([0.3 + 0.4j, -0.5 + 1.2j, 1.1 - 0.3j, 0.2 + 0.9j])
CASES = [
    (julia, (0.3, 0.2), (0, 1)),
    (escaping, (0.3, 0.7), (0, 1)),
    (waves, (np.array([0.3, 0.9, -0.4]), 1.3), (0, 1)),
    (transferred, (Z, 0.3 - 0.1j), (0, 1)),
    (powers, (0.4, 0.3), (0, 1)),
    (rotated, (Z, 0.7), (0, 1)),
    *([(turned, (0.3 + 0.4j, 1.1 - 0.2j, Z), (0, 1))] if NUMPY >= (2, 0) else []),
]
"""Function, arguments, with respect to what."""
