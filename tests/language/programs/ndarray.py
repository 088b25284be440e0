"""Methods and attributes of arrays, and the NumPy functions that small programs use."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import (
    COL2,
    COL3,
    F32,
    FM32,
    M23,
    M32,
    M33,
    M34,
    M42,
    P3,
    ROW3,
    SPD3,
    T234,
    V3,
    V4,
    V5,
    V6,
    W3,
    Z3,
    ZERO_D,
)


@program([(V3,), (M23,), (F32,), (ZERO_D,)], analytic=True)
def sum_mean_prod(x):
    return x.sum() ** 2 + x.mean() * x.prod()


@program([(M23,), (FM32,), (T234,)], analytic=True)
def reductions_along_axes(x):
    return np.sum(x.sum(axis=0) ** 2) + np.sum(x.mean(axis=-1, keepdims=True) * x)


@program([(M23,), (M33,)], analytic=True)
def reduction_positional_axis(a):
    return a.sum(0) @ a.mean(0) + np.prod(np.sum(a, 1) + 2)


@program([(T234,)], analytic=True)
def reduction_over_two_axes(t):
    return np.sum(t.sum(axis=(0, 2)) ** 2) * t.mean()


@program([(V5,), (M23,)])
def max_min(x):
    return x.max() ** 2 * x.min() + np.max(x) - np.min(x * 2)


@program([(M34,), (M23,)])
def max_along_axis(a):
    return np.sum(a.max(axis=1) ** 2) + np.sum(a.min(axis=0) * np.max(a, axis=0, keepdims=True))


@program([(V5,), (M23,)])
def std_var(x):
    return x.var() + np.std(x) * 3 + np.var(x, ddof=1)


@program([(M23, M23 * 1.5), (M33, M34.T[:3])], analytic=True)
def transpose(a, b):
    return np.sum((a.T @ b) ** 2) + np.sum(a.T[0] * b.transpose()[1])


@program([(T234,)], analytic=True)
def transpose_with_axes(t):
    u = t.transpose(2, 0, 1)
    v = np.transpose(t, (1, 2, 0))
    w = np.swapaxes(t, 0, 1)
    return (
        np.sum(u[1] ** 2)
        + np.sum(v[..., 0] ** 3)
        + np.sum(w[0] * w[1])
        + np.moveaxis(t, 0, -1)[0, 1, 0]
    )


@program([(V6,), (M23,)], analytic=True)
def reshaping(x):
    a = x.reshape(2, 3)
    b = np.reshape(x, (3, -1))
    return np.sum((a @ b) ** 2) + a.ravel() @ b.flatten() + x.reshape(-1)[0]


@program([(M23,), (M34,)], analytic=True)
def shape_attributes(a):
    n, m = a.shape
    return np.sum(a) / a.size * a.ndim + np.sum(a**2) / (n * m + len(a))


@program([(ROW3,), (COL3,)], analytic=True)
def squeeze_expand(a):
    v = a.squeeze()
    w = np.expand_dims(v, 1)
    return np.sum(w * v) + np.sum(np.squeeze(a) ** 3) + np.sum(np.atleast_2d(v) ** 2)


@program([(V3,), (M23,), (F32,)], analytic=True)
def copies(x):
    y = x.copy()
    z = np.copy(y) * x
    return np.sum(y * z)


@program([(F32,), (V3,)])
def astype(x):
    y = x.astype(np.float64)
    return np.sum(y * y) * 2.0


@program([(M33, V3)])
def dot_methods(a, x):
    return a.dot(x).dot(x) + np.dot(x, a @ x) + np.vdot(x, x) + np.inner(x, a[0])


@program([(V3, W3)], analytic=True)
def outer_and_cross(x, y):
    return np.sum(np.outer(x, y) ** 2) + np.sum(np.cross(x, y) * x[::-1])


@program([(M33,)], analytic=True)
def trace_and_diagonal(a):
    return np.trace(a) * a.trace() + np.sum(np.diag(a) ** 2) + np.sum(a.diagonal() * a[0])


@program([(V3,)], analytic=True)
def diagonal_matrix(x):
    d = np.diag(x)
    return np.sum(d @ d) + np.sum(np.diag(x * 2) * x)


@program([(V4,)])
def cumulative(x):
    return np.sum(np.cumsum(x) ** 2) + x.cumsum()[2]


@program([(V3, W3), (M23, M23 * 2)], analytic=True)
def joining(x, y):
    z = np.concatenate([x, y])
    w = np.stack((x, y), axis=-1)
    return np.sum(z[1:] ** 2) + np.sum(w * w * w) + np.sum(np.hstack([x, y]) ** 2)


@program([(V3, W3)], analytic=True)
def vstack_column_stack(x, y):
    return np.sum(np.vstack([x, y]) @ np.column_stack([x, y * x]))


@program([(V3,), (M23,)], analytic=True)
def repeats(x):
    return np.sum(np.tile(x, 2) ** 2) + np.sum(np.repeat(x, 3, axis=0) ** 3)


@program([(V5,), (M34,)], analytic=True)
def flips_and_rolls(x):
    return np.sum(np.flip(x) * x) + np.sum(np.roll(x, 1, axis=0) * x)


@program([(V5,), (M34,)], analytic=True)
def finite_differences(x):
    return np.sum(np.diff(x) ** 2) + np.sum(np.diff(x, axis=0) ** 2)


@program([(0.7, 3), (1.3, 4)], analytic=True)
def filled_arrays(x, n):
    ones = np.ones(n) * x
    table = np.full((n, 2), 0.5) * x
    zeros = np.zeros_like(ones) + x
    return np.sum(ones**2) + np.sum(table) * np.sum(zeros)


@program([(0.7,), (1.3,)], analytic=True)
def full_of_active(x):
    return np.sum(np.full(3, x) ** 2)


@program([(0.3, 1.9)], analytic=True)
def grid(a, b):
    t = np.linspace(0.0, 1.0, 7)
    x = a + (b - a) * t
    return np.sum(np.sin(x)) * (x[1] - x[0])


@program([(V3, M32)], analytic=True)
def einsum(x, a):
    return np.einsum("i,ij->", x, a) + np.einsum("ij,ik->jk", a, a)[0, 1]


@program([(M23, M34)], analytic=True)
def tensordot_and_matmul(a, b):
    return np.sum(np.tensordot(a, b, axes=1) ** 2) + np.sum(np.matmul(a, b))


@program([(T234, M42)], analytic=True)
def batched_matmul(t, a):
    return np.sum((t @ a) ** 2)


@program([(SPD3, V3)], analytic=True)
def linear_algebra(a, b):
    x = np.linalg.solve(a, b)
    return x @ b + np.linalg.det(a) + np.sum(np.linalg.inv(a)[0])


@program([(V3,), (M23,)])
def norms(x):
    return np.linalg.norm(x) ** 3


@program([(P3, 0.4), (P3 + 0.1, V3)], analytic=True)
def many_elementwise(x, y):
    z = np.exp(x) + np.log(x) + np.sqrt(x) + np.sin(x) * np.cos(y) + np.tan(x / 4)
    w = np.tanh(y) + np.sinh(x) / np.cosh(x) + np.arctan(y) + np.log1p(x) + np.expm1(y)
    return np.sum(z * w) + np.sum(np.square(x) + np.reciprocal(x) + np.negative(y))


@program([(np.array([0.3, -0.2, 0.5]),)], analytic=True)
def inverse_functions(x):
    return np.sum(np.arcsin(x) * np.arccos(x) + np.arcsinh(x) + np.arctanh(x))


@program([(P3, W3), (0.4, -1.2)])
def two_argument_functions(x, y):
    return np.sum(np.arctan2(x, y) + np.hypot(x, y) * np.logaddexp(x, y))


@program([(P3, W3), (0.4, -1.2)], analytic=True)
def named_operators(x, y):
    z = np.add(x, y) * np.subtract(x, y)
    return np.sum(np.multiply(z, x) + np.divide(y, x) + np.power(x, 3))


@program([(V3,), (M23,)])
def rounding_is_flat(x):
    return np.sum(np.floor(x) * x + np.ceil(x) + np.round(x) * x**2 + np.sign(x))


@program([(V5,), (M34,)])
def clip_and_abs_methods(x):
    return np.sum(x.clip(-0.6, 0.9) ** 2) + np.abs(x).sum()


@program([(Z3,), (V3 * (1 + 0.5j),)])
def complex_methods(z):
    return np.sum(z.real * z.imag) + np.sum((z.conj() * z).real) + np.abs(z).sum()


@program([(V3, COL2), (M23, COL2)], analytic=True)
def broadcast_to_like(x, y):
    z = x + np.zeros((2, 3))
    w = np.broadcast_to(x, (2, 3)) * y
    return np.sum(z * w) + np.sum(np.ones_like(z) * y)


@program([(V3,), (F32,)], analytic=True)
def conversion_functions(x):
    y = np.asarray(x) * 2
    z = np.array(x)
    return np.sum(y * z) + np.sum(np.atleast_1d(x) ** 2)


@program([(V3,)], analytic=True)
def tolist(x):
    a, b, c = x.tolist() if False else (x[0], x[1], x[2])
    return a * b * c


@program([(M34,)], analytic=True)
def chained_methods(a):
    return (a * 2).reshape(4, 3).T.sum(axis=0).dot(np.arange(4.0)) + a.T.copy().ravel()[3] ** 2


@program([(M33,)], analytic=True)
def triangles(a):
    return np.sum(np.tril(a) ** 2) + np.sum(np.triu(a, 1) @ a)


@program([(V4, V5)], analytic=True)
def meshgrid_by_broadcasting(x, y):
    xx = x[:, None]
    yy = y[None, :]
    return np.sum(np.exp(-(xx**2) - yy**2) * xx * yy)


@program([(np.array([0.3, 1.7, 2.2]), np.array([0.1, -0.4, 0.9]))])
def nan_safe(x, y):
    return np.sum(np.where(np.isfinite(x), x * y, 0.0)) + np.nan_to_num(1.0) * x[0]
