"""Powers of negative Python numbers are complex: no derivative of a real number says so."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import NonDifferentiableError, grad, hessian, jacobian, jvp, value_and_grad, vjp


def size_of_root(x):
    return abs((x - 1.0) ** 0.5 + 2.0)


def part_of_power(x, p):
    x **= p
    return (x * x).imag


def both(x):
    return x**0.5 + 0.0 * x


@pytest.mark.parametrize(
    "call",
    [
        lambda: grad(size_of_root)(0.3),
        lambda: value_and_grad(size_of_root)(0.3),
        lambda: hessian(size_of_root)(0.3),
        lambda: jacobian(size_of_root)(0.3),
        lambda: jvp(size_of_root, (0.3,), (1.0,)),
        lambda: vjp(size_of_root, 0.3)[1](1.0),
        lambda: vjp(both, -0.3),
        lambda: grad(part_of_power)(-0.3, 0.7),
        lambda: grad(lambda x: pow(x, 0.25))(-1.5),
    ],
)
def test_a_complex_derivative_of_real_numbers_is_an_error(call):
    with pytest.raises(NonDifferentiableError, match=r"(?s)power of real numbers.*test_powers_of"):
        call()


def test_where_the_base_is_positive_nothing_is_in_the_way():
    assert grad(size_of_root)(2.0) == 0.5
    value, pullback = vjp(size_of_root, 2.0)
    assert value == 3.0
    assert pullback(1.0) == (0.5,)


def test_complex_numbers_are_differentiated():
    z = np.sqrt(0.7) * 1j + 2.0
    slope = 0.5 / (np.sqrt(0.7) * 1j)
    assert np.isclose(grad(size_of_root)(0.3 + 0j), np.conj(slope) * z / abs(z))


def test_a_derivative_of_real_numbers_may_be_taken_with_complex_numbers_around():
    def mixed(x, z):
        return x**1.5 + abs(z) ** 2

    _, z_bar = grad(mixed, (0, 1))(2.0, 1.0 + 2.0j)
    assert z_bar == 2.0 + 4.0j
