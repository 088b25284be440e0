"""Filters of signals and images, state estimation."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import fixed, wavy


@program([(wavy(7), wavy(3), wavy(3, low=-0.4, high=0.4))], analytic=True)
def iir_direct_form_2(x, b, a):
    state = np.zeros(2)
    y = np.empty_like(x)
    for n in range(len(x)):
        w = x[n] - a[1] * state[0] - a[2] * state[1]
        y[n] = b[0] * w + b[1] * state[0] + b[2] * state[1]
        state[1] = state[0]
        state[0] = w
    return y


@program([(wavy(7), wavy(4), wavy(4, low=-0.4, high=0.4))], analytic=True)
def iir_transposed(x, b, a):
    z = np.zeros(len(b))
    for n in range(len(x)):
        y = b[0] * x[n] + z[0]
        z[:-1] = z[1:] + b[1:] * x[n] - a[1:] * y
        x[n] = y
    return x


@program([(wavy(6), wavy(3))], analytic=True)
def fir_ring_buffer(x, taps):
    ring = np.zeros(3)
    y = np.zeros_like(x)
    head = 0
    for n in range(len(x)):
        ring[head] = x[n]
        for k in range(3):
            y[n] += taps[k] * ring[(head - k) % 3]
        head = (head + 1) % 3
    return y


@program([(wavy(5, 6),)], analytic=True)
def box_blur_summed_area(image):
    n, m = image.shape
    table = np.zeros((n + 1, m + 1))
    for i in range(n):
        row = 0.0
        for j in range(m):
            row += image[i, j]
            table[i + 1, j + 1] = table[i, j + 1] + row
    out = image.copy()
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            total = table[i + 2, j + 2] - table[i - 1, j + 2] - table[i + 2, j - 1]
            out[i, j] = (total + table[i - 1, j - 1]) / 9.0
    return out


@program([(wavy(4, 5), 0.9, 0.7)], analytic=True)
def bilateral_filter(image, spatial, tonal):
    n, m = image.shape
    out = np.zeros_like(image)
    for i in range(n):
        for j in range(m):
            norm = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if 0 <= i + di < n and 0 <= j + dj < m:
                        diff = image[i + di, j + dj] - image[i, j]
                        w = np.exp(-(di**2 + dj**2) / (2 * spatial**2) - diff**2 / (2 * tonal**2))
                        out[i, j] += w * image[i + di, j + dj]
                        norm += w
            out[i, j] /= norm
    return out


@program([(wavy(5, 5), 0.2, 0.6)], analytic=True)
def perona_malik(image, rate, kappa):
    for step in range(2):
        north = np.zeros_like(image)
        north[1:] = image[:-1] - image[1:]
        south = np.zeros_like(image)
        south[:-1] = image[1:] - image[:-1]
        east = np.diff(image, axis=1)
        flux = east * np.exp(-((east / kappa) ** 2))
        for d in (north, south):
            d *= np.exp(-((d / kappa) ** 2))
        image += rate * (north + south)
        image[:, :-1] += rate * flux
        image[:, 1:] -= rate * flux
    return image


@program([(wavy(6), 0.3, 0.5)], analytic=True)
def recursive_gaussian(x, alpha, gain):
    forward = x.copy()
    for i in range(1, len(x)):
        forward[i] += alpha * forward[i - 1]
    backward = x[::-1].copy()
    for i in range(1, len(x)):
        backward[i] += alpha * backward[i - 1]
    smooth = backward[::-1]
    smooth += forward
    smooth -= x
    smooth *= gain
    return backward * forward


@program([(wavy(3, 3, low=0.1), wavy(4, 2), wavy(2, low=0.2, high=0.6))], analytic=True)
def kalman_filter(transition, measurements, noise):
    x = np.zeros(3)
    p = np.eye(3)
    h = np.zeros((2, 3))
    h[0, 0] = h[1, 2] = 1.0
    r = np.diag(noise)
    loglik = 0.0
    for z in measurements:
        x[:] = transition @ x
        p[:] = transition @ p @ transition.T
        p[np.arange(3), np.arange(3)] += 0.1
        innovation = z - h @ x
        s = h @ p @ h.T
        s += r
        gain = np.linalg.solve(s, h @ p).T
        x += gain @ innovation
        p -= gain @ h @ p
        loglik -= 0.5 * (innovation @ np.linalg.solve(s, innovation) + np.log(np.linalg.det(s)))
    return loglik + np.sum(x**2)


@program([(wavy(5), wavy(2), 0.4)], analytic=True)
def scalar_kalman_smoother(y, q, r):
    n = len(y)
    q = np.exp(q)
    mean, var = np.zeros((2, n)), np.ones((2, n))
    for t in range(n):
        if t > 0:
            mean[0, t] = mean[1, t - 1]
            var[0, t] = var[1, t - 1] + q[t % 2]
        k = var[0, t] / (var[0, t] + r)
        mean[1, t] = mean[0, t] + k * (y[t] - mean[0, t])
        var[1, t] = (1 - k) * var[0, t]
    smooth = mean[1]
    for t in range(n - 2, -1, -1):
        gain = var[1, t] / var[0, t + 1]
        smooth[t] += gain * (smooth[t + 1] - mean[0, t + 1])
    return mean


@program([(wavy(6), wavy(3, low=-0.2, high=0.2), 0.1)], analytic=True)
def adaptive_lms(signal, w, mu):
    buffer = np.zeros(3)
    error = np.zeros(len(signal))
    for n in range(len(signal)):
        buffer[1:] = buffer[:-1]
        buffer[0] = signal[n]
        error[n] = signal[n] ** 2 - w @ buffer
        w += mu * error[n] * buffer
    return np.sum(error**2) + np.sum(w)


@program([(wavy(4, 6), wavy(6, phase=0.8, low=0.1))], analytic=True)
def normalise_rows_in_place(data, weights):
    for row in data:
        row -= np.sum(weights * row) / np.sum(weights)
        row /= np.sqrt(np.sum(row**2))
    corner = data[1:3, ::-2]
    corner *= 2.0
    flat = data.reshape(-1)
    flat[::7] += weights[:4]
    return data


@program([(wavy(4, 4), fixed(0.3))], analytic=True)
def total_variation_flow(u, lam):
    original = u.copy()
    px = np.zeros_like(u)
    py = np.zeros_like(u)
    for it in range(2):
        px[:, :-1] += 0.2 * (u[:, 1:] - u[:, :-1])
        py[:-1] += 0.2 * (u[1:] - u[:-1])
        norm = np.sqrt(1.0 + px**2 + py**2)
        px /= norm
        py /= norm
        u[...] = original
        u += lam * px
        u[:, 1:] -= lam * px[:, :-1]
        u += lam * py
        u[1:] -= lam * py[:-1]
    return u
