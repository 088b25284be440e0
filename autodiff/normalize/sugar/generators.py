"""A generator that gets a name is said with `map` and `filter`.

    squares = (v * v for v in xs if v > 0)
                                        squares = map(lambda v: v * v, filter(lambda v: v > 0, xs))

Both give their items once, and each when it is asked for.
"""

from __future__ import annotations

import gast

from autodiff.normalize.build import assign, call
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.forms import has_walrus
from autodiff.normalize.sugar.streams import is_call
from autodiff.syntax.definition import definition
from autodiff.syntax.names import substitute
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote


def named_generator(statement: gast.Assign, context: Context) -> list[gast.stmt] | None:
    """`squares = (v * v for v in xs)`, also over the tuples of `zip` and `enumerate`."""
    value, target = statement.value, statement.targets[0]
    if not isinstance(value, gast.GeneratorExp) or not isinstance(target, gast.Name):
        return None
    if len(value.generators) != 1 or has_walrus(value) or not context.is_builtin("map", "filter"):
        return None
    [generator] = value.generators
    iterable, item = generator.iter, generator.target
    parts: dict[str, gast.expr] = {}
    variable = item.id if isinstance(item, gast.Name) else context.temporary("item")
    if not isinstance(item, gast.Name):
        if not _is_unpacked(item, iterable, context):
            return None
        parts = {p.id: quote(f"x[{k}]", x=variable) for k, p in enumerate(item.elts)}
    for test in generator.ifs:
        iterable = call("filter", _function(variable, substitute(test, parts)), iterable)
    made = call("map", _function(variable, substitute(value.elt, parts)), iterable)
    return [assign(target, gast.copy_location(made, value), origin_of(statement))]


def _is_unpacked(item: gast.expr, iterable: gast.expr, context: Context) -> bool:
    """Whether each item is a tuple of just so many parts as there are names."""
    if not isinstance(item, gast.Tuple) or not all(isinstance(p, gast.Name) for p in item.elts):
        return False
    if not is_call(iterable, context, "zip", "enumerate") or iterable.keywords:
        return False
    given = iterable.args
    if any(isinstance(argument, gast.Starred) for argument in given):
        return False
    return len(item.elts) == (2 if iterable.func.id == "enumerate" else len(given))


def _function(variable: str, value: gast.expr) -> gast.Lambda:
    given = definition("function", [variable], []).args
    return gast.Lambda(args=given, body=value)
