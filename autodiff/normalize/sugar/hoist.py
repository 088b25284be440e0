"""Take an expression apart into statements before it, in the order Python evaluates it.

    y = f(x) + (a if c else b)

becomes

    f_x = f(x)
    choice = a if c else b
    y = f_x + choice

and the rule for conditional expressions does the rest; what could be changed moves before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.normalize.build import assign, call, effect, item, method
from autodiff.normalize.sugar.collecting import as_comprehension
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.predicates import (
    COMPREHENSIONS,
    has_walrus,
    is_condition,
    is_lowered_choice,
    is_lowered_comprehension,
    is_pure,
)
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import children, clone, map_children

_LEAVES = (gast.Name, gast.Constant, gast.Lambda)
_EVALUATED = (gast.expr, gast.Slice)
_WRAPPERS = (gast.Starred, gast.Slice, gast.FormattedValue)

Lowered = tuple[list[gast.stmt], Any]


def hoist(node: Any, context: Context, origin: Origin | None, test: bool = False) -> Lowered:
    """The statements to run before, and what is left of the expression (itself if unchanged).

    In a `test` nothing is differentiated: only assignments (`:=`) are taken out of it.
    """
    kind = type(node)
    if kind in _LEAVES:
        return [], node
    if kind is gast.NamedExpr:
        target = node.target.id
        return [assign(target, node.value, origin)], gast.copy_location(name(target), node)
    if kind is gast.IfExp:
        if has_walrus(node) if test else is_lowered_choice(node):
            return _named("choice", node, context, origin)
        return [], node
    if kind is gast.BoolOp:
        return _hoist_boolean(node, context, origin, test)
    if kind in COMPREHENSIONS:
        if not test and is_lowered_comprehension(node):
            return _named("table" if kind is gast.DictComp else "items", node, context, origin)
        return [], node
    if not test and is_merged(node, context):
        return _named("table", node, context, origin)
    if kind is gast.Call and not test:
        node = as_comprehension(node, context)
        if type(node) in COMPREHENSIONS:
            return hoist(node, context, origin)
    if kind is gast.Compare and len(node.ops) > 1:
        if any(has_walrus(part) for part in node.comparators[1:]):
            return hoist(_unchained(node, context, origin), context, origin, test)
    return hoist_parts(node, context, origin, test)


def _named(hint: str, node: gast.expr, context: Context, origin: Origin | None) -> Lowered:
    temporary = context.temporary(hint)
    return [assign(temporary, node, origin)], gast.copy_location(name(temporary), node)


def hoist_parts(node: Any, context: Context, origin: Origin | None, test: bool = False) -> Lowered:
    """`hoist` for the operands of a node."""
    before: list[gast.stmt] = []
    done: list[tuple[Any, Any]] = []
    for part in operands(node):
        added, new = hoist(part, context, origin, test or _is_inactive(node, part))
        if added:
            for position, (old, current) in enumerate(done):
                if not _is_stable(current, added, context.exact):
                    temporary = context.named_after(current)
                    before.append(assign(temporary, current, origin))
                    done[position] = old, gast.copy_location(name(temporary), current)
            before.extend(added)
        done.append((part, new))
    if all(old is new for old, new in done):
        return before, node
    return before, _rebuilt(node, {id(old): new for old, new in done})


def operands(node: Any) -> Iterator[Any]:
    """The expressions that are evaluated for the node, in that order."""
    if isinstance(node, gast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                yield from _unwrapped(key)
            yield from _unwrapped(value)
    elif isinstance(node, gast.Call):
        function = node.func
        yield function.value if isinstance(function, gast.Attribute) else function
        for argument in node.args:
            yield from _unwrapped(argument)
        for keyword in node.keywords:
            yield from _unwrapped(keyword.value)
    else:
        for child in children(node):
            if isinstance(child, _EVALUATED):
                yield from _unwrapped(child)


def _unwrapped(node: Any) -> Iterator[Any]:
    if isinstance(node, _WRAPPERS) or (
        isinstance(node, gast.Tuple) and any(isinstance(e, _WRAPPERS) for e in node.elts)
    ):
        for child in children(node):
            if isinstance(child, _EVALUATED):
                yield from _unwrapped(child)
    elif isinstance(getattr(node, "ctx", None), gast.Store):
        if not isinstance(node, gast.Name):
            yield from operands(node)
    else:
        yield node


def _rebuilt(node: Any, new: dict[int, Any]) -> Any:
    def visit(child: Any) -> Any:
        if id(child) in new:
            return new[id(child)]
        return map_children(visit, child)

    return map_children(visit, node)


def _is_inactive(node: Any, part: Any) -> bool:
    """Whether what the node makes of this operand can carry no derivative."""
    if isinstance(node, (gast.Compare, gast.JoinedStr)):
        return True
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not)
    return (
        isinstance(node, gast.Subscript)
        and part is not node.value
        and isinstance(part, gast.ListComp)
    )


def _is_stable(node: Any, later: list[gast.stmt], exact: bool) -> bool:
    """Whether the expression may be evaluated after these statements as well as before."""
    if isinstance(node, (gast.Constant, gast.Lambda)):
        return True
    changed = writes(later)
    if isinstance(node, gast.Name):
        return node.id not in changed
    pure = not exact and all(is_pure(part) for part in [node, *later])
    return pure and not reads(node) & changed


def _hoist_boolean(
    node: gast.BoolOp, context: Context, origin: Origin | None, test: bool
) -> Lowered:
    first, *others = node.values
    if any(has_walrus(value) for value in others):
        return _named("condition", node, context, origin)
    if test or is_condition(node):
        before, new = hoist(first, context, origin, True)
        return before, _rebuilt(node, {id(first): new}) if before else node
    return _named("choice", node, context, origin)


def _unchained(node: gast.Compare, context: Context, origin: Origin | None) -> gast.BoolOp:
    """`a < b < c` as `a < b and b < c`, with `b` evaluated once."""
    values, left = [], node.left
    for position, (operator, right) in enumerate(zip(node.ops, node.comparators)):
        following = clone(right)
        if position + 1 < len(node.ops) and not isinstance(right, gast.Constant):
            temporary = context.temporary("middle")
            right = gast.NamedExpr(target=name(temporary, gast.Store()), value=right)
            following = name(temporary)
        values.append(gast.Compare(left=left, ops=[operator], comparators=[right]))
        left = following
    return gast.BoolOp(op=gast.And(), values=values)


Statements = list[gast.stmt]


def is_merged(node: Any, context: Context) -> bool:
    """Whether the node is a display with `**`."""
    return isinstance(node, gast.Dict) and None in node.keys and context.is_builtin("dict")


def merged(statement: gast.Assign, context: Context) -> Statements | None:
    """`d = {**a, k: v}`."""
    value, target = statement.value, statement.targets[0]
    if not is_merged(value, context):
        return None
    origin = origin_of(statement)
    if not isinstance(target, gast.Name) or not context.may_hold(target.id, [value]):
        hint = f"{target.id}_new" if isinstance(target, gast.Name) else "table"
        temporary = context.temporary(hint)
        return [assign(temporary, value, origin), assign(target, name(temporary), origin)]
    first = value.keys.index(None)
    if first:
        entries: Any = gast.Dict(keys=value.keys[:first], values=value.values[:first])
    else:
        entries = call("dict", value.values[0])
        first = 1
    made: Statements = [assign(target, entries, origin)]
    for key, part in zip(value.keys[first:], value.values[first:]):
        if key is None:
            made.append(effect(method(name(target.id), "update", part), origin))
        else:
            place = item(name(target.id), key)
            place.ctx = gast.Store()
            made.append(assign(place, part, origin))
    return made
