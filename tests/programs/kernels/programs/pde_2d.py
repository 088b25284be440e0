"""Finite differences in two and three dimensions."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import wavy


@program([(wavy(5, 6), wavy(5, 6, phase=0.5), 0.3)], analytic=True)
def jacobi_2d(p, b, h):
    for it in range(3):
        pn = p.copy()
        p[1:-1, 1:-1] = 0.25 * (pn[1:-1, 2:] + pn[1:-1, :-2] + pn[2:, 1:-1] + pn[:-2, 1:-1])
        p[1:-1, 1:-1] -= 0.25 * h**2 * b[1:-1, 1:-1]
        p[0, :] = 0
        p[-1, :] = p[-2, :]
        p[:, 0] = p[:, 1]
        p[:, -1] = 1.0
    return p


@program([(wavy(4, 4, 4), wavy(4, 4, 4, phase=0.8))], analytic=True)
def jacobi_3d(u, f):
    new = u.copy()
    inner = (slice(1, -1), slice(1, -1), slice(1, -1))
    for it in range(2):
        new[inner] = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1]
        new[inner] += u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        new[inner] += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
        new[inner] -= f[inner]
        new[inner] /= 6.0
        u, new = new, u
    return u


@program([(wavy(5, 5), wavy(5, 5, phase=0.3), 1.3)], analytic=True)
def sor_red_black(u, f, omega):
    n, m = u.shape
    for sweep in range(2):
        for color in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + color) % 2, m - 1, 2):
                    residual = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - f[i, j]
                    u[i, j] += omega * (0.25 * residual - u[i, j])
    return u


@program([(wavy(6, 6), wavy(6, 6, phase=0.3), 1.2)], analytic=True)
def sor_masked(u, f, omega):
    ii, jj = np.indices(u.shape)
    inside = (ii > 0) & (ii < 5) & (jj > 0) & (jj < 5)
    for sweep in range(2):
        for color in (0, 1):
            mask = inside & ((ii + jj) % 2 == color)
            around = np.zeros_like(u)
            around[1:] += u[:-1]
            around[:-1] += u[1:]
            around[:, 1:] += u[:, :-1]
            around[:, :-1] += u[:, 1:]
            u[mask] += omega * (0.25 * (around[mask] - f[mask]) - u[mask])
    return np.sum(u**2)


@program([(wavy(5, 5, low=0.5, high=1.5), wavy(5, 5, low=1.0, high=2.0), 0.4)], analytic=True)
def fdtd_2d(source, eps, courant):
    ez = np.zeros(eps.shape)
    hx = np.zeros(eps.shape)
    hy = np.zeros(eps.shape)
    for t in range(4):
        hx[:, :-1] -= courant * (ez[:, 1:] - ez[:, :-1])
        hy[:-1, :] += courant * (ez[1:, :] - ez[:-1, :])
        curl = hy[1:, 1:] - hy[:-1, 1:] - (hx[1:, 1:] - hx[1:, :-1])
        ez[1:, 1:] += courant / eps[1:, 1:] * curl
        ez[2, 2] += source[t, t]
        ez[-1] = 0.0
    return np.sum(eps * ez**2) + np.sum(hx**2 + 0.5 * hy**2)


@program([(wavy(5, 5, low=0.9, high=1.1), 0.04, 0.5)], analytic=True)
def shallow_water_2d(h, dt, dx):
    g = 9.81
    u = np.zeros_like(h)
    v = np.zeros_like(h)
    for step in range(3):
        u[1:, :] -= g * dt / dx * (h[1:, :] - h[:-1, :])
        v[:, 1:] -= g * dt / dx * (h[:, 1:] - h[:, :-1])
        u[0, :] = 0.0
        v[:, 0] = 0.0
        h[:-1, :-1] -= dt / dx * h[:-1, :-1] * (np.diff(u, axis=0)[:, :-1] + np.diff(v)[:-1])
    return h, u, v


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1
        / dt
        * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx) + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)) ** 2
        - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
        - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)) ** 2
    )
    return b


def pressure_poisson(p, dx, dy, b):
    pn = np.empty_like(p)
    for q in range(2):
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return p


@program([(wavy(5, 5, low=0.1, high=0.3), wavy(5, 5, phase=1.0) * 0.2, 1.1, 0.1)], analytic=True)
def lid_driven_cavity(u, v, rho, nu):
    dt, dx, dy = 0.01, 0.5, 0.5
    un = np.empty_like(u)
    vn = np.empty_like(v)
    p = np.zeros_like(u)
    b = np.zeros(u.shape)
    for n in range(2):
        un = u.copy()
        vn = v.copy()
        b = build_up_b(b, rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, dx, dy, b)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[0:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
            + nu * dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2])
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, 0:-2])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        )
        u[0, :] = 0
        u[:, 0] = 0
        u[-1, :] = 1
        v[:, -1] = 0
    return u, v, p


def laplacian(z):
    return z[:-2, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] + z[2:, 1:-1] - 4 * z[1:-1, 1:-1]


@program(
    [(wavy(6, 6, low=0.7, high=1.0), wavy(6, 6, low=0.0, high=0.3), 0.05, 0.06)], analytic=True
)
def gray_scott(u_full, v_full, feed, kill):
    u, v = u_full[1:-1, 1:-1], v_full[1:-1, 1:-1]
    for step in range(3):
        lu = laplacian(u_full)
        lv = laplacian(v_full)
        uvv = u * v * v
        u += 0.16 * lu - uvv + feed * (1 - u)
        v += 0.08 * lv + uvv - (feed + kill) * v
        for z in (u_full, v_full):
            z[0, :] = z[-2, :]
            z[:, 0] = z[:, -2]
    return v_full


@program([(wavy(5, 6), wavy(5, 6, phase=2.2), 0.2)], analytic=True)
def weather_stencil(humidity, wind, rate):
    for step in range(2):
        west = np.where(wind[1:-1, 1:-1] > 0, humidity[1:-1, :-2], humidity[1:-1, 2:])
        change = rate * np.abs(wind[1:-1, 1:-1]) * (west - humidity[1:-1, 1:-1])
        humidity[1:-1, 1:-1] += np.where(np.abs(change) > 0.1, 0.1 * np.tanh(change), change)
        wind[1:-1, 1:-1] -= rate * (humidity[2:, 1:-1] - humidity[:-2, 1:-1])
        wind[:, ::-1][:, 0] = wind[:, 1]
    return np.sum(humidity**2) + np.sum(wind * humidity)


def smooth(u, f, sweeps):
    for _ in range(sweeps):
        u[1:-1] += 0.6 * 0.5 * (u[2:] + u[:-2] - 2 * u[1:-1] - f[1:-1])


@program([(wavy(9), wavy(9, phase=0.2))], analytic=True)
def two_grid_cycle(u, f):
    smooth(u, f, 2)
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] - (u[2:] - 2 * u[1:-1] + u[:-2])
    coarse = r[::2].copy()
    coarse *= 4.0
    e = np.zeros_like(coarse)
    smooth(e, coarse, 3)
    u[::2] += e
    u[1::2] += 0.5 * (e[1:] + e[:-1])
    smooth(u, f, 1)
    return u
