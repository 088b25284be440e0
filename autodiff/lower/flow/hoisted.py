"""Parts of statements that are computed before them.

    y = ACTS[key](x)                  chosen = ACTS[key]
                                      y = chosen(x)

What is read there is one of different things: the statement becomes one for each (`divided`).
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.core.operation import Apply, Load, LoadOuter, Operation, View
from autodiff.lower.flow.heap import Mark, moved, snapshot
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr, gast.If)
_ELSEWHERE = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
"""What stands in these is not computed once, or not there."""


def apart(statement: gast.stmt, node: gast.expr | None, own: str, mark: Mark) -> Any:
    """The statement with a name in place of an expression in it, which may be computed before it;
    None where that may make a difference. mark: where the lowering of the statement began, which
    ended at the expression.
    """
    operations = mark.builder.block.operations[mark.count :]
    if not isinstance(statement, _SIMPLE) or not all(map(is_quiet, operations)):
        return None
    if node is None or isinstance(node, gast.Name) or moved(mark.heap, snapshot(mark.frame)):
        return None
    found = 0

    def visit(part: Any) -> Any:
        nonlocal found
        if part is node:
            found += 1
            return name(own)
        return part if isinstance(part, _ELSEWHERE) else map_children(visit, part)

    if isinstance(statement, gast.If):
        made: Any = gast.If(visit(statement.test), statement.body, statement.orelse)
        made.origin = getattr(statement, "origin", None)
    else:
        made = visit(statement)
    return made if found == 1 else None


def is_quiet(op: Operation) -> bool:
    """Whether nobody notices when an operation runs."""
    for each in op.nested():
        if isinstance(each, Apply):
            if not each.primitive.pure:
                return False
        elif not isinstance(each, (Load, View, LoadOuter)) and not each.blocks:
            return False
    return not any(effect.what == "write" for effect in op.effects())
