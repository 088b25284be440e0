"""Views of another shape, which are views only of arrays that lie in C order."""

from __future__ import annotations

import gast
import numpy as np

from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind
from autodiff.native import matrices
from autodiff.native.arrays import in_order, viewed
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.change import changed
from autodiff.syntax.names import parameters
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import statements, walk

_ORDERS = frozenset(("T", "transpose", "swapaxes"))


def layouts(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """`viewed(x, shape)` only where all arrays are in C order, in NumPy as in compiled code.

    NumPy gives `2.0 * m` the order of `m`, and a reshape of what is not in C order is a copy;
    loops over elements give every new array C order. So arguments have to be in that order, which
    is asked while Numba compiles, and nothing may be transposed.
    """
    first = next((s for s in statements(tree) if _views(s, known)), None)
    if first is None:
        return tree
    for node in walk(tree.body):
        called = known.called(node)
        module = getattr(called, "__module__", None)
        turns = isinstance(node, gast.Attribute) and node.attr in _ORDERS
        if turns or called is np.einsum or module in ("numpy.linalg", matrices.__name__):
            raise NativeError(
                "a view of another shape beside transposed arrays cannot be compiled natively",
                origin_of(first),
                why="NumPy makes a copy where an array does not lie in C order, and compiled code "
                "cannot tell in which order NumPy would have put it",
                cure="take the view of a copy: x.copy().reshape(...)",
            )
    use = helpers.use("in_order", in_order)
    checks: list[gast.stmt] = []
    for parameter in parameters(tree.args):
        if _may_be_ordered(known.names.get(parameter)):
            checks += quote_statements("f(x)", f=use, x=parameter)
    place = 1 if tree.body and isinstance(tree.body[0], gast.Expr) else 0
    result: gast.FunctionDef = changed(tree, body=[*tree.body[:place], *checks, *tree.body[place:]])
    return result


def _may_be_ordered(kind: Kind | None) -> bool:
    items = getattr(kind, "items", ())
    return isinstance(kind, Array) and len(kind.shape) > 1 or any(map(_may_be_ordered, items))


def _views(node: gast.stmt, known: NativeKinds) -> bool:
    parts = walk([part for part in gast.iter_child_nodes(node) if isinstance(part, gast.expr)])
    return any(known.called(part) is viewed for part in parts)
