"""What type checkers refuse, a line each, marked; this file never runs."""

from autodiff import grad, hessian, jacobian, jvp, value_and_grad, vjp


def loss(x: float, rate: float = 1.0) -> float:
    return rate * x**2


def pair(x: float) -> tuple[float, str]:
    return x**2, "aux"


def mistakes() -> None:
    grad(loss)("text")  # wrong
    grad(loss)(1.0, rats=2.0)  # wrong
    grad(loss)()  # wrong
    grad(loss, wrtt="x")  # wrong
    grad(loss, backend="numbat")  # wrong
    jacobian(loss, mode="sideways")  # wrong
    hessian(loss, has_aux="x")  # wrong
    grad(3.0)  # wrong
    value_and_grad(loss)(1.0)[0].upper()  # wrong
    vjp(loss, 1.0)[0].upper()  # wrong
    jvp(loss, (1.0,), (1.0,))[0].upper()  # wrong
    grad(pair, has_aux=True)(1.0)[1].real  # wrong
    gradient, aux = grad(pair, has_aux=True)("text")  # wrong
