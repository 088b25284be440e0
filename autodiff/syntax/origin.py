"""Where in the user's file a piece of code came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autodiff.syntax.walk import statements as inner


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in the user's file: lines count from 1, columns from 0, the end is exclusive.

    `text` is the source text of the whole statement, dedented, without its trailing comment.
    `entry`: of a statement of a library's, the call in the user's own file that led there.
    `written`: the file of ours that holds a statement which stands for a call at this place.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""
    entry: Entry | None = field(default=None, compare=False, repr=False)
    written: str | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """The call of a library's function of which the source is inlined."""

    function: Any
    title: str
    place: Origin | None


def origin_of(statement: gast.AST) -> Origin | None:
    """The origin of a statement, or None for a statement the compiler made from nothing."""
    return getattr(statement, "origin", None)


def entered(origin: Origin | None, entry: Entry) -> Origin | None:
    """The origin of a statement of a library's that is inlined for a call of the user's."""
    return None if origin is None else replace(origin, entry=entry)


def with_origin(statements: list[gast.stmt], origin: Origin | None) -> list[gast.stmt]:
    """Give `origin` to every statement that has none yet, nested ones included."""
    for statement in inner(statements):
        if getattr(statement, "origin", None) is None:
            statement.origin = origin
    return statements


def place(expression: gast.AST, statement_origin: Origin | None) -> Origin | None:
    """The origin of one expression of a statement: what a caret points at."""
    line = getattr(expression, "lineno", None)
    if line is None or statement_origin is None:
        return statement_origin
    return Origin(
        statement_origin.file,
        line,
        expression.col_offset,
        expression.end_lineno or line,
        expression.end_col_offset or expression.col_offset + 1,
        statement_origin.text,
        statement_origin.entry,
    )
