"""Finite differences in one dimension, as matrices or by padding."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def second_difference(n):
    """The matrix of u[i-1] - 2 u[i] + u[i+1], with zeros outside."""
    return jnp.eye(n, k=1) - 2.0 * jnp.eye(n) + jnp.eye(n, k=-1)


def jacobi_1d(f, dx):
    m = second_difference(len(f) - 2)
    u = jnp.zeros(len(f) - 2)
    for _ in range(6):
        u = u + 0.5 * (m @ u - dx**2 * f[1:-1])
    return jnp.pad(u, 1)


def gauss_seidel_1d(u, f, dx):
    n = len(u) - 2
    lower = jnp.eye(n) - 0.5 * jnp.eye(n, k=-1)
    edge = jnp.zeros(n).at[0].set(0.5 * u[0]).at[-1].add(0.5 * u[-1])
    inner = u[1:-1]
    for _ in range(3):
        right = 0.5 * jnp.append(inner[1:], 0.0) + edge - 0.5 * dx**2 * f[1:-1]
        inner = jnp.linalg.solve(lower, right)
    return jnp.concatenate([u[:1], inner, u[-1:]])


def sor_1d(u, f, dx, omega):
    inside = (jnp.arange(8) > 0) & (jnp.arange(8) < 7)
    for _ in range(2):
        for parity in (1, 0):
            mean = 0.5 * (jnp.roll(u, 1) + jnp.roll(u, -1) + 0.0) - 0.5 * dx**2 * f
            new = (1 - omega) * u + omega * mean
            u = jnp.where(inside & (jnp.arange(8) % 2 == parity), new, u)
    return jnp.sum(u**2)


def heat_explicit(u, r, left, right):
    inner = u[1:-1]
    for _ in range(4):
        full = jnp.concatenate([jnp.array([left]), inner, jnp.array([right])])
        inner = inner + r * jnp.diff(full, 2)
    return jnp.concatenate([jnp.array([left]), inner, jnp.array([right])])


def heat_crank_nicolson(u, r):
    m = second_difference(len(u))
    for _ in range(2):
        u = jnp.linalg.solve(jnp.eye(len(u)) - 0.5 * r * m, u + 0.5 * r * m @ u)
    return u


def wave_leapfrog(u, velocity, c):
    previous, current = u, u + 0.1 * velocity
    for _ in range(5):
        inner = 2 * current[1:-1] - previous[1:-1] + c**2 * jnp.diff(current, 2)
        new = jnp.concatenate([jnp.zeros(1), inner, inner[-1:]])
        previous, current = current, new
    return current


def burgers_upwind(u, dt, dx):
    for _ in range(4):
        inner = u[1:] - u[1:] * dt / dx * jnp.diff(u)
        u = jnp.concatenate([inner[-1:], inner])
    return jnp.sum(u**3)


def burgers_lax_friedrichs(u, ratio):
    for _ in range(4):
        flux = u**2 / 2
        inner = 0.5 * (u[2:] + u[:-2]) - 0.5 * ratio * (flux[2:] - flux[:-2])
        u = jnp.concatenate([inner[-1:], inner, inner[:1]])
    return u


def advection_minmod(q, courant):
    slope = jnp.zeros(len(q))
    last = 0.0
    for _ in range(3):
        a, b = jnp.diff(q)[:-1], jnp.diff(q)[1:]
        slope = jnp.pad(jnp.where(a * b > 0, jnp.sign(a) * jnp.minimum(abs(a), abs(b)), 0.0), 1)
        flux = q + 0.5 * (1 - courant) * slope
        q = q - courant * (flux - jnp.concatenate([flux[-1:], flux[:-1]]))
    return q


def fdtd_1d(source, permittivity, courant):
    n = len(permittivity)
    ez, hy, energy = jnp.zeros(n), jnp.zeros(n - 1), 0.0
    for t in range(len(source)):
        hy = hy + courant * jnp.diff(ez)
        ez = ez.at[1:-1].add(courant * jnp.diff(hy) / permittivity[1:-1])
        ez = ez.at[2].add(source[t])
        ez = ez.at[0].set(ez[1])
        energy = energy + permittivity @ ez**2
    return energy


def shallow_water_1d(h, hu, dt, dx):
    for _ in range(3):
        flux = hu**2 / h + 0.5 * 9.81 * h**2
        new_h = 0.5 * (h[2:] + h[:-2]) - dt / (2 * dx) * (hu[2:] - hu[:-2])
        new_hu = 0.5 * (hu[2:] + hu[:-2]) - dt / (2 * dx) * (flux[2:] - flux[:-2])
        h = jnp.concatenate([new_h[:1], new_h, new_h[-1:]])
        hu = jnp.concatenate([-new_hu[:1], new_hu, -new_hu[-1:]])
    return jnp.stack([h, hu])
