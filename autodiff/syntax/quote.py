"""Trees written as text with holes."""

from __future__ import annotations

from functools import cache

import gast

from autodiff.syntax.names import name
from autodiff.syntax.walk import clone, map_children, walk


@cache
def _parse(text: str) -> gast.Module:
    tree = gast.parse(text)
    for node in walk(tree):
        for field in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, field):
                delattr(node, field)
    return tree


def quote(text: str, **holes: gast.expr | str) -> gast.expr:
    """The expression `text`, with each name in `holes` replaced by a copy of its expression.

    A string in `holes` stands for a name.

    >>> import ast
    >>> ast.unparse(gast.gast_to_ast(quote("a + b", a="x", b=quote("y * 2"))))
    'x + y * 2'
    """
    return _fill(_parse(text).body[0].value, holes)


def quote_statements(text: str, **holes: gast.expr | str) -> list[gast.stmt]:
    """The statements `text`, with holes as in `quote`; a string also renames assigned names."""
    return [_fill(statement, holes) for statement in _parse(text).body]


def _fill(node: gast.AST, holes: dict[str, gast.expr | str]) -> gast.AST:
    if isinstance(node, gast.Name) and node.id in holes:
        value = holes[node.id]
        if isinstance(value, str):
            return name(value, clone(node.ctx))
        copy = clone(value)
        if isinstance(copy, (gast.Name, gast.Subscript, gast.Attribute)):
            copy.ctx = clone(node.ctx)
        return copy
    return map_children(lambda child: _fill(child, holes), node)
