"""Memory that changes under one name while another name for it is still in use.

As long as no such pair exists, a store `x[i] = e` gives `x` a new value, and nobody sees the old
one: its adjoint is that of a function `x, e -> x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from autodiff.analysis.changes import changed_in
from autodiff.analysis.kind import Array
from autodiff.analysis.known import Kinds
from autodiff.analysis.liveness import liveness
from autodiff.analysis.references import without_memory
from autodiff.analysis.sharing import caller, sharing
from autodiff.syntax.walk import statements
from autodiff.syntax.windows import root

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.FunctionDef)


@dataclass(frozen=True, slots=True)
class Conflict:
    """`statement` changes the memory of `changed`, and `other` may be read after it."""

    statement: gast.stmt
    changed: str
    other: str


def conflicts(
    tree: gast.FunctionDef, kinds: Kinds, apart: gast.stmt | None = None
) -> list[Conflict]:
    """The conflicts of a function in normal form, in its order.

    apart: an assignment whose value is taken to be new memory.
    """
    if without_memory(tree, kinds):
        return []
    changes = [
        (s, n)
        for s in statements(tree.body)
        if s.__class__ not in _COMPOUND
        for n in sorted(changed(s, kinds))
    ]
    if not changes:
        return []
    shares = sharing(tree, kinds, apart)
    live = liveness(tree)
    found = []
    for statement, name in changes:
        if id(statement) not in live:  # in a nested function
            continue
        partners = shares.partners(statement, name)
        for other in sorted((partners & live[id(statement)]) | (partners & outside(kinds))):
            found.append(Conflict(statement, name, other))
    return found


def is_apart(tree: gast.FunctionDef, kinds: Kinds, statement: gast.stmt) -> bool:
    """Whether it makes no difference if the value of an assignment is new memory.

    So it is where its memory, if it is another's, changes only while one of the two is not in use.
    """
    whole = conflicts(tree, kinds)
    alone = conflicts(tree, kinds, statement)
    return {*map(_key, whole)} <= {*map(_key, alone)}


def _key(conflict: Conflict) -> tuple[int, str, str]:
    return id(conflict.statement), conflict.changed, conflict.other


def outside(kinds: Kinds) -> frozenset[str]:
    """What stands for the memory of the globals that were looked up."""
    return frozenset(caller(n) for n in kinds.globals)


def changed(statement: gast.stmt, kinds: Kinds) -> Iterator[str]:
    """The names under which a simple statement changes the memory of an array in place."""
    if isinstance(statement, _COMPOUND):
        return
    if isinstance(statement, (gast.Assign, gast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
        if isinstance(target, (gast.Subscript, gast.Attribute)) or (
            isinstance(statement, gast.AugAssign)
            and isinstance(kinds.names.get(target.id), Array)
        ):
            base = root(target)
            if base is not None and base in kinds.local:
                yield base
    yield from changed_in(statement, kinds)
