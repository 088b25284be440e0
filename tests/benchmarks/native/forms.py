"""The same programs in JAX, with its own loops: compiled before they are timed."""

from __future__ import annotations

import functools

import numpy as np


def gradients():
    """By the name of the primal: the gradient; empty where JAX is not installed."""
    try:
        import jax
    except ImportError:
        return {}
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    from jax import lax

    def rosenbrock(x):
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    def logistic(x, r, n):
        def step(x, _):
            y = r * x * (1.0 - x)
            return lax.cond(x > 0.5, lambda: y, lambda: y + 0.01 * jnp.sin(x)), None

        return lax.scan(step, x, None, length=n)[0]

    def roots(a):
        def root(a):  # `while_loop` has no reverse mode: as many steps as suffice for all
            def step(x, _):
                return jnp.where(jnp.abs(x * x - a) > 1e-12 * a, 0.5 * (x + a / x), x), None

            return lax.scan(step, a, None, length=12)[0]

        return jnp.sum(jax.vmap(root)(a))

    def lorenz(s, rho, b, n, dt):
        def rhs(p):
            x, y, z = p
            return jnp.array([s * (y - x), x * (rho - z) - y, x * y - b * z])

        def step(p, _):
            k1 = rhs(p)
            k2 = rhs(p + 0.5 * dt * k1)
            k3 = rhs(p + 0.5 * dt * k2)
            k4 = rhs(p + dt * k3)
            return p + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), None

        return jnp.sum(lax.scan(step, jnp.ones(3), None, length=n)[0])

    def nbody(pos, vel, mass, n, dt):
        def step(state, _):
            p, v = state
            d = p[None] - p[:, None]
            d2 = jnp.sum(d * d, axis=2) + 0.01
            v = v + dt * jnp.sum((mass / (d2 * jnp.sqrt(d2)))[:, :, None] * d, axis=1)
            return (p + dt * v, v), None

        p, v = lax.scan(step, (pos, vel), None, length=n)[0]
        return jnp.sum(p * v)

    def burgers(u0, nu, dt, dx, n):
        def step(u, _):
            inner = (
                u[1:-1]
                - dt / dx * u[1:-1] * (u[1:-1] - u[:-2])
                + nu * dt / dx**2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            )
            return u.at[1:-1].set(inner), None

        return jnp.sum(lax.scan(step, u0, None, length=n)[0] ** 2)

    def bundle(cameras, points, weights, features, observed):
        def error(camera, point, weight, feature):
            d, r = point - camera[3:6], camera[:3]
            angle = jnp.sqrt(jnp.sum(r * r))
            axis = r / angle
            turned = d * jnp.cos(angle) + jnp.cross(axis, d) * jnp.sin(angle)
            turned = turned + axis * (jnp.dot(axis, d) * (1.0 - jnp.cos(angle)))
            u = turned[:2] / turned[2]
            square = jnp.sum(u * u)
            distortion = 1.0 + camera[9] * square + camera[10] * square**2
            e = weight * (camera[6] * distortion * u + camera[7:9] - feature)
            return 0.5 * jnp.sum(e * e)

        chosen = cameras[observed[:, 0]], points[observed[:, 1]]
        return jnp.sum(jax.vmap(error)(*chosen, weights, features))

    def memory_cells(main, extra, state, text):
        layers, width = len(main) // 2, text.shape[1]

        def step(state, pair):
            now, following = pair
            x, rows = now * extra[0], []
            for k in range(layers):
                hidden, cell = state[2 * k], state[2 * k + 1]
                gates = jnp.concatenate([x, hidden, x, hidden]) * main[2 * k] + main[2 * k + 1]
                forget, taken, shown = jax.nn.sigmoid(gates[: 3 * width]).reshape(3, width)
                cell = cell * forget + taken * jnp.tanh(gates[3 * width :])
                x = shown * jnp.tanh(cell)
                rows += [x, cell]
            prediction = x * extra[1] + extra[2]
            norm = jnp.log(2.0 + jnp.sum(jnp.exp(prediction)))
            return jnp.stack(rows), jnp.sum(following * (prediction - norm))

        _, gains = lax.scan(step, state, (text[:-1], text[1:]))
        return -jnp.sum(gains) / ((len(text) - 1) * width)

    def mixture(alphas, means, icf, points, gamma, m):
        n, d = points.shape
        row, column = np.indices((d, d))
        strict = d + column * d - column * (column + 1) // 2 + row - column - 1
        place = np.where(row == column, row, np.where(row > column, strict, 0))
        diagonal = jnp.exp(icf[:, :d])
        factors = jnp.where(row > column, icf[:, place], 0.0)
        factors = factors + jnp.eye(d) * diagonal[:, None, :]
        white = jnp.einsum("kab,nkb->nka", factors, points[:, None] - means)
        exponents = alphas + jnp.sum(icf[:, :d], axis=1) - 0.5 * jnp.sum(white**2, axis=2)
        total = jnp.sum(jax.nn.logsumexp(exponents, axis=1)) - n * jax.nn.logsumexp(alphas)
        squares = jnp.sum(diagonal**2) + jnp.sum(icf[:, d:] ** 2)
        return total + 0.5 * gamma**2 * squares - m * jnp.sum(icf[:, :d])

    def compiled(function, wrt, static):
        made = jax.jit(jax.grad(function, wrt), static_argnums=static)
        return lambda *args: jax.block_until_ready(made(*args))

    forms = {
        "rosenbrock": (rosenbrock, ()),
        "logistic": (logistic, (2,)),
        "roots": (roots, ()),
        "lorenz": (lorenz, (3,)),
        "nbody": (nbody, (3,)),
        "burgers_elements": (burgers, (4,)),
        "burgers_slices": (burgers, (4,)),
        "bundle": (bundle, ()),
        "memory_cells": (memory_cells, ()),
        "mixture": (mixture, ()),
    }
    return {name: functools.partial(compiled, f, static=s) for name, (f, s) in forms.items()}
