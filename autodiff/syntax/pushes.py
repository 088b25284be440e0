"""Tape operations as they stand in the tree: `tape.push(x)` and, mirrored, `x = tape.pop()`.

The two statements of a pair carry the same `site`. Without it they are calls like any other.
"""

from __future__ import annotations

from typing import NamedTuple

import gast

from autodiff.syntax.change import PLAIN, blocks, is_straight
from autodiff.syntax.memo import Memo


class Pair(NamedTuple):
    """A push and its pop, alone at their site: `values[i]` comes back as `targets[i]`."""

    push: gast.Expr
    pop: gast.Assign
    values: list[gast.expr]
    targets: list[gast.expr]


def is_push(statement: gast.stmt) -> bool:
    """Whether the statement is `tape.push(value)` with a site."""
    return (
        "site" in statement.__dict__
        and statement.__class__ is gast.Expr
        and statement.site is not None
        and _is_method(statement.value, "push", 1)
    )


def is_pop(statement: gast.stmt) -> bool:
    """Whether the statement is `target = tape.pop()` with a site."""
    return (
        "site" in statement.__dict__
        and statement.__class__ is gast.Assign
        and statement.site is not None
        and _is_method(statement.value, "pop", 0)
    )


def _is_method(call: gast.expr, method: str, arguments: int) -> bool:
    return (
        isinstance(call, gast.Call)
        and isinstance(call.func, gast.Attribute)
        and call.func.attr == method
        and isinstance(call.func.value, gast.Name)
        and len(call.args) == arguments
        and not call.keywords
    )


def pairs(tree: gast.FunctionDef) -> dict[str, Pair]:
    """The tape pairs that a pass may change, by site.

    Left out are sites with more than one push or pop, a pop that stands before its push, a tuple
    that is unpacked otherwise than it was packed, and what stands in a `try`.
    """
    return dict(_PAIRS[tree])


def _pairs(tree: gast.FunctionDef) -> dict[str, Pair]:
    pushes: dict[str, list[gast.Expr]] = {}
    pops: dict[str, list[gast.Assign]] = {}
    wrong: set[str] = set()
    inside: list[gast.stmt] = []
    _marked(tree.body, inside)
    for statement in inside:
        if is_push(statement):
            pushes.setdefault(statement.site, []).append(statement)
            if statement.site in pops:
                wrong.add(statement.site)
        elif is_pop(statement):
            pops.setdefault(statement.site, []).append(statement)
    found: dict[str, Pair] = {}
    for site, [push, *more] in pushes.items():
        pop, *others = pops.get(site, [None])
        if pop is None or more or others or site in wrong:
            continue
        values, targets = [push.value.args[0]], list(pop.targets)
        if isinstance(targets[0], gast.Tuple):
            if not isinstance(values[0], gast.Tuple):
                continue
            values, targets = values[0].elts, targets[0].elts
        if len(values) == len(targets):
            found[site] = Pair(push, pop, values, targets)
    return found


_PAIRS = Memo(_pairs)


def _marked(block: list[gast.stmt], found: list[gast.stmt]) -> None:
    """The statements with a site, in order."""
    for statement in block:
        if "site" in statement.__dict__:
            found.append(statement)
        elif statement.__class__ not in PLAIN and is_straight(statement):
            for inner in blocks(statement):
                _marked(inner, found)
