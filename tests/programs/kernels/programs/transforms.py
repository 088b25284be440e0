"""Fourier, wavelet and cosine transforms by butterflies."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import complex_wavy, wavy


def bit_reverse(a):
    n = len(a)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]


@program([(complex_wavy(8),)])
def fft_radix_2(a):
    bit_reverse(a)
    n = len(a)
    length = 2
    while length <= n:
        root = np.exp(-2j * np.pi / length)
        for start in range(0, n, length):
            w = 1.0 + 0.0j
            for k in range(start, start + length // 2):
                u = a[k]
                v = a[k + length // 2] * w
                a[k] = u + v
                a[k + length // 2] = u - v
                w *= root
        length *= 2
    return a


@program([(complex_wavy(8, phase=0.5),)])
def fft_stockham(x):
    n = len(x)
    y = np.empty_like(x)
    half, stride = n // 2, 1
    while half >= 1:
        for p in range(half):
            w = np.exp(-1j * np.pi * p / half)
            for q in range(stride):
                a = x[q + stride * p]
                b = x[q + stride * (p + half)]
                y[q + stride * 2 * p] = a + b
                y[q + stride * (2 * p + 1)] = (a - b) * w
        x, y = y, x
        half //= 2
        stride *= 2
    return x


@program([(wavy(8), wavy(8, phase=0.3))], analytic=True)
def fft_split_arrays(re, im):
    n = len(re)
    bit_reverse(re)
    bit_reverse(im)
    m = 1
    while m < n:
        for k in range(m):
            c, s = np.cos(np.pi * k / m), -np.sin(np.pi * k / m)
            tr = c * re[k + m :: 2 * m] - s * im[k + m :: 2 * m]
            ti = c * im[k + m :: 2 * m] + s * re[k + m :: 2 * m]
            re[k + m :: 2 * m] = re[k :: 2 * m] - tr
            im[k + m :: 2 * m] = im[k :: 2 * m] - ti
            re[k :: 2 * m] += tr
            im[k :: 2 * m] += ti
        m *= 2
    return re**2 + im**2


@program([(wavy(8),)])
def real_signal_spectrum(x):
    a = x.astype(complex)
    n = len(a)
    spectrum = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            spectrum[k] += a[t] * np.exp(-2j * np.pi * k * t / n)
    spectrum[n // 2 :] = 0.0
    power = spectrum.real**2 + spectrum.imag**2
    return np.sum(np.log(1.0 + power))


@program([(wavy(8),)], analytic=True)
def haar_wavelet(x):
    n = len(x)
    work = np.empty_like(x)
    while n > 1:
        half = n // 2
        for i in range(half):
            work[i] = (x[2 * i] + x[2 * i + 1]) / np.sqrt(2.0)
            work[half + i] = (x[2 * i] - x[2 * i + 1]) / np.sqrt(2.0)
        x[:n] = work[:n]
        n = half
    return x


@program([(wavy(8), 0.3)], analytic=True)
def lifting_wavelet(x, threshold):
    even, odd = x[::2], x[1::2]
    odd[:-1] -= 0.5 * (even[:-1] + even[1:])
    odd[-1] -= even[-1]
    even[1:] += 0.25 * (odd[:-1] + odd[1:])
    even[0] += 0.5 * odd[0]
    odd[np.abs(odd) < threshold] = 0.0
    even[0] -= 0.5 * odd[0]
    even[1:] -= 0.25 * (odd[:-1] + odd[1:])
    odd[-1] += even[-1]
    odd[:-1] += 0.5 * (even[:-1] + even[1:])
    return x


@program([(wavy(8),)], analytic=True)
def walsh_hadamard(a):
    h = 1
    while h < len(a):
        for i in range(0, len(a), 2 * h):
            for j in range(i, i + h):
                a[j], a[j + h] = a[j] + a[j + h], a[j] - a[j + h]
        h *= 2
    return a


@program([(wavy(6), wavy(3))], analytic=True)
def convolution_1d(x, w):
    y = np.zeros(len(x) + len(w) - 1)
    for i in range(len(x)):
        y[i : i + len(w)] += x[i] * w
    return y


@program([(wavy(5, 6), wavy(3, 2), 0.1)], analytic=True)
def convolution_2d(image, kernel, bias):
    kh, kw = kernel.shape
    oh, ow = image.shape[0] - kh + 1, image.shape[1] - kw + 1
    out = np.zeros((oh, ow))
    for i in range(oh):
        for j in range(ow):
            for di in range(kh):
                for dj in range(kw):
                    out[i, j] += image[i + di, j + dj] * kernel[di, dj]
            out[i, j] = np.tanh(out[i, j] + bias)
    return out


@program([(wavy(4, 6),)], analytic=True)
def max_pooling(image):
    pooled = np.empty((2, 3))
    for i in range(2):
        for j in range(3):
            pooled[i, j] = np.max(image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2])
    return pooled
