"""Programs with checkpointed loops that change lists, dicts and tuples, as state."""

import numpy as np

from autodiff import checkpointed

V = np.array([0.1, 0.2, 0.3, 0.15, 0.4])
CASES = []


def case(*args):
    def register(function):
        CASES.append((function, args))
        return function

    return register


@case(V, 0.3)
def arrays_in_place(u, nu):
    xs = [u * 1.0, u * 2.0, u * 3.0]
    for t in checkpointed(range(6), snapshots=2):
        k = t % 3
        xs[k][1:] = xs[k][1:] * xs[(k + 1) % 3][:-1] + nu
    return np.sum(xs[0] * xs[1] + xs[2])


@case(V, 0.3)
def one_array_twice(u, nu):
    w = u * 1.0
    xs = [w, w[:3], u * 3.0]
    for t in checkpointed(range(6), snapshots=2):
        xs[t % 3][1:3] = xs[t % 3][1:3] * xs[(t + 1) % 3][:2] + nu
        w[0] = w[1] * nu
    return np.sum(xs[0] * xs[2]) * xs[1][1]


@case(V, 0.3)
def items_replaced(u, nu):
    xs = [u * (k + 1) for k in range(3)]
    for t in checkpointed(range(6), snapshots=2):
        k = t % 3
        xs[k] = xs[k] * xs[(k + 1) % 3] + nu
    return np.sum(xs[0] * xs[1] + xs[2])


@case(V, 0.3)
def numbers(u, nu):
    xs = [0.0] * 5
    for t in checkpointed(range(4), snapshots=2):
        xs[t + 1] = u[t] * nu + xs[t] * xs[t]
    return xs[1] * xs[2] + xs[4]


@case(V, 0.3)
def queue(u, nu):
    xs = [u[0], u[1]]
    s = 0.0
    for t in checkpointed(range(5), snapshots=2):
        x = xs.pop(0)
        s = s + x * x
        xs.append(x * nu + xs[0])
    return s * xs[0]


@case(V, 0.3)
def swapped(u, nu):
    xs = [u * 1.0, u * 2.0]
    for t in checkpointed(range(5), snapshots=2):
        xs[0], xs[1] = xs[1], xs[0]
        xs[0][1:] *= nu
    return np.sum(xs[0] * xs[1])


@case(V, 0.3)
def lists_in_a_list(u, nu):
    hs = [[u[0]], [u[1]]]
    for t in checkpointed(range(5), snapshots=2):
        hs[t % 2].append(hs[1 - t % 2][-1] * nu + u[t])
    return hs[0][1] * hs[1][2] + hs[0][-1]


@case(V, 0.3)
def dict_by_number(u, nu):
    d = {0: u[0], 1: u[1]}
    for t in checkpointed(range(5), snapshots=2):
        d[t + 2] = d[t] * nu + d[t + 1] * d[t]
    return d[4] * d[6]


@case(V, 0.3)
def dict_by_name(u, nu):
    d = {"a": u * 1.0, "b": u * 2.0}
    for t in checkpointed(range(5), snapshots=2):
        k = "a" if t % 2 else "b"
        d[k][1:] = d[k][1:] * nu + d["b"][:-1]
    return np.sum(d["a"] * d["b"])


@case(V, 0.3)
def dict_of_parts(u, nu):
    s = {"a": u * 1.0, "b": np.sum(u)}
    for _ in checkpointed(range(5), snapshots=2):
        s["a"] = s["a"] * nu + s["b"]
        s["b"] = s["b"] * np.sin(s["a"][0])
    return np.sum(s["a"]) * s["b"]


@case(V, 0.3)
def tuple_of_parts(u, nu):
    s = (u, np.sum(u))
    for t in checkpointed(range(5), snapshots=2):
        a, b = s
        s = (a * nu + b * t, b * np.sin(a[0]))
    return np.sum(s[0]) * s[1]


@case(V, 0.3)
def while_some_are_large(u, nu):
    xs = [u * 1.0, u * 2.0]
    t = 0
    with checkpointed(snapshots=2):
        while np.sum(xs[0]) > 0.01:
            xs[t % 2][1:] *= nu
            xs[t % 2][0] *= nu * xs[1][2]
            t = t + 1
    return np.sum(xs[0] * xs[1])


@case(V, 0.3)
def two_loops(u, nu):
    xs = [u * k for k in range(1, 3)]
    for t in checkpointed(range(3), snapshots=2):
        xs[t % 2] = xs[t % 2] * nu
    for t in checkpointed(range(3), snapshots=2):
        xs[t % 2] = xs[t % 2] * xs[1 - t % 2]
    return np.sum(xs[0] * xs[1])


@case(V, 0.3)
def complex_numbers(u, nu):
    xs = [u[0] * 1j, u[1] + 0j, u[2]]
    for t in checkpointed(range(3), snapshots=2):
        xs[t] = xs[t] * xs[(t + 1) % 3] * nu
    return (xs[0] * xs[1] * xs[2]).real


@case(V, 4)
def history_read_backwards(u, n):
    """The array that the list begins with is read in each step."""
    history = [u]
    for _ in checkpointed(range(n), snapshots=2):
        history.append(np.sin(history[-1]) * u)
    s = 0.0
    while history:
        last = history.pop()
        s = s * 0.5 + np.sum(last * last)
    return s
