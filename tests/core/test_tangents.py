"""Forward mode through Core: values, blocks, memory, containers, calls."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from autodiff import jvp
from tests.core.tangents import checked

V = np.array([0.31, -0.72, 1.13, 0.54])
M = np.array([[0.3, -0.7, 1.1], [0.5, 0.9, -0.4]])
F = np.asfortranarray(M)
A = np.array([[1.5, -2.0, 0.5], [0.7, 1.1, -1.3]])


def product(x):
    y = x * V
    return np.sum(np.tanh(y) ** 2 / (1.0 + x**2))


def shifted(x):
    return x + 1.0, x[1:] - 2.0


def matrices(m):
    return np.linalg.solve(m @ m.T + np.eye(2), m @ V[:3]), np.linalg.norm(m)


def extrema(x):
    return np.max(x) * np.prod(x) + np.std(x)


def several(m):
    _, size = np.linalg.slogdet(m @ m.T + np.eye(2))
    whole, rest = np.divmod(m, 0.37)
    return size * rest + whole * m


def helped(m):
    """Helpers of rules without a rule: their bodies are transposed."""
    weights = np.abs(m[0]) + 1.0
    factor = np.linalg.cholesky(m @ m.T + np.eye(2))
    return np.linalg.eigvalsh(m @ m.T), factor, np.average(m, axis=1, weights=weights)


def contracted(x):
    return np.einsum("i,i->", x, V) * np.einsum("i,j->ij", x, x)


def joined(x):
    if x[0] > 0:
        y, z = x * 2.0, 1.0
    else:
        y, z = np.ones(4), x[1]
    return np.sum(y) * z


def one_side(x):
    y = np.zeros(4)
    if x[0] > 0:
        y = x**2
    return y * 2.0


def carried(x):
    y, s = np.ones(4), 0.0
    for k in range(4):
        y = y * x + k
        s += y[k]
    return s, y


def waited(x):
    y = x
    while y * y > 0.01:
        y = math.sin(y) * 0.7
    return y * x


def popped(x):
    xs = [x * k for k in range(4)]
    total = x
    while xs.pop() >= 0.9:
        total = total * xs[-1] + 1.0
    return total


def broken(x):
    s = x
    for k in range(10):
        s = s * x + k
        if s > 3.0:
            break
    return s


def tried(x):
    try:
        y = math.sqrt(x - 1.0) * x
    except ValueError:
        y = x * x
    return y


def caught(x):
    try:
        y = [x * x, x][3]
    except IndexError:
        y = x * 3.0
    return y


@pytest.mark.parametrize(
    "function", [product, shifted, extrema, joined, one_side, carried, contracted]
)
def test_values(function, monkeypatch):
    checked(monkeypatch, function, V)


@pytest.mark.parametrize("function", [matrices, several, helped])
@pytest.mark.parametrize("m", [M, F])
def test_matrices(function, m, monkeypatch):
    checked(monkeypatch, function, m)


@pytest.mark.parametrize("function", [waited, popped, broken, tried, caught])
def test_numbers(function, monkeypatch):
    checked(monkeypatch, function, 0.8)


def smallest(x):
    best = x * 2.0
    for k in range(3):
        best = min(best + k, x * x, 3.0) + max([x, 0.1 * k]) + math.hypot(x, best)
    return best


def test_choices_among_numbers(monkeypatch):
    checked(monkeypatch, smallest, 0.8)


def stored(x):
    y = np.zeros(5)
    y[1:] = x * x
    y[0] = y[1] * y[2]
    y[2] *= y[0]
    y[[1, 3]] += x[:2]
    return y


def through_views(x):
    y = x * 1.0
    w = y[1:]
    w *= x[0]
    y[0] = np.sum(w)
    return y, w**2


def in_place(x):
    x *= 2.0
    x[0] = x[1] * x[2]
    return np.sum(x**3)


def constants_over(x):
    y = x**2
    y[1] = 3.0
    y[2:] = 0.0
    return y


def split_in_place(x):
    y = x * 1.0
    a, b = np.split(y, 2)
    a[0] = b[1] * b[0]
    b += a
    return np.sum(y**3) + np.sum(a * b)


def buffer(x):
    total = np.zeros(4)
    step = np.empty(4)
    for k in range(3):
        step[:] = x * k
        total += step**2
    return total


@pytest.mark.parametrize(
    "function", [stored, through_views, in_place, constants_over, split_in_place, buffer]
)
def test_memory(function, monkeypatch):
    checked(monkeypatch, function, V)


def test_shadows_follow_both_arguments(monkeypatch):
    def f(x, y):
        y[1:] = x[:3] * y[:3]
        return y * x

    checked(monkeypatch, f, V, V[::-1].copy(), wrt=2)
    checked(monkeypatch, f, V, V[::-1].copy())


def lists(x):
    xs = []
    for k in range(4):
        xs.append(x[k] * x[0])
        xs.insert(0, 2.0)
    xs[1] = 5.0
    del xs[0]
    return np.array(xs) * xs[-1]


def arrays_in_lists(x):
    rows = [x * k for k in range(3)]
    for row in rows:
        row[0] += x[1]
    rows[1] = rows[0]
    rows[1][2] = x[3] ** 2
    return np.stack(rows)


def dicts(x):
    d = {}
    for k in range(4):
        d[f"k{k}"] = x[k] ** 2
    d["k1"] = 1.0
    return sum(d.values()) * d["k2"]


@dataclass
class Cell:
    value: float
    rest: list


def objects(x):
    cells = [Cell(x[k], [x[k]]) for k in range(4)]
    for k in range(1, 4):
        cells[k].value *= cells[k - 1].value
        cells[k].rest.append(cells[k].value)
        cells[k].rest = cells[k - 1].rest
    return cells[3].value * sum(sum(cell.rest) for cell in cells)


def made(x):
    return Cell(x[0] * x[1], [x[2] ** 2, 1.0])


@pytest.mark.parametrize("function", [lists, arrays_in_lists, dicts, objects, made])
def test_containers(function, monkeypatch):
    checked(monkeypatch, function, V)


GLOBAL = np.zeros(4)


def test_memory_of_outside(monkeypatch):
    def f(x):
        GLOBAL[1:] = x[:3] ** 2
        GLOBAL[0] = GLOBAL[1] * x[0]
        return GLOBAL * x

    checked(monkeypatch, f, V)
    GLOBAL[:] = [0.5, -1.0, 2.0, 0.25]
    expected = jvp(f, (V,), (GLOBAL.copy(),))[1]
    GLOBAL[:] = [0.5, -1.0, 2.0, 0.25]
    np.testing.assert_array_equal(jvp(f, (V,), (GLOBAL,))[1], expected)


def test_containers_that_are_given(monkeypatch):
    def f(cell):
        return cell.value * np.sum(np.array(cell.rest))

    checked(monkeypatch, f, Cell(1.5, [0.3, 0.4]))

    def g(pair):
        a, b = pair
        return {"y": a * b, "z": [a]}

    checked(monkeypatch, g, (1.5, V))


def test_calls_stay_calls(monkeypatch):
    def tree(x, depth):
        if depth == 0:
            return x * x
        return tree(x * 0.5, depth - 1) * tree(x + 1.0, depth - 1)

    text = checked(monkeypatch, tree, 0.7, 3)
    assert "tree_2_jvp" in text or "tree_jvp" in text
    assert "_vjp" not in text


def test_zeros_are_not_there(monkeypatch):
    def f(x, a):
        y = a * 2.0 + 1.0
        z = x + y
        return z * y

    text = checked(monkeypatch, f, V, V)
    assert "zeros" not in text
    assert "y_dot" not in text


# Memory order: whether `reshape` is a view depends on how an array lies in memory, and the shadow
# has to lie as that does, whatever the order of the direction that is given.


def through_copy(m):
    y = np.copy(m)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def through_array(m):
    y = np.array(m)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def through_astype(m):
    y = m.astype(float)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def through_sum(m):
    y = m + 1.0
    y.reshape(-1)[1] = m[0, 0] ** 2
    return np.sum(y**3 * A)


def through_concatenate(m):
    y = np.concatenate([m, m * 2.0])
    y.reshape(-1)[1] = 0.0
    return np.sum(y[:2] ** 3 * A) + np.sum(y[2:] ** 2)


def through_roll(m):
    y = np.roll(m, 1, axis=0)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def through_cumsum(m):
    y = np.cumsum(m, axis=0)
    y.reshape(-1)[1] = 0.0
    return np.sum(y**3 * A)


def through_where(m):
    y = np.where(A > 0, m, 1.0)
    y.ravel()[2] = m[1, 1]
    return np.sum(y**3 * A)


def as_it_lies(m):
    y = m * 2.0
    y.ravel(order="K")[1] = 0.0
    return np.sum(y**3 * A)


def read_as_it_lies(m):
    return m.ravel(order="K") * np.arange(6.0), m.T.reshape(-1, order="A")


def argument(m):
    m.reshape(-1)[1] = m[0, 0] ** 2
    return np.sum(m**3 * A)


def looped(m):
    y = m * 1.0
    for _ in range(2):
        y = y + m
        y.reshape(-1)[1] = 0.5
    return y


@pytest.mark.parametrize(
    "function",
    [
        *(through_copy, through_array, through_astype, through_sum, through_concatenate),
        *(through_roll, through_cumsum, through_where, as_it_lies, argument, looped),
    ],
)
@pytest.mark.parametrize("m", [M, F, np.vstack([M, M])[::2], np.hstack([M, M])[:, ::2]])
def test_memory_order(function, m, monkeypatch):
    checked(monkeypatch, function, m)


@pytest.mark.parametrize("m", [M, F])
def test_reading_in_memory_order(m, monkeypatch):
    checked(monkeypatch, read_as_it_lies, m)
