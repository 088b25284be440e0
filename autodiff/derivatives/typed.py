"""What a derivative keeps of the types of its function, for type checkers: its parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, TypeVar

    from autodiff.derivatives.derivative import Derivative

    P = ParamSpec("P", default=...)
    R = TypeVar("R", default=Any)
else:
    from typing import ParamSpec, TypeVar

    P, R = ParamSpec("P"), TypeVar("R")


class Decorator(Protocol):
    """What makes a derivative of the function below it."""

    def __call__(self, f: Callable[P, Any], /) -> Derivative[P, Any]: ...
