"""The adjoint of the flow in a cavity, derived anew from the mathematics and not from the code."""

from __future__ import annotations

import numpy as np


def energy_tuned(lid, nu, p0, rho, dt, dx, dy, steps, iterations):
    """Another arithmetic in both sweeps, all in buffers, with which the value differs by rounding.

    Only the velocities are kept, one slice of an array per step: pressure enters linearly.

    With its walls the iteration for the pressure is symmetric inside, so it is its own adjoint but
    for the walls that it starts from. A step of the velocities is written as a weighted sum of five
    neighbours, whose weights are computed again in reverse. At least one iteration is made.
    """
    ny, nx = p0.shape
    us = np.zeros((steps + 1, ny, nx))
    vs = np.zeros((steps + 1, ny, nx))
    us[1:, -1, :] = lid
    p = p0.copy()
    p_inside = p[1:-1, 1:-1]
    buffers = np.empty((10, ny - 2, nx - 2))
    b, part, west, south, centre, ux, uy, vx, vy, total = buffers
    a, c = dt / dx, dt / dy
    east, north = nu * dt / dx**2, nu * dt / dy**2
    px, py = dt / (2 * rho * dx), dt / (2 * rho * dy)
    gx, gy = 1 / (2 * dx), 1 / (2 * dy)
    wx, wy = dy**2 / (2 * (dx**2 + dy**2)), dx**2 / (2 * (dx**2 + dy**2))
    wb = wx * dx**2

    for k in range(steps):
        u, v = us[k], vs[k]
        # b = build_up_b(b, rho, dt, u, v, dx, dy), times wb
        gradients(u, v, gx, gy, ux, uy, vx, vy)
        np.add(ux, vy, out=b)
        b *= 1 / dt
        np.multiply(ux, ux, out=part)
        b -= part
        np.multiply(vy, vy, out=part)
        b -= part
        np.multiply(uy, vx, out=part)
        part *= 2.0
        b -= part
        b *= rho * wb
        # p = pressure_poisson(p, dx, dy, b, iterations)
        for _ in range(iterations):
            neighbours(p, wx, wy, part, total)
            np.subtract(total, b, out=p_inside)
            walls(p)
        # u[1:-1, 1:-1] = ..., v[1:-1, 1:-1] = ...
        weights(u, v, a, c, east, north, west, south, centre)
        for old, new in ((u, us[k + 1, 1:-1, 1:-1]), (v, vs[k + 1, 1:-1, 1:-1])):
            np.multiply(old[1:-1, 1:-1], centre, out=new)
            new += np.multiply(old[1:-1, :-2], west, out=part)
            new += np.multiply(old[:-2, 1:-1], south, out=part)
            new += np.multiply(old[1:-1, 2:], east, out=part)
            new += np.multiply(old[2:, 1:-1], north, out=part)
        np.subtract(p[1:-1, 2:], p[1:-1, :-2], out=part)
        part *= px
        us[k + 1, 1:-1, 1:-1] -= part
        np.subtract(p[2:, 1:-1], p[:-2, 1:-1], out=part)
        part *= py
        vs[k + 1, 1:-1, 1:-1] -= part

    u_bar = 2.0 * us[steps]
    v_bar = 2.0 * vs[steps]
    p_bar = np.zeros((ny, nx))
    q = p_bar[1:-1, 1:-1]
    lid_bar = nu_bar = 0.0
    lam, mu = np.empty((2, ny - 2, nx - 2))
    for k in range(steps - 1, -1, -1):
        u, v = us[k], vs[k]
        # the walls
        lid_bar += np.sum(u_bar[-1])
        lam[:] = u_bar[1:-1, 1:-1]
        mu[:] = v_bar[1:-1, 1:-1]
        # u[1:-1, 1:-1] = ..., v[1:-1, 1:-1] = ...
        weights(u, v, a, c, east, north, west, south, centre)
        for seed, new, old in ((lam, u_bar, u), (mu, v_bar, v)):
            new.fill(0.0)
            np.multiply(seed, centre, out=new[1:-1, 1:-1])
            new[1:-1, :-2] += np.multiply(seed, west, out=part)
            new[:-2, 1:-1] += np.multiply(seed, south, out=part)
            new[1:-1, 2:] += np.multiply(seed, east, out=part)
            new[2:, 1:-1] += np.multiply(seed, north, out=part)
            neighbours(old, dt / dx**2, dt / dy**2, part, total)
            total -= np.multiply(old[1:-1, 1:-1], 2 * (dt / dx**2 + dt / dy**2), out=part)
            nu_bar += np.vdot(seed, total)
        np.subtract(u[1:-1, 1:-1], u[1:-1, :-2], out=total)
        total *= lam
        np.subtract(v[1:-1, 1:-1], v[1:-1, :-2], out=part)
        total += np.multiply(part, mu, out=part)
        total *= a
        u_bar[1:-1, 1:-1] -= total
        np.subtract(u[1:-1, 1:-1], u[:-2, 1:-1], out=total)
        total *= lam
        np.subtract(v[1:-1, 1:-1], v[:-2, 1:-1], out=part)
        total += np.multiply(part, mu, out=part)
        total *= c
        v_bar[1:-1, 1:-1] -= total
        np.multiply(lam, px, out=part)
        p_bar[1:-1, 2:] -= part
        p_bar[1:-1, :-2] += part
        np.multiply(mu, py, out=part)
        p_bar[2:, 1:-1] -= part
        p_bar[:-2, 1:-1] += part
        # p = pressure_poisson(p, dx, dy, b, iterations)
        q[:, 0] += p_bar[1:-1, 0]
        q[0] += p_bar[0, 1:-1]
        q[:, -1] += p_bar[1:-1, -1]
        b[:] = q
        for _ in range(iterations - 1):
            walls(p_bar)
            neighbours(p_bar, wx, wy, part, total)
            q[:] = total
            b += q
        p_bar[0] = p_bar[-1] = p_bar[:, 0] = p_bar[:, -1] = 0.0
        neighbours(p_bar, wx, wy, part, total)
        np.multiply(q[:, 0], wx, out=p_bar[1:-1, 0])
        np.multiply(q[:, -1], wx, out=p_bar[1:-1, -1])
        np.multiply(q[0], wy, out=p_bar[0, 1:-1])
        np.multiply(q[-1], wy, out=p_bar[-1, 1:-1])
        q[:] = total
        # b = build_up_b(b, rho, dt, u, v, dx, dy)
        b *= -2.0 * rho * wb
        gradients(u, v, gx, gy, ux, uy, vx, vy)
        for slope in (ux, vy):
            np.subtract(1 / (2 * dt), slope, out=slope)
            slope *= b
        b *= -1.0
        uy *= b
        vx *= b
        # now ux and vx hold the adjoints of u's slopes, uy and vy those of v's
        for new, along_x, along_y in ((u_bar, ux, vx), (v_bar, uy, vy)):
            along_x *= gx
            new[1:-1, 2:] += along_x
            new[1:-1, :-2] -= along_x
            along_y *= gy
            new[2:, 1:-1] += along_y
            new[:-2, 1:-1] -= along_y
    return lid_bar, nu_bar, p_bar


def gradients(u, v, gx, gy, ux, uy, vx, vy):
    """Central differences inside, into the last four."""
    for w, wx, wy in ((u, ux, uy), (v, vx, vy)):
        np.subtract(w[1:-1, 2:], w[1:-1, :-2], out=wx)
        wx *= gx
        np.subtract(w[2:, 1:-1], w[:-2, 1:-1], out=wy)
        wy *= gy


def walls(p):
    p[:, -1] = p[:, -2]
    p[0] = p[1]
    p[:, 0] = p[:, 1]
    p[-1] = 0.0


def neighbours(p, wx, wy, part, total):
    """The weighted sum of the four neighbours of each point inside, into `total`."""
    np.add(p[1:-1, 2:], p[1:-1, :-2], out=total)
    total *= wx
    np.add(p[2:, 1:-1], p[:-2, 1:-1], out=part)
    part *= wy
    total += part


def weights(u, v, a, c, east, north, west, south, centre):
    """With what weights the old values enter a step, into the last three."""
    np.multiply(u[1:-1, 1:-1], a, out=west)
    west += east
    np.multiply(v[1:-1, 1:-1], c, out=south)
    south += north
    np.add(west, south, out=centre)
    np.subtract(1.0 - east - north, centre, out=centre)
