"""Conditional expressions, and `and` / `or` used for their value, become `if` statements.

    y = a if c else b        if c:                  z = a or b        z = a
                                 y = a                                if not z:
                             else:                                        z = b
                                 y = b

In a test (`if a and not b:`) nothing changes: only truth matters there, and has no derivative.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import assign, at, branch, effect, negated, shallow
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.predicates import has_walrus, is_condition, is_lowered_choice, is_pure
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone

Statements = list[gast.stmt]


def assigned_choice(statement: gast.Assign, context: Context) -> Statements | None:
    """`y = a if c else b`, whatever the target."""
    value = statement.value
    if not isinstance(value, gast.IfExp) or not is_lowered_choice(value):
        return None
    origin = origin_of(statement)
    target = statement.targets[0]

    def arm(result: gast.expr) -> Statements:
        if isinstance(target, gast.Name) and isinstance(result, gast.Name):
            if target.id == result.id:  # `x = x if c else b` leaves x alone, if there is one
                return [effect(result, origin)]
        return [assign(clone(target), result, origin)]

    return [branch(value.test, arm(value.body), arm(value.orelse), origin)]


def returned_choice(statement: gast.Return, context: Context) -> Statements | None:
    """`return a if c else b`."""
    value = statement.value
    if not isinstance(value, gast.IfExp) or not is_lowered_choice(value):
        return None
    origin = origin_of(statement)
    body, orelse = (at(gast.Return(value=v), origin) for v in (value.body, value.orelse))
    return [branch(value.test, [body], [orelse], origin)]


def augmented_choice(statement: gast.AugAssign, context: Context) -> Statements | None:
    """`x += a if c else b`, where looking at `c` first makes no difference."""
    value = statement.value
    if not isinstance(value, gast.IfExp) or not is_lowered_choice(value):
        return None
    exact = context.exact and not isinstance(statement.target, gast.Name)
    if exact or not is_pure(value.test) or not is_pure(statement.target):
        return None
    origin = origin_of(statement)

    def arm(result: gast.expr) -> Statements:
        new = shallow(statement)
        new.target, new.value = clone(statement.target), result
        return [new]

    return [branch(value.test, arm(value.body), arm(value.orelse), origin)]


def effect_of_choice(statement: gast.Expr, context: Context) -> Statements | None:
    """`f() if c else g()`, `c and f()` and `ys.append(a if c else b)` as statements."""
    value, origin = statement.value, origin_of(statement)
    if isinstance(value, gast.IfExp):
        body, orelse = (effect(v, origin) for v in (value.body, value.orelse))
        return [branch(value.test, [body], [orelse], origin)]
    if isinstance(value, gast.BoolOp):
        first, *others = value.values
        rest = others[0] if len(others) == 1 else gast.BoolOp(op=value.op, values=others)
        test = first if isinstance(value.op, gast.And) else negated(first)
        return [branch(test, [effect(rest, origin)], [], origin)]
    if _is_append_of_choice(value):
        choice = value.args[0]

        def arm(result: gast.expr) -> Statements:
            new = shallow(value)
            new.func, new.args = clone(value.func), [result]
            return [effect(new, origin)]

        return [branch(choice.test, arm(choice.body), arm(choice.orelse), origin)]
    return None


def _is_append_of_choice(value: Any) -> bool:
    return (
        isinstance(value, gast.Call)
        and isinstance(value.func, gast.Attribute)
        and value.func.attr == "append"
        and isinstance(value.func.value, gast.Name)
        and len(value.args) == 1
        and isinstance(value.args[0], gast.IfExp)
        and is_lowered_choice(value.args[0])
        and not has_walrus(value.args[0])
    )


def assigned_boolean(statement: gast.Assign, context: Context) -> Statements | None:
    """`z = a or b` and `z = a and b`, when the value is one of the operands."""
    value, target = statement.value, statement.targets[0]
    if not isinstance(value, gast.BoolOp):
        return None
    if is_condition(value) and not any(has_walrus(v) for v in value.values[1:]):
        return None
    origin = origin_of(statement)
    first, *others = value.values
    if not isinstance(target, gast.Name) or not context.may_hold(target.id, others):
        temporary = context.temporary("choice")
        return [
            assign(temporary, value, origin),
            assign(target, gast.copy_location(name(temporary), value), origin),
        ]
    rest: Statements = []
    for operand in reversed(others):
        test: gast.expr = name(target.id)
        if isinstance(value.op, gast.Or):
            test = negated(test)
        rest = [branch(test, [assign(clone(target), operand, origin), *rest], [], origin)]
    if isinstance(first, gast.Name) and first.id == target.id:
        return rest
    return [assign(clone(target), first, origin), *rest]
