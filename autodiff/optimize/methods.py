"""Sums of arrays by their own method, which takes half the time of the function for small ones."""

from __future__ import annotations

import gast

from autodiff.optimize.change import changed, map_parts
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse, sums

_SCOPES = (gast.FunctionDef, gast.ClassDef, gast.Lambda)
_NUMPY = ("np", "numpy")


def methods(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, `np.sum(y_bar, axis=0)` of what is certainly an array as a method call.

    For names only: a sum over an expression reads better as a function.

        b_bar = np.sum(y_bar, axis=0)          becomes          b_bar = y_bar.sum(axis=0)
    """

    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, _SCOPES):
            return node
        new: gast.AST = map_parts(part, node)
        return method(new) if isinstance(new, gast.Call) else new

    def method(call: gast.Call) -> gast.Call:
        func = call.func
        if not isinstance(func, gast.Attribute) or func.attr != "sum" or len(call.args) != 1:
            return call
        [array] = call.args
        if not isinstance(func.value, gast.Name) or func.value.id not in _NUMPY:
            return call
        if not isinstance(array, gast.Name) or not facts.shape(array) or not facts.pure(call):
            return call
        bound = gast.Attribute(value=array, attr="sum", ctx=gast.Load())
        result: gast.Call = changed(call, func=bound, args=[])
        return result

    return map_reverse(part, tree, facts) if sums(tree) else tree
