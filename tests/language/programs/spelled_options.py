"""Options of helpers that are texts, spelled in the helper's own way before they are asked for."""

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


def norm(x, kind="L2", scale=None):
    kind = kind.lower()
    if scale is None and kind in {"l1", "l2"}:
        scale = 2.0
    if kind == "l2":
        r = np.sqrt(np.sum(x * x))
    elif kind in ("l1", "linf"):
        r = np.sum(np.abs(x))
    else:
        raise ValueError(f"unknown {kind}")
    return r * scale


@program([(V4,)])
def norms(x):
    return norm(x) + norm(x[1:], kind="L1") * norm(x[:2], "LINF", 0.3)


def smoothed(x, mode=" Reflect "):
    name = mode.strip().lower()
    first, last = (x[1], x[-2]) if name == "reflect" else (x[0], x[-1])
    y = x.copy()
    if name != "valid":
        y[0] = 0.5 * (first + x[0])
        y[-1] = 0.5 * (last + x[-1])
    y[1:-1] = x[1:-1] * x[:-2] - x[2:]
    mode = name.upper()
    if mode not in ["REFLECT", "NEAREST"]:
        return y * 2.0
    return y


@program([(V4,)])
def smoothed_in_three_ways(x):
    total = 0.0
    for _ in range(2):
        x = smoothed(x)
        total = total + np.sum(smoothed(x, "VALID") ** 2) + smoothed(x, "nearest")[0]
    return total


def asked_before(x, kind):
    y = x * 2.0 if kind == "A" else x
    kind = kind.lower()
    if kind == "a":
        y = y * x
    for kind in ("b", kind):
        if kind == "a":
            y = np.sin(y)
    return y


@program([(V4,)])
def asked_before_it_is_spelled(x):
    return np.sum(asked_before(x, "A") + asked_before(x, "B"))


@program([(V4, "L1")], wrt=0)
def an_option_of_the_function_itself(x, kind):
    kind = kind.lower()
    return norm(x, kind) * (2.0 if kind == "l1" else 1.0)
