"""Objects of a library that carry a derivative, where calls are all that is asked of them.

    s = CubicSpline(x, y)         what stands for it holds x and y as they are now, and is called:
    s(at)                         spline_values(x, y, at)

There is a plain function for such a class that makes a function (`registry.add_plain`): whatever
else is asked of the object is refused. Or there is a plain class.
"""

from __future__ import annotations

import inspect
from typing import Any

import gast
import numpy as np

from autodiff.core import NotYet, Value
from autodiff.kinds.kind import Scalar
from autodiff.lower.entries import boxes
from autodiff.lower.entries.entry import Closure, Entry
from autodiff.lower.expression.application import Arguments, applied
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.flow import opaque
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.recipes.only_called import Counterpart, named_after
from autodiff.rules import registry
from autodiff.syntax.walk import walk


def plainly(
    expressions: Expressions, target: Any, arguments: Arguments, called: bool = False
) -> Entry | None:
    """What stands for an object that is made of what carries a derivative, or of which it is known
    that it is only `called`; None for others.
    """
    maker = registry.plain_for(target)
    given = [*arguments.positional, *(entry for _, entry in arguments.named)]
    if (
        maker is None
        or not (called or isinstance(maker, type))
        and not any(opaque.is_derived(expressions.unit, each) for each in given)
    ):
        return None
    positional, named = arguments.positional, arguments.named
    try:
        inspect.signature(maker).bind(*positional, **dict(named))
    except TypeError:
        return None
    positional = [as_now(expressions, entry) for entry in positional]
    named = [(key, as_now(expressions, entry)) for key, entry in named]
    if isinstance(maker, type):
        Counterpart.register(maker)  # what it has not, the other has: nobody knows that here
        return boxes.called(expressions, maker, *positional, named=named)
    made = inlined(expressions, maker, positional, named)
    if not isinstance(made, Closure):
        raise NotYet("a function of a library that is not known")
    return boxes.boxed(expressions.unit, named_after(target), {"function": made})


def plainly_called(
    expressions: Expressions, target: Any, arguments: Arguments, node: gast.Call
) -> Entry | None:
    """The same for a call as it is written, where all that is asked of what it gives is seen."""
    if expressions.trusts or registry.plain_for(target) is None:
        return None
    called = is_only_called(expressions.frame.tree, node)
    return plainly(expressions, target, arguments, called=True) if called else None


def is_only_called(tree: gast.AST, node: gast.Call) -> bool:
    """Whether what a call gives is called there, or is in a variable that is only called."""
    every = [*walk(tree)]
    called = [each.func for each in every if isinstance(each, gast.Call)]
    if any(each is node for each in called):
        return True
    stores = [each for each in every if isinstance(each, gast.Assign) and each.value is node]
    if len(stores) != 1 or len(stores[0].targets) != 1:
        return False
    (target,) = stores[0].targets
    if not isinstance(target, gast.Name):
        return False
    around = [each.names for each in every if isinstance(each, (gast.Global, gast.Nonlocal))]
    if any(target.id in names for names in around):
        return False
    named = [each for each in every if isinstance(each, gast.Name) and each.id == target.id]
    others = (each for each in named if each is not target)
    return all(any(each is function for function in called) for each in others)


def as_now(expressions: Expressions, entry: Entry) -> Entry:
    """An argument as it is now: a list as an array, an array as one that nobody changes later."""
    if isinstance(entry, Value) and (entry.is_constant or isinstance(entry.kind, Scalar)):
        return entry
    path = expressions.unit.references.use("copy", np.copy)
    return applied(expressions, np.copy, path, Arguments.of([entry]))
