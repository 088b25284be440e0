"""A derivative as a method of an instance."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autodiff.derivatives.target import Target, target_of
from autodiff.frames import hidden

if TYPE_CHECKING:
    from autodiff.derivatives.derivative import Derivative


class BoundDerivative:
    """A derivative bound to an instance, as a method is."""

    def __init__(self, derivative: Derivative, instance: object) -> None:
        self.derivative = derivative
        self.instance = instance

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        with hidden:
            return self.derivative(self.instance, *args, **keywords)

    def __target__(self) -> Target:
        target = target_of(self.derivative)
        return replace(target, prefix=(self.instance, *target.prefix), paths=(".instance",))

    def __unbound__(self) -> tuple[Any, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The derivative for any instance, and where this one is."""
        return self.derivative, (".instance",), ()

    @property
    def primal(self) -> Callable[..., Any]:
        """The method as written."""
        bound: Callable[..., Any] = self.derivative.primal.__get__(self.instance)
        return bound

    @hidden
    def source_for(self, *args: Any, **keywords: Any) -> str:
        """The generated source for this instance and the kinds of these arguments."""
        return self.derivative.source_for(self.instance, *args, **keywords)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.primal)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.derivative.__doc__

    def __getattr__(self, name: str) -> Any:
        if name in ("derivative", "instance"):  # not there yet while unpickling
            raise AttributeError(name)
        return getattr(self.derivative, name)

    def __repr__(self) -> str:
        return f"<bound {repr(self.derivative)[1:-1]} of {self.instance!r}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundDerivative)
            and self.derivative is other.derivative
            and self.instance is other.instance
        )

    def __hash__(self) -> int:
        return hash((id(self.derivative), id(self.instance)))

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundDerivative, (self.derivative, self.instance)
