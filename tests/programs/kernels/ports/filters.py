"""Filters of signals and images as sums over lags and shifts."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def impulse_division(x, b, a):
    """The series b(z) x(z) / a(z) with a[0] taken as 1."""
    y = []
    for n in range(len(x)):
        value = sum(b[k] * x[n - k] for k in range(len(b)) if k <= n)
        value = value - sum(a[k] * y[n - k] for k in range(1, len(a)) if k <= n)
        y.append(value)
    return jnp.stack(y)


def iir_direct_form_2(x, b, a):
    return impulse_division(x, b, a)


def iir_transposed(x, b, a):
    return impulse_division(x, b, a)


def fir_ring_buffer(x, taps):
    return jnp.convolve(x, taps)[: len(x)]


def box_blur_summed_area(image):
    n, m = image.shape
    mean = sum(image[i : n - 2 + i, j : m - 2 + j] for i in range(3) for j in range(3)) / 9.0
    return image.at[1:-1, 1:-1].set(mean)


def bilateral_filter(image, spatial, tonal):
    padded = jnp.pad(image, 1)
    present = jnp.pad(jnp.ones(image.shape), 1)
    n, m = image.shape
    total = norm = 0.0
    for i in range(3):
        for j in range(3):
            shifted = padded[i : i + n, j : j + m]
            distance = ((i - 1) ** 2 + (j - 1) ** 2) / spatial**2
            w = jnp.exp(-0.5 * (distance + (shifted - image) ** 2 / tonal**2))
            w = w * present[i : i + n, j : j + m]
            total, norm = total + w * shifted, norm + w
    return total / norm


def kalman_filter(transition, measurements, noise):
    x, p = jnp.zeros(3), jnp.eye(3)
    h, r = jnp.eye(3)[jnp.array([0, 2])], jnp.diag(noise)
    loglik = 0.0
    for z in measurements:
        x, p = transition @ x, transition @ p @ transition.T + 0.1 * jnp.eye(3)
        s = h @ p @ h.T + r
        gain, e = p @ h.T @ jnp.linalg.inv(s), z - h @ x
        loglik = loglik - 0.5 * (e @ jnp.linalg.inv(s) @ e + jnp.linalg.slogdet(s)[1])
        x, p = x + gain @ e, p - gain @ s @ gain.T
    return loglik + jnp.sum(x**2)
