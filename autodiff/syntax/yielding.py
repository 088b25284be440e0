"""Generators, told by their text."""

from __future__ import annotations

import gast

from autodiff.syntax.walk import children


def yields(function: gast.FunctionDef) -> bool:
    """Whether a function is a generator: it yields itself, not in a function inside.

    >>> yields(gast.parse("def f(xs):\\n    for x in xs:\\n        yield x").body[0])
    True
    """
    todo: list[gast.AST] = list(function.body)
    while todo:
        part = todo.pop()
        if isinstance(part, (gast.Yield, gast.YieldFrom)):
            return True
        if not isinstance(part, (gast.FunctionDef, gast.Lambda)):
            todo.extend(children(part))
    return False
