"""Derivatives that are called inside of functions: forces, residuals of equations, descents."""

import numpy as np

from autodiff import grad, jvp, value_and_grad
from tests.language.corpus import program
from tests.language.data import V3, V4


def cube(x):
    return x**3


slope = grad(cube)


@program([(0.7,), (-1.2,)])
def of_a_global(x):
    return slope(x) * x + slope(2.0)


@program([(0.7,), (-1.2,)])
def made_on_the_way(x):
    df = grad(cube)
    return df(x) * df(x * x)


@program([(0.7,), (-1.2,)])
def made_and_called(x):
    return grad(cube)(x) * x


def potential(q, k, power=2):
    return 0.5 * k * np.sum(q**power) + np.sum(np.cos(q))


force = grad(potential)


@program([(V3, 0.7)], wrt=(0, 1))
def leapfrog(q, k):
    p = np.zeros_like(q)
    for _ in range(4):
        p = p - 0.05 * force(q, k)
        q = q + 0.1 * p
        p = p - 0.05 * force(q, k)
    return np.sum(q**2) + potential(q, k)


def hamiltonian(q, p):
    return 0.5 * np.sum(p**2) + np.sum(np.cos(q) * q)


parts = grad(hamiltonian, ("q", "p"))


@program([(V3, V3 * 0.5)], wrt=(0, 1))
def symplectic(q, p):
    for _ in range(3):
        dq, dp = parts(q, p)
        p = p - 0.1 * dq
        q = q + 0.1 * parts(q, p)[1]
    return np.sum(q * p)


def wave(x, t, c):
    return np.sin(c * x) * np.exp(-t * c)


wave_t = grad(wave, "t")
wave_xx = grad(grad(wave, "x"), "x")


@program([(1.3, V4, 0.2)], wrt=(0, 2))
def residual_of_an_equation(c, xs, t):
    total = 0.0
    for x in xs:
        total += (wave_t(x, t, c) - wave_xx(x, t, c)) ** 2
    return total


def loss(w, data):
    return np.mean((np.tanh(data * w) - 0.3) ** 2)


fit = value_and_grad(loss)


@program([(V3, V3 + 0.5, 0.3)], wrt=(0, 1, 2))
def descent(w, data, rate):
    for _ in range(3):
        value, step = fit(w, data)
        w = w - rate * step
    return value + loss(w, data)


@program([(V3, 1.5)], wrt=(0, 1))
def penalty_on_the_gradient(w, scale):
    return loss(w, V3) + scale * np.sum(grad(loss)(w, V3) ** 2)


def newton(c, x):
    for _ in range(5):
        value = x**3 - c * x - 1.0
        x = x - value / grad(cube)(x)
    return x


@program([(0.7, 1.5)], wrt=(0, 1))
def newton_in_a_helper(c, x):
    return newton(c, x) * c


@program([(V3, V3 * 2.0)], wrt=(0, 1))
def along_a_direction(x, v):
    value, tangent = jvp(loss, (x, V3), (v, None))
    return value * tangent


def swept(u, nu, n):
    for t in range(n):
        u[1:] = u[1:] - nu * u[1:] * u[:-1]
    return np.sum(u**2)


@program([(V4, 0.3)], wrt=(0, 1))
def tangent_of_a_loop(u, nu):
    return jvp(swept, (u, nu, 3), (u * u, 1.0, None))[1]


@program([([V3, V3 * 0.5],)], refusable=True)
def of_lists(ws):
    slopes = value_and_grad(layered)(ws, 0.3)[1]
    return np.sum(slopes[0] * ws[1]) + np.sum(slopes[1])


def layered(ws, x):
    for w in ws:
        x = np.tanh(w * x)
    return np.sum(x)


@program([(0.7, True), (0.7, False)], wrt=0)
def on_a_branch(x, sharp):
    if sharp:
        y = slope(x)
    else:
        y = cube(x)
    return y * x
