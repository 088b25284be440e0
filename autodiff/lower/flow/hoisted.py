"""Parts of statements that are computed before them, in the order in which Python computes them.

    y = a[k] * ACTS[key](x)           left = a[k]
                                      choice = ACTS[key]
                                      y = left * choice(x)

What is read there is one of different things: the statement becomes one for each (`divided`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.normalize.build import assign, at
from autodiff.syntax.names import name
from autodiff.syntax.walk import shallow

_ORDER: dict[type[gast.AST], tuple[str, ...]] = {
    gast.BinOp: ("left", "right"),
    gast.UnaryOp: ("operand",),
    gast.Compare: ("left", "comparators"),
    gast.BoolOp: ("values",),
    gast.IfExp: ("test", "body", "orelse"),
    gast.Call: ("func", "args", "keywords"),
    gast.keyword: ("value",),
    gast.Starred: ("value",),
    gast.Attribute: ("value",),
    gast.Subscript: ("value", "slice"),
    gast.Slice: ("lower", "upper", "step"),
    gast.Tuple: ("elts",),
    gast.List: ("elts",),
}
"""The parts of an expression, in their order."""
_SURE = {gast.Compare: 2, gast.BoolOp: 1, gast.IfExp: 1}
"""So many of them are always computed."""
_HELD = (gast.keyword, gast.Starred, gast.Slice)
"""What is no value by itself."""


def apart(
    statement: Any,
    node: gast.expr | None,
    fresh: Callable[[str], str],
    known: Callable[[gast.expr], bool],
) -> list[gast.stmt] | None:
    """The statement with a name in place of an expression in it, behind what gives that name; None
    where that expression may not be computed. known: what nobody else sets meanwhile.
    """
    field = "test" if isinstance(statement, gast.If) else "value"
    simple = (gast.Assign, gast.AugAssign, gast.Expr, gast.If)
    if node is None or isinstance(node, gast.Name) or not isinstance(statement, simple):
        return None
    origin = getattr(statement, "origin", None)
    before: list[gast.stmt] = []

    def taken(part: Any) -> Any:
        """A part that is computed before."""
        if part is None or isinstance(part, gast.Constant):
            return part
        if isinstance(part, (gast.Name, gast.Attribute)) and part is not node and known(part):
            return part
        if isinstance(part, _HELD) and part is not node:
            return changed(part, taken)
        own = fresh("choice" if part is node else "part")
        before.append(assign(own, part, origin))
        return name(own)

    def changed(part: Any, change: Callable[[Any], Any], stop: Any = None) -> Any:
        """A part with others in place of its parts, up to one of these."""
        made, done = shallow(part), False
        for word in _ORDER[type(part)]:
            found = getattr(part, word)
            parts = []
            for each in found if isinstance(found, list) else [found]:
                done = done or each is stop and stop is not None
                method = word == "func" and isinstance(each, gast.Attribute) and not known(each)
                if method and not done:
                    each = changed(each, change)  # a method, of what it is of now
                elif not done:
                    each = change(each)
                parts.append(each)
            setattr(made, word, parts if isinstance(found, list) else parts[0])
        return made

    def visit(part: Any) -> Any:
        """A part with the name in it; None if it may not be computed there."""
        if part is node:
            return taken(part)
        order = _ORDER.get(type(part), ())
        inner = [e for w in order for e in _listed(getattr(part, w))]
        holder = next((e for e in inner if e is not None and _holds(e, node)), None)
        if holder is None or inner.index(holder) >= _SURE.get(type(part), len(inner)):
            return None
        made = changed(part, taken, holder)
        own = visit(holder)
        return None if own is None else _with(made, holder, own, order)

    last = shallow(statement)
    if isinstance(statement, gast.AugAssign) and not isinstance(statement.target, gast.Name):
        last.target = changed(statement.target, taken)  # which is read before the value is computed
        held = shallow(last.target)
        held.ctx = gast.Load()
        before.append(at(gast.Expr(value=held), origin))
    value = visit(getattr(statement, field))
    if value is None:
        return None
    setattr(last, field, value)
    last.origin = origin
    return [*before, last]


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


def _holds(part: gast.AST, node: gast.AST) -> bool:
    return any(each is node for each in gast.walk(part))


def _with(made: Any, old: Any, new: Any, order: tuple[str, ...]) -> Any:
    """An expression with another part."""
    for word in order:
        found = getattr(made, word)
        if isinstance(found, list):
            setattr(made, word, [new if each is old else each for each in found])
        elif found is old:
            setattr(made, word, new)
    return made
