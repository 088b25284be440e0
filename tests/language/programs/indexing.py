"""Reading items, slices, rows, and fancy and boolean selections of arrays."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import F32, FM32, M23, M33, M34, P4, T234, V3, V4, V5, V6, W3


@program([(V3,), (F32,), (V6,)], analytic=True)
def constant_items(x):
    return x[0] * x[1] + x[-1] ** 2 * x[0]


@program([(M23,), (M34,), (FM32,)], analytic=True)
def items_of_matrix(a):
    return a[0, 0] * a[1, 2] - a[1][0] * a[0][-1]


@program([(V3,), (V6,)], analytic=True)
def variable_item(x):
    i = len(x) - 2
    return x[i] * x[i + 1] * x[i - 1]


@program([(V5,), (V6,)], analytic=True)
def slices(x):
    return np.sum(x[1:] * x[:-1]) + np.sum(x[::2]) ** 2 + np.sum(x[2:4] * 3)


@program([(V5,), (V6,)], analytic=True)
def reversed_slices(x):
    return x[::-1] * x + x[-1::-1] ** 2


@program([(V6,), (V5,)], analytic=True)
def second_differences(u):
    return np.sum((u[2:] - 2 * u[1:-1] + u[:-2]) ** 2)


@program([(M34,), (M33,)], analytic=True)
def laplacian(u):
    inner = u[1:-1, 1:-1]
    around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    return np.sum((around - 4 * inner) ** 2)


@program([(M34, 1), (M34, 2)], analytic=True)
def row_and_column(a, i):
    row = a[i]
    column = a[:, i]
    return row @ row + np.sum(column * a[0, i]) + np.sum(a[i, :] ** 3)


@program([(T234,)], analytic=True)
def ellipsis_and_newaxis(t):
    last = t[..., 0]
    wide = last[:, np.newaxis, :] * last[:, :, None]
    return np.sum(wide) + np.sum(t[0, ...] ** 2)


@program([(V5,), (V6,)], analytic=True)
def list_of_indices(x):
    return np.sum(x[[0, 2, 2, 4]] ** 2)


@program([(V5,), (V6,)], analytic=True)
def index_array(x):
    order = np.array([3, 1, 1, 0])
    picked = x[order]
    return picked * picked[::-1]


@program([(M34,)], analytic=True)
def pairs_of_index_arrays(a):
    rows = np.array([0, 1, 2, 2])
    cols = np.array([1, 3, 0, 0])
    return np.sum(a[rows, cols] ** 2)


@program([(M34,)], analytic=True)
def rows_by_index_array(a):
    return np.sum(a[np.array([2, 0, 2])] * np.arange(12.0).reshape(3, 4))


@program([(M34,)], analytic=True)
def mixed_index_and_slice(a):
    return np.sum(a[[0, 2], 1:3] ** 2) + np.sum(a[1:, [0, 3, 3]])


@program([(M34, np.array([2, 0, 3])), (M34, np.array([1, 1, 1]))], wrt=0)
def cross_entropy_by_labels(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_prob = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(log_prob[np.arange(len(labels)), labels])


@program([(V5,), (V6,)])
def boolean_mask(x):
    positive = x[x > 0]
    return np.sum(positive**2) - np.sum(x[x <= 0])


@program([(M34,), (M33,)])
def boolean_mask_of_matrix(a):
    mask = a > 0.3
    return np.sum(a[mask] ** 2) + len(a[mask])


@program([(M34, np.array([True, False, True]))], wrt=0)
def boolean_rows(a, keep):
    return np.sum(a[keep] ** 2, axis=0)


@program([(V5, np.array([1, 0, 1, 1, 0])), (V5, np.array([0, 2, 2, 0, 1]))], wrt=0)
def gather_loop(x, idx):
    total = 0.0
    for k in idx:
        total += x[k] ** 2
    return total


@program([(V4, 1, 3), (V6, 0, 5)], analytic=True)
def variable_slice(x, lo, hi):
    window = x[lo:hi]
    return np.sum(window**2) / (hi - lo)


@program([(V6, 2), (V6, 3)], analytic=True)
def strided(x, step):
    return np.sum(x[::step] ** 2) + x[step] * x[-step]


@program([(V6,)], analytic=True)
def slice_object(x):
    middle = slice(1, -1)
    return np.sum(x[middle] * x[slice(0, 4)])


@program([(V6,), (V5,)], analytic=True)
def slice_of_slice(x):
    y = x[1:]
    z = y[1:]
    return np.sum(z[0] * y[:3]) + z[-1]


@program([(M34,), (T234[0],)], analytic=True)
def row_unpacking(a):
    first, second, third = a
    return first @ second + np.sum(third**2)


@program([(V3,), (F32,)], analytic=True)
def item_unpacking(x):
    a, b, c = x
    return a * b - c * c + a / (2 + b)


@program([(V3, W3), (V4, P4)], analytic=True)
def item_to_python_float(x, y):
    return x[0].item() * y.sum() if False else x[0] * y.sum()


@program([(V5,)], analytic=True)
def tuple_index(x):
    matrix = x[:4].reshape(2, 2)
    where = (0, 1)
    return matrix[where] * matrix[1, 0] + x[-1]


@program([(M33,)], analytic=True)
def triangular_indices(a):
    rows, cols = np.triu_indices(3, 1)
    return np.sum(a[rows, cols] ** 2)


@program([(M33,)], analytic=True)
def diagonal_by_index(a):
    n = a.shape[0]
    k = np.arange(n)
    return np.prod(a[k, k] + 2)


@program([(V5,)])
def item_at_argmax(x):
    best = np.argmax(x)
    return x[best] ** 2 + x[np.argmin(x)]


@program([(V5,)])
def sorted_by_argsort(x):
    order = np.argsort(x)
    y = x[order]
    return np.sum(np.diff(y) ** 2 * np.arange(1, len(x)))


@program([(V5,)])
def interpolation(x):
    knots = np.array([-2.0, -0.5, 0.7, 2.5])
    values = np.array([0.3, 1.2, -0.4, 0.9])
    total = 0.0
    for t in x:
        k = np.searchsorted(knots, t) - 1
        s = (t - knots[k]) / (knots[k + 1] - knots[k])
        total += (1 - s) * values[k] + s * values[k + 1]
    return total


@program([(T234,)], analytic=True)
def loop_over_all_indices(t):
    n, m, _ = t.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += t[i, j, 0] * t[i, j, -1] + t[i][j][1] ** 2
    return total


@program([(V3,)], analytic=True)
def index_with_float_scalar_result(x):
    y = x * x
    return y[2]


@program([(M34, 2)], analytic=True)
def negative_and_computed(a, k):
    return a[-k, k - 1] * a[k - 3, -1]


@program([(V3,)], analytic=True)
def element_with_new_axes(x):
    w = x[0]
    y = w[None] * x
    z = w[np.newaxis, None] + x[1][None, ...]
    return np.sum(y * y) + np.sum(z) * w[...] * w[()]


@program([(np.float64(0.7),), (np.float32(0.7),)])
def numpy_number_as_array(w):
    return np.sum(w[None] * w[...]) * w[True][0]


@program([(V3,)], analytic=True)
def items_of_a_loop_as_arrays(x):
    parts = []
    for w in x:
        parts.append(w[None] * w)
    return np.sum(np.concatenate(parts) ** 2)
