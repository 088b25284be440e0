"""Statements whose expressions hold sugar: the rules that call `hoist`.

while (line := read()) > 0:        line = read()
    total += line                  while line > 0:
                                       total += line
                                       line = read()
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import assign, branch, constant, loaded, repeat, shallow
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.hoist import hoist, hoist_parts
from autodiff.normalize.sugar.predicates import is_pure
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone

Statements = list[gast.stmt]


def assigned(statement: gast.Assign, context: Context) -> Statements | None:
    """`target = value`: the value first, then base and index of the target."""
    origin = origin_of(statement)
    target = statement.targets[0]
    if isinstance(target, (gast.Subscript, gast.Attribute)):
        before, new_target = hoist_parts(target, context, origin, True)
        if before:
            saved = context.named_after(statement.value)
            return [
                assign(saved, statement.value, origin),
                *before,
                assign(new_target, name(saved), origin),
            ]
    before, value = hoist(statement.value, context, origin)
    if value is statement.value:
        return None
    return [*before, assign(target, value, origin)]


def returned(statement: gast.Return, context: Context) -> Statements | None:
    """`return value`."""
    if statement.value is None:
        return None
    origin = origin_of(statement)
    before, value = hoist(statement.value, context, origin)
    if value is statement.value:
        return None
    new = shallow(statement)
    new.value = value
    return [*before, new]


def augmented(statement: gast.AugAssign, context: Context) -> Statements | None:
    """`target += value`: the target is read before the value is computed."""
    origin = origin_of(statement)
    target = statement.target
    if not isinstance(target, gast.Name):
        before, new_target = hoist_parts(target, context, origin, True)
        if before:
            new = shallow(statement)
            new.target = new_target
            return [*before, new]
    before, value = hoist(statement.value, context, origin)
    if value is statement.value:
        return None
    new = shallow(statement)
    new.value = value
    if isinstance(target, gast.Name):
        is_safe = target.id not in writes(before)
    else:
        pure = not context.exact and all(is_pure(s) for s in [target, *before])
        is_safe = pure and not reads(loaded(target)) & writes(before)
    if is_safe:
        return [*before, new]
    old = context.temporary("old")
    fixed: Statements = []
    if not isinstance(target, gast.Name):
        target = _fixed(target, context, origin, fixed)
    new.target = name(old, gast.Store())
    read = assign(old, loaded(target), origin)
    return [*fixed, read, *before, new, assign(clone(target), name(old), origin)]


def _fixed(target: Any, context: Context, origin: Any, made: Statements) -> Any:
    """The target with base and index in names that keep their value."""

    def saved(part: gast.expr) -> gast.expr:
        if isinstance(part, gast.Constant):
            return part
        if isinstance(part, gast.Slice):
            new = shallow(part)
            for field in ("lower", "upper", "step"):
                bound = getattr(part, field)
                setattr(new, field, None if bound is None else saved(bound))
            return new
        if isinstance(part, gast.Tuple):
            new = shallow(part)
            new.elts = [saved(element) for element in part.elts]
            return new
        temporary = context.temporary("base" if part is target.value else "index")
        made.append(assign(temporary, part, origin))
        return name(temporary)

    new = shallow(target)
    new.value = saved(target.value)
    if isinstance(target, gast.Subscript):
        new.slice = saved(target.slice)
    return new


def evaluated(statement: gast.Expr, context: Context) -> Statements | None:
    """A call for its effect; what is only printed is not taken apart."""
    value = statement.value
    function = value.func if isinstance(value, gast.Call) else None
    printed = isinstance(function, gast.Name) and function.id == "print"
    before, new_value = hoist(value, context, origin_of(statement), printed)
    if new_value is value:
        return None
    new = shallow(statement)
    new.value = new_value
    return [*before, new]


def tested(statement: gast.If, context: Context) -> Statements | None:
    """An assignment in the test of an `if` goes before it."""
    before, test = hoist(statement.test, context, origin_of(statement), True)
    if not before:
        return None
    new = shallow(statement)
    new.test = test
    return [*before, new]


def looped(statement: gast.While, context: Context) -> Statements | None:
    """An assignment in the test of a `while` is repeated at the end of the body."""
    origin = origin_of(statement)
    before, test = hoist(statement.test, context, origin, True)
    if not before:
        return None
    if len(before) == 1 and isinstance(before[0], gast.Assign) and not _continues(statement.body):
        again = [clone(part) for part in before]
        return [*before, repeat(test, [*statement.body, *again], statement.orelse, origin)]
    more = context.temporary("more")
    body = [*before, assign(more, test, origin), branch(name(more), statement.body, [], origin)]
    return [
        assign(more, constant(True), origin),
        repeat(name(more), body, statement.orelse, origin),
    ]


def _continues(body: Statements) -> bool:
    """Whether a `continue` of this loop would skip the end of the body."""
    for statement in body:
        if isinstance(statement, gast.Continue):
            return True
        if isinstance(statement, (gast.For, gast.While)):
            if _continues(statement.orelse):
                return True
        elif not isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            for field in ("body", "orelse", "finalbody"):
                if _continues(getattr(statement, field, None) or []):
                    return True
            for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                if _continues(part.body):
                    return True
    return False
