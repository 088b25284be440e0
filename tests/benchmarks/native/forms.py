"""The same programs in JAX, with its own loops: compiled before they are timed."""

from __future__ import annotations

import functools


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
    }
    return {name: functools.partial(compiled, f, static=s) for name, (f, s) in forms.items()}
