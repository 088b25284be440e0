"""`np.select` with lists that are written out, as the choices between two that it is.

    np.select([x > 1, x > 0], [x, np.log(x)], 0.0)
                                            becomes
    np.where(x > 1, x, np.where(x > 0, np.log(x), 0.0))

So what is not chosen receives 0 through any number of factors, as with `np.where`, and nobody makes
lists. Of several choices the last, or the default, has to be an array of floats by its text: NumPy
finds one dtype for all of them, and `np.where(x > 0, 1.0, 0.0)` alone is double precision, which
would make all choices so.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.normalize.subscripts import meaning
from autodiff.syntax.walk import clone, map_children, of_class, shallow

Meant = Callable[[str], Any]
_PARAMETERS = ("condlist", "choicelist", "default")


def selected(tree: gast.FunctionDef, meant: Meant) -> gast.FunctionDef:
    """The function with choices; `meant` tells what a name from outside of it stands for."""
    calls = of_class(tree, gast.Call)
    if not any(_is_select(call, meant) and _parts(call, meant) for call in calls):
        return tree

    def change(node: gast.AST) -> gast.AST:
        new = map_children(change, node)
        is_call = isinstance(new, gast.Call) and _is_select(new, meant)
        return (is_call and _chosen(new, meant)) or new

    changed: gast.FunctionDef = map_children(change, tree)
    return changed


def _is_select(call: gast.Call, meant: Meant) -> bool:
    return isinstance(call.func, gast.Attribute) and meaning(call.func, meant) is np.select


def _chosen(call: gast.Call, meant: Meant) -> gast.Call | None:
    parts = _parts(call, meant)
    if parts is None:
        return None
    conditions, choices, result = parts
    for condition, choice in zip(reversed(conditions), reversed(choices)):
        function = clone(call.func)
        function.attr = "where"
        new = shallow(call)
        new.func, new.args, new.keywords = function, [condition, choice, result], []
        result = new
    return result


def _parts(
    call: gast.Call, meant: Meant
) -> tuple[list[gast.expr], list[gast.expr], gast.expr] | None:
    """Conditions, choices and the default, if they are written out and their order is no matter."""
    given = dict(zip(_PARAMETERS, call.args))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if len(given) != len(call.args) + len(call.keywords) or not given.keys() <= {*_PARAMETERS}:
        return None
    lists = [given.get("condlist"), given.get("choicelist")]
    if not all(isinstance(own, (gast.List, gast.Tuple)) for own in lists):
        return None
    conditions, choices = (own.elts for own in lists)  # type: ignore[union-attr]
    items = [*conditions, *choices]
    if not conditions or len(conditions) != len(choices):
        return None
    if any(isinstance(item, gast.Starred) for item in items):
        return None
    default = given.get("default") or gast.Constant(value=0, kind=None)
    if len(conditions) > 1 or call.keywords:
        if not all(_only_computes(item, meant) for item in [*items, default]):
            return None
    if len(conditions) > 1 and not any(_is_inexact(own, meant) for own in (choices[-1], default)):
        return None
    return conditions, choices, default


def _only_computes(node: gast.expr, meant: Meant) -> bool:
    """Whether an expression calls nothing but functions of modules, and binds nothing."""
    if of_class(node, gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom):
        return False
    calls = of_class(node, gast.Call)
    return not any(call.keywords or not _is_of_module(call.func, meant) for call in calls)


def _is_inexact(node: gast.expr, meant: Meant) -> bool:
    """Whether an expression certainly is of a dtype of NumPy's for floats or complex numbers."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return _is_inexact(node.operand, meant)
    if isinstance(node, gast.BinOp):
        return _is_inexact(node.left, meant) or _is_inexact(node.right, meant)
    function = meaning(node.func, meant) if isinstance(node, gast.Call) else None
    if not isinstance(function, np.ufunc):
        return False
    results = {loop.partition("->")[2] for loop in function.types} - {"O"}
    return results <= {*np.typecodes["AllFloat"]}


def _is_of_module(function: gast.expr, meant: Meant) -> bool:
    if not isinstance(function, gast.Attribute):
        return False
    return isinstance(meaning(function.value, meant), ModuleType)
