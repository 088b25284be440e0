"""The other transformations."""

import math

import numpy as np

from autodiff import grad
from tests.golden.case import case
from tests.language.data import M23, V3


@case(M23, V3, wrt=("a", "x"), transform="vjp")
def affine_pullback(a, x):
    return np.tanh(a @ x)


@case(0.4, 0.9, wrt=("r", "t"), transform="vjp")
def polar_pullback(r, t):
    return r * math.cos(t), r * math.sin(t)


@case(0.4, 5, transform="vjp", wrt=("x",))
def loop_pullback(x, n):
    for _ in range(n):
        x = x * math.sin(x)
    return x


@case(V3, transform="value_and_grad")
def value_of_norm(x):
    return np.sqrt(np.sum(x**2))


@case(V3, 0.5, transform="grad", has_aux=True)
def loss_with_aux(w, ridge):
    fit = np.sum(np.cos(w))
    penalty = ridge * np.sum(w * w)
    return fit + penalty, {"fit": fit, "penalty": penalty}


@case(V3, 0.5, transform="value_and_grad", has_aux=True)
def value_with_aux(w, ridge):
    residual = np.exp(w) - ridge
    return np.sum(residual**2), residual


def potential(q, k):
    return 0.5 * k * np.sum(q**2) + np.sum(np.cos(q))


force = grad(potential)


@case(V3, 0.7, 5, wrt=("q", "k"))
def leapfrog(q, k, steps):
    p = np.zeros_like(q)
    for _ in range(steps):
        p = p - 0.05 * force(q, k)
        q = q + 0.1 * p
        p = p - 0.05 * force(q, k)
    return np.sum(q**2)
