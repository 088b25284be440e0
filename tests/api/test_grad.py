"""grad and value_and_grad: what they accept and the form of what they return."""

import dataclasses
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, NonDifferentiableError, grad, jacobian, value_and_grad


def product(x, y, z=3.0):
    """The product of three numbers."""
    return x * y * z


def norm2(x):
    return np.sum(x * x)


def test_gradient_of_a_number():
    assert grad(product)(2.0, 5.0) == 15.0


def test_gradient_of_an_array_keeps_shape_and_dtype():
    for dtype in (np.float32, np.float64):
        for shape in ((3,), (2, 3), ()):
            x = np.ones(shape, dtype)
            result = grad(norm2)(x)
            assert result.shape == shape and result.dtype == dtype
            assert_allclose(result, 2.0 * x)


@pytest.mark.parametrize(
    ("wrt", "expected"),
    [
        (0, 15.0),
        (1, 6.0),
        (2, 10.0),
        (-1, 10.0),
        ("x", 15.0),
        ("z", 10.0),
        ((0, 1), (15.0, 6.0)),
        (("z", 0), (10.0, 15.0)),
        ((1,), (6.0,)),
    ],
)
def test_wrt(wrt, expected):
    assert grad(product, wrt)(2.0, 5.0) == expected
    assert value_and_grad(product, wrt)(2.0, 5.0) == (30.0, expected)
    assert grad(wrt=wrt)(product)(2.0, 5.0) == expected


@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        ((2.0, 5.0, 7.0), {}),
        ((2.0, 5.0), {"z": 7.0}),
        ((2.0,), {"z": 7.0, "y": 5.0}),
        ((), {"x": 2.0, "y": 5.0, "z": 7.0}),
    ],
)
def test_calls_with_keywords(args, keywords):
    derivative = grad(product)
    for _ in range(2):
        assert derivative(*args, **keywords) == 35.0


def test_default_is_used_on_every_call():
    derivative = grad(product)
    assert [derivative(2.0, 5.0), derivative(2.0, 4.0), derivative(2.0, 4.0, 1.0)] == [15, 12, 4]


def test_calls_that_do_not_fit_the_signature_name_the_function():
    with pytest.raises(TypeError, match=r"product\(\): missing a required argument: 'y'"):
        grad(product)(2.0)
    with pytest.raises(TypeError, match=r"product\(\): .*unexpected keyword argument 'w'"):
        grad(product)(2.0, 3.0, w=1.0)


def test_parameters_of_every_kind():
    def everything(a, /, b, *rest, c=2.0, **more):
        return a * b * c * rest[0] * more["d"]

    assert grad(everything, "a")(2.0, 3.0, 5.0, d=7.0) == 210.0
    assert grad(everything, "c")(2.0, 3.0, 5.0, d=7.0) == 210.0
    assert grad(everything, "c")(2.0, 3.0, 5.0, d=7.0, c=1.0) == 210.0
    assert grad(everything, "rest")(2.0, 3.0, 5.0, d=7.0) == (84.0,)
    assert grad(everything, "more")(2.0, 3.0, 5.0, d=7.0) == {"d": 60.0}


def test_has_aux():
    def f(x):
        return x * x, {"twice": 2 * x}

    assert grad(f, has_aux=True)(3.0) == (6.0, {"twice": 6.0})
    assert value_and_grad(f, has_aux=True)(3.0) == ((9.0, {"twice": 6.0}), 6.0)


def test_bare_decorator_and_decorator_with_arguments():
    @grad
    def first(x):
        return x * x

    @value_and_grad(wrt="y")
    def second(x, y):
        return x * y

    assert first(3.0) == 6.0 and first.primal(3.0) == 9.0
    assert second(3.0, 4.0) == (12.0, 3.0)


@dataclasses.dataclass
class Spring:
    stiffness: float
    ends: tuple
    name: str = "spring"
    count: int = 2


def stored(spring):
    left, right = spring.ends
    return 0.5 * spring.stiffness * (right - left) ** 2


def test_gradient_has_the_structure_of_the_argument():
    found = grad(stored)(Spring(3.0, (1.0, 3.0)))
    assert isinstance(found, Spring)
    assert (found.stiffness, found.ends) == (2.0, (-6.0, 6.0))

    def of_dict(p):
        return np.sum(p["w"] * 2.0) + p["b"][0] * p["n"]

    found = grad(of_dict)({"w": np.ones(2), "b": [4.0, 1.0], "n": 3})
    assert_allclose(found["w"], [2.0, 2.0])
    assert found["b"] == [3.0, 0.0]


def test_integers_in_a_structure_are_not_differentiated():
    found = grad(lambda p: p[0] ** p[1])((3.0, 2))
    assert found[0] == 6.0
    assert found[1] == 0.0


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        (3, "pass a float: x=3.0"),
        (True, "pass a float: x=1.0"),
        (np.int64(3), "pass a float: x=3.0"),
        (np.arange(3), r"pass floats: x.astype\(float\)"),
        ("three", "pass a float"),
        (None, "pass a float"),
        ([1, 2], "pass floats"),
        (math.sin, "choose another parameter"),
    ],
)
def test_what_cannot_be_differentiated_is_refused_with_a_cure(value, cure):
    def f(x):
        return 1.0

    with pytest.raises(NonDifferentiableError, match=cure) as caught:
        grad(f)(value)
    assert "test_grad.py:" in str(caught.value)
    assert "with respect to x" in str(caught.value)


def test_a_refused_argument_is_refused_after_a_good_call_too():
    derivative = grad(product)
    assert derivative(2.0, 5.0) == 15.0
    with pytest.raises(NonDifferentiableError):
        derivative(2, 5.0)
    assert derivative(2.0, 5) == 15.0


@pytest.mark.parametrize("wrt", ["w", 3, -4, 1.5, (), ("x", 0), (0, "w"), None, True])
def test_unknown_wrt_is_refused_at_once_naming_the_parameters(wrt):
    with pytest.raises(AutodiffError, match="its parameters are: x, y, z"):
        grad(product, wrt)


def test_result_must_be_a_scalar():
    with pytest.raises(NonDifferentiableError):
        grad(lambda x: x * 2.0)(np.ones(3))
    with pytest.raises(NonDifferentiableError):
        grad(lambda x: (x, x))(1.0)


def test_derivative_of_what_is_put_together_from_calls():
    inner = jacobian(product)
    assert_allclose(grad(inner)(2.0, 3.0, 4.0), 0.0)
    bound = inner.__get__(2.0, float)
    with pytest.raises(NonDifferentiableError, match=r"jacobian\(grad\(f\)\)"):
        grad(bound)


def test_arguments_are_not_modified():
    x = np.array([1.0, 2.0])
    x.setflags(write=False)
    assert_allclose(grad(norm2)(x), [2.0, 4.0])


def test_name_doc_and_signature_are_kept():
    import inspect

    derivative = grad(product)
    assert derivative.__name__ == "product"
    assert derivative.__doc__ == product.__doc__
    assert inspect.signature(derivative) == inspect.signature(product)
    assert derivative.__wrapped__ is product and derivative.primal is product
    assert repr(derivative) == "<grad of product with respect to x>"
    assert repr(value_and_grad(product, (0, "z"))).endswith("with respect to x, z>")


def test_list_or_dict_of_any_length_is_no_scalar():
    def listed(x):
        xs = [x]
        for _ in range(3):
            xs.append(xs[-1] * x)
            xs[0] = xs[0] + x
        return xs

    def table(x):
        d = {}
        for k in range(3):
            d[k] = x * k
        return d

    for f, cls in ((listed, "list"), (table, "dict")):
        with pytest.raises(NonDifferentiableError, match=f"returns a {cls}; a gradient needs"):
            grad(f)(2.0)
