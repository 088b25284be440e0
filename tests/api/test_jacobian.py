"""jacobian, elementwise_grad and stop_gradient."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import (
    AutodiffError,
    NonDifferentiableError,
    check_grads,
    elementwise_grad,
    grad,
    hessian,
    jacfwd,
    jacobian,
    jacrev,
    sparse_jacobian,
    stop_gradient,
)


def squares(x):
    return x**2


def test_array_of_array():
    x = np.arange(1.0, 7.0).reshape(2, 3)
    found = jacobian(lambda x: np.sum(x**2, axis=1))(x)
    expected = np.zeros((2, 2, 3))
    expected[0, 0] = 2 * x[0]
    expected[1, 1] = 2 * x[1]
    assert_allclose(found, expected)


def test_shapes_of_numbers_and_arrays():
    assert jacobian(squares)(3.0) == 6.0
    assert_allclose(jacobian(lambda x: np.sum(x**2))(np.array([1.0, 2.0])), [2.0, 4.0])
    assert_allclose(jacobian(lambda x: np.array([x, x * x]))(3.0), [1.0, 6.0])
    assert jacobian(squares)(np.ones(2, np.float32)).dtype == np.float32
    assert jacobian(squares)(np.ones((0,))).shape == (0, 0)


def test_tuple_of_arguments_and_structured_values():
    def f(a, p):
        return {"y": a * p["x"], "z": a * a}

    found = jacobian(f, (0, 1))(2.0, {"x": np.array([1.0, 3.0])})
    assert_allclose(found["y"][0], [1.0, 3.0])
    assert_allclose(found["y"][1]["x"], 2.0 * np.eye(2))
    assert found["z"][0] == 4.0
    assert_allclose(found["z"][1]["x"], [0.0, 0.0])


def test_jacobian_as_decorator_keeps_the_primal():
    @jacobian(wrt="x")
    def f(a, x):
        return a * x

    assert_allclose(f(2.0, np.ones(2)), 2.0 * np.eye(2))
    assert_allclose(f.primal(2.0, np.ones(2)), [2.0, 2.0])


def test_elementwise_grad():
    x = np.linspace(-1.0, 1.0, 5)
    assert_allclose(elementwise_grad(np_tanh)(x), 1 - np.tanh(x) ** 2)
    assert elementwise_grad(squares)(3.0) == 6.0
    first, second = elementwise_grad(lambda x, y: x * y, (0, 1))(x, 2 * x)
    assert_allclose(first, 2 * x)
    assert_allclose(second, x)


def np_tanh(x):
    return np.tanh(x)


@pytest.mark.parametrize("of", [jacobian, elementwise_grad])
@pytest.mark.parametrize("f", [lambda x: x * 1j, lambda x: "text", lambda x: 3])
def test_values_without_a_real_derivative_are_refused(of, f):
    with pytest.raises(NonDifferentiableError, match="its value|in its value"):
        of(f)(2.0)


def test_stop_gradient():
    assert grad(lambda x: x * stop_gradient(x))(3.0) == 3.0
    assert grad(lambda x: stop_gradient(x * x))(3.0) == 0.0
    x = np.array([1.0, 4.0])
    assert_allclose(grad(lambda x: np.sum(x / stop_gradient(np.max(x))))(x), [0.25, 0.25])


def test_complex_derivatives():
    z = np.array([0.3 + 0.4j, -1.0 + 0.2j, 0.5 - 0.7j])
    found = jacobian(lambda z: np.exp(z) * z[0], holomorphic=True)(z)
    expected = np.diag(np.exp(z) * z[0])
    expected[:, 0] += np.exp(z)
    assert_allclose(found, expected)
    assert_allclose(jacobian(lambda z: z**3, holomorphic=True)(2.0 + 1.0j), 3 * (2 + 1j) ** 2)
    spectrum = jacobian(np_fft, holomorphic=True)(z)
    assert_allclose(spectrum, np.fft.fft(np.eye(3)), atol=1e-12)


def np_fft(z):
    return np.fft.fft(z)


def test_what_is_not_holomorphic_is_refused():
    z = np.array([0.3 + 0.4j, -1.0 + 0.2j])
    for f in (lambda z: np.conj(z) * z, lambda z: np.abs(z) * z, lambda z: np.real(z) + 0j):
        with pytest.raises(NonDifferentiableError, match="not holomorphic"):
            jacobian(f, holomorphic=True)(z)
    with pytest.raises(NonDifferentiableError, match="value is not complex"):
        jacobian(lambda z: np.real(z), holomorphic=True)(z)
    with pytest.raises(NonDifferentiableError, match="not holomorphic"):
        jacobian(lambda x: np.exp(1j * x), holomorphic=True)(np.ones(2))


@dataclass
class Spring:
    stiffness: float
    lengths: np.ndarray
    power: int = 3
    label: str = "steel"


@dataclass
class State:
    forces: np.ndarray
    energy: float


def stretched(spring, scale):
    forces = spring.lengths * spring.stiffness * scale["by"]
    return State(forces, spring.stiffness**spring.power + scale["by"])


@pytest.mark.parametrize("of", [jacobian, jacfwd, jacrev])
def test_objects_give_objects_of_jacobians(of):
    found = of(stretched, (0, "scale"))(Spring(2.0, np.array([1.0, 2.0])), {"by": 3.0, "n": 1})
    spring, scale = found.forces
    assert_allclose(spring.stiffness, [3.0, 6.0])
    assert_allclose(spring.lengths, 6.0 * np.eye(2))
    assert_allclose(spring.power, [0.0, 0.0])  # an integer
    assert spring.label is None
    assert_allclose(scale["by"], [2.0, 4.0])
    assert_allclose(scale["n"], [0.0, 0.0])
    spring, scale = found.energy
    assert_allclose((spring.stiffness, scale["by"], scale["n"]), (12.0, 1.0, 0.0))
    assert_allclose(spring.lengths, [0.0, 0.0])


def test_hessian_of_an_object():
    def energy(spring):
        return spring.stiffness**2 * np.sum(spring.lengths**2)

    found = hessian(energy)(Spring(3.0, np.array([1.0, 2.0])))
    assert_allclose(found.stiffness.stiffness, 10.0)
    assert_allclose(found.stiffness.lengths, [12.0, 24.0])
    assert_allclose(found.lengths.stiffness, [12.0, 24.0])
    assert_allclose(found.lengths.lengths, 18.0 * np.eye(2))


def test_modes():
    calls = []

    def widened(x):
        calls.append(1)
        return np.concatenate([x, x**2, x**3])

    x = np.array([2.0, 3.0])
    expected = np.concatenate([np.eye(2), np.diag(2 * x), np.diag(3 * x**2)])
    counts = {}
    for mode in ("reverse", "forward", "auto"):
        calls.clear()
        assert_allclose(jacobian(widened, mode=mode)(x), expected)
        counts[mode] = len(calls)
    # one to see the shapes; several directions at once are one sweep
    assert counts == {"reverse": 1, "forward": 1, "auto": 2}
    with pytest.raises(AutodiffError, match="no mode 'backward'"):
        jacobian(widened, mode="backward")
    with pytest.raises(AutodiffError, match="reverse mode"):
        jacobian(widened, mode="forward", holomorphic=True)


@dataclass
class Reading:
    wave: np.ndarray
    level: float


def readings(p, x):
    """Objects that are made inside, in dicts, lists and other objects."""
    first = Reading(np.sin(p["k"] * x), np.sum(x) * p["k"])
    return {"first": first, "rest": [Reading(x * x, x[0]), (p["k"], first)]}


def test_objects_in_the_result():
    x = np.array([0.5, -1.2, 0.7])
    p = {"k": 0.4}
    for found in (jacobian(readings, (0, 1)), jacfwd(readings, (0, 1)), jacrev(readings, (0, 1))):
        blocks = found(p, x)
        in_p, in_x = blocks["first"].wave
        assert_allclose(in_p["k"], x * np.cos(0.4 * x), rtol=1e-14)
        assert_allclose(in_x, np.diag(0.4 * np.cos(0.4 * x)), rtol=1e-14)
        again = blocks["rest"][1][1]
        assert_allclose(again.level[1], np.full(3, 0.4), rtol=1e-14)
        assert_allclose(blocks["rest"][0].wave[1], np.diag(2 * x), rtol=1e-14)
        assert_allclose(blocks["rest"][0].level[1], [1.0, 0.0, 0.0], rtol=1e-14)
    check_grads(readings, p, x)


def ended(x):
    items = iter(x)
    for _ in range(int(x[0])):
        next(items)
    return x * x[1]


@pytest.mark.parametrize("of", [jacobian, jacfwd, jacrev, sparse_jacobian])
def test_errors_are_those_of_the_function(of):
    assert np.shape(of(ended)(np.array([1.0, 2.0]))) == (2, 2)
    with pytest.raises(StopIteration):
        of(ended)(np.array([3.0, 2.0]))
