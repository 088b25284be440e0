"""Programs with checkpointed loops; `test_checkpoints` reads them with plain ones, too."""

import numpy as np

from autodiff import checkpointed

V = np.array([0.1, 0.2, 0.3, 0.15, 0.4])
CASES = []


def case(*args):
    def register(function):
        CASES.append((function, args))
        return function

    return register


@case(V, 0.1, 9)
def burgers(u, nu, n):
    for t in checkpointed(range(n), snapshots=2):
        u[1:-1] = u[1:-1] - nu * u[1:-1] * (u[2:] - u[:-2])
        u[0] = u[1] * u[1]
    return np.sum(u**2)


@case(V, 0.1, 9)
def swapped(u, nu, n):
    w = np.zeros_like(u)
    for t in checkpointed(range(1, n), snapshots=3):
        w[1:-1] = u[1:-1] * (1 + nu * t) - np.sin(u[2:] * u[:-2])
        w[0] = u[0] * nu
        w[-1] = u[-1]
        u, w = w, u
    return np.sum(u**3)


@case(0.3, 2.5)
def whiled(x, top):
    y = x
    with checkpointed(snapshots=2):
        while y < top:
            y = y + 0.2 * np.exp(-y) * x + 0.1
    return y * x


@case(V, 4)
def nested(u, n):
    s = 0.0
    for k in checkpointed(range(n), snapshots=2):
        for j in checkpointed(range(k + 1), snapshots=1):
            u = np.sin(u) * (1 + 0.1 * j)
        s = s + np.sum(u) * k
    return s * u[0]


def helper(u, nu, n):
    for t in checkpointed(reversed(range(n)), snapshots=2):
        u = u + nu * t * u * u
    return u


@case(V, 0.05, 5)
def by_helper(u, nu, n):
    a = helper(u, nu, n)
    if n > 3:
        b = helper(a * 0.1, nu * nu, 2)
    else:
        b = a
    return np.sum(a * b)


@case(V, 0.3)
def in_loop(u, x):
    s = 0.0
    for i in range(3):
        y = x * i
        for t in checkpointed(range(i + 2), snapshots=2):
            y = np.cos(y) + u[t] * x
        s = s + y * y
        u[i] = s * 0.1
    return s


class Sim:
    def __init__(self, u, nu):
        self.u = u
        self.nu = nu
        self.e = 0.0

    def step(self, t):
        self.u[1:] = self.u[1:] * (1 - self.nu * self.u[:-1])
        self.e = self.e + np.sum(self.u) * t

    def run(self, n):
        for t in checkpointed(range(n), snapshots=3):
            self.step(t)
        return self.e


@case(V, 0.3, 7)
def method(u, nu, n):
    sim = Sim(u * 1.0, nu)
    return sim.run(n) * sim.u[1]


@case(V, 4)
def grown(u, n):
    history = []
    for _ in checkpointed(range(n), snapshots=2):
        u = u * u
        history.append(u[0])
    return np.sum(u) + history[1] * history[2]


@case(V, 6)
def indexed(x, n):
    h = np.zeros(n + 1)
    h[0] = x[0]
    for t in checkpointed(range(n), snapshots=2):
        h[t + 1] = h[t] * np.cos(h[t]) + x[t % 5]
    return np.sum(h)


@case(V, 0)
def never(u, n):
    for t in checkpointed(range(n), snapshots=2):
        u = u * u
    return np.sum(u * u)


@case(V, 5)
def state_tuple(u, n):
    a, b = u[0], (u[1], u[2])
    for t in checkpointed(range(n), snapshots=2):
        p, q = b
        a, b = p * q + a, (q * a, p + 0.1)
        if a > 0.5:
            a = a * 0.5
    return a * b[0] + b[1]


@case(V, 5)
def last_value(u, n):
    y = 0.0
    for t in checkpointed(range(n), snapshots=2):
        z = u[t] * u[0]
        y = y + z * z
    return y * z


@case(V, 4)
def counter_read(u, n):
    for t in checkpointed(range(n), snapshots=2):
        u = u * np.cos(u)
    return np.sum(u) * t


@case(V, 4)
def last_array(u, n):
    for _ in checkpointed(range(n), snapshots=2):
        u = u * u
        w = u + 1.0
    return np.sum(w * w)


@case(V, 0.3)
def views_of_the_state(u, nu):
    v = u * 1.0
    w = v[1:]
    for t in checkpointed(range(6), snapshots=2):
        w[0] = v[0] * nu + w[2] * v[1]
        v[2:] = v[2:] * w[0] + t
    return np.sum(w * v[:-1])


@case(V, 0.3)
def buffers_that_become_one(u, nu):
    v, w = u * 1.0, u * nu
    for t in checkpointed(range(6), snapshots=2):
        if t == 3:
            w = v
        w[1:] = w[1:] * v[:-1] + nu
    return np.sum(w) * v[1] + np.sum(v**2)


@case(V, 0.3)
def one_array_at_first(u, nu):
    """Two names of the state are one array before the loop, which nobody changes there."""
    u = u * 1.0
    v = u
    for t in checkpointed(range(4), snapshots=2):
        v = v * u[t] + nu
    u[0] = 7.0
    v[1] = v[0] * nu
    return np.sum(v) + np.sum(u**2)


@case(V, 0.3)
def changed_in_loops_around(u, nu):
    v, s = u * 1.0, 0.0
    for k in range(3):
        if k != 1:
            for t in checkpointed(range(k + 3), snapshots=2):
                v[1:] = v[1:] * np.cos(v[:-1]) + nu * t
            s = s + v[2] ** 2
        v[0] = v[0] * s
    return s * np.sum(v)


def counted(u, steps, snapshots):
    for t in checkpointed(range(steps), snapshots=snapshots):
        u = np.sin(u) + 0.1 * t
    return np.sum(u)
