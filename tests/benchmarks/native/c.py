"""The adjoints of `adjoints.c` and `adbench.c`, called through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

SOURCES = [Path(__file__).with_name(name) for name in ("adjoints.c", "adbench.c")]
_DOUBLE, _LONG = ctypes.c_double, ctypes.c_long


def compiled() -> ctypes.CDLL | None:
    """The shared library; None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    place = Path(tempfile.mkdtemp()) / "adjoints.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-lm"]
    subprocess.run([gcc, *map(str, SOURCES), "-o", str(place), *flags], check=True)
    return ctypes.CDLL(str(place))


def _at(x):
    return ctypes.c_void_p(x.ctypes.data)


def adjoints(library):
    """By the name of the primal: a function of its arguments that returns the gradient."""

    def rosenbrock(x):
        x_bar = np.empty_like(x)
        library.rosenbrock(_at(x), _LONG(len(x)), _at(x_bar))
        return (x_bar,)

    def logistic(x, r, n):
        out = np.empty(2)
        library.logistic(_DOUBLE(x), _DOUBLE(r), _LONG(n), _at(out))
        return tuple(out)

    def roots(a):
        a_bar = np.empty_like(a)
        library.newton(_at(a), _LONG(len(a)), _at(a_bar))
        return (a_bar,)

    def lorenz(s, rho, b, n, dt):
        out = np.empty(3)
        library.lorenz(_DOUBLE(s), _DOUBLE(rho), _DOUBLE(b), _LONG(n), _DOUBLE(dt), _at(out))
        return tuple(out)

    def nbody(pos, vel, mass, n, dt):
        out = np.empty_like(pos), np.empty_like(vel), np.empty_like(mass)
        sizes = _LONG(len(mass)), _LONG(n), _DOUBLE(dt)
        library.nbody(_at(pos), _at(vel), _at(mass), *sizes, *map(_at, out))
        return out

    def burgers(u0, nu, dt, dx, n):
        u_bar, nu_bar = np.empty_like(u0), np.empty(1)
        numbers = _DOUBLE(nu), _DOUBLE(dt), _DOUBLE(dx), _LONG(len(u0)), _LONG(n)
        library.burgers(_at(u0), *numbers, _at(u_bar), _at(nu_bar))
        return u_bar, nu_bar[0]

    def bundle(cameras, points, weights, features, observed):
        out = np.empty_like(cameras), np.empty_like(points), np.empty_like(weights)
        given = cameras, points, weights, features, observed
        sizes = _LONG(len(cameras)), _LONG(len(points)), _LONG(len(weights))
        library.bundle(*map(_at, given), *sizes, *map(_at, out))
        return out

    def memory_cells(main, extra, state, text):
        out = np.empty_like(main), np.empty_like(extra)
        sizes = _LONG(len(main) // 2), _LONG(text.shape[1]), _LONG(len(text))
        given = [np.ascontiguousarray(part) for part in (main, extra, state, text)]
        library.memory_cells(*map(_at, given), *sizes, *map(_at, out))
        return out

    return {
        "bundle": bundle,
        "memory_cells": memory_cells,
        "rosenbrock": rosenbrock,
        "logistic": logistic,
        "roots": roots,
        "lorenz": lorenz,
        "nbody": nbody,
        "burgers_elements": burgers,
        "burgers_slices": burgers,
    }
