"""Small whole algorithms, as found in scripts and notebooks."""

import math

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M32, M33, M34, P3, P4, SPD3, V3, V4, V5, V6, W3, W4, fixed

XS = fixed([0.1, 0.4, 0.9, 1.3, 1.8])
YS = fixed([1.2, 0.9, 0.3, -0.2, -0.4])
LABELS = fixed([1.0, 0.0, 1.0, 1.0, 0.0])
POINTS = fixed(np.cos(np.arange(12.0).reshape(6, 2) * 1.3) * 1.4)


@program([(0.4, -0.7), (1.2, 0.3)], analytic=True)
def least_squares(slope, offset):
    residuals = slope * XS + offset - YS
    return 0.5 * np.sum(residuals**2)


@program([(V4,), (W4,)], analytic=True)
def polynomial_fit(coefficients):
    loss = 0.0
    for x, y in zip(XS, YS):
        p = 0.0
        for c in coefficients:
            p = p * x + c
        loss += (p - y) ** 2
    return loss / len(XS)


@program([(np.array([0.4, -0.8]),)], analytic=True)
def logistic_regression(w):
    z = w[0] + w[1] * XS
    p = 1 / (1 + np.exp(-z))
    return -np.mean(LABELS * np.log(p) + (1 - LABELS) * np.log(1 - p)) + 0.1 * w @ w


@program([(1.3, 2.4), (0.6, 1.1)])
def newton_root(a, b):
    x = b
    for _ in range(50):
        f = x**3 - a * x - b
        df = 3 * x**2 - a
        step = f / df
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


def lorenz(state, sigma, rho, beta):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4_step(f, y, dt, *parameters):
    k1 = f(y, *parameters)
    k2 = f(y + dt / 2 * k1, *parameters)
    k3 = f(y + dt / 2 * k2, *parameters)
    k4 = f(y + dt * k3, *parameters)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@program([(V3, 10.0, 28.0, 8.0 / 3.0)])
def lorenz_rk4(y, sigma, rho, beta):
    for _ in range(4):
        y = rk4_step(lorenz, y, 0.01, sigma, rho, beta)
    return np.sum(y**2)


@program([(0.3, 0.9, 1.7)], analytic=True)
def pendulum_leapfrog(theta, omega, length):
    dt = 0.05
    for _ in range(6):
        omega = omega - 0.5 * dt * 9.81 / length * np.sin(theta)
        theta = theta + dt * omega
        omega = omega - 0.5 * dt * 9.81 / length * np.sin(theta)
    return 0.5 * length**2 * omega**2 - 9.81 * length * np.cos(theta)


@program([(M34, V3, M32.T, np.array([0.2, -0.1]), V4)], analytic=True)
def multilayer_perceptron(w1, b1, w2, b2, x):
    h = np.tanh(w1 @ x + b1)
    out = w2 @ h + b2
    return np.sum((out - np.array([1.0, -0.5])) ** 2)


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@program([(M34, M34 * 0.7, M34[::-1])], refusable=True)
def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    out = softmax(scores) @ v
    return np.sum(layer_norm(out, 1.2, 0.1) * M34)


@program([(np.array([0.2, -0.4]), np.array([[0.3, -0.5], [0.9, 0.8]]), np.array([0.1, -0.3]))])
def gaussian_mixture(log_weights, means, log_sigmas):
    total = 0.0
    for x in POINTS:
        terms = []
        for k in range(len(log_weights)):
            r = (x - means[k]) / np.exp(log_sigmas[k])
            terms.append(log_weights[k] - 2 * log_sigmas[k] - 0.5 * np.sum(r**2))
        terms = np.array(terms)
        top = np.max(terms)
        total += top + np.log(np.sum(np.exp(terms - top)))
    m = np.max(log_weights)
    return total - len(POINTS) * (m + np.log(np.sum(np.exp(log_weights - m))))


@program([(SPD3, V3)], analytic=True)
def conjugate_gradients(a, b):
    x = np.zeros(3)
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(2):
        ap = a @ p
        alpha = rs / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        rs_new = r @ r
        p = r + rs_new / rs * p
        rs = rs_new
    return x @ b


@program([(0.4, 1.1, 0.6, V5)], analytic=True)
def kalman_filter(x, q, r, measurements):
    p = 1.0
    log_likelihood = 0.0
    for z in measurements:
        p = p + q
        s = p + r
        innovation = z - x
        log_likelihood -= 0.5 * (np.log(2 * np.pi * s) + innovation**2 / s)
        gain = p / s
        x = x + gain * innovation
        p = (1 - gain) * p
    return log_likelihood


TRANSITION = fixed([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]])


@program([(np.log(P3), np.array([0.2, 0.5, 0.3]), TRANSITION)], analytic=True)
def hidden_markov(log_b, start, transition):
    alpha = start * np.exp(-log_b)
    scale = 0.0
    for t in range(3):
        c = np.sum(alpha)
        scale += np.log(c)
        alpha = (alpha / c) @ transition * np.exp(-log_b * (t + 1) / 3)
    return scale + np.log(np.sum(alpha))


@program([(V6, V3)], analytic=True)
def convolution(signal, kernel):
    n, k = len(signal), len(kernel)
    out = []
    for i in range(n - k + 1):
        s = 0.0
        for j in range(k):
            s += signal[i + j] * kernel[j]
        out.append(s)
    return sum([o**2 for o in out])


@program([(V4, V5)])
def dynamic_time_warping(x, y):
    n, m = len(x), len(y)
    previous = [0.0] + [1e3] * m
    for i in range(n):
        current = [1e3]
        for j in range(m):
            cost = (x[i] - y[j]) ** 2
            best = min(previous[j], previous[j + 1], current[j])
            current.append(cost + best)
        previous = current
    return previous[m]


@program([(100.0, 0.2, 0.05)])
def binomial_option(spot, sigma, rate):
    n, t, strike = 5, 1.0, 103.0
    dt = t / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(rate * dt) - d) / (u - d)
    values = [max(spot * u ** (2 * j - n) - strike, 0.0) for j in range(n + 1)]
    for step in range(n, 0, -1):
        values = [
            math.exp(-rate * dt) * (p * values[j + 1] + (1 - p) * values[j]) for j in range(step)
        ]
    return values[0]


@program([(np.array([[0.0, 0.1], [1.1, -0.2], [0.3, 1.3], [-0.9, 0.4]]), 0.8, 1.1)], analytic=True)
def lennard_jones(positions, epsilon, sigma):
    n = len(positions)
    energy = 0.0
    for i in range(n):
        for j in range(i):
            delta = positions[i] - positions[j]
            r2 = np.sum(delta * delta)
            s6 = (sigma**2 / r2) ** 3
            energy += 4 * epsilon * (s6 * s6 - s6)
    return energy


@program([(V3, W3, 0.3)], analytic=True)
def recurrent_network(x, w, h):
    for t in range(len(x)):
        h = np.tanh(w[0] * x[t] + w[1] * h + w[2])
    return (h - 0.5) ** 2


def lstm_cell(x, h, c, w):
    z = w @ np.concatenate([x, h])
    i, f, o, g = z[0], z[1], z[2], z[3]
    sigmoid = lambda v: 1 / (1 + np.exp(-v))
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    h = sigmoid(o) * np.tanh(c)
    return np.array([h]), c


@program([(M34, np.sin(np.arange(20.0)).reshape(4, 5))], analytic=True)
def lstm(xs, w):
    h, c = np.zeros(1), 0.0
    for x in xs:
        h, c = lstm_cell(x, h, c, w)
    return h[0] ** 2 + c


@program([(M33 + 2 * np.eye(3), V3)], analytic=True)
def gauss_jacobi(a, b):
    d = np.diag(a)
    off = a - np.diag(d)
    x = b / d
    for _ in range(4):
        x = (b - off @ x) / d
    return np.sum(x**2)


@program([(P4, 0.7), (V4, 1.4)], analytic=True)
def rbf_kernel(x, scale):
    r = x[:, None] - x[None, :]
    k = np.exp(-(r**2) / (2 * scale**2)) + 1e-2 * np.eye(len(x))
    y = np.sin(np.arange(len(x)))
    return y @ np.linalg.solve(k, y) + np.log(np.linalg.det(k))


@program([(0.9, 1.4)], analytic=True)
def continued_fraction(x, a):
    y = a
    for k in range(6, 0, -1):
        y = a + k * x / y
    return y


@program([(0.6, 0.3)], analytic=True)
def bessel_series(x, nu):
    term = 1.0
    total = 1.0
    for k in range(1, 12):
        term = -term * (x / 2) ** 2 / (k * (k + nu))
        total += term
    return total * (x / 2) ** nu


@program([(0.45, 3.6), (0.21, 3.9)], analytic=True)
def logistic_map(x, r):
    for _ in range(3):
        x = r * x * (1 - x)
    return x


@program([(2.2, 0.4)])
def bisection(a, offset):
    lo, hi = 0.0, 3.0
    f = lambda t: t * t - a
    for _ in range(5):
        mid = 0.5 * (lo + hi)
        if f(mid) < 0:
            lo = mid
        else:
            hi = mid
    x = 0.5 * (lo + hi)
    return x - f(x) / (2 * x) + offset * x


@program([(V3, np.array([0.3, 0.2, -0.4]))], analytic=True)
def rotation_matrix(v, angles):
    a, b, _ = angles
    rz = np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
    ry = np.array([[np.cos(b), 0.0, np.sin(b)], [0.0, 1.0, 0.0], [-np.sin(b), 0.0, np.cos(b)]])
    u = rz @ ry @ v
    return u[0] * u[1] + u[2] ** 3


@program([(np.array([0.01, -0.02, 0.03]), np.array([1.2, 0.7, 3.1]))])
def rodrigues(rotation, point):
    theta2 = rotation @ rotation
    if theta2 > 0:
        theta = np.sqrt(theta2)
        axis = rotation / theta
        cos, sin = np.cos(theta), np.sin(theta)
        rotated = point * cos + np.cross(axis, point) * sin + axis * (axis @ point) * (1 - cos)
    else:
        rotated = point + np.cross(rotation, point)
    return np.sum(rotated**2 * np.array([1.0, 2.0, 3.0]))


@program([(M23, np.array([0.4, -0.9]))], analytic=True)
def principal_stress(stretch, load):
    c = stretch @ stretch.T
    mean = 0.5 * (c[0, 0] + c[1, 1])
    radius = np.sqrt(0.25 * (c[0, 0] - c[1, 1]) ** 2 + c[0, 1] ** 2)
    return (mean + radius) * load[0] + (mean - radius) * load[1]


@program([(V5, 0.3), (W4, 0.8)])
def total_variation(x, weight):
    fidelity = 0.5 * np.sum((x - np.arange(len(x))) ** 2)
    return fidelity + weight * np.sum(np.abs(np.diff(x)))


@program([(np.array([1.1, 2.3, 0.7]), 1.4)])
def huber_loss(x, delta):
    total = 0.0
    for r in x:
        a = abs(r)
        if a <= delta:
            total += 0.5 * r**2
        else:
            total += delta * (a - 0.5 * delta)
    return total


@program([(0.8, 1.3, 5)])
def adaptive_step(x, tolerance, limit):
    t, h = 0.0, 0.5
    steps = 0
    while t < 1.1 and steps < limit:
        full = x + h * np.cos(x)
        half = x + 0.5 * h * np.cos(x)
        double = half + 0.5 * h * np.cos(half)
        error = abs(full - double)
        if error > 0.03:
            h = h / 2
            steps += 1
            continue
        x = double
        t += h
        steps += 1
    return x * tolerance


@program([(V3, SPD3)], analytic=True)
def gradient_descent_inside(x, a):
    for _ in range(5):
        g = a @ x - 1.0
        x = x - 0.1 * g
    return 0.5 * x @ a @ x - np.sum(x)
