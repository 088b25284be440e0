"""Comments in a tree."""

from __future__ import annotations

import gast

from autodiff.syntax.make import make


class Comment(str):
    """The text of a comment, in the place of a constant: to most passes it is a lone string."""


def comment(text: str) -> gast.stmt:
    """A statement that prints as `# text`; the empty text prints as an empty line."""
    return make(gast.Expr, value=make(gast.Constant, value=Comment(text), kind=None))


def is_comment(statement: gast.AST) -> bool:
    """Whether a statement was made by `comment`."""
    return (
        statement.__class__ is gast.Expr
        and statement.value.__class__ is gast.Constant
        and statement.value.value.__class__ is Comment
    )
