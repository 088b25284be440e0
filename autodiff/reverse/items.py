"""The primal and its adjoint side by side, block by block.

A block is a list of items in forward order. The forward sweep is the primal code in that order; the
reverse sweep is the adjoint code in the opposite order. `recorded` adds the pushes and pops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gast

Block = list["Item"]


@dataclass(slots=True)
class Step:
    """Straight-line code: primal statements, and the statements that reverse them.

    after: run once the statement is undone; `restore` undoes a mutation of `mutates`, should the
    reverse sweep read it.
    """

    primal: list[gast.stmt]
    adjoint: list[gast.stmt]
    origin: object = None
    mutates: str | None = None
    restore: list[gast.stmt] = field(default_factory=list)
    after: list[gast.stmt] = field(default_factory=list)


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
    """A `with`, entered again around the reverse sweep of its body."""

    primal: gast.With
    body: Block
    origin: object = None


Item = Step | Branch | Loop | Context
