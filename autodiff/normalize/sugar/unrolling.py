"""Comprehensions over items that are written out become lists that are.

    s, t = [np.asarray(v) for v in (s, t)]          s, t = [np.asarray(s), np.asarray(t)]
    s, t = map(np.asarray, (s, t))
    s, t = (np.zeros(n) for _ in range(2))          s, t = [np.zeros(n), np.zeros(n)]

So would a person write it: a loop would need a list that grows, and its adjoint another.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import assign
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.forms import has_walrus
from autodiff.normalize.sugar.streams import is_call
from autodiff.syntax.names import name, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, of_class, walk

_MOST = 64
"""The nodes of all elements together, beyond which a loop is easier to read."""


def unrolled(
    value: gast.ListComp, context: Context, statement: gast.stmt
) -> tuple[list[gast.stmt], gast.List] | None:
    """The list of the elements after what computes the items; None where it stays a loop.

    The items are computed first, as Python does.
    """
    generator = value.generators[0]
    if len(value.generators) > 1 or generator.ifs or generator.is_async or has_walrus(value):
        return None
    element: Any = value.elt
    iterable: Any = generator.iter
    if is_call(iterable, context, "map"):
        if not _is_plain_map(value) or not _is_dotted(iterable.args[0]):
            return None
        called, iterable = iterable.args
        element = gast.Call(func=called, args=[value.elt], keywords=[])
        gast.copy_location(element, value.elt)
    items = _items(iterable, statement, context)
    if items is None or not isinstance(generator.target, gast.Name):
        return None
    if any(isinstance(item, gast.Starred) for item in items) or not items:
        return None
    if len(items) * len(list(walk(element))) > _MOST or of_class(context.tree, gast.Nonlocal):
        return None
    variable = generator.target.id
    if any(variable in writes(inner.target) for inner in of_class(element, gast.comprehension)):
        return None
    before: list[gast.stmt] = []
    made = []
    for item in items:
        own = item
        if not isinstance(item, (gast.Name, gast.Constant)):
            temporary = context.named_after(item)
            before.append(assign(temporary, item, origin_of(statement)))
            own = gast.copy_location(name(temporary), item)
        made.append(substitute(clone(element), {variable: own}))
    return before, gast.copy_location(gast.List(elts=made, ctx=gast.Load()), value)


def _items(
    iterable: gast.expr, statement: gast.stmt, context: Context
) -> list[gast.expr] | None:
    """What is written out; the numbers of a range where there are as many targets."""
    if isinstance(iterable, (gast.Tuple, gast.List)):
        return list(iterable.elts)
    if not is_call(iterable, context, "range") or not isinstance(statement, gast.Assign):
        return None
    target, (count, *more) = statement.targets[0], iterable.args
    if not isinstance(count, gast.Constant) or more or not isinstance(target, gast.Tuple):
        return None
    if count.value != len(target.elts):
        return None
    numbers = (gast.Constant(value=number, kind=None) for number in range(count.value))
    return [gast.copy_location(number, count) for number in numbers]


def _is_plain_map(value: gast.ListComp) -> bool:
    """Whether a comprehension gives the items of `map(f, xs)` as they are."""
    call, target = value.generators[0].iter, value.generators[0].target
    same = isinstance(value.elt, gast.Name) and isinstance(target, gast.Name)
    return same and value.elt.id == target.id and len(call.args) == 2 and not call.keywords


def _is_dotted(node: gast.expr) -> bool:
    """Whether a function is named: `np.asarray`, not what a call gives."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)
