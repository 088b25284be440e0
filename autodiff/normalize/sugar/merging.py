"""Dicts made of others, as the calls and stores that they mean.

    d = {**a, "w": w, **b}          d = dict(a)
                                    d["w"] = w
                                    d.update(b)
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import assign, call, effect, item, method
from autodiff.normalize.sugar.context import Context
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of

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
