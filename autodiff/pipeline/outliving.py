"""What a checkpointed loop changes must be gone, or a result, when the function ends.

    for t in checkpointed(range(n)):        refused: steps are run again, and each
        u = u * QUEUE.pop()                 would take another item
"""

from __future__ import annotations

import types

import gast

from autodiff.analysis.known import Kinds
from autodiff.analysis.references import is_mutable
from autodiff.analysis.special import told_operands
from autodiff.errors import UnsupportedSyntaxError
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, walk
from autodiff.syntax.windows import root


def check_outside(
    tree: gast.FunctionDef, loop: gast.For | gast.While, kinds: Kinds, changed: set[str]
) -> None:
    """Refuse a loop that changes globals, variables of enclosing functions, or what they hold.

    `changed` are the names whose memory the loop changes, under any of their names.
    """
    found = {own for own in changed if _is_outer(own, kinds)}
    for node in walk(loop):
        for operand in told_operands(node, kinds):
            found |= {own for own in reads(operand) if _is_outer(own, kinds)}
    for statement in of_class(tree.body, gast.Assign):
        inside = any(statement is part for part in walk(loop.body))
        base = _lent(statement.value, kinds)
        if base is not None and changed & writes(statement.targets[0]):
            if inside or base in reads(loop):
                found.add(base)
    if found:
        own = min(found)
        raise UnsupportedSyntaxError(
            f"a checkpointed loop changes `{own}`, which is no variable of the function",
            origin_of(loop),
            why="steps are run again, and would change it again",
            cure="change a copy that is made before the loop",
        )


def _is_outer(own: str, kinds: Kinds) -> bool:
    """Whether a name is bound outside of the function, and means no module and no class."""
    held = getattr(kinds.of(name(own)), "value", None)
    return own not in kinds.local and not isinstance(held, (types.ModuleType, type))


def _lent(value: gast.expr, kinds: Kinds) -> str | None:
    """The name of what outlives the function, if a value is part of it."""
    if not isinstance(value, (gast.Name, gast.Subscript, gast.Attribute)):
        return None
    base = root(value)
    if base is None or not _is_outer(base, kinds):
        return None
    return base if is_mutable(kinds.of(value)) else None
