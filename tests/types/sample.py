"""What a user writes, as type checkers see it: `test_types.py` checks this file, and its errors."""

from dataclasses import dataclass
from typing import Any

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
    stop_gradient,
    value_and_grad,
    vjp,
)

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


def pair(x: float) -> tuple[float, str]:
    return x**2, "aux"


def main() -> None:
    x = np.ones(3)
    slope = grad(loss)
    slope(x, rate=2.0)
    slope(x)
    decorated(2.0, 3)
    value, gradient = both(3.0)
    matrix = jacobian(loss, mode="forward", has_aux=False)(x)
    hessian(loss, "x")(x, 2.0)
    hvp(loss)(x, x)
    value, pullback = vjp(loss, x)
    pullback(1.0)
    value, tangent = jvp(loss, (x,), (x,))
    aux: Any = grad(pair, has_aux=True)(2.0)
    number: float = root(2.0) + stop_gradient(3.0)
    check_grads(loss, x)
    grad(Model(2.0).energy)(1.0)
    print(slope.source, slope.wrt, autodiff.__version__, matrix, gradient, tangent, aux, number)
    try:
        grad(loss, argnums=(0, 1))(x, 2.0)
    except AutodiffError as error:
        print(error)


if __name__ == "__main__":
    main()
