"""The decorators by which a rule is written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, overload

from autodiff.errors import TemplateError
from autodiff.rules import registry
from autodiff.rules.extended import extend
from autodiff.rules.installed import Installed
from autodiff.rules.template import Template

F = TypeVar("F", bound=Callable[..., Any])


def adjoint(*primitives: Callable[..., Any], linear_in: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Decorate the template that says what the adjoints of the primitives' inputs receive.

    The first parameter is the result, the rest are the primitive's own. `d[result]` is the adjoint
    of the result; each input that has a derivative is assigned once. Shapes and dtypes are the
    template's own business. The template is read, never run, and is returned as it is.

        @adjoint(np.dot)
        def dot(z, a, b):
            d[a] = ...

    `linear_in` names inputs in which the primitive is linear, taken together: where only these have
    a derivative, it is its own tangent.

    Raises TemplateError when the body is not straight-line code, or not linear in `d[result]`.
    """
    return _register(primitives, linear_in=linear_in)


def linear(*primitives: Callable[..., Any]) -> Callable[[F], F]:
    """Like `adjoint`, for primitives that are linear in their differentiable inputs together.

    Such a primitive is its own tangent.
    """
    return _register(primitives, linear=True)


def multilinear(*primitives: Callable[..., Any]) -> Callable[[F], F]:
    """Like `adjoint`, for products: primitives that are linear in each differentiable input alone.

    The tangent follows from the product rule: `x_dot @ y + x @ y_dot`.
    """
    return _register(primitives, multilinear=True)


def elementwise(
    *primitives: Callable[..., Any], holomorphic: bool = True, linear: bool = False
) -> Callable[[F], F]:
    """Like `adjoint`, for functions of numbers that NumPy applies element by element.

    The template is written for numbers; broadcasting is handled around it. For complex operands the
    template holds the complex derivative, and is conjugated where that is due, unless
    `holomorphic=False`: then it says itself what is right for complex operands. `linear=True`: the
    function is its own tangent, as with `linear`.
    """
    return _register(primitives, elementwise=True, holomorphic=holomorphic, linear=linear)


@overload
def nondifferentiable(function: F, /, *, pure: bool = ...) -> F: ...
@overload
def nondifferentiable(*functions: Any, pure: bool = ...) -> None: ...
def nondifferentiable(*functions: Any, pure: bool = True) -> Any:
    """Register functions whose result has zero derivative: rounding, comparing, counting, shapes.

    Also a decorator of a single function, which is returned. `pure=False` says that calling the
    function has effects, so that a call is never left out or made twice.
    """
    if not sys._getframe(1).f_globals.get("__name__", "").startswith("autodiff."):
        extend()
    registry.add_nondifferentiable(functions, pure)
    return functions[0] if len(functions) == 1 else None


def _register(primitives: tuple[Any, ...], **kind: Any) -> Callable[[F], F]:
    for primitive in primitives:
        if not callable(primitive) and not isinstance(primitive, Installed):
            raise TemplateError(
                f"{primitive!r} is not a function",
                cure="name the function whose rule this is: @adjoint(function)",
            )

    def decorate(function: F) -> F:
        if not primitives:
            raise TemplateError(
                f"template {function.__name__} names no function",
                cure="name the function whose rule this is: @adjoint(function)",
            )
        present = tuple(p for p in primitives if not isinstance(p, Installed))
        registry.add(Template(function, present, **kind))  # type: ignore[arg-type]
        return function

    return decorate
