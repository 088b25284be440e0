"""Comments in a tree."""

from __future__ import annotations

import gast


class Comment(str):
    """The text of a comment, in the place of a constant: to most passes it is a lone string."""


def comment(text: str) -> gast.stmt:
    """A statement that prints as `# text`; the empty text prints as an empty line."""
    return gast.Expr(gast.Constant(Comment(text), None))


def is_comment(statement: gast.AST) -> bool:
    """Whether a statement was made by `comment`."""
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, Comment)
    )
