"""Every transformation on both backends; what jitted functions, pickles and modules make of it."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys

import numpy as np
import pytest

from autodiff import (
    NativeError,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)
from tests.native import programs

numba = pytest.importorskip("numba")


def stepped(u, c, n):
    u = u.copy()
    for _ in range(n):
        u[1:] -= c * u[1:] * (u[1:] - u[:-1])
        for i in range(len(u)):
            if u[i] > 0.5:
                u[i] = u[i] * u[i]
    return u


def several(x, a):
    total = 0.0
    for k in range(len(x)):
        total += a * x[k] ** 3
    return total, x[1:] * a, 2


WAVE = np.sin(np.linspace(0.0, 3.0, 5))
SEED = np.linspace(1.0, 2.0, 5)


def by_vjp(**options):
    value, pullback = vjp(lambda u, c: stepped(u, c, 2), WAVE, 0.3, **options)
    return value, pullback(SEED), pullback(2.0 * SEED)


def of_several(**options):
    value, pullback = vjp(several, WAVE, 2.0, **options)
    return value, pullback((1.0, SEED[1:], 0.0))


def by_jvp(**options):
    along = jvp(stepped, (WAVE, 0.3, 2), (SEED, 1.0, None), **options)
    value, linear = linearize(programs.newton, 2.0, **options)
    return along, value, linear(3.0)


TRANSFORMATIONS = {
    "vjp": by_vjp,
    "vjp of a tuple": of_several,
    "jvp, linearize": by_jvp,
    "jacobian": lambda **options: jacobian(stepped, (0, 1), **options)(WAVE, 0.3, 2),
    "jacfwd": lambda **options: jacfwd(stepped, (0, 1), **options)(WAVE, 0.3, 2),
    "elementwise_grad": lambda **options: elementwise_grad(stepped, (0, 1), **options)(
        WAVE, 0.3, 2
    ),
    "hvp": lambda **options: hvp(programs.logistic, (0, 1), **options)(0.3, 3.7, 20, (1.0, 2.0)),
    "hessian": lambda **options: hessian(programs.rosenbrock, **options)(WAVE),
}


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_transformations_agree(name):
    found, wanted = TRANSFORMATIONS[name](backend="numba"), TRANSFORMATIONS[name]()
    assert_same(found, wanted)


def assert_same(found, wanted):
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            assert_same(one, other)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-13)
        assert np.shape(found) == np.shape(wanted)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype


def test_gradients_of_gradients():
    twice = grad(grad(programs.newton, backend="numba"), backend="numba")
    assert twice(2.0) == pytest.approx(-0.25 * 2.0**-1.5, rel=1e-12)
    assert twice.native_for(2.0).nopython_signatures
    chaotic = (10.0, 28.0, 2.7, 5, 0.01)
    for function, at in (programs.logistic, (0.3, 3.7, 20)), (programs.lorenz, chaotic):
        found = grad(grad(function, backend="numba"), backend="numba")(*at)
        assert found == pytest.approx(grad(grad(function))(*at), rel=1e-10)


def changed_in_place(x, y):
    x[0] = x[1] * y[0]
    return np.sum(x * x)


def test_arguments_of_32_bits():
    """The derivative of the same numbers with 64 bits, rounded once."""
    wave, noise = WAVE.astype(np.float32), programs.NOISE.normal(size=5).astype(np.float32)
    given = (wave, np.float32(0.3), np.float32(0.01), 0.1, 2)
    for function, arguments, wrt in [
        (programs.burgers_elements, given, (0, 1, 3)),
        (programs.rosenbrock, (noise,), (0,)),
        (scaled, (np.asfortranarray(np.outer(wave, noise)),), (0,)),
    ]:
        kept = [np.copy(argument) for argument in arguments]
        native = value_and_grad(function, wrt, backend="numba")
        value, found = native(*arguments)
        wide = [x.astype(float) if isinstance(x, np.ndarray) else x for x in arguments]
        wide = [float(x) if isinstance(x, np.float32) else x for x in wide]
        wanted_value, wanted = value_and_grad(function, wrt, backend="numba")(*wide)
        assert value == pytest.approx(wanted_value, rel=1e-14)
        for k, one, other in zip(wrt, found, wanted):
            is_narrow = np.asarray(arguments[k]).dtype == np.float32
            other = np.float32(other) if is_narrow else other
            np.testing.assert_allclose(one, other, rtol=1e-7 if is_narrow else 1e-13)
            if isinstance(other, np.ndarray):
                assert one.dtype == other.dtype
        for argument, before in zip(arguments, kept):
            np.testing.assert_array_equal(argument, before)
    with pytest.raises(NativeError, match="float32 arguments beside one that is changed"):
        grad(changed_in_place, backend="numba")(wave, noise)
    with pytest.raises(NativeError, match="does not take what is passed for u"):
        jacobian(stepped, backend="numba")(wave, 0.3, 2)


def test_what_is_refused_says_why():
    native = jacobian(stepped, (0, 1), backend="numba").native_for(WAVE, 0.3, 2)
    with pytest.raises(ValueError, match="shape"):
        native(WAVE, 0.3, 2, np.ones(4))


def test_other_jitted_functions_call_it():
    slope = grad(programs.newton, backend="numba").native_for(2.0)
    product = jacobian(stepped, (0, 1), backend="numba").native_for(WAVE, 0.3, 2)

    @numba.njit
    def both(a, u, c, seed):
        value, (u_bar, c_bar) = product(u, c, 2, seed)
        return 2.0 * slope(a) + np.sum(value) + np.sum(u_bar) + c_bar

    value, pullback = vjp(lambda u, c: stepped(u, c, 2), WAVE, 0.3)
    u_bar, c_bar = pullback(SEED)
    wanted = 2.0 * grad(programs.newton)(2.0) + np.sum(value) + np.sum(u_bar) + c_bar
    assert both(2.0, WAVE, 0.3, SEED) == pytest.approx(wanted, rel=1e-12)
    with pytest.raises(numba.core.errors.TypingError, match="kind float64, not int64"):
        both(2, WAVE, 0.3, SEED)


def scaled(x):
    return SCALE * np.sum(x * np.sum(x, axis=0) + x[0])


SCALE = 2.0
TABLE = np.arange(6.0).reshape(2, 3)


def test_it_can_be_saved(tmp_path):
    derivative = grad(scaled, backend="numba", error_model="numpy")
    wanted = derivative(TABLE)
    derivative.save(tmp_path / "saved.py")
    spec = importlib.util.spec_from_file_location("saved", tmp_path / "saved.py")
    saved = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(saved)
    np.testing.assert_array_equal(saved.scaled_grad(TABLE), wanted)
    assert saved.scaled_grad.nopython_signatures
    assert saved.scaled_grad.targetoptions["error_model"] == "numpy"
    assert "numba" in (tmp_path / "saved.py").read_text()


@numba.njit(error_model="numpy")
def quotient(x):
    return 1.0 / x


def test_it_can_be_pickled():
    derivative = pickle.loads(pickle.dumps(grad(quotient)))
    assert derivative(2.0) == -0.25
    assert derivative.native_for(2.0).targetoptions["error_model"] == "numpy"


def waves(x, c):
    y = np.sin(c * x) * x
    y[1:] = y[1:] * y[:-1]  # in this order
    return np.sum(y * y)


def test_options():
    assert grad(quotient)(0.0) == -np.inf
    with pytest.raises(ZeroDivisionError):
        grad(quotient, error_model="python")(0.0)
    x = np.linspace(0.0, 1.0, 1000)
    wanted = grad(waves)(x, 0.3)
    for option in ("fastmath", "parallel", "boundscheck"):
        derivative = grad(waves, backend="numba", **{option: True})
        np.testing.assert_allclose(derivative(x, 0.3), wanted, rtol=1e-9)
        assert derivative.native_for(x, 0.3).targetoptions[option]
        assert ("prange" in derivative.source) == (option == "parallel")


CACHED = """
from autodiff import grad

FACTOR = 2.0

def scaled(x):
    return FACTOR * {text}

def report(**options):
    derivative = grad(scaled, backend="numba", cache=True, **options)
    print(derivative(3.0), sum(derivative.native_for(3.0).stats.cache_hits.values()))

report()
report(fastmath=True)
FACTOR = 3.0
report()
"""


def test_the_next_process_starts_from_the_disk(tmp_path):
    """Machine code is used again for the same text, numbers and options only."""

    def run(text):
        (tmp_path / "cached.py").write_text(CACHED.format(text=text))
        command = [sys.executable, "cached.py"]
        found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return found.stdout.splitlines()

    assert run("x * x") == ["12.0 0", "12.0 0", "18.0 0"]
    assert run("x * x") == ["12.0 1", "12.0 1", "18.0 1"]
    assert run("(x * x + x)") == ["14.0 0", "14.0 0", "21.0 0"]
