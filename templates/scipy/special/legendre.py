"""Legendre functions, in their argument: differences of neighbours, and what SciPy has of slopes.

Newer functions give values and slopes up to `diff_n`, along a first axis: the slopes of these are
the same list from the second on. What is after its end says the differential equation.
"""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import adjoint, d, elementwise, registry
from autodiff.runtime import conj, unbroadcast


def lpmv_end(m: Any, v: Any, x: Any) -> Any:
    """The slope at 1 and at -1, where it is infinite in odd orders; there `v` must be whole."""
    turned = np.where(x > 0, 1.0, np.cos(np.pi * v))
    second = (v - 1) * v * (v + 1) * (v + 2) / 8
    slope = np.where(m == 0, x * turned * v * (v + 1) / 2, 0.0)
    slope = np.where(m == 2, -2 * x * turned * second, slope)
    slope = np.where(m == -2, -x * turned / 4, slope)
    steep = np.where(v == 0, 0.0, turned * np.inf)
    found = np.where(m == 1, steep, np.where(m == -1, -steep, slope))
    return np.asarray(found, np.result_type(x))


@elementwise(special.lpmv)
def lpmv(y, m, v, x):
    """Source: DLMF 14.10.5."""
    end = np.abs(x) == 1
    inside = np.where(end, 0.0, x)
    slope = ((m + v) * special.lpmv(m, v - 1, inside) - v * inside * y) / (1 - inside**2)
    d[x] = d[y] * np.where(end, lpmv_end(m, v, x), slope)


def of_degree(degrees: Any, z: Any, diff_n: int) -> Any:
    """The slopes of Legendre polynomials up to one beyond `diff_n`."""
    factors = (1.0, 3.0, 15.0)
    parts = [
        factors[k] * special.eval_gegenbauer(degrees - k - 1, k + 1.5, z) for k in range(diff_n + 1)
    ]
    found = np.stack([np.where(degrees > k, own, 0.0) for k, own in enumerate(parts)])
    return np.asarray(found, np.result_type(z))


def of_order(n: Any, m: Any, z: Any, branch_cut: Any, norm: bool, diff_n: int) -> Any:
    """The slopes of associated Legendre functions up to one beyond `diff_n`.

    The third from ((1 - z^2) w')' + (n (n + 1) - m^2 / (1 - z^2)) w = 0, DLMF 14.2.2.
    """
    top = min(diff_n + 1, 2)
    found = special.assoc_legendre_p(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=top)
    if diff_n < 2:
        return np.asarray(found[1:], np.result_type(z))
    if diff_n > 2:
        raise NotImplementedError("associated Legendre functions have three derivatives here")
    rest = 1 - z**2
    third = 4 * z * found[2] - (n * (n + 1) - 2 - m**2 / rest) * found[1]
    third = (third + 2 * m**2 * z / rest**2 * found[0]) / rest
    return np.asarray(np.concatenate([found[1:], third[None]]), np.result_type(z))


def of_angle(n: Any, m: Any, theta: Any, diff_n: int) -> Any:
    """The same of spherical Legendre functions, of which `theta` is the angle."""
    found = special.sph_legendre_p(n, m, theta, diff_n=min(diff_n + 1, 2))
    if diff_n < 2:
        return np.asarray(found[1:], np.result_type(theta))
    if diff_n > 2:
        raise NotImplementedError("spherical Legendre functions have three derivatives here")
    sine, cosine = np.sin(theta), np.cos(theta)
    third = found[1] / sine**2 - cosine / sine * found[2]
    third = third - (n * (n + 1) - m**2 / sine**2) * found[1]
    third = third - 2 * m**2 * cosine / sine**3 * found[0]
    return np.asarray(np.concatenate([found[1:], third[None]]), np.result_type(theta))


def degrees_and_orders(n: int, m: int, like: Any) -> Any:
    """Along the first two axes of what has all of them."""
    inner = (1,) * np.ndim(like)
    degrees = np.reshape(np.arange(n + 1), (-1, 1, *inner))
    return degrees, np.reshape(np.r_[: m + 1, -m:0], (1, -1, *inner))


registry.add_making([lpmv_end, of_degree, of_order, of_angle])
registry.add_pure([degrees_and_orders])


@adjoint(of_order)
def of_order_again(y, n, m, z, branch_cut, norm, diff_n):
    slopes = of_order(n, m, z, branch_cut, norm, diff_n + 1)[1:]
    d[z] = unbroadcast(np.sum(d[y] * conj(slopes), axis=0), like=z)


@adjoint(of_angle)
def of_angle_again(y, n, m, theta, diff_n):
    slopes = of_angle(n, m, theta, diff_n + 1)[1:]
    d[theta] = unbroadcast(np.sum(d[y] * slopes, axis=0), like=theta)


if hasattr(special, "legendre_p"):  # SciPy 1.15

    @adjoint(special.legendre_p)
    def legendre_p(y, n, z, *, diff_n=0):
        d[z] = unbroadcast(np.sum(d[y] * conj(of_degree(n, z, diff_n)), axis=0), like=z)

    @adjoint(special.legendre_p_all)
    def legendre_p_all(y, n, z, *, diff_n=0):
        degrees = np.reshape(np.arange(n + 1), (-1,) + (1,) * np.ndim(z))
        d[z] = np.sum(d[y] * conj(of_degree(degrees, z, diff_n)), axis=(0, 1))

    @adjoint(special.assoc_legendre_p)
    def assoc_legendre_p(y, n, m, z, *, branch_cut=2, norm=False, diff_n=0):
        slopes = of_order(n, m, z, branch_cut, norm, diff_n)
        d[z] = unbroadcast(np.sum(d[y] * conj(slopes), axis=0), like=z)

    @adjoint(special.assoc_legendre_p_all)
    def assoc_legendre_p_all(y, n, m, z, *, branch_cut=2, norm=False, diff_n=0):
        each = degrees_and_orders(n, m, z)
        slopes = of_order(each[0], each[1], z, branch_cut, norm, diff_n)
        d[z] = np.sum(d[y] * conj(slopes), axis=(0, 1, 2))

    @adjoint(special.sph_legendre_p)
    def sph_legendre_p(y, n, m, theta, *, diff_n=0):
        slopes = of_angle(n, m, theta, diff_n)
        d[theta] = unbroadcast(np.sum(d[y] * slopes, axis=0), like=theta)

    @adjoint(special.sph_legendre_p_all)
    def sph_legendre_p_all(y, n, m, theta, *, diff_n=0):
        each = degrees_and_orders(n, m, theta)
        slopes = of_angle(each[0], each[1], theta, diff_n)
        d[theta] = np.sum(d[y] * slopes, axis=(0, 1, 2))

    @adjoint(special.sph_harm_y_all)
    def sph_harm_y_all(y, n, m, theta, phi):
        """The values alone, by the rule of one of them: see `harmonics`."""
        each = degrees_and_orders(n, m, theta + phi)
        to_higher = np.sqrt(np.maximum((each[0] - each[1]) * (each[0] + each[1] + 1), 0))
        to_lower = np.sqrt(np.maximum((each[0] + each[1]) * (each[0] - each[1] + 1), 0))
        higher = to_higher * special.sph_harm_y(each[0], each[1] + 1, theta, phi)
        lower = to_lower * special.sph_harm_y(each[0], each[1] - 1, theta, phi)
        slope = (np.exp(-1j * phi) * higher - np.exp(1j * phi) * lower) / 2
        by_theta = np.sum(np.real(d[y] * conj(slope)), axis=(0, 1))
        by_phi = np.sum(np.real(d[y] * conj(1j * each[1] * y)), axis=(0, 1))
        d[theta] = unbroadcast(by_theta, like=theta)
        d[phi] = unbroadcast(by_phi, like=phi)
