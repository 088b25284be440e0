"""Iterators of which one loop takes a part of the items and leaves the rest to others.

    rest = iter(range(n))
    for i in rest:                  takes the items up to the one at which it stops
        if i == k:
            break
    for i in rest:                  takes the others
        ...

A loop over places goes over all items of a list, so such a loop remains one over the iterator.
"""

from __future__ import annotations

import inspect

import gast

from autodiff.normalize.sugar.context import Context, meaning
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import children, of_class

_MAKERS = ("iter", "enumerate", "zip", "reversed", "map", "filter")


def leaves_rest(statement: gast.For, context: Context) -> bool:
    """Whether a loop may stop before the end of an iterator that is read elsewhere, too.

    One over `zip(rest, xs)` stops where `xs` does.
    """
    alone = isinstance(statement.iter, gast.Name)
    if alone and not of_class(statement.body, gast.Break, gast.Return, gast.Raise):
        return False
    return any(_is_shared(own, context) for own in sorted(reads(statement.iter)))


def _is_shared(own: str, context: Context) -> bool:
    """Whether a name holds an iterator of which items may be taken at several places."""
    tree = context.tree
    values = [
        node.value
        for node in of_class(tree, gast.Assign, gast.NamedExpr, gast.AnnAssign)
        if node.value is not None and own in writes(node)
    ]
    if not any(_may_be_iterator(value, context) for value in values):
        return False
    loads = [n for n in of_class(tree, gast.Name) if n.id == own and isinstance(n.ctx, gast.Load)]
    loops = of_class(tree, gast.For, gast.While)
    return len(loads) > 1 or any(_repeats(loop, own) for loop in loops)


def _repeats(loop: gast.For | gast.While, own: str) -> bool:
    """Whether a loop begins loops over an iterator that it does not make itself."""
    inner = of_class(loop.body, gast.For)
    return own not in writes(loop.body) and any(own in reads(each.iter) for each in inner)


def _may_be_iterator(value: gast.expr, context: Context) -> bool:
    """Whether an expression, or a part of it, makes an iterator that its value may be."""
    if isinstance(value, gast.GeneratorExp):
        return True
    if isinstance(value, (gast.BoolOp, gast.IfExp, gast.Tuple, gast.List)):
        return any(_may_be_iterator(part, context) for part in children(value))
    if not isinstance(value, gast.Call):
        return False
    base = value.func
    if isinstance(base, gast.Name) and base.id in _MAKERS and context.is_builtin(base.id):
        return True
    found = meaning(base, context)
    module = getattr(found, "__module__", None) or getattr(type(found), "__module__", "")
    return module == "itertools" or inspect.isgeneratorfunction(found)
