"""Operations that are given functions: a solver, a quadrature, and what they are made of.

    root_of(residual, x)        residual = lambda y: y**3 - a

What such a function reads around it is an operand like others: while compiling it becomes a
function of these values and of its own arguments, and a maker says what the call comes to then.

    made = maker(residual)      def residual(a, y): return y**3 - a
    made(a, x)                  a function with a rule, or one that is read like the user's code

Rules for a library's functions that are given functions are written with these, in plain Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType
from typing import Any

from autodiff import runtime
from autodiff.rules import registry
from autodiff.rules.decorators import adjoint, elementwise
from autodiff.rules.template import d

Maker = Callable[..., Callable[..., Any]]

_makers: dict[Any, Maker] = {}
_solvers: set[Any] = set()
_recipes: set[str] = set()


def add_taking(function: Callable[..., Any], maker: Maker) -> None:
    """Register what makes, of the functions that an operation is given first, what is called with
    all that these read and with the other arguments.
    """
    _makers[function] = maker


def maker_for(function: Any) -> Maker | None:
    """What was registered for an operation; None for other callables."""
    return _makers.get(function) if isinstance(function, FunctionType) else None


def add_solvers(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions of a library of which the source does not say the derivative: what it does
    with functions of the user's is a search, which ends somewhere.
    """
    _solvers.update(functions)


def add_recipes(module: str) -> None:
    """Register a module of functions that are written with these operations: where a run is
    followed, so are they.
    """
    _recipes.add(module)


def is_recipe(function: Any) -> bool:
    """Whether a function is of such a module."""
    return getattr(function, "__module__", None) in _recipes


def is_solver(function: Any) -> bool:
    """Whether a function was registered as such."""
    return isinstance(function, FunctionType) and function in _solvers


def as_it_is(sample: Any, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What a function gives, which carries no derivative. It is called with all that it is given,
    functions included, that are called with such as are in `sample`.
    """
    return function(*given, **named)


def root_of(residual: Callable[[Any], Any], x: Any) -> Any:
    """`x`, with the derivative of what solves `residual(x) = 0`."""
    return x


def slope_of(function: Callable[[Any], Any], x: Any) -> Any:
    """The gradient of a function of one argument."""
    return _makers[slope_of]((function, 0))(x)


def integral_of(
    integrand: Callable[[Any], Any], quadrature: Callable[..., Any], low: Any, high: Any, found: Any
) -> Any:
    """`found`, with the derivative of `quadrature(integrand, low, high)`, a number."""
    return found


def integral_of_arrays(
    integrand: Callable[[Any], Any], quadrature: Callable[..., Any], low: Any, high: Any, found: Any
) -> Any:
    """The same for an integral of arrays."""
    return found


def flow_of(
    rhs: Callable[[Any, Any], Any], solver: Callable[..., Any], start: Any, times: Any, found: Any
) -> Any:
    """`found`, with the derivative of `solver(rhs, start, times)`, a state for each time."""
    return found


def arity_of(function: Callable[..., Any]) -> int:
    """How many parameters a function has."""
    return len(inspect.signature(function).parameters)


def refused(what: str, why: str, cure: str) -> None:
    """Refuses a call for what it is given."""
    raise NotImplementedError(f"{what}: {why}; {cure}")


_OF_A_RUN: ContextVar[bool] = ContextVar("of_a_run", default=False)


@contextmanager
def of_a_run() -> Iterator[None]:
    """While an operation of a run that is followed is compiled."""
    token = _OF_A_RUN.set(True)
    try:
        yield
    finally:
        _OF_A_RUN.reset(token)


def is_of_a_run() -> bool:
    """Whether what is compiled is called by a solver in a run that is followed."""
    return _OF_A_RUN.get()


def rather_followed(what: str, why: str, cure: str) -> None:
    """Refuses a call whose steps a run can follow; not where a solver calls what makes it, of which
    no run follows the steps.
    """


registry.add_transparent((__name__,))
ANSWERS = (
    *(runtime.claims, runtime.counted, runtime.ended),
    *(runtime.rests, runtime.said, runtime.size_of, runtime.standing),
)
"""What is asked of what a solver gave."""
registry.add_nondifferentiable((as_it_is, *ANSWERS), pure=False)
MADE = runtime.formed, runtime.at_bound, runtime.multipliers
registry.add_nondifferentiable(MADE, pure=True)
registry.add_making(MADE)


@elementwise(runtime.valued)
def valued(y: Any, found: Any, value: Any) -> None:
    """What the value is the same as, its derivative is, too."""
    d[found] = 0.0
    d[value] = d[y]


@adjoint(runtime.unfollowed)
def unfollowed(y: Any, found: Any, x: Any, name: Any) -> None:
    """An error, if somebody asks."""
    d[found] = 0.0
    d[x] = runtime.no_slope(d[y], x, name)


@elementwise(runtime.settled)
def settled(y: Any, x: Any, good: Any) -> None:
    """Its own derivative, of what is good."""
    d[x] = runtime.if_settled(d[y], good)


@elementwise(runtime.if_settled)
def if_settled(y: Any, g: Any, good: Any) -> None:
    """The same once more."""
    d[g] = runtime.if_settled(d[y], good)


@elementwise(runtime.decided)
def decided(y: Any, x: Any, why: Any) -> None:
    """Its own derivative, if there is one."""
    d[x] = runtime.if_decided(d[y], why)


@elementwise(runtime.if_decided)
def if_decided(y: Any, g: Any, why: Any) -> None:
    """The same once more."""
    d[g] = runtime.if_decided(d[y], why)
