"""What a function must return to have a gradient."""

from __future__ import annotations

import types

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_complex,
)
from autodiff.analysis.known import Kinds
from autodiff.errors import NonDifferentiableError
from autodiff.pipeline.request import Request
from autodiff.syntax.origin import origin_of


def check_result(
    request: Request,
    known: Kinds,
    returned: gast.expr | None,
    last: gast.stmt,
    function: types.FunctionType,
) -> None:
    """A gradient needs a function that returns one real number."""
    if request.pulled:
        return
    kind: Kind = Static(None) if returned is None else known.known(returned)
    where = origin_of(last)
    if request.has_aux:
        if not isinstance(kind, Record) or len(kind.items) != 2:
            raise NonDifferentiableError(
                f"`{function.__name__}` does not return a pair (value, aux)",
                where,
                why="has_aux=True says that it does",
                cure="return a tuple of the scalar and whatever else is wanted",
            )
        kind = kind.items[0]
    what = None
    if isinstance(kind, Scalar) and kind.type in ("int", "bool") and not kind.value:
        what = f"returns a value of type {kind.type}"
    elif is_complex(kind):
        what = "returns a complex number"
    elif isinstance(kind, Array) and kind.shape:
        what = f"returns an array of {len(kind.shape)} dimension(s)"
    elif isinstance(kind, (Record, Sequence, Mapping)):
        what = f"returns a {kind.cls.__name__}"
    elif isinstance(kind, (Static, Text)):
        what = "returns None" if isinstance(kind, Static) and kind.value is None else "returns text"
    if what is not None:
        raise NonDifferentiableError(
            f"`{function.__name__}` {what}; a gradient needs a real scalar",
            where,
            why="the gradient is the derivative of one real number",
            cure="return a float (np.sum, .item(), abs ...), or use jacobian or vjp; with "
            "has_aux=True a pair (value, aux) is allowed",
        )
