"""What can be differentiated: functions, methods, partials, callable objects, lambdas."""

import functools
import math
import operator

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate

from autodiff import AutodiffError, grad, hessian, hvp, jacobian, jvp, value_and_grad


class Oscillator:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def plain(self, x, y=1.0):
        return 0.5 * self.stiffness * x * x * y

    @grad
    def force(self, x, y=1.0):
        """The force."""
        return 0.5 * self.stiffness * x * x * y

    @grad(wrt=("y", 0))
    def both(self, x, y=1.0):
        return 0.5 * self.stiffness * x * x * y

    curvature = hessian(plain)
    bent = hvp(plain)

    @grad(wrt="self")
    def of_self(self, x):
        return 0.5 * self.stiffness * x * x

    @grad
    def unusual(this, x):
        return this.stiffness * x

    @classmethod
    @grad
    def of_class(cls, x):
        return 3.0 * x * x

    @staticmethod
    @grad
    def static_outside(x):
        return x * x

    @grad
    @staticmethod
    def static_inside(x):
        return x * x

    def __call__(self, x):
        return self.stiffness * x * x


def test_method_decorated_in_its_class():
    oscillator = Oscillator(3.0)
    assert oscillator.force(2.0) == 6.0
    assert oscillator.force(2.0, y=2.0) == 12.0
    assert oscillator.force(x=2.0) == 6.0
    assert oscillator.both(2.0) == (6.0, 6.0)
    assert oscillator.unusual(2.0) == 3.0
    assert Oscillator.force(oscillator, 2.0) == 6.0
    assert oscillator.force.primal(2.0) == 6.0
    assert oscillator.force.__doc__ == "The force."
    assert oscillator.force.wrt == ("x",)
    assert "force" in oscillator.force.source_for(2.0)
    assert oscillator.force == oscillator.force


def test_method_sees_changes_of_its_instance():
    oscillator = Oscillator(3.0)
    assert oscillator.force(2.0) == 6.0
    oscillator.stiffness = 5.0
    assert oscillator.force(2.0) == 10.0
    oscillator.stiffness = np.array([1.0, 2.0])
    assert_allclose(grad(lambda x: np.sum(oscillator.plain(x)))(2.0), 6.0)


def test_second_derivatives_as_methods():
    oscillator = Oscillator(3.0)
    assert oscillator.curvature(2.0) == 3.0
    assert oscillator.bent(2.0, 0.5) == hvp(oscillator.plain)(2.0, 0.5) == 1.5
    oscillator.stiffness = 4.0
    assert oscillator.bent(2.0, 0.5) == hvp(oscillator.plain)(2.0, 0.5) == 2.0


def test_instance_itself():
    found = Oscillator(3.0).of_self(2.0)
    assert isinstance(found, Oscillator)
    assert found.stiffness == 2.0


def test_class_and_static_methods():
    assert Oscillator.of_class(2.0) == 12.0
    assert Oscillator(1.0).of_class(2.0) == 12.0
    assert Oscillator.static_outside(2.0) == Oscillator(1.0).static_outside(2.0) == 4.0
    assert Oscillator.static_inside(2.0) == Oscillator(1.0).static_inside(2.0) == 4.0


def test_bound_method():
    oscillator = Oscillator(3.0)
    assert grad(oscillator.plain)(2.0) == 6.0
    assert grad(oscillator.plain, "y")(2.0) == 6.0
    assert grad(oscillator.plain, 1)(2.0) == 6.0
    assert value_and_grad(oscillator.plain)(2.0) == (6.0, 6.0)


def energy(self, x, y=1.0):
    return Oscillator.plain(self, x, y)


def test_function_of_a_class():
    """Its first parameter is the instance, as of the same text outside of the class."""
    oscillator = Oscillator(3.0)
    for function in (Oscillator.plain, energy):
        assert grad(function)(oscillator, 2.0).stiffness == grad(energy)(oscillator, 2.0).stiffness
        assert grad(function, 1)(oscillator, 2.0) == grad(function, "x")(oscillator, 2.0) == 6.0


def test_methods_in_other_decorators():
    """Which take the name that the class gives."""

    def twice(f):
        return lambda *args: 2.0 * f(*args)

    class Cubic:
        @twice
        @grad
        def slope(self, x):
            return x**3

        @twice
        @hessian
        def bend(self, x):
            return x**3

    assert Cubic().slope(2.0) == 24.0
    assert Cubic().bend(2.0) == 24.0


def test_callable_object():
    assert grad(Oscillator(3.0))(2.0) == 12.0


def test_partial():
    def f(a, b, c=1.0):
        return a * b * b * c

    assert grad(functools.partial(f, 3.0))(2.0) == 12.0
    assert grad(functools.partial(f, 3.0), "b")(2.0, c=2.0) == 24.0
    assert grad(functools.partial(f, b=2.0))(3.0) == 4.0
    assert grad(functools.partial(functools.partial(f, 3.0), c=5.0))(2.0) == 60.0
    assert grad(functools.partial(Oscillator(3.0).plain, y=2.0))(2.0) == 12.0
    with pytest.raises(AutodiffError, match="no parameter at position 2"):
        grad(functools.partial(f, 3.0), 2)


def test_lambda_and_cached_function():
    @functools.lru_cache
    def cached(x):
        return x * x

    assert grad(lambda x: x * x)(3.0) == 6.0
    assert grad(cached)(3.0) == 6.0


def test_wrapped_function_is_taken_as_it_is():
    def twice(f):
        @functools.wraps(f)
        def wrapper(*args):
            return 2.0 * f(*args)

        return wrapper

    @twice
    def square(x):
        return x * x

    assert grad(square, "args")(3.0) == (12.0,)


def test_closure_sees_its_cell():
    scale = 2.0

    def f(x):
        return scale * x

    derivative = grad(f)
    assert derivative(1.0) == 2.0
    scale = 5.0
    assert derivative(1.0) == 5.0


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (3.0, "not a Python function"),
        (Oscillator, "not a Python function"),
        (np.zeros(2).dot, r"own.dot\(.*where own is the ndarray"),
        (np.add.reduce, "no Python source"),
        (len, "no Python source"),
    ],
)
def test_what_is_no_function_is_refused(target, message):
    with pytest.raises(AutodiffError, match=message):
        grad(target)


X = np.array([0.5, 1.0, 2.0])


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (np.exp, (0.5,), np.exp(0.5)),
        (np.hypot, (3.0, 4.0), 0.6),
        (np.linalg.norm, (X, 1), np.ones(3)),
        (np.var, (X,), 2.0 * (X - np.mean(X)) / 3),
        (math.atan2, (1.0, 2.0), 0.4),
        (operator.mul, (2.0, 3.0), 3.0),
        (abs, (-2.0,), -1.0),
        (integrate.trapezoid, (X,), np.array([0.5, 1.0, 0.5])),
    ],
)
def test_functions_of_a_library_have_the_derivatives_of_their_rules(function, args, expected):
    np.testing.assert_allclose(grad(function)(*args), expected)
    assert value_and_grad(function)(*args)[0] == function(*args)


def test_functions_of_a_library_in_the_other_modes():
    assert jvp(np.exp, (0.5,), (2.0,)) == (np.exp(0.5), 2.0 * np.exp(0.5))
    assert_allclose(jacobian(np.cumsum)(X), np.tril(np.ones((3, 3))))
    assert_allclose(jacobian(np.cumsum)(np.ones((2, 2)), axis=0)[1, :, 0, 0], [1.0, 0.0])
    assert_allclose(
        hessian(np.linalg.norm)(np.array([3.0, 4.0])), [[0.128, -0.096], [-0.096, 0.072]]
    )
    assert "np.hypot(x, y)" in str(grad(np.hypot, wrt="y").source_for(3.0, 4.0))
