"""What stands in place of a `try`: statements in plainer Python."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.lower.entries.above import Statements
from autodiff.lower.expression.effects import callee
from autodiff.normalize.build import at, branch, constant
from autodiff.primitives.opaque import only_warns, sets_warnings
from autodiff.syntax.names import name


def flagged(node: Any) -> str:
    """The variable that remembers which clause was reached; empty if the clauses are the user's."""
    return str(getattr(node, "flag", ""))


def chain(node: gast.Try, flag: str) -> list[gast.stmt]:
    """`if flag == 1: ... elif flag == 2: ... else: ...`."""
    origin = getattr(node, "origin", None)
    found = list(node.orelse)
    for number, handler in reversed(list(enumerate(node.handlers, 1))):
        found = [branch(equals(flag, number), handler.body, found, origin)]
    return found


def equals(flag: str, number: int) -> gast.expr:
    """`flag == number`."""
    return gast.Compare(left=name(flag), ops=[gast.Eq()], comparators=[constant(number)])


def finishing(node: Any, body: list[Any], final: list[Any]) -> list[gast.stmt]:
    """`try: ... finally: ...` as `try: ... except: ...; raise`, and what runs then once more."""
    again = gast.Raise(exc=None, cause=None)
    handler = gast.ExceptHandler(type=None, name=None, body=[*final, again])
    made = gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
    return [at(made, getattr(node, "origin", None)), *final]


def warns(statements: Statements, node: gast.With) -> bool:
    """Whether the manager of a `with` changes what is warned about, not what is computed."""
    manager = node.items[0].context_expr
    target = callee(statements, manager.func) if isinstance(manager, gast.Call) else None
    return target is not None and only_warns(target)


def settings(statements: Statements, body: list[Any]) -> int:
    """How many statements at the beginning of such a block say what is warned about."""
    for k, statement in enumerate(body):
        call = statement.value if isinstance(statement, gast.Expr) else None
        target = callee(statements, call.func) if isinstance(call, gast.Call) else None
        if target is None or not sets_warnings(target):
            return k
    return len(body)
