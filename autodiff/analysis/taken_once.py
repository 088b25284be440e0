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
Path = tuple[tuple[gast.stmt, str], ...]
"""The blocks around a statement: whose they are, and which of its fields."""


def taken_once(tree: gast.FunctionDef) -> dict[str, gast.expr | None]:
    """Names that one call alone reads, each with what that calls; None for `a, b = pairs`.

    It is in the same loops as every assignment of the name, and in a loop comes after one in each
    iteration. The tree is in normal form.
    """
    made: dict[str, list[Path]] = {}
    takers: dict[str, tuple[gast.expr | None, Path]] = {}
    for statement, path in _places(tree):
        value = getattr(statement, "value", None)
        inside = (*path, (statement, "body")) if isinstance(statement, gast.For) else path
        for own in _bound(statement):
            made.setdefault(own, []).append(inside)
        if isinstance(value, gast.Call):
            for argument in value.args:
                if isinstance(argument, gast.Name):
                    takers[argument.id] = value.func, path
        elif isinstance(value, gast.Name) and isinstance(statement, gast.Assign):
            if isinstance(statement.targets[0], gast.Tuple):
                takers[value.id] = None, path
    read = Counter(n.id for n in of_class(tree, gast.Name) if isinstance(n.ctx, gast.Load))
    for own in parameters(tree.args):
        made.pop(own, None)
    return {
        own: taker
        for own, (taker, path) in takers.items()
        if read[own] == 1 and _are_new(made.get(own, []), path)
    }


def _are_new(made: list[Path], path: Path) -> bool:
    """Whether what is made at these places is another one each time that a place is reached."""
    loops = _loops(path)
    if not made or any(_loops(own) != loops for own in made):
        return False
    return not loops or any(own == path[: len(own)] for own in made)


def _loops(path: Path) -> list[gast.stmt]:
    return [node for node, field in path if field == "body" and isinstance(node, _LOOPS)]


def _bound(statement: gast.stmt) -> set[str]:
    """The names that a statement binds; those in its blocks left out."""
    if isinstance(statement, gast.For):
        return writes(statement.target)
    if isinstance(statement, gast.With):
        return writes(statement.items)
    return set() if statement.__class__ in COMPOUND else writes(statement)


def _places(tree: gast.FunctionDef) -> list[tuple[gast.stmt, Path]]:
    """The statements of a function, each with the blocks around it."""
    found: list[tuple[gast.stmt, Path]] = []

    def visit(block: list[gast.stmt], path: Path) -> None:
        for statement in block:
            found.append((statement, path))
            if isinstance(statement, gast.FunctionDef):
                continue
            for field in ("body", "orelse", "finalbody"):
                visit(getattr(statement, field, None) or [], (*path, (statement, field)))
            for number, handler in enumerate(getattr(statement, "handlers", None) or []):
                visit(handler.body, (*path, (statement, f"handlers[{number}]")))

    visit(tree.body, ())
    return found
