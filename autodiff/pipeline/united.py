"""Updates whose value turned out to leave their target as it is.

    old = y[i]                      f_x = x[i] ** 2
    f_x = x[i] ** 2                 y[i] += f_x
    old += f_x
    y[i] = old

The normal form reads the target of `y[i] += f(x[i])` before it calls `f`, as Python does. Once the
body of `f` is there, one can see whether that makes a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import gast

from autodiff.analysis.alias import Aliases, alias
from autodiff.analysis.changes import changed_in
from autodiff.analysis.known import Kinds
from autodiff.normalize.build import loaded
from autodiff.normalize.rebind import shared, within
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import captured, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import COMPOUND, clone, of_class, same, statements
from autodiff.syntax.windows import root

_STORED = (gast.Subscript, gast.Attribute)


def united(unit: Unit, known: Kinds) -> gast.FunctionDef:
    """The tree with such updates as one statement each."""
    if not any(_is_last(unit, s) for s in of_class(unit.tree.body, gast.Assign)):
        return unit.tree
    uniting = _Uniting(unit, known, cache(lambda: alias(unit.tree, known)))
    new: gast.FunctionDef = within(unit.tree, uniting.block)
    return new


def _is_last(unit: Unit, statement: gast.stmt) -> bool:
    """Whether a statement may be the end of an update."""
    return (
        isinstance(statement, gast.Assign)
        and isinstance(statement.value, gast.Name)
        and statement.value.id in unit.temporaries
    )


class _Uniting:
    def __init__(self, unit: Unit, known: Kinds, aliases: Callable[[], Aliases]) -> None:
        self.unit = unit
        self.known = known
        self.aliases = aliases
        names = of_class(unit.tree.body, gast.Name)
        self.uses: dict[str, int] = {}
        for node in names:
            self.uses[node.id] = self.uses.get(node.id, 0) + 1
        self.captured = captured(unit.tree.body)

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for statement in block:
            if statement.__class__ in COMPOUND:
                statement = within(statement, self.block)
            begin = self.beginning(out, statement)
            if begin is None:
                out.append(statement)
                continue
            update = out.pop()
            del out[begin]
            new = gast.AugAssign(
                target=clone(statement.targets[0]), op=update.op, value=update.value
            )
            gast.copy_location(new, update)
            new.origin = origin_of(update)
            out.append(new)
        return shared(out, block)

    def beginning(self, before: list[gast.stmt], last: gast.stmt) -> int | None:
        """Where the read of an update stands that need not come first; None if there is none."""
        update = before[-1] if before else None
        if not (_is_last(self.unit, last) and isinstance(update, gast.AugAssign)):
            return None
        own, target = last.value.id, last.targets[0]
        if not isinstance(update.target, gast.Name) or update.target.id != own:
            return None
        if self.uses[own] != 3 or own in self.captured or own in reads(update.value):
            return None
        for place in reversed(range(len(before) - 1)):
            read = before[place]
            if isinstance(read, gast.Assign) and writes(read) == {own}:
                between = before[place + 1 : -1]
                fits = same(read.value, loaded(target)) and self.keeps(between, target)
                return place if fits else None
        return None

    def keeps(self, between: list[gast.stmt], target: gast.expr) -> bool:
        """Whether statements leave a target as it is: its names, and the memory it is in."""
        own = reads(target) | ({target.id} if isinstance(target, gast.Name) else set())
        if own & writes(between):
            return False
        changed: set[str] = set()
        for statement in between:
            changed.update(changed_in(statement, self.known))
        for statement in statements(between):
            for part in _targets(statement):
                if isinstance(part, gast.Name):
                    changed |= {part.id} if isinstance(statement, gast.AugAssign) else set()
                elif isinstance(part, _STORED):
                    base = root(part)
                    if base is None:
                        return False
                    changed.add(base)
        if isinstance(target, gast.Name) or not changed:
            return True
        aliases = self.aliases()
        return not any(n == m or aliases.share(n, m) for n in changed for m in own)


def _targets(statement: gast.stmt) -> list[gast.expr]:
    if isinstance(statement, gast.AugAssign):
        return [statement.target]
    targets: list[gast.expr] = getattr(statement, "targets", [])
    return targets
