"""Statements for their effect: `print(y)`, `log.info(...)`, `raise`, `assert`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gast

from autodiff.core import NotYet, Raises, Value, Verbatim, constant
from autodiff.kinds.classes import class_attribute
from autodiff.lower.entries.above import Statements, Values
from autodiff.lower.entries.entry import bound
from autodiff.lower.entries.spoken import is_error, seen
from autodiff.lower.expression.application import Arguments
from autodiff.normalize.build import negated
from autodiff.primitives import hole, only_looks
from autodiff.primitives.primitive import dotted as path
from autodiff.syntax.names import name


def called_for_effect(statements: Statements, node: gast.Call) -> bool:
    """Lowers a call whose result nobody uses, if it only looks at its arguments."""
    target = callee(statements, node.func)
    if target is None or not only_looks(target):
        return False
    function = dotted(statements, node.func)
    form, operands = applied(statements, node, function)
    add(statements, gast.Expr(value=form), operands)
    return True


def callee(statements: Values, node: gast.expr) -> Any:
    """The object of outside that is called, also a method of an object; None if it is of inside."""
    if isinstance(node, gast.Attribute):
        owner = callee(statements, node.value)
        if not isinstance(owner, (ModuleType, type)):
            held = class_attribute(type(owner), node.attr)
            if held is None or isinstance(held, property):
                return None
        return getattr(owner, node.attr, None)
    if not isinstance(node, gast.Name) or statements.frame.holder(node.id) is not None:
        return None
    try:
        return statements.frame.lookup(node.id)
    except NotYet:
        return None


def dotted(statements: Values, node: gast.expr) -> gast.expr:
    """A dotted name of outside, as it prints."""
    if isinstance(node, gast.Attribute):
        return gast.Attribute(value=dotted(statements, node.value), attr=node.attr, ctx=gast.Load())
    assert isinstance(node, gast.Name)
    return path(statements.frame.spelled(node.id, statements.frame.lookup(node.id)))


def applied(
    statements: Statements, node: gast.Call, function: gast.expr
) -> tuple[gast.expr, list[Value]]:
    """A call of something outside, and its operands."""
    arguments = Arguments(statements, node)
    operands: list[Value] = []
    return arguments.written(function, lambda entry: seen(statements, entry), operands), operands


def add(statements: Statements, form: gast.stmt, operands: list[Value], error: Any = None) -> None:
    """One more statement that stays as it is. error: the class of what it raises, if it may."""
    made = Verbatim(form, operands)
    made.error = error
    statements.builder.add(made)


def raised(statements: Statements, node: gast.Raise) -> None:
    """`raise E(...)`: the arguments are values, the exception is not."""
    operands: list[Value] = []
    classes: list[type[BaseException]] = []

    def exception(part: gast.expr | None) -> gast.expr | None:
        if part is None:
            return None
        if isinstance(part, gast.Constant):
            return part
        outer = part.func if isinstance(part, gast.Call) else part
        caught = statements.frame.names.get(part.id) if isinstance(part, gast.Name) else None
        caught = None if caught is None else bound(caught)
        if isinstance(caught, Value) and is_error(caught):
            operands.append(caught)
            return hole(len(operands) - 1)
        target = callee(statements, outer)
        if not isinstance(target, type) or not issubclass(target, BaseException):
            raise NotYet("an exception that is an object")
        classes.append(target)
        own = dotted(statements, outer)
        if not isinstance(part, gast.Call):
            return own
        if operands:
            raise NotYet("an exception and its cause with arguments")
        form, found = applied(statements, part, own)
        operands.extend(found)
        return form

    if node.exc is None:
        if not statements.unit.handling or not statements.unit.handling[-1]:
            raise NotYet("an exception that is raised again")
        add(statements, gast.Raise(exc=None, cause=None), [])
        return
    form = gast.Raise(exc=exception(node.exc), cause=exception(node.cause))
    if isinstance(form.exc, gast.Name) and form.exc.id == "0":  # of a class that is not known
        add(statements, form, operands, BaseException)
        return
    if any(around.body is statements.builder.block for around in statements.unit.attempts):
        raise Raises(classes[0], "an error that is raised for sure")
    add(statements, form, operands, classes[0])


def asserted(statements: Statements, node: gast.Assert) -> None:
    """`assert test, message`: the message is found only where it is needed."""
    if node.msg is not None and not isinstance(node.msg, gast.Constant):
        error = gast.Call(func=name("AssertionError"), args=[node.msg], keywords=[])
        raising = gast.Raise(exc=error, cause=None)
        branch = gast.If(test=negated(node.test), body=[raising], orelse=[])
        for statement in (raising, branch):
            statement.origin = getattr(node, "origin", None)
        statements.on_If(branch)
        return
    test = statements.truth_of(node.test)
    if test.is_constant and test.constant:
        return
    form = gast.Assert(test=hole(0), msg=node.msg)
    operand = test if not test.is_constant else constant(bool(test.constant))
    add(statements, form, [operand], AssertionError)
