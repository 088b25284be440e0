"""What a derivative keeps of the types of its function, for type checkers.

Parameters are those of the function (`P`); its value (`V`), and what `has_aux` passes on (`A`), are
of the type that it says. The rest is Any, which no type says: a gradient has the structure of the
argument that `wrt` names; the vector of `hvp` comes after all parameters, also those that have
defaults, for which there is no notation; under `vmap` what was a float is an array.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from typing_extensions import ParamSpec, TypeVar

    from autodiff.derivatives.derivative import Derivative

    P = ParamSpec("P", default=...)
    R = TypeVar("R", default=Any)
    V = TypeVar("V")
    A = TypeVar("A")

    class Decorator(Protocol):
        """What makes a derivative of the function below it."""

        def __call__(self, f: Callable[P, Any], /) -> Derivative[P, Any]: ...

    class ValueDecorator(Protocol):
        """What makes one of it that gives its value, too."""

        def __call__(self, f: Callable[P, V], /) -> Derivative[P, tuple[V, Any]]: ...
else:
    from typing import ParamSpec, TypeVar

    P, R, V, A = ParamSpec("P"), TypeVar("R"), TypeVar("V"), TypeVar("A")
