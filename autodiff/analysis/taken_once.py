"""Names whose items are asked for at one place, once: an iterator there need not be one.

    pairs = enumerate(x)            pairs = enumerate(x)
    for i, v in pairs: ...          for k in range(2):
                                        for i, v in pairs: ...    the second time there are none

The first is a list of tuples as well; the second is not.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import COMPOUND, of_class

_LOOPS = (gast.For, gast.While)


def taken_once(tree: gast.FunctionDef) -> dict[str, gast.expr | None]:
    """Names that one call alone reads, each with what that calls; None for `a, b = pairs`.

    It is in the same loops as every assignment of the name. The tree is in normal form.
    """
    made: dict[str, set[tuple[int, ...]]] = {}
    takers: dict[str, tuple[gast.expr | None, tuple[int, ...]]] = {}
    for statement, around in _places(tree):
        value = getattr(statement, "value", None)
        inside = (*around, id(statement)) if isinstance(statement, gast.For) else around
        for own in _bound(statement):
            made.setdefault(own, set()).add(inside)
        if isinstance(value, gast.Call):
            for argument in value.args:
                if isinstance(argument, gast.Name):
                    takers[argument.id] = value.func, around
        elif isinstance(value, gast.Name) and isinstance(statement, gast.Assign):
            if isinstance(statement.targets[0], gast.Tuple):
                takers[value.id] = None, around
    read = Counter(n.id for n in of_class(tree, gast.Name) if isinstance(n.ctx, gast.Load))
    for own in parameters(tree.args):
        made.pop(own, None)
    return {
        own: taker
        for own, (taker, around) in takers.items()
        if read[own] == 1 and made.get(own) == {around}
    }


def _bound(statement: gast.stmt) -> set[str]:
    """The names that a statement binds; those in its blocks left out."""
    if isinstance(statement, gast.For):
        return writes(statement.target)
    if isinstance(statement, gast.With):
        return writes(statement.items)
    return set() if statement.__class__ in COMPOUND else writes(statement)


def _places(tree: gast.FunctionDef) -> list[tuple[gast.stmt, tuple[int, ...]]]:
    """The statements of a function, each with the loops around it."""
    found: list[tuple[gast.stmt, tuple[int, ...]]] = []

    def visit(block: list[gast.stmt], around: tuple[int, ...]) -> None:
        for statement in block:
            found.append((statement, around))
            if isinstance(statement, gast.FunctionDef):
                continue
            inside = (*around, id(statement)) if isinstance(statement, _LOOPS) else around
            visit(getattr(statement, "body", None) or [], inside)
            for field in ("orelse", "finalbody"):
                visit(getattr(statement, field, None) or [], around)
            for handler in getattr(statement, "handlers", None) or []:
                visit(handler.body, around)

    visit(tree.body, ())
    return found
