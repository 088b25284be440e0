"""Solvers that keep their arrays in objects, dataclasses, dicts and lists."""

import dataclasses

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import definite, wavy


class HeatSolver:
    def __init__(self, u, alpha):
        self.u = u.copy()
        self.alpha = alpha
        self.work = np.zeros_like(u)
        self.steps = 0

    def boundary(self):
        self.u[0] = self.u[1]
        self.u[-1] = 0.0

    def step(self, dt):
        np.copyto(self.work, self.u)
        self.u[1:-1] += dt * self.alpha * (self.work[2:] - 2 * self.work[1:-1] + self.work[:-2])
        self.boundary()
        self.steps += 1

    @property
    def interior(self):
        return self.u[1:-1]


@program([(wavy(7), 0.4)], analytic=True)
def heat_solver(u, alpha):
    solver = HeatSolver(u, alpha)
    for _ in range(3):
        solver.step(0.3)
    solver.interior[:2] *= 2.0
    return np.sum(solver.u**2) / solver.steps


class DoubleBuffer:
    def __init__(self, front):
        self.front = front
        self.back = np.empty_like(front)

    def swap(self):
        self.front, self.back = self.back, self.front


@program([(wavy(6), 0.3)], analytic=True)
def double_buffer(u, weight):
    buffers = DoubleBuffer(u)
    for step in range(3):
        buffers.back[1:-1] = weight * (buffers.front[2:] + buffers.front[:-2])
        buffers.back[0] = buffers.front[0]
        buffers.back[-1] = buffers.front[-1] ** 2
        buffers.swap()
    return buffers.front


@dataclasses.dataclass
class Fluid:
    density: np.ndarray
    velocity: np.ndarray
    gamma: float

    def pressure(self):
        return self.density**self.gamma

    def advance(self, dt):
        p = self.pressure()
        self.velocity[1:-1] -= 0.5 * dt * (p[2:] - p[:-2]) / self.density[1:-1]
        flux = self.density * self.velocity
        self.density[1:-1] -= 0.5 * dt * (flux[2:] - flux[:-2])


@program([(wavy(6, low=0.8, high=1.2), wavy(6, low=-0.2, high=0.2), 1.4)], analytic=True)
def fluid_dataclass(density, velocity, gamma):
    fluid = Fluid(density, velocity, gamma)
    for _ in range(3):
        fluid.advance(0.1)
    return fluid.density, fluid.velocity


@program(
    [(Fluid(wavy(6, low=0.8, high=1.2), wavy(6, low=-0.2, high=0.2), 1.4), 0.1)], analytic=True
)
def fluid_argument(fluid, dt):
    for _ in range(2):
        fluid.advance(dt)
    fluid.velocity = 2.0 * fluid.velocity
    return np.sum(fluid.velocity * fluid.density)


@program([(wavy(5), wavy(5, phase=0.6), 0.2)], analytic=True)
def state_in_a_dict(u, v, rate):
    state = {"u": u, "v": v.copy(), "log": []}
    for step in range(3):
        state["u"] -= rate * state["v"]
        state["v"][1:] += rate * state["u"][:-1]
        state["v"][0] *= 0.5
        state["log"].append(np.sum(state["u"] ** 2))
    return state["u"], state["v"], sum(state["log"])


@program([({"w": wavy(3, 2), "b": wavy(3)}, wavy(4, 2))], analytic=True)
def parameters_in_a_dict(params, xs):
    grads = {name: np.zeros_like(p) for name, p in params.items()}
    for step in range(2):
        for name in grads:
            grads[name][...] = 0.0
        for x in xs:
            y = np.tanh(params["w"] @ x + params["b"])
            grads["b"] += y * (1 - y**2)
            grads["w"] += np.outer(y * (1 - y**2), x)
        for name in params:
            params[name] -= 0.1 * grads[name]
    return np.sum(params["w"] ** 2) + np.sum(params["b"])


@dataclasses.dataclass
class Adam:
    rate: float
    m: np.ndarray
    v: np.ndarray
    t: int = 0

    def update(self, x, g):
        self.t += 1
        self.m *= 0.9
        self.m += 0.1 * g
        self.v[:] = 0.99 * self.v + 0.01 * g**2
        x -= self.rate * self.m / (1 - 0.9**self.t) / np.sqrt(self.v / (1 - 0.99**self.t) + 1e-8)


@program([(wavy(3), definite(3), 0.1)], analytic=True)
def adam_object(x, a, rate):
    optimizer = Adam(rate, np.zeros(3), np.zeros(3))
    for _ in range(3):
        optimizer.update(x, a @ x)
    return 0.5 * x @ a @ x


class Layer:
    def __init__(self, w):
        self.w = w
        self.out = np.zeros(w.shape[0])

    def forward(self, x):
        np.dot(self.w, x, out=self.out)
        np.tanh(self.out, out=self.out)
        return self.out


@program([(wavy(3, 2), wavy(3, 3), wavy(2))], analytic=True)
def layers_with_own_buffers(w1, w2, x):
    layers = [Layer(w1), Layer(w2)]
    h = x
    for layer in layers:
        h = layer.forward(h)
    total = np.sum(h**2)
    layers[0].forward(2.0 * x)
    return total + np.sum(layers[0].out * h)


class Grid:
    def __init__(self, values):
        self.values = values

    def row(self, i):
        return self.values[i]

    def block(self, i, j):
        return self.values[2 * i : 2 * i + 2, 2 * j : 2 * j + 2]

    def __setitem__(self, where, value):
        self.values[where] = value

    def __getitem__(self, where):
        return self.values[where]


@program([(wavy(4, 4), wavy(4))], analytic=True)
def grid_of_blocks(values, x):
    grid = Grid(values)
    for i in range(2):
        grid.block(i, i)[...] = grid.block(i, 1 - i) @ grid.block(1 - i, i)
    grid.row(3)[:] *= x
    grid[0, 1:3] = x[:2] ** 2
    grid[:, 0] = grid[:, 3]
    return values


@program([(wavy(4, 3),)], analytic=True)
def list_of_rows(matrix):
    rows = [row.copy() for row in matrix]
    rows.append(rows[0] * rows[1])
    rows[1] += rows[0]
    rows[0][1:] = rows[2][:-1]
    last = rows.pop()
    last[0] = 2.0
    rows[2], rows[3] = rows[3], rows[2]
    rows[2] *= last
    return np.concatenate(rows)


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()


@program([(wavy(4), 0.7)], analytic=True)
def stack_machine(x, y):
    stack = Stack()
    stack.push(x)
    stack.push(x[::-1] * y)
    b, a = stack.pop(), stack.pop()
    a += b
    stack.push(a)
    stack.push(a)
    top = stack.pop()
    top[1:] *= b[:-1]
    return stack.pop() ** 2
