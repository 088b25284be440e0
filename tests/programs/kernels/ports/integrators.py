"""Ordinary differential equations, without buffers."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def runge_kutta_stage_buffers(y, p):
    def rates(y):
        return jnp.array([p[0] - p[1] * y[1], p[2] * y[0] - p[3]]) * y

    h = 0.1
    for _ in range(3):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        k4 = rates(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def lotka_volterra_trajectory(prey, predator, p):
    total = (prey - predator) ** 2
    for _ in range(4):
        prey = prey * (1 + 0.1 * (p[0] - p[1] * predator))
        predator = predator * (1 + 0.1 * (p[2] * prey - p[3]))
        total = total + (prey - predator) ** 2
    return total + prey * predator


def adams_bashforth_ring(y, a, b):
    past = []
    for step in range(6):
        past.append(-a * y + jnp.sin(b * jnp.flip(y)))
        if step < 2:
            y = y + 0.1 * past[-1]
        else:
            y = y + 0.1 / 12 * (23 * past[-1] - 16 * past[-2] + 5 * past[-3])
    return y


def adams_bashforth_rotation(y, a):
    before = jnp.cos(a * y)
    y = y + 0.1 * before
    for _ in range(4):
        now = jnp.cos(a * y)
        y, before = y + 0.15 * now - 0.05 * before, now
    return y


def fitzhugh_nagumo(v, current, coupling):
    w = jnp.zeros(len(v))
    chain = jnp.diag(jnp.array([1.0, 2.0, 2.0, 1.0])) - jnp.eye(4, k=1) - jnp.eye(4, k=-1)
    for _ in range(4):
        dv = v - v**3 / 3 - w + current - coupling * chain @ v
        w = w + 0.008 * (v + 0.7 - 0.8 * w)
        v = v + 0.1 * dv
    return v, w


def kuramoto(theta, coupling):
    omega = jnp.linspace(-0.5, 0.5, len(theta))
    for _ in range(3):
        z = jnp.mean(jnp.exp(1j * theta))
        theta = theta + 0.2 * (omega + coupling * jnp.imag(z * jnp.exp(-1j * theta)))
    return jnp.abs(jnp.sum(jnp.exp(1j * theta))) ** 2


def epidemic_network(infected, contact, recovery):
    susceptible, removed = 1.0 - infected, 0.0 * infected
    for _ in range(3):
        stays = jnp.exp(-contact @ infected)
        removed, infected, susceptible = (
            removed + recovery * infected,
            (1 - recovery) * infected + susceptible * (1 - stays),
            susceptible * stays,
        )
    return susceptible, infected, removed
