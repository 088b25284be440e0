"""Functions that take numbers, lists and arrays, and ask what they got."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, V3


def vector(v, dtype=np.float64):
    dt = dtype
    if isinstance(v, float):
        v = [v]
    if isinstance(v, (list, tuple)):
        return np.array(v, dtype=dt)
    if isinstance(v, np.ndarray):
        dt = v.dtype
        return v.astype(dt).flatten()
    raise TypeError


@program([(V3,), ([0.7, 1.3, 0.2],), ((0.7, 1.3, 0.2),), (0.7,)])
def by_a_helper(x):
    q = vector(x)
    if q[0] > 0.6:
        return np.sum(q[1:] ** 2) + q[0]
    return np.sum(q**3)


@program([(V3,), ([0.7, 1.3, 0.2],), (0.7,), (M33,)])
def by_itself(x, scale=None, kind="a"):
    if isinstance(x, float):
        x = [x]
    if isinstance(x, (list, tuple)):
        x = np.array(x)
    elif isinstance(x, dict):
        raise TypeError
    else:
        x = x.squeeze()
    if scale is None:
        scale = 2.0
    if x.ndim == 2:
        x = x @ x
    elif kind == "a":
        x = x * scale
    return x if np.isscalar(x) else np.sum(x**2)


@program([({"w": V3, "b": 0.7},), (V3,), (0.7,)])
def dict_or_value(p):
    if isinstance(p, dict):
        return np.sum(p["w"] ** 2) * p["b"]
    if np.ndim(p) == 0:
        return p * p
    return p @ p


@program([(0.7, V3), (V3, 0.7), (V3, V3), (0.7, 1.3)])
def numbers_and_arrays(x, y):
    if isinstance(x, float):
        x = np.array([x, x * x])
    if isinstance(y, float):
        y = np.array([y])
    return np.sum(x[:, None] * y[None, :] ** 2)


@program([([V3, 2 * V3],), (M33,)])
def rows_of(rows):
    if isinstance(rows, list):
        rows = np.vstack(rows)
    if rows.shape[0] < rows.shape[1]:
        rows = rows.T
    return np.sum(rows @ rows.T)
