"""`has_aux` in every function that makes a derivative, and what their signatures show."""

import inspect
import pydoc

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)


def with_said(x):
    return x**2 * np.ones(2), {"said": "so", "x": x, "n": 3}


def energy(x):
    return np.sum(x**3), ("aux", x)


@pytest.mark.parametrize("maker", [jacobian, jacrev, jacfwd, elementwise_grad])
def test_has_aux_where_the_value_is_an_array(maker):
    found, aux = maker(with_said, has_aux=True)(2.0)
    np.testing.assert_array_equal(found, maker(lambda x: with_said(x)[0])(2.0))
    assert aux == {"said": "so", "x": 2.0, "n": 3}
    (found,), aux = maker(with_said, (0,), has_aux=True)(2.0)
    np.testing.assert_array_equal(found, maker(lambda x: with_said(x)[0])(2.0))
    with pytest.raises(AutodiffError, match=r"no pair \(value, aux\)|has_aux"):
        maker(lambda x: x**2, has_aux=True)(2.0)


def test_has_aux_of_second_derivatives():
    x, v = np.array([1.0, 2.0]), np.array([1.0, 10.0])
    matrix, (said, same) = hessian(energy, has_aux=True)(x)
    np.testing.assert_array_equal(matrix, np.diag(6.0 * x))
    np.testing.assert_array_equal(same, x)
    assert said == "aux"
    product, (said, _) = hvp(energy, has_aux=True)(x, v)
    np.testing.assert_array_equal(product, 6.0 * x * v)
    assert said == "aux"
    decorate = hessian(wrt=0, has_aux=True)
    assert decorate(lambda x: (x**2, "so"))(1.0) == (2.0, "so")
    assert hvp(lambda x: (x**3, "so"), has_aux=True)(2.0, 10.0) == (120.0, "so")
    assert hvp(lambda x: (x**3, "so"), has_aux=True)(2.0, 10.0) == (120.0, "so")


def test_has_aux_of_tangents():
    assert jvp(lambda x: (x**2, "so"), (3.0,), (1.0,), has_aux=True) == (9.0, 6.0, "so")
    value, linear, aux = linearize(lambda x: (x**2, "so"), 3.0, has_aux=True)
    assert (value, linear(2.0), aux) == (9.0, 12.0, "so")


@pytest.mark.parametrize("maker", [grad, value_and_grad, jacobian, hessian, hvp, vjp, jvp])
def test_signatures_show_the_options(maker):
    shown = inspect.signature(maker).parameters
    assert {"has_aux", "backend", "sizes", "trace", "fastmath"} <= shown.keys()
    assert "options" not in shown
    assert shown["backend"].default == "python"
    assert "backend='python'" in pydoc.render_doc(maker, renderer=pydoc.plaintext)


def test_help_is_a_page():
    page = pydoc.render_doc(grad, renderer=pydoc.plaintext)
    for word in ("shape", "dtype", "Raises", ">>> grad(area)(2.0)", "wrt", "has_aux", "backend"):
        assert word in page
