"""Calls in tests that change what carries a derivative become statements before the test.

    if not store(best, x[0] ** 2):         x_0 = x[0]
        n += 1                             x_0_pow_2 = x_0 ** 2
                                           store_best = store(best, x_0_pow_2)
                                           if not store_best:
                                               n += 1

Nothing flows through a test, so it stays as the user wrote it: what a call puts into a container
would be lost. Only the call that is evaluated first, and in any case, is taken out.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.changes import changed_in
from autodiff.analysis.known import Kinds
from autodiff.normalize.anf import anf, hint
from autodiff.normalize.build import assign
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.definition import definition
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class, shallow

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try)
_BLOCKS = ("body", "orelse", "finalbody")
_SUGAR = (gast.IfExp, gast.NamedExpr, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def tested(unit: Unit, known: Kinds, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Take such calls out of tests and comparisons; whether there were any."""
    found = {id(call): call for call in map(_first, _tests(unit.tree)) if call is not None}
    if not found:
        return False
    moving = varied(unit.tree, known, unit.inputs)
    wanted = {
        key
        for key, call in found.items()
        if moving & reads(call) and changed_in(call, known) and not of_class(call, *_SUGAR)
    }
    if not wanted:
        return False
    local = unit.local()

    def is_module(identifier: str) -> bool:
        return identifier not in local and unit.scope.is_module(identifier)

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return [part for statement in statements for part in one(statement)]

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if not isinstance(statement, (gast.Assign, *_COMPOUND)):
            return [statement]
        call = _first(_test(statement))
        before: list[gast.stmt] = []
        new = shallow(statement)
        if call is not None and id(call) in wanted:
            own = unit.names.fresh(hint(call))
            unit.temporaries.add(own)
            made = assign(own, call, origin_of(statement))
            tree = definition("step", unit.tree.args, [gast.copy_location(made, call)])
            tree, temporaries = anf(tree, unit.names, is_module)
            unit.temporaries |= temporaries
            before = tree.body
            for added in before:
                chains[id(added)] = chains.get(id(statement), ())

            def replaced(node: gast.AST) -> gast.AST:
                if node is call:
                    return gast.copy_location(name(own), call)
                return map_children(replaced, node)

            field = "test" if isinstance(statement, gast.If) else "value"
            setattr(new, field, replaced(getattr(statement, field)))
        for field in _BLOCKS:
            if getattr(statement, field, None):
                setattr(new, field, block(getattr(statement, field)))
        if isinstance(new, gast.Try):
            new.handlers = [shallow(handler) for handler in new.handlers]
            for handler in new.handlers:
                handler.body = block(handler.body)
        if id(statement) in chains:
            chains[id(new)] = chains[id(statement)]
        return [*before, new]

    unit.tree = with_body(unit.tree, block(unit.tree.body))
    return True


def _tests(tree: gast.FunctionDef) -> list[gast.expr | None]:
    return [_test(statement) for statement in of_class(tree, gast.If, gast.Assign)]


def _test(statement: gast.stmt) -> gast.expr | None:
    """What a statement evaluates first and nothing flows through."""
    if isinstance(statement, gast.If):
        return statement.test
    value = statement.value if isinstance(statement, gast.Assign) else None
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.Not):
        return value
    return value if isinstance(value, (gast.Compare, gast.BoolOp)) else None


def _first(test: gast.expr | None) -> gast.Call | None:
    """The call that is evaluated before all else in a test, whatever comes out."""
    while True:
        if isinstance(test, gast.Call):
            return test
        if isinstance(test, gast.UnaryOp):
            test = test.operand
        elif isinstance(test, gast.BoolOp):
            test = test.values[0]
        elif isinstance(test, gast.Compare):
            plain = isinstance(test.left, gast.Constant)
            test = test.comparators[0] if plain else test.left
        else:
            return None
