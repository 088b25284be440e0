"""Options: other names, names that are none, and what is told of them."""

import inspect

import numpy as np
import pytest

import autodiff
from autodiff import (
    AutodiffError,
    OptionError,
    Parameter,
    backward,
    check_grads,
    checkpointed,
    custom,
    debug_nans,
    grad,
    hvp,
    jacobian,
    report_kinks,
    sparse_hessian,
    sparse_jacobian,
    vjp,
    vmap,
)
from autodiff.derivatives.options import OPTIONS


def product(x, y):
    return x * y**2


MAKERS = ["elementwise_grad", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "sparse_jacobian"]


@pytest.mark.parametrize("name", MAKERS)
def test_argnums_is_another_name_of_wrt(name):
    make = getattr(autodiff, name)
    assert make(product, argnums=1).wrt == make(product, wrt=1).wrt == ("y",)
    assert make(product, argnums=("x", 1)).wrt == ("x", "y")


def test_values_by_argnums():
    assert grad(product, argnums=1)(2.0, 3.0) == 12.0
    assert grad(argnums=(0, 1))(product)(2.0, 3.0) == (9.0, 12.0)
    assert hvp(product, argnums=1)(2.0, 3.0, 1.0) == 4.0
    with pytest.raises(OptionError, match=r"wrt=1 and argnums=0 are two names"):
        grad(product, 1, argnums=0)
    with pytest.raises(OptionError, match="leave argnums out"):
        backward(product, Parameter(2.0), argnums=1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: grad(product, wtr=1), "did you mean wrt?"),
        (lambda: grad(product, argnum=1), "did you mean argnums?"),
        (lambda: grad(product, aux=True), "did you mean has_aux?"),
        (lambda: jacobian(product, bakend="numba"), "did you mean backend?"),
        (lambda: vjp(product, 1.0, 2.0, fast_math=True), "did you mean fastmath?"),
        (lambda: grad(product, fold=False), "leave it out"),
    ],
)
def test_an_option_that_is_none(make, said):
    with pytest.raises(OptionError) as error:
        make()
    assert isinstance(error.value, TypeError) and error.value.cure == said
    assert all(option in error.value.why for option in OPTIONS)


@pytest.mark.parametrize("wrt", [2.0, [0, 1], None])
def test_an_argument_in_place_of_wrt(wrt):
    with pytest.raises(AutodiffError, match=r"grad\(f\)\(x\)"):
        grad(product, wrt)


def test_a_vector_that_is_left_out():
    with pytest.raises(AutodiffError, match=r"hvp\(f\)\(x, v\)"):
        hvp(product)(2.0, 3.0)
    with pytest.raises(TypeError, match="missing a required argument"):
        hvp(product)(2.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: check_grads(np.sum, np.ones(2), ordr=2), "did you mean order"),
        (lambda: vmap(np.sum, in_axis=1), "did you mean in_axes"),
        (lambda: vmap(np.sum, backend="numba"), "leave it out"),
        (lambda: jacobian(product, mod="forward"), "did you mean mode"),
        (lambda: sparse_jacobian(product, pat=None), "did you mean pattern"),
        (lambda: backward(product, Parameter(2.0), bakend="numba"), "did you mean backend"),
        (lambda: custom(vpj=product), "did you mean vjp"),
        (lambda: checkpointed(range(3), snapshot=3), "did you mean snapshots"),
        (lambda: report_kinks(tol=1), "did you mean tolerance"),
        (lambda: debug_nans(infinity=True), "did you mean infinities"),
    ],
)
def test_a_keyword_that_is_no_option(call, message):
    with pytest.raises(OptionError, match=message):
        call()


def test_the_options_that_are_told_are_those_of_the_function():
    with pytest.raises(OptionError) as error:
        jacobian(product, mod="forward")
    assert error.value.why.startswith("the options are wrt, has_aux, mode, holomorphic, ")


@pytest.mark.parametrize("make", [backward, sparse_jacobian, sparse_hessian])
def test_signatures_show_options(make):
    parameters = inspect.signature(make).parameters
    assert {*OPTIONS} <= {*parameters}
    assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
