"""From Python's own trees to gast's, quickly."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast

from autodiff.syntax.make import SIGNS


def to_gast(node: ast.AST) -> Any:
    """The gast tree of a Python tree: what `gast.ast_to_gast` returns, several times faster.

    >>> import ast, gast
    >>> isinstance(to_gast(ast.parse("lambda x: 1", mode="eval").body.args.args[0]), gast.Name)
    True
    """
    cls = type(node)
    if cls in _SIGNS:
        return _SIGNS[cls]
    special = _SPECIAL.get(cls)
    return _convert(node) if special is None else special(node)


_SIGNS = {
    cls: SIGNS[getattr(gast, cls.__name__)]
    for base in (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    for cls in base.__subclasses__()
    if hasattr(gast, cls.__name__)
}


_KINDS: dict[type[ast.AST], Any] = {}


def _empty(node: ast.AST, kind: Any = None) -> tuple[Any, dict[str, Any]]:
    """A gast node of the same kind without fields, and the dictionary that will hold them."""
    if kind is None:
        kind = _KINDS.get(type(node))
    if kind is None:
        kind = _KINDS[type(node)] = getattr(gast, type(node).__name__)
    new = kind.__new__(kind)
    values = new.__dict__
    if node._attributes:
        values["lineno"] = node.lineno  # type: ignore[attr-defined]
        values["col_offset"] = node.col_offset  # type: ignore[attr-defined]
        values["end_lineno"] = node.end_lineno  # type: ignore[attr-defined]
        values["end_col_offset"] = node.end_col_offset  # type: ignore[attr-defined]
    return new, values


def _convert(node: ast.AST) -> Any:
    new, values = _empty(node)
    for field in new._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            value = [to_gast(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST):
            value = to_gast(value)
        values[field] = value
    return new


def _definition(node: ast.AST) -> Any:
    new = _convert(node)
    if new.type_params is None:  # before Python 3.12
        new.type_params = []
    return new


def _name(node: ast.Name) -> Any:
    new, values = _empty(node)
    values["id"] = node.id
    values["ctx"] = _SIGNS[type(node.ctx)]
    values["annotation"] = None
    values["type_comment"] = None
    return new


def _parameter(node: ast.arg) -> Any:
    annotation = None if node.annotation is None else to_gast(node.annotation)
    new, values = _empty(node, gast.Name)
    values["id"] = node.arg
    values["ctx"] = SIGNS[gast.Param]
    values["annotation"] = annotation
    values["type_comment"] = node.type_comment
    return new


def _handler(node: ast.ExceptHandler) -> Any:
    new = _convert(node)
    if node.name:
        new.name = gast.Name(node.name, gast.Store(), None, None)
    return new


_SPECIAL: dict[type[ast.AST], Callable[[Any], Any]] = {
    ast.Name: _name,
    ast.arg: _parameter,
    ast.ExceptHandler: _handler,
    ast.FunctionDef: _definition,
    ast.AsyncFunctionDef: _definition,
    ast.ClassDef: _definition,
}


def mangle(tree: gast.AST, owner: str | None) -> None:
    """Spell the private names in a method as Python means them: `self.__a` is `self._Owner__a`."""
    prefix = "_" + (owner or "").lstrip("_")
    if prefix == "_":
        return

    def mangled(name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return prefix + name if private else name

    def visit(node: gast.AST) -> None:
        for field in ("id", "attr", "name", "arg", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and node is not tree:
                setattr(node, field, mangled(value))
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            node.names = [mangled(name) for name in node.names]
        for child in gast.iter_child_nodes(node):
            if not isinstance(child, gast.ClassDef):  # an inner class has its own private names
                visit(child)

    visit(tree)
