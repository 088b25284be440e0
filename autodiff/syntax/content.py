"""Names whose content, not only whose shape or type, a piece of code reads."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.syntax.memo import Memo
from autodiff.syntax.names import reads
from autodiff.syntax.walk import children

_OUTSIDE = frozenset("shape ndim size dtype itemsize nbytes".split())
_MOULDS = frozenset("zeros_like ones_like empty_like full_like len ndim size shape".split())


def content_reads(node: Any) -> set[str]:
    """The names that are read for more than their shape or type.

    >>> tree = gast.parse("x_bar = np.zeros_like(x) + y * len(z) + w.shape[0]")
    >>> sorted(content_reads(tree))
    ['np', 'y']
    """
    if node.__class__ is list:
        return set().union(*map(content_reads, node))
    return set(_CONTENT[node])


def _content(node: gast.AST) -> set[str]:
    found: set[str] = set()
    todo: list[gast.AST] = [node]
    while todo:
        item = todo.pop()
        cls = item.__class__
        if cls is gast.Name:
            if item.ctx.__class__ is gast.Load:
                found.add(item.id)
        elif cls is gast.BinOp:
            todo += (item.left, item.right)
        elif cls is gast.Constant:
            pass
        elif cls is gast.Attribute and item.attr in _OUTSIDE:
            if not isinstance(item.value, gast.Name):
                todo.append(item.value)
        elif cls is gast.Call and _is_mould(item):
            todo.extend([item.func, *item.args[1:], *(k.value for k in item.keywords)])
            if not isinstance(item.args[0], gast.Name):
                todo.append(item.args[0])
            if isinstance(item.func, gast.Name):
                todo.remove(item.func)
        elif cls is gast.Lambda or cls is gast.FunctionDef:
            found |= reads(item)
        else:
            if cls is gast.AugAssign and isinstance(item.target, gast.Name):
                found.add(item.target.id)
            todo.extend(children(item))
    return found


_CONTENT = Memo(_content)


def _is_mould(call: gast.Call) -> bool:
    """Whether a call takes no more from its first argument than shape and type."""
    function = call.func
    own = function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", None)
    return own in _MOULDS and bool(call.args)
