"""Calls in tests that change what carries a derivative become statements before the test.

    if not store(best, x[0] ** 2):         x_0 = x[0]
        n += 1                             x_0_pow_2 = x_0 ** 2
                                           store_best = store(best, x_0_pow_2)
                                           if not store_best:
                                               n += 1

Nothing flows through a test, so it stays as the user wrote it: what a call puts into a container
would be lost. Only the call that is evaluated before all others is taken out; a loop calls again
where its body ends, and `and` or `or` become branches before a call that they may skip.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.changes import changed_in
from autodiff.analysis.known import Kinds
from autodiff.normalize.anf import anf, hint
from autodiff.normalize.build import assign
from autodiff.pipeline.headers import after, can_wait, first, parted
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.definition import definition
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, map_children, of_class, shallow, statements

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)
_BLOCKS = ("body", "orelse", "finalbody")
_SUGAR = (gast.IfExp, gast.NamedExpr, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def tested(unit: Unit, known: Kinds, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Take such calls out of tests and comparisons; whether there were any."""
    calls = [n for test in _tests(unit.tree) if test for n in of_class(test, gast.Call)]
    if not calls:
        return False
    moving = varied(unit.tree, known, unit.inputs)
    wanted = {
        id(call)
        for call in calls
        if moving & reads(call) and changed_in(call, known) and not of_class(call, *_SUGAR)
    }
    if not wanted:
        return False
    taking = _Taking(unit, chains, wanted)
    body = taking.block(unit.tree.body)
    if taking.changed:
        unit.tree = with_body(unit.tree, body)
    return taking.changed


class _Taking:
    def __init__(
        self, unit: Unit, chains: dict[int, tuple[Any, ...]], wanted: set[int]
    ) -> None:
        self.unit = unit
        self.chains = chains
        self.wanted = wanted
        self.changed = False
        self.meant = unit.meant()

    def is_wanted(self, node: Any) -> bool:
        return id(node) in self.wanted

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [part for statement in body for part in self.statement(statement)]

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        if not isinstance(statement, (gast.Assign, *_COMPOUND)):
            return [statement]
        new = shallow(statement)
        for field in _BLOCKS:
            if getattr(statement, field, None):
                setattr(new, field, self.block(getattr(statement, field)))
        if isinstance(new, gast.Try):
            new.handlers = [shallow(handler) for handler in new.handlers]
            for handler in new.handlers:
                handler.body = self.block(handler.body)
        test = _test(statement)
        made = [new] if test is None else self.taken(new, test)
        for part in made:
            for inner in statements(part):
                if id(statement) in self.chains:
                    self.chains.setdefault(id(inner), self.chains[id(statement)])
        return made

    def taken(self, statement: Any, test: gast.expr) -> list[gast.stmt]:
        """The statement after what computes the call that it evaluates first, if that is wanted."""
        call = first(test)
        if not self.is_wanted(call):
            parts = parted(statement, self.is_wanted, lambda: self.fresh("holds"))
            self.changed = self.changed or parts is not None
            return parts or [statement]
        if not can_wait(statement):
            return [statement]
        own = self.fresh(hint(call))

        def computed() -> list[gast.stmt]:
            made = assign(own, clone(call), origin_of(statement))
            step = definition("step", self.unit.tree.args, [gast.copy_location(made, call)])
            tree, temporaries = anf(step, self.unit.names, self.meant)
            self.unit.temporaries |= temporaries
            body: list[gast.stmt] = tree.body
            return body

        def replaced(node: gast.AST) -> gast.AST:
            if node is call:
                return gast.copy_location(name(own), call)
            return map_children(replaced, node)

        self.changed = True
        field = "value" if isinstance(statement, gast.Assign) else "test"
        setattr(statement, field, replaced(getattr(statement, field)))
        return after(statement, computed(), computed)

    def fresh(self, identifier: str) -> str:
        own = self.unit.names.fresh(identifier)
        self.unit.temporaries.add(own)
        return own


def _tests(tree: gast.FunctionDef) -> list[gast.expr | None]:
    return [_test(statement) for statement in of_class(tree, gast.If, gast.While, gast.Assign)]


def _test(statement: gast.stmt) -> gast.expr | None:
    """What a statement evaluates first and nothing flows through."""
    if isinstance(statement, (gast.If, gast.While)):
        return statement.test
    value = statement.value if isinstance(statement, gast.Assign) else None
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.Not):
        return value
    return value if isinstance(value, (gast.Compare, gast.BoolOp)) else None
