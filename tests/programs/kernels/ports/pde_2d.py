"""Finite differences in two and three dimensions, by padding and masks."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def neighbours(u):
    """The sum of the four neighbours of inner points."""
    return u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1]


def jacobi_2d(p, b, h):
    for _ in range(3):
        inner = 0.25 * (neighbours(p) - h**2 * b[1:-1, 1:-1])
        middle = jnp.concatenate([jnp.zeros((1, 4)), inner, inner[-1:]])
        p = jnp.concatenate([middle[:, :1], middle, jnp.ones((5, 1))], axis=1)
    return p


def jacobi_3d(u, f):
    inner = u[1:-1, 1:-1, 1:-1]
    for _ in range(2):
        u = u.at[1:-1, 1:-1, 1:-1].set(inner)
        total = sum(
            jnp.roll(u, shift, axis)[1:-1, 1:-1, 1:-1] for axis in range(3) for shift in (1, -1)
        )
        inner = (total - f[1:-1, 1:-1, 1:-1]) / 6.0
    return u.at[1:-1, 1:-1, 1:-1].set(inner)


def checkerboard_relaxation(u, f, omega, colors):
    rows, columns = jnp.indices(u.shape)
    inside = jnp.pad(jnp.ones((u.shape[0] - 2, u.shape[1] - 2), bool), 1)
    for _ in range(2):
        for color in colors:
            residual = jnp.pad(0.25 * (neighbours(u) - f[1:-1, 1:-1]) - u[1:-1, 1:-1], 1)
            u = u + omega * jnp.where(inside & ((rows + columns) % 2 == color), residual, 0.0)
    return u


def sor_red_black(u, f, omega):
    return checkerboard_relaxation(u, f, omega, (1, 0))


def sor_masked(u, f, omega):
    return jnp.sum(checkerboard_relaxation(u, f, omega, (0, 1)) ** 2)


def fdtd_2d(source, eps, courant):
    n, m = eps.shape
    ez, hx, hy = jnp.zeros((n, m)), jnp.zeros((n, m - 1)), jnp.zeros((n - 1, m))
    for t in range(4):
        hx = hx - courant * jnp.diff(ez, axis=1)
        hy = hy + courant * jnp.diff(ez, axis=0)
        curl_y = jnp.diff(jnp.concatenate([hy, jnp.zeros((1, m))]), axis=0)[:, 1:]
        curl_x = jnp.diff(jnp.concatenate([hx, jnp.zeros((n, 1))], axis=1), axis=1)[1:]
        ez = ez.at[1:, 1:].add(courant * (curl_y - curl_x) / eps[1:, 1:])
        ez = ez.at[2, 2].add(source[t, t]).at[-1].set(0.0)
    return jnp.sum(eps * ez**2) + jnp.sum(hx**2) + 0.5 * jnp.sum(hy**2)


def lid_driven_cavity(u, v, rho, nu):
    dt, d = 0.01, 0.5
    p = jnp.zeros(u.shape)
    for _ in range(2):
        ux, uy = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * d), (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * d)
        vx, vy = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * d), (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * d)
        b = rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
        for _ in range(2):
            inner = 0.25 * neighbours(p) - 0.25 * d**2 * b
            p = jnp.pad(inner, ((0, 0), (1, 1)), mode="edge")
            p = jnp.concatenate([p[:1], p, jnp.zeros((1, p.shape[1]))])
        uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]
        new_u = (
            uc
            - uc * dt / d * (uc - u[1:-1, :-2])
            - vc * dt / d * (uc - u[:-2, 1:-1])
            - dt / (2 * rho * d) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / d**2 * (u[1:-1, 2:] - 2 * uc + u[1:-1, :-2])
        )
        new_v = (
            vc
            - uc * dt / d * (vc - v[1:-1, :-2])
            - dt / (2 * rho * d) * (p[2:, 1:-1] - p[:-2, 1:-1])
        )
        u = u.at[1:-1, 1:-1].set(new_u).at[0].set(0.0).at[:, 0].set(0.0).at[-1].set(1.0)
        v = v.at[1:-1, 1:-1].set(new_v).at[:, -1].set(0.0)
    return u, v, p


def gray_scott(u, v, feed, kill):
    for _ in range(3):
        uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = uc * vc**2
        new_u = uc + 0.16 * (neighbours(u) - 4 * uc) - reaction + feed * (1 - uc)
        new_v = vc + 0.08 * (neighbours(v) - 4 * vc) + reaction - (feed + kill) * vc
        u, v = u.at[1:-1, 1:-1].set(new_u), v.at[1:-1, 1:-1].set(new_v)
        u, v = u.at[0].set(u[-2]), v.at[0].set(v[-2])
        u, v = u.at[:, 0].set(u[:, -2]), v.at[:, 0].set(v[:, -2])
    return v
