"""Particles: forces as gradients of the energy."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def pairs(x):
    n = len(x)
    return [x[i] - x[j] for i in range(n) for j in range(i)]


def n_body_leapfrog(x, v, m):
    def potential(x):
        total = 0.0
        for i in range(3):
            for j in range(i):
                total = total - m[i] * m[j] / jnp.sqrt(jnp.sum((x[i] - x[j]) ** 2) + 0.01)
        return total

    dt = 0.05
    for _ in range(2):
        v = v - 0.5 * dt * jax.grad(potential)(x) / m[:, None]
        x = x + dt * v
        v = v - 0.5 * dt * jax.grad(potential)(x) / m[:, None]
    return x, v


def molecular_dynamics(pos, vel, epsilon, sigma):
    def potential(pos):
        total = 0.0
        for d in pairs(pos):
            r2 = d @ d
            term = 4 * epsilon * ((sigma**2 / r2) ** 6 - (sigma**2 / r2) ** 3)
            total = total + jnp.where(r2 > 5.06, 0.0, term)
        return total

    dt = 0.01
    for _ in range(2):
        force = -jax.grad(potential)(pos)
        pos = pos + dt * vel + 0.5 * dt**2 * force
        vel = vel + 0.5 * dt * (force - jax.grad(potential)(pos))
    return potential(pos) + 0.5 * jnp.sum(vel**2)


def spring_network_verlet(pos, k, rest):
    def potential(pos):
        total = 0.3 * jnp.sum(pos[:, 1])
        for i, j in [(0, 1), (1, 3), (3, 2), (2, 0), (0, 3)]:
            total = total + 0.5 * k * (jnp.linalg.norm(pos[i] - pos[j]) - rest) ** 2
        return total

    old = pos
    for _ in range(3):
        force = -jax.grad(potential)(pos).at[0].set(0.0)
        pos, old = 2 * pos - old + 0.01 * force, pos
    return pos


def rigid_body_quaternion(q, omega, inertia_log):
    inertia = jnp.exp(inertia_log)
    for _ in range(3):
        w, v = q[0], q[1:]
        rate = jnp.concatenate([-jnp.array([v @ omega]), w * omega + jnp.cross(v, omega)])
        q = q + 0.05 * rate
        q = q / jnp.linalg.norm(q)
        omega = omega + 0.1 * jnp.cross(inertia * omega, omega) / inertia
    return q, omega
