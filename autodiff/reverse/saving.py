"""What is said of a value that the reverse sweep needs as it was, and that nobody kept."""

from __future__ import annotations

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.origin import origin_of


def changed_in_place(
    value: str, statement: gast.stmt | None, by: str | None = None
) -> UnsupportedSyntaxError:
    """The error for a value that the reverse sweep needs and that changes, maybe with `by`."""
    origin = origin_of(statement) if statement is not None else None
    if by is not None:
        return UnsupportedSyntaxError(
            f"this may change `{value}`, which may be memory of `{by}`",
            origin,
            why="the reverse sweep needs its earlier content, which autodiff does not put back yet",
            cure=f"copy it when you read it: `{value} = {value}.copy()`",
        )
    return UnsupportedSyntaxError(
        f"`{value}` is updated in place, and the reverse sweep needs its earlier content",
        origin,
        why="autodiff does not restore memory that is updated in place yet",
        cure=f"write to a copy instead of `{value}`, or build a new array",
    )
