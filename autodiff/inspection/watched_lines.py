"""What each line of a text reads and writes: the places in it that have a value before and after.

u[i] = k * u[i - 1]         reads k, u[i - 1], i; writes u[i]
"""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

from autodiff.runtime import Tape
from autodiff.runtime.structure import fields, is_record
from autodiff.tracing.number import Number

Space = dict[str, Any]
"""What names mean where a statement is run."""


@dataclass(frozen=True, slots=True)
class Line:
    """A statement, or the head of one: where it starts, its text, what it reads and writes.

    calls: what it is a call of, and nothing else. returns: whether its value is what is returned.
    """

    start: int
    text: str
    reads: dict[str, CodeType]
    writes: dict[str, CodeType]
    calls: CodeType | None
    returns: bool


@functools.lru_cache(maxsize=256)
def lines_of(file: str) -> dict[int, Line]:
    """The statements of a file, by each of their lines; of a nested one, the innermost."""
    found: dict[int, Line] = {}
    text = "".join(linecache.getlines(file))
    for node in ast.walk(ast.parse(text)):  # outer ones come first
        if isinstance(node, ast.stmt):
            line = _line(node)
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[number] = line
    return found


def _line(node: ast.stmt) -> Line:
    head = [
        part
        for name, field in ast.iter_fields(node)
        for part in (field if isinstance(field, list) else [field])
        if isinstance(part, ast.AST) and not isinstance(part, _BODIES)
    ]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        head = []
    value = getattr(node, "value", None)
    reads = {ast.unparse(own): own for part in head for own in _places(part, ast.Load)}
    writes = {ast.unparse(own): own for part in head for own in _places(part, ast.Store)}
    if isinstance(node, ast.AugAssign):
        reads[ast.unparse(node.target)] = node.target
    if any(isinstance(own, ast.Call) for part in head for own in ast.walk(part)):
        writes |= reads  # it may change what it is given
    called = value.func if isinstance(value, ast.Call) else None
    text = ast.unparse(node).partition("\n")[0] if head else ""
    return Line(
        node.lineno,
        text,
        {own: _compiled(tree) for own, tree in reads.items()},
        {own: _compiled(tree) for own, tree in writes.items()},
        None if called is None or _has_calls(called) else _compiled(called),
        isinstance(node, ast.Return),
    )


_BODIES = (ast.stmt, ast.ExceptHandler, ast.match_case)


def _places(node: ast.AST, how: type) -> Iterator[Any]:
    """The longest names, attributes and items in a tree of which the value can be asked for."""
    if isinstance(node, (ast.Lambda, ast.FunctionDef)):
        return
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and not _has_calls(node):
        if isinstance(node.ctx, how):
            yield node
        if isinstance(node, ast.Subscript) and how is ast.Load:
            yield from _places(node.slice, how)
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
            child = child.value
        yield from _places(child, how)


def _has_calls(node: ast.AST) -> bool:
    return any(isinstance(own, (ast.Call, ast.NamedExpr, ast.Await)) for own in ast.walk(node))


def _compiled(node: ast.expr) -> CodeType:
    """The code of a place that runs nothing of the user's: no property, no `__getitem__`."""
    tree = ast.Expression(_Looking().visit(ast.parse(ast.unparse(node), mode="eval").body))
    return compile(ast.fix_missing_locations(tree), "<place>", "eval")


class _Looking(ast.NodeTransformer):
    """Items and attributes by functions that ask first what they are of."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return _call("[]", self.visit(node.value), self.visit(node.slice))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return _call(".", self.visit(node.value), ast.Constant(node.attr))

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        parts = (node.lower, node.upper, node.step)
        return _call(":", *(self.visit(own) if own else ast.Constant(None) for own in parts))


def _call(name: str, *parts: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [*parts], [])


def _item(x: Any, index: Any) -> Any:
    return x[index] if type(x) in (np.ndarray, list, tuple, dict) else None


def _attribute(x: Any, name: str) -> Any:
    own = getattr(type(x), name, None)
    plain = type(x) in (np.ndarray, ModuleType) or isinstance(own, MemberDescriptorType)
    return getattr(x, name) if plain else vars(x)[name]


_LOOKS = {"[]": _item, ".": _attribute, ":": slice}


def value_at(code: CodeType, space: Space) -> Any:
    """What stands at a place now; None where nothing does."""
    try:
        return eval(code, space, _LOOKS)
    except Exception:  # it has no value yet, or no more
        return None


def rank(x: Any, unknown: int = 0) -> int:
    """0: all numbers in it are finite; 1: some are infinite; 2: some are NaN. unknown: what an
    object is in which nobody sees any.
    """
    x = x.value if isinstance(x, Number) else x
    if isinstance(x, (np.ndarray, np.generic, float, complex)):
        kind = np.asarray(x).dtype.kind
        if kind not in "fc" or np.all(np.isfinite(x)):
            return 0
        return 2 if np.any(np.isnan(x)) else 1
    if isinstance(x, (tuple, list, set, frozenset)) and not isinstance(x, Tape):
        return max((rank(own, unknown) for own in x), default=0)
    if isinstance(x, dict):
        return max((rank(own, unknown) for own in x.values()), default=0)
    if x is None or x is Ellipsis or callable(x) or isinstance(x, _WITHOUT):
        return 0
    return rank(fields(x), unknown) if is_record(x) and not isinstance(x, Tape) else unknown


_WITHOUT = (int, str, bytes, range, slice, ModuleType, np.dtype)
