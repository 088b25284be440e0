"""What is said of a value that the reverse sweep needs as it was, and that nobody kept."""

from __future__ import annotations

import gast

from autodiff.analysis.known import Kinds
from autodiff.analysis.sharing import Sharing, sharing
from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class


class Meeting:
    """Which names may share memory where a statement changes some: asked before an error only."""

    def __init__(self, tree: gast.FunctionDef, kinds: Kinds) -> None:
        self.tree = tree
        self.kinds = kinds
        self.sharing: Sharing | None = None
        self.named: set[str] = set()

    def may_be(self, statement: gast.stmt, value: str, changed: str) -> bool:
        """Whether the memory of `value` may change with `changed`, as they are by then.

        In `ps = [f(p) for p in ps]`, in a loop, the old list is not the one that grows.
        """
        if self.sharing is None:
            self.sharing = sharing(self.tree, self.kinds)
            self.named = {node.id for node in of_class(self.tree, gast.Name)}
        if id(statement) not in self.sharing.before or value not in self.named:
            return True
        return value in self.sharing.partners(statement, changed)


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
