"""A derivative of a derivative: what it is taken of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autodiff.derivatives.bound import BoundDerivative
from autodiff.errors import NonDifferentiableError

if TYPE_CHECKING:
    from autodiff.core.step import Step
    from autodiff.derivatives.derivative import Derivative


def steps(derivative: Derivative) -> tuple[Step, ...]:
    """What a derivative is, behind those that it is taken of: the innermost comes first."""
    from autodiff.core.step import Step  # noqa: PLC0415 (the compiler's)

    form = derivative._is_single(), derivative.has_aux, derivative._options
    own, inner = Step(derivative.mode, derivative.wrt, *form), derivative._inner
    return (own,) if inner is None else (*steps(inner), own)


def standing_for(primal: Callable[..., Any]) -> Callable[..., Any]:
    """What is compiled where a callable is differentiated: itself, but for some derivatives."""
    own = getattr(type(primal), "__standing__", None)
    return primal if own is None else own(primal)


def inner_of(primal: object, plain: type[Derivative]) -> Derivative | None:
    """The derivative that a derivative is taken of, if it is one; its own is compiled first.
    `plain`: the class of those that are.

    Raises NonDifferentiableError for one that is put together from several calls.
    """
    inner = primal.derivative if isinstance(primal, BoundDerivative) else primal
    if not isinstance(inner, plain):
        return None
    if type(inner) is not plain or inner.mode == "vjp":
        raise NonDifferentiableError(
            f"cannot differentiate {inner!r}",
            why="only what grad and value_and_grad generate is differentiated again",
            cure="take the derivatives in another order: jacobian(grad(f)), hessian(f)",
        )
    return inner
