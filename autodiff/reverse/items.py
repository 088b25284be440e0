"""The primal and its adjoint side by side, block by block.

A block is a list of items in forward order. The forward sweep is the primal code in that order; the
reverse sweep is the adjoint code in the opposite order. `recorded` adds the pushes and pops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

from autodiff.syntax.origin import Origin

Block = list["Item"]


@dataclass(slots=True)
class Step:
    """Straight-line code: primal statements, and the statements that reverse them.

    after: run once the statement is undone; `restore` undoes the change of the memory of `mutates`,
    should the reverse sweep read it. slots: what the statement overwrites in arrays. safe: names
    of values that are copied before the statement changes them. undone: the adjoint code reads
    what the names were before the statement, not what it sets them to.
    """

    primal: list[gast.stmt]
    adjoint: list[gast.stmt]
    origin: object = None
    mutates: tuple[str, ...] = ()
    restore: list[gast.stmt] = field(default_factory=list)
    after: list[gast.stmt] = field(default_factory=list)
    slots: list[gast.expr] = field(default_factory=list)
    safe: set[str] = field(default_factory=set)
    undone: bool = False


@dataclass(slots=True)
class Branch:
    """An `if`; the reverse sweep tests `flag` (a name or a test that can be evaluated again)."""

    primal: gast.If
    flag: gast.expr
    then: Block
    orelse: Block
    origin: object = None


@dataclass(slots=True)
class Loop:
    """A `for` or `while`, and the header of the loop that reverses it."""

    primal: gast.For | gast.While
    header: gast.For
    body: Block
    origin: object = None


@dataclass(slots=True)
class Context:
    """A `with`, entered again around the reverse sweep of its body.

    may_stop: the manager might swallow an exception; then half a body has no derivative.
    """

    primal: gast.With
    body: Block
    origin: object = None
    may_stop: bool = False
    completed: str | None = None


@dataclass(slots=True)
class Attempt:
    """A `try`. Either `body` and `orelse` run to their end, or one of the `handlers` does.

    handlers: a block for each handler, None for one that always raises: nothing goes on after it.
    flag: says which clause ran, where there is a choice (0: no exception; k: the k-th block).
    mark: the length of the tape before the `try`, where a handler has to take back pushes.
    """

    primal: gast.Try
    body: Block
    orelse: Block
    handlers: list[Block | None]
    final: Block
    flag: str | None
    origin: Origin | None = None
    mark: str | None = None

    @property
    def clauses(self) -> int:
        """How many ways lead through the statement."""
        return 1 + sum(block is not None for block in self.handlers)


Item = Step | Branch | Loop | Context | Attempt
