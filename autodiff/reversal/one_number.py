"""What a function has to return to have a gradient."""

from __future__ import annotations

from autodiff.core import Built, Function, NotYet, Value, constant_kind
from autodiff.errors import NonDifferentiableError
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_complex,
)


def check_number(function: Function) -> None:
    """Refuses what is no real number for sure."""
    result = function.result
    kind = result.kind if isinstance(result, Value) else None
    if isinstance(kind, Scalar) and kind.type == "float" or kind == Array("float64", ()):
        return
    if isinstance(kind, Numeric):  # which is found out at run time
        return
    words = NonDifferentiableError(
        f"`{name_of(function)}` returns {told(result)}; a gradient needs a real scalar",
        why="the gradient is the derivative of one real number",
        cure="return a float (np.sum, .item(), abs ...), or use jacobian or vjp; with has_aux=True "
        "a pair (value, aux) is allowed",
    )
    raise NotYet("a result that is no number", words)


def no_pair(function: Function) -> NotYet:
    """The refusal of what is no pair of a number and something else."""
    words = NonDifferentiableError(
        f"`{name_of(function)}` does not return a pair (value, aux)",
        why="has_aux=True says that it does",
        cure="return a tuple of the scalar and whatever else is wanted",
    )
    return NotYet("a pair of another form", words)


def name_of(function: Function) -> str:
    """What the user calls it."""
    own = function.at.inside if function.at is not None else function.name
    return str(getattr(own, "__name__", own))


def told(result: object) -> str:
    """What a result is."""
    if isinstance(result, Built):
        return f"a {result.cls.__name__}"
    if not isinstance(result, Value):
        return "something else"
    kind: Kind = constant_kind(result.constant) if result.is_constant else result.kind
    if is_complex(kind):
        return "a complex number" if isinstance(kind, Scalar) else "complex numbers"
    if isinstance(kind, Scalar):
        return f"a value of type {kind.type}"
    if isinstance(kind, Array):
        return f"an array of {len(kind.shape)} dimension(s)"
    if isinstance(kind, (Record, Sequence, Mapping)):
        return f"a {kind.cls.__name__}"
    if isinstance(kind, (Static, Text)):
        return "None" if isinstance(kind, Static) and kind.value is None else "text"
    return "what is known only at run time"
