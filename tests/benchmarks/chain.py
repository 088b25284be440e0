"""Ten elementwise operations on a long array: memory decides, so the expert works in place."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def chain(x):
    u = np.sin(x)
    v = x * u
    w = np.tanh(v)
    p = w**2
    q = np.exp(-p)
    r = 1.0 + q
    s = np.log(r)
    t = s * w
    return np.sum(t - u)


def chain_by_hand(x):
    """Nothing that is not needed again survives, and every buffer is used as often as it can be."""
    u = np.sin(x)
    w = np.multiply(x, u)
    np.tanh(w, out=w)
    p = np.multiply(w, w, out=w)
    w_bar = np.negative(p)
    np.exp(w_bar, out=w_bar)
    s = np.log1p(w_bar)
    # r_bar = w / r, so p_bar w 2 = -2 p q / r, and q / r = 1 - 1 / r
    r = np.add(w_bar, 1.0)
    w_bar /= r
    w_bar *= p
    w_bar *= -2.0
    w_bar += s
    v_bar = np.multiply(w_bar, np.subtract(1.0, p, out=p), out=w_bar)
    u *= v_bar
    v_bar *= x
    v_bar -= 1.0
    v_bar *= np.cos(x, out=s)
    u += v_bar
    return u


def workloads(small=False):
    n = 10 if small else 1_000_000
    x = np.random.default_rng(0).standard_normal(n)
    return [Workload(f"elementwise chain, {n:.0e}", chain, "x", chain_by_hand, (x,), number=9)]
