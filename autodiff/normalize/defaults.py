"""Defaults of nested functions are evaluated where the function is defined.

def g(v=b[0]):              v_default = b[0]
    return v * v            def g(v=v_default):
                                return v * v
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

import gast

from autodiff.normalize.build import assign
from autodiff.syntax.names import Names, name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def defaults(tree: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """The tree in which the defaults of nested functions are constants and names of their own."""

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([part for s in statements for part in one(s)], statements)

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            return [within(statement, block)]
        nested = statement
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Lambda):
            nested = statement.value
        elif not isinstance(statement, gast.FunctionDef):
            return [statement]
        before: list[gast.stmt] = []
        arguments = shallow(nested.args)
        for field in ("defaults", "kw_defaults"):
            values = [kept(value, statement, before) for value in getattr(nested.args, field)]
            setattr(arguments, field, values)
        if not before:
            return [statement]
        new = shallow(nested)
        new.args = arguments
        if nested is not statement:
            whole = shallow(statement)
            whole.value = new
            new = whole
        return [*before, new]

    def kept(value: gast.expr | None, statement: gast.stmt, before: list[gast.stmt]) -> gast.expr:
        if value is None or isinstance(value, (gast.Constant, gast.Lambda)):
            return value
        own = names.fresh("default")
        before.append(gast.copy_location(assign(own, value, origin_of(statement)), statement))
        return gast.copy_location(name(own), value)

    new: gast.FunctionDef = within(tree, block)
    return new


_BLOCKS = ("body", "orelse", "finalbody", "handlers")


def within(node: gast.AST, block: Callable[[list[gast.stmt]], list[gast.stmt]]) -> Any:
    """The node with `block` applied to the blocks in it; itself if they are all as they were."""
    fields = {field: getattr(node, field, None) for field in _BLOCKS}
    made = {field: block(part) for field, part in fields.items() if part}
    if all(part is fields[field] for field, part in made.items()):
        return node
    new = shallow(node)
    for field, part in made.items():
        setattr(new, field, part)
    return new


def shared(new: list[gast.stmt], old: list[gast.stmt]) -> list[gast.stmt]:
    """The old list where the new one holds the same statements."""
    return old if len(new) == len(old) and all(map(is_, new, old)) else new
