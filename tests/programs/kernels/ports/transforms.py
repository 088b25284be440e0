"""Fourier, wavelet and cosine transforms by library calls and matrices."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def fft_radix_2(a):
    return jnp.fft.fft(a)


def fft_stockham(x):
    return jnp.fft.fft(x)


def fft_split_arrays(re, im):
    return jnp.abs(jnp.fft.fft(re + 1j * im)) ** 2


def real_signal_spectrum(x):
    return jnp.sum(jnp.log(1.0 + jnp.abs(jnp.fft.fft(x)[:4]) ** 2))


def haar_wavelet(x):
    if len(x) == 1:
        return x
    pairs = x.reshape(-1, 2) / jnp.sqrt(2.0)
    return jnp.concatenate([haar_wavelet(pairs.sum(axis=1)), pairs[:, 0] - pairs[:, 1]])


def walsh_hadamard(a):
    h = jnp.array([[1.0, 1.0], [1.0, -1.0]])
    return jnp.kron(h, jnp.kron(h, h)) @ a


def convolution_1d(x, w):
    return jnp.convolve(x, w)


def convolution_2d(image, kernel, bias):
    return jnp.tanh(jax.scipy.signal.correlate2d(image, kernel, mode="valid") + bias)


def max_pooling(image):
    return image.reshape(2, 2, 3, 2).max(axis=(1, 3))
