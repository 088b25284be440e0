"""What people who know NumPy write: lists as operands, deques, `np.vectorize`, `replace` ..."""

import collections
import dataclasses
import math
from collections import deque

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M32, M33, V3, V5


@program([(V3,)])
def products_with_lists(x):
    row = [1.0, 2.0, 3.0]
    whole = np.dot(x, row) + np.dot([0.5, 1.0, 2.0], x) * np.inner(x, row) + row @ x
    return whole + np.vdot(row, x) * np.sum(x @ [[1.0, 2.0], [2.0, 3.0], [4.0, 5.0]])


@program([(V3,)])
def lists_that_carry_a_derivative(x):
    items = [x[0], 2.0, x[1] * x[2]]
    table = [[x[0], 1.0, x[2]], [x[1], x[0], 2.0]]
    return np.dot(items, x) + np.sum(table @ x) + np.linalg.norm(items[:2]) + np.trace(table)


@program([(V3,)])
def systems_of_lists(x):
    matrix = [[x[0] + 3.0, 1.0], [x[1], x[2] + 4.0]]
    solved = np.linalg.solve(matrix, [x[0], 1.0])
    return solved[0] * np.linalg.cholesky([[x[0] + 3.0, 0.1], [0.1, 2.0]])[1, 1] + solved[1]


@program([(M33, V3)])
def list_of_right_sides(a, x):
    items = [1.0, 2.0, 3.0]
    items[1] = x[0]
    return np.sum(np.linalg.solve(a + 5.0 * np.eye(3), items)) * np.dot(x, items)


@program([(V5,)], refusable=True)
def queue(x):
    waiting = collections.deque()
    for k in range(len(x)):
        waiting.append(x[k] ** 2)
    total = 0.0
    while waiting:
        total = total * 0.5 + waiting.popleft()
        if len(waiting) > 2:
            last = waiting.pop()
            waiting.appendleft(last * total)
    return total


@program([(V5, 1.2)], refusable=True)
def moving_average(x, w):
    buffer = deque(maxlen=3)
    total = 0.0
    for v in x:
        buffer.append(v * w)
        total += sum(buffer) / len(buffer) * buffer[0]
    return total


@program([(V5,)], refusable=True)
def full_buffer(x):
    buffer = deque([0.0, 1.0, 2.0, x[0]], 3)
    total = 0.0
    for v in x:
        buffer.appendleft(v)
        total += np.dot(np.array(buffer), [1.0, 2.0, 3.0]) * buffer[-1]
    return total


@program([(V5, 0.8)], refusable=True)
def delay_line(x, feedback):
    line, total = deque([0.0, 1.0, 2.0]), 0.0
    for v in x:
        line.rotate(1)
        line[0] = v + feedback * line[0]
        total += line[-1] * v
    line.rotate(-1)
    return total * line[0]


@program([(V5,)], refusable=True)
def breadth_first(x):
    edges = {0: [1, 2], 1: [3], 2: [3, 4], 3: [], 4: []}
    waiting, seen, total = deque([0]), {0}, 0.0
    while waiting:
        k = waiting.popleft()
        total = total * x[k] + x[k] ** 2
        for other in edges[k]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return total


@program([(V5,)], refusable=True)
def queue_handed_on(x):
    def drained(waiting):
        total = 0.0
        while waiting:
            total = total * 0.5 + waiting.popleft()
        return total

    waiting = deque(x)
    return drained(waiting) + len(waiting)


@program([(V3, 1.3)])
def vectorized_lambda(x, k):
    f = np.vectorize(lambda t: t**2 * k if t > 0 else math.sin(t) * k)
    return np.sum(f(x) * x)


@np.vectorize
def leaky(t, slope):
    return t if t > 0 else math.exp(slope * t) - 1.0


@program([(M23, 0.7)])
def vectorized_function(x, slope):
    return np.sum(leaky(x, slope) * x)


@program([(V3,)])
def vectorized_over_pairs(x):
    return np.vectorize(lambda v, w, u: v * w + u)(x, x[:, None], 2.0).sum()


@program([(V3,)], refusable=True)
def vectorized_with_a_count(x):
    calls = [0]

    def counted(v):
        calls[0] += 1
        return v * calls[0]

    return np.sum(np.vectorize(counted)(x))


@dataclasses.dataclass
class Body:
    place: np.ndarray
    speed: np.ndarray
    time: float = 0.0


@program([(V3, V3[::-1].copy(), 1.3)])
def leapfrog_by_replace(place, speed, k):
    body = Body(place, speed)

    def force(q):
        return -k * q - 0.1 * q**3

    for _ in range(4):
        half = body.speed + 0.05 * force(body.place)
        q = body.place + 0.1 * half
        speed = half + 0.05 * force(q)
        body = dataclasses.replace(body, place=q, speed=speed, time=body.time + 0.1)
    return np.sum(body.place**2) + np.sum(body.speed**2) * body.time


@program([(0.7, 0.3), (0.7, 0.9)])
def start_at_a_constant(mean, e):
    angle = mean if e < 0.8 else math.pi
    for _ in range(3):
        angle = angle - (angle - e * math.sin(angle) - mean) / (1.0 - e * math.cos(angle))
    return angle * e


@program([(0.7,)])
def least_of_several(x):
    best, place = math.inf, np.nan
    for k in range(3):
        value = (x - k) ** 2
        if value < best:
            best, place = value, x * k
    return best + place


ACTIVATIONS = {"relu": lambda v: np.maximum(v, 0.0), "tanh": np.tanh, "square": lambda v: v * v}


@program([(V5,)])
def functions_of_a_table(x):
    for name in ("tanh", "square", "relu"):
        x = ACTIVATIONS[name](x + 0.1)
    return x.sum()


@program([(V3, M32)])
def layers_by_name(x, w):
    layers = {"l2": {"W": w.T, "b": 1.0}, "l1": {"W": w, "b": 2.0}}
    h = x
    for k, (_, layer) in enumerate(sorted(layers.items())):
        h = h @ layer["W"] + layer["b"]
        if k < len(layers) - 1:
            h = np.tanh(h)
    return h.sum()


@program([(V3, M32)])
def parameters_by_name(x, w):
    table = {"w": w, "x": x, "y": x * 2.0}
    total = 1.0
    for name in sorted(table):
        total = total * table[name].sum() + 1.0
    return total


@program([(V5, 1), (V5, -1)])
def dict_of_lists_made_in_a_branch(x, flag):
    table = {"b": [x[0], x[1]], "a": [x[2]]} if flag > 0 else {"c": [x[0] * 2.0]}
    total = 0.0
    for name in sorted(table):
        for v in table[name]:
            total = total * 1.1 + v**2
    return total


@program([(V5, 1), (V5, -1)])
def dict_of_arrays_made_in_a_branch(x, flag):
    if flag > 0:
        table = {"b": x[:2], "a": x[2:]}
    else:
        table = {"c": x * 2.0}
    total = 0.0
    for _, v in table.items():
        total = total * 1.1 + np.sum(v**2)
    for name in table:
        total = total * 0.9 + np.sum(table[name] ** 3)
    return total
