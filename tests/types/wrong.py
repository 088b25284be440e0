"""What type checkers refuse, a line each, marked; this file never runs."""

from autodiff import grad, hessian, jacobian


def loss(x: float, rate: float = 1.0) -> float:
    return rate * x**2


def mistakes() -> None:
    grad(loss)("text")  # wrong
    grad(loss)(1.0, rats=2.0)  # wrong
    grad(loss)()  # wrong
    grad(loss, wrtt="x")  # wrong
    grad(loss, backend="numbat")  # wrong
    jacobian(loss, mode="sideways")  # wrong
    hessian(loss, has_aux="x")  # wrong
    grad(3.0)  # wrong
