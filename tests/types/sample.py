"""What a user writes, as type checkers see it: `test_types.py` checks this file, and its errors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import autodiff
from autodiff import (
    AutodiffError,
    check_grads,
    custom,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
    vmap,
)

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value: object, _: object) -> object:
        return value


Array = NDArray[np.float64]


@dataclass
class Model:
    k: float

    def energy(self, x: float) -> float:
        return self.k * x**2


def loss(x: Array, rate: float = 1.0) -> float:
    return float(np.sum(x**2)) * rate


@grad
def decorated(x: float, n: int) -> float:
    return x**n


@value_and_grad(wrt="x", backend="python")
def both(x: float) -> float:
    return x**2


def root_vjp(g: float, y: float, a: float) -> tuple[float]:
    return (g / (2.0 * y),)


@custom(vjp=root_vjp)
def root(a: float) -> float:
    return float(a**0.5)


@value_and_grad
def bare(x: float) -> float:
    return x**3


def pair(x: float) -> tuple[float, str]:
    return x**2, "aux"


def main() -> None:
    x = np.ones(3)
    slope = grad(loss)
    slope(x, rate=2.0)
    slope(x)
    decorated(2.0, 3)
    value, gradient = both(3.0)
    assert_type(value, float)
    assert_type(bare(2.0), tuple[float, Any])
    assert_type(value_and_grad(pair, has_aux=True)(2.0), tuple[tuple[float, str], Any])
    assert_type(grad(pair, has_aux=True)(2.0), tuple[Any, str])
    matrix = jacobian(loss, mode="forward", has_aux=False)(x)
    hessian(loss, "x")(x, 2.0)
    hvp(loss)(x, x)
    value, pullback = vjp(loss, x)
    assert_type(value, float)
    pullback(1.0)
    value, tangent = jvp(loss, (x,), (x,))
    assert_type(value, float)
    value, linear = linearize(loss, x)
    assert_type(value, float)
    linear(x)
    _, _, aux = vjp(pair, 2.0, has_aux=True)
    assert_type(aux, str)
    assert_type(jvp(pair, (2.0,), (1.0,), has_aux=True)[2], str)
    slopes = vmap(decorated, in_axes=(0, None))(x, 3)
    number: float = root(2.0) + stop_gradient(3.0)
    check_grads(loss, x)
    grad(Model(2.0).energy)(1.0)
    print(
        slope.source,
        slope.wrt,
        autodiff.__version__,
        matrix,
        gradient,
        tangent,
        aux,
        number,
        slopes,
    )
    try:
        grad(loss, argnums=(0, 1))(x, 2.0)
    except AutodiffError as error:
        print(error)


if __name__ == "__main__":
    main()
