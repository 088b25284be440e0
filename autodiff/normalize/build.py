"""Small constructors of statements and expressions, for the passes that restructure a function."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.syntax.names import name, store
from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import clone

_OPPOSITE = {
    gast.Is: gast.IsNot,
    gast.IsNot: gast.Is,
    gast.In: gast.NotIn,
    gast.NotIn: gast.In,
    gast.Eq: gast.NotEq,
    gast.NotEq: gast.Eq,
}


def at(statement: gast.stmt, origin: Origin | None) -> gast.stmt:
    """The statement itself, now with an origin."""
    statement.origin = origin
    return statement


def constant(value: object) -> gast.Constant:
    """A constant; a string, a number, a bool or None."""
    return gast.Constant(value=value, kind=None)


def assign(target: gast.expr | str, value: gast.expr, origin: Origin | None) -> gast.Assign:
    """`target = value`."""
    node = store(target) if isinstance(target, str) else target
    return at(gast.Assign(targets=[node], value=value, type_comment=None), origin)


def branch(
    test: gast.expr, body: list[gast.stmt], orelse: list[gast.stmt], origin: Origin | None
) -> gast.If:
    """`if test: body else: orelse`; with an empty body the test is turned round."""
    if not body and orelse:
        test, body, orelse = negated(test), orelse, []
    return at(gast.If(test=test, body=body or [skip(origin)], orelse=orelse), origin)


def skip(origin: Origin | None) -> gast.Pass:
    """`pass`."""
    return at(gast.Pass(), origin)


def effect(value: gast.expr, origin: Origin | None) -> gast.Expr:
    """An expression evaluated for its effect."""
    return at(gast.Expr(value=value), origin)


def loop(
    target: gast.expr | str,
    iterable: gast.expr,
    body: list[gast.stmt],
    orelse: list[gast.stmt],
    origin: Origin | None,
) -> gast.For:
    """`for target in iterable: body else: orelse`."""
    node = store(target) if isinstance(target, str) else target
    statement = gast.For(target=node, iter=iterable, body=body, orelse=orelse, type_comment=None)
    return at(statement, origin)


def repeat(
    test: gast.expr, body: list[gast.stmt], orelse: list[gast.stmt], origin: Origin | None
) -> gast.While:
    """`while test: body else: orelse`."""
    return at(gast.While(test=test, body=body, orelse=orelse), origin)


def call(function: str, *arguments: gast.expr) -> gast.Call:
    """`function(*arguments)`."""
    return gast.Call(func=name(function), args=list(arguments), keywords=[])


def method(base: gast.expr, attribute: str, *arguments: gast.expr) -> gast.Call:
    """`base.attribute(*arguments)`."""
    function = gast.Attribute(value=base, attr=attribute, ctx=gast.Load())
    return gast.Call(func=function, args=list(arguments), keywords=[])


def item(base: gast.expr, index: gast.expr) -> gast.Subscript:
    """`base[index]`, read."""
    return gast.Subscript(value=base, slice=index, ctx=gast.Load())


def compare(left: gast.expr, operator: gast.cmpop, right: gast.expr) -> gast.Compare:
    """`left operator right`."""
    return gast.Compare(left=left, ops=[operator], comparators=[right])


def plus(left: gast.expr, right: gast.expr) -> gast.BinOp:
    """`left + right`."""
    return gast.BinOp(left=left, op=gast.Add(), right=right)


def negated(test: gast.expr) -> gast.expr:
    """The opposite test: `is` and `is not`, `in` and `not in`, `==` and `!=` are exchanged.

    An order is not turned round: with a NaN both `x < y` and `x >= y` are false.

    >>> import ast, gast
    >>> text = lambda e: ast.unparse(gast.gast_to_ast(negated(gast.parse(e).body[0].value)))
    >>> text("x is None"), text("not x"), text("x < y")
    ('x is not None', 'x', 'not x < y')
    """
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1:
        opposite = _OPPOSITE.get(type(test.ops[0]))
        if opposite is not None:
            new = gast.Compare(left=test.left, ops=[opposite()], comparators=test.comparators)
            return gast.copy_location(new, test)
    return gast.copy_location(gast.UnaryOp(op=gast.Not(), operand=test), test)


def loaded(target: gast.expr) -> gast.expr:
    """A copy of an assignment target that reads what the target would store."""
    copy = clone(target)
    copy.ctx = gast.Load()
    return copy


def shallow(node: Any) -> Any:
    """A copy of the node that shares its children."""
    copy = node.__class__.__new__(node.__class__)
    copy.__dict__.update(node.__dict__)
    return copy
