"""Where a name that may be None is known not to be: it gets another name, whose kind is known.

    if hit is not None:                 if hit is not None:
        total += hit.t                      hit_2 = hit
                                            total += hit_2.t

The test may be `while hit is not None`, a part of an `and`, `if hit is None` before a `raise`, an
`assert`, or an assignment of something else. A name is followed up to the first statement that
assigns it.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.kind import Array, Kind, Nullable, Numeric, Record, Scalar, Text
from autodiff.analysis.known import Kinds
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import captured, name, reads, store, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class, statements

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)
_NOBODY: frozenset[str] = frozenset()


def narrowed(unit: Unit, kinds: Kinds, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Give such names; whether there were any. `chains` belong to statements, also to new ones."""
    nullable = {n for n in kinds.local if isinstance(kinds.names.get(n), Nullable)}
    if not nullable or of_class(unit.tree, gast.Nonlocal, gast.Global):
        return False
    nullable -= captured(unit.tree)
    if not nullable:
        return False
    walk = _Narrowing(unit, kinds, frozenset(nullable), chains)
    body = walk.block(unit.tree.body)
    if walk.changed:
        unit.tree = with_body(unit.tree, body)
    return walk.changed


class _Narrowing:
    def __init__(
        self,
        unit: Unit,
        kinds: Kinds,
        nullable: frozenset[str],
        chains: dict[int, tuple[Any, ...]],
    ) -> None:
        self.unit = unit
        self.kinds = kinds
        self.nullable = nullable
        self.chains = chains
        self.changed = False

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for position, statement in enumerate(block):
            made.append(self.statement(statement))
            known = _NOBODY
            if isinstance(statement, gast.Assert):
                known = _certain(statement.test)[0]
            elif isinstance(statement, gast.Assign) and not self.is_narrowing(statement):
                known = self.assigned(statement)
            elif isinstance(statement, gast.If) and not statement.orelse:
                if isinstance(statement.body[-1], gast.Raise):
                    known = _certain(statement.test)[1]
            if known:
                return [*made, *self.known(block[position + 1 :], known)]
        return made

    def statement(self, statement: gast.stmt) -> gast.stmt:
        if not isinstance(statement, _COMPOUND):
            return statement
        certain = (_NOBODY, _NOBODY)
        if isinstance(statement, (gast.If, gast.While)):
            certain = _certain(statement.test)
        before = self.changed
        self.changed = False
        new = map_children(lambda child: child, statement)
        new.body = self.known(statement.body, certain[0])
        if not isinstance(statement, gast.With):
            new.orelse = self.known(statement.orelse, certain[1])
        if isinstance(statement, gast.Try):
            new.finalbody = self.block(statement.finalbody)
            new.handlers = [map_children(lambda child: child, h) for h in statement.handlers]
            for handler in new.handlers:
                handler.body = self.block(handler.body)
        if self.changed:
            self.keep_chain(statement, new)
        else:
            new, self.changed = statement, before
        return new

    def known(self, block: list[gast.stmt], names: frozenset[str]) -> list[gast.stmt]:
        """The block with other names for those that are not None at its beginning."""
        found: list[gast.stmt] = []
        for own in sorted(names & self.nullable):
            count = 0
            while count < len(block) and not self.assigns(block[count], own):
                count += 1
            last = [s for s in block[count : count + 1] if isinstance(s, gast.Assign)]
            read = [s for s in (*block[:count], *last) if not self.is_narrowing(s)]
            if not block or own not in reads(read):
                continue
            self.changed = True
            new = self.unit.names.fresh(own)
            self.unit.scope.narrowed.add(new)
            self.unit.temporaries.add(new)
            first = gast.Assign(targets=[store(new)], value=name(own))
            first.origin = origin_of(block[0])
            found.append(first)
            block = [self.renamed(s, own, new) if k <= count else s for k, s in enumerate(block)]
        return [*found, *self.block(block)]

    def assigned(self, statement: gast.Assign) -> frozenset[str]:
        """The name that a statement gives something else than None."""
        target = statement.targets[0]
        if isinstance(target, gast.Name) and target.id in self.nullable:
            if _is_something(self.kinds.of(statement.value)):
                return frozenset({target.id})
        return _NOBODY

    def assigns(self, statement: gast.stmt, own: str) -> bool:
        return own in writes(statement)

    def is_narrowing(self, statement: gast.stmt) -> bool:
        return isinstance(statement, gast.Assign) and not writes(statement).isdisjoint(
            self.unit.scope.narrowed
        )

    def renamed(self, statement: gast.stmt, own: str, new: str) -> gast.stmt:
        """The statement with its reads renamed; only its value, if it assigns the name."""
        mapping: dict[str, gast.expr] = {own: name(new)}
        if own not in reads(statement):
            return statement
        made: gast.stmt
        if own not in writes(statement):
            made = substitute(statement, mapping)
        elif isinstance(statement, gast.Assign):
            made = map_children(lambda child: child, statement)
            made.value = substitute(statement.value, mapping)
        else:
            return statement
        self.keep_chain(statement, made)
        return made

    def keep_chain(self, old: gast.stmt, new: gast.stmt) -> None:
        """A statement that was inlined is still one of the calls that it came from."""
        for before, after in zip(statements([old]), statements([new])):
            if id(before) in self.chains:
                self.chains[id(after)] = self.chains[id(before)]


def _is_something(kind: Kind | None) -> bool:
    return isinstance(kind, (Array, Numeric, Record, Scalar, Text))


def _certain(test: gast.expr) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are not None if a test holds, and those if it does not."""
    if isinstance(test, gast.Name):
        return frozenset({test.id}), _NOBODY
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        holds, fails = _certain(test.operand)
        return fails, holds
    if isinstance(test, gast.BoolOp):
        sides = [_certain(value) for value in test.values]
        if isinstance(test.op, gast.And):
            return _NOBODY.union(*(holds for holds, _ in sides)), _NOBODY
        return _NOBODY, _NOBODY.union(*(fails for _, fails in sides))
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.left, gast.Name):
        other = test.comparators[0]
        if isinstance(other, gast.Constant) and other.value is None:
            found = frozenset({test.left.id})
            if isinstance(test.ops[0], (gast.Is, gast.Eq)):
                return _NOBODY, found
            if isinstance(test.ops[0], (gast.IsNot, gast.NotEq)):
                return found, _NOBODY
    return _NOBODY, _NOBODY
