"""Whether the arguments named by `wrt` can carry a derivative."""

from __future__ import annotations

from typing import Any

from autodiff.analysis.kind import (
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    differentiable,
)
from autodiff.errors import NonDifferentiableError
from autodiff.target import Target


def check_wanted(
    target: Target, wrt: tuple[str, ...], kinds: tuple[Kind, ...], values: tuple[Any, ...]
) -> None:
    """Refuse a derivative with respect to an integer, a string, None, a function ..."""
    for name, kind, value in zip(target.names, kinds, values):
        if name in wrt and not _wanted(kind):
            what, cure = _describe(name, kind, value)
            raise NonDifferentiableError(
                f"cannot differentiate {target.place} with respect to {name}",
                why=f"{name} is {what}, which has no derivative",
                cure=cure,
            )


def _wanted(kind: Kind) -> bool:
    if isinstance(kind, Record) and not kind.items:  # an empty list has an empty gradient
        return True
    return differentiable(kind)


def _describe(name: str, kind: Kind, value: Any) -> tuple[str, str]:
    if isinstance(kind, Scalar):
        article = "an" if kind.type == "int" else "a"
        return f"{article} {kind.type}", f"pass a float: {name}={float(value)!r}"
    if isinstance(kind, Array):
        return f"an array of {kind.dtype}", f"pass floats: {name}.astype(float)"
    if isinstance(kind, (Record, Sequence)):
        return f"a {type(value).__name__} without a float in it", "pass floats"
    if isinstance(kind, Static) and value is None:
        return "None", "pass a float or an array of floats"
    if isinstance(kind, Text) or isinstance(value, str):  # a string's kind is its content
        return f"a {type(value).__name__}", "pass a float or an array of floats"
    return f"a {type(value).__name__}", "choose another parameter with wrt"
