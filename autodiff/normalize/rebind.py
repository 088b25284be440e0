"""Augmented assignment of names becomes plain assignment where that means the same.

    total += x * x          x_times_x = x * x
                            total = total + x_times_x

Numbers and tuples rebind by nature; an array is updated in place, which nobody can tell from a new
array as long as no other name shares its memory. A name that is computed from itself gets an
intermediate, so that in each statement a name means one value only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

import gast

from autodiff.syntax.make import STORE, make
from autodiff.syntax.names import Names, name, reads, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow

_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def rebind(
    tree: gast.FunctionDef, rebinds: Callable[[gast.AugAssign], bool]
) -> tuple[gast.FunctionDef, bool]:
    """The tree with `x += e` as `x = x + e` wherever `rebinds` allows, and whether any was."""
    changed = False

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([one(statement) for statement in statements], statements)

    def one(statement: gast.stmt) -> gast.stmt:
        nonlocal changed
        if isinstance(statement, _COMPOUND):
            return within(statement, block)
        if not isinstance(statement, gast.AugAssign) or not isinstance(statement.target, gast.Name):
            return statement
        if not rebinds(statement):
            return statement
        changed = True
        identifier = statement.target.id
        value = make(gast.BinOp, left=name(identifier), op=statement.op, right=statement.value)
        new = make(gast.Assign, targets=[store(identifier)], value=value)
        gast.copy_location(value, statement)
        gast.copy_location(new, statement)
        new.origin = origin_of(statement)
        return new

    return within(tree, block), changed


def unwrap(
    tree: gast.FunctionDef, argument: Callable[[gast.expr], gast.expr | None]
) -> gast.FunctionDef:
    """The tree with `xs = identity(x)` as `xs = x`, where `argument` finds that `x`."""

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([one(statement) for statement in statements], statements)

    def one(statement: gast.stmt) -> gast.stmt:
        if isinstance(statement, _COMPOUND):
            return within(statement, block)
        if not isinstance(statement, gast.Assign):
            return statement
        source = argument(statement.value)
        if source is None:
            return statement
        new = make(gast.Assign, targets=statement.targets, value=source)
        gast.copy_location(new, statement)
        new.origin = origin_of(statement)
        return new

    return within(tree, block)


def separate(
    tree: gast.FunctionDef, names: Names
) -> tuple[gast.FunctionDef, dict[str, gast.expr | None]]:
    """The tree in which no statement reads the name it assigns; and the intermediates made.

    Each with its value, None for a part of one.
    """
    made: dict[str, gast.expr | None] = {}

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([part for s in statements for part in one(s)], statements)

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            return [within(statement, block)]
        if not isinstance(statement, gast.Assign):
            return [statement]
        target = statement.targets[0]
        if isinstance(target, gast.Tuple):
            own = {part.id for part in target.elts}
            if not own & reads(statement.value):
                return [statement]
            return renamed(statement, target, own)
        if isinstance(statement.value, gast.Name) or not isinstance(target, gast.Name):
            return [statement]
        if target.id not in reads(statement.value):
            return [statement]
        temporary = names.fresh(f"{target.id}_new")
        made[temporary] = statement.value
        return [like(statement, store(temporary), statement.value)] + [
            like(statement, target, name(temporary))
        ]

    def renamed(statement: gast.stmt, target: gast.Tuple, own: set[str]) -> list[gast.stmt]:
        temporary = {identifier: names.fresh(f"{identifier}_new") for identifier in sorted(own)}
        made.update(dict.fromkeys(temporary.values()))
        parts = [store(temporary[part.id]) for part in target.elts]
        first = like(statement, make(gast.Tuple, elts=parts, ctx=STORE), statement.value)
        rest = [like(statement, store(n), name(temporary[n])) for n in sorted(own)]
        return [first, *rest]

    def like(statement: gast.stmt, target: gast.expr, value: gast.expr) -> gast.stmt:
        new = make(gast.Assign, targets=[target], value=value)
        gast.copy_location(new, statement)
        new.origin = origin_of(statement)
        return new

    return within(tree, block), made


def within(
    node: gast.AST, block: Callable[[list[gast.stmt]], list[gast.stmt]]
) -> Any:
    """The node with `block` applied to the blocks in it; itself if they are all as they were."""
    fields = {field: getattr(node, field, None) for field in _BLOCKS}
    made = {field: block(part) for field, part in fields.items() if part}
    if all(part is fields[field] for field, part in made.items()):
        return node
    new = shallow(node)
    for field, part in made.items():
        setattr(new, field, part)
    return new


def shared(new: list[gast.stmt], old: list[gast.stmt]) -> list[gast.stmt]:
    """The old list where the new one holds the same statements."""
    return old if len(new) == len(old) and all(map(is_, new, old)) else new
