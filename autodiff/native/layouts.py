"""Views of another shape, which are views only of arrays that lie in C order."""

from __future__ import annotations

import gast
import numpy as np

from autodiff import runtime
from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind
from autodiff.native import matrices
from autodiff.native.arrays import in_order, viewed
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.change import changed
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import statements, walk

_LIKE = (np.empty_like, np.zeros_like, np.ones_like, runtime.zeros_alike)
_ORDERS = frozenset(("T", "transpose", "swapaxes"))


def layouts(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """`viewed(x, shape)` only where all arrays are in C order, in NumPy as in compiled code.

    NumPy gives `2.0 * m` the order of `m`, and a reshape of what is not in C order is a copy;
    loops over elements give every new array C order. So arguments have to be in that order, which
    is asked while Numba compiles, and nothing may be transposed.
    """
    every = list(statements(tree))
    made = {
        id(part) for s in every for part in _viewed(s, known) if _is_ordered(part, every, known)
    }
    first = next((s for s in every if any(id(p) not in made for p in _viewed(s, known))), None)
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
                cure="fill an array for it: y = np.empty(x.shape); y[:] = x; y.reshape(...)",
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


def _viewed(node: gast.stmt, known: NativeKinds) -> list[gast.expr]:
    """What a statement takes a view of another shape of."""
    parts = walk([part for part in gast.iter_child_nodes(node) if isinstance(part, gast.expr)])
    return [part.args[0] for part in parts if known.called(part) is viewed]


def _is_ordered(
    node: gast.expr, every: list[gast.stmt], known: NativeKinds, asked: frozenset[str] = frozenset()
) -> bool:
    """Whether it is the name of arrays that are all made in C order here, by their sizes."""
    if not isinstance(node, gast.Name) or node.id in asked:
        return False
    targets = {id(s): s.target if isinstance(s, gast.For) else s.targets[0] for s in every
               if isinstance(s, (gast.Assign, gast.For))}  # fmt: skip
    bound = [s for s in every if id(s) in targets and node.id in writes(targets[id(s)])]
    made = [s.value for s in bound if isinstance(s, gast.Assign) and _is_name(s.targets[0])]
    if not made or len(made) < len(bound):
        return False
    for call in made:
        called = known.called(call)
        if any(called is own for own in _LIKE):
            if not _is_ordered(call.args[0], every, known, asked | {node.id}):
                return False
        elif not any(called is own for own in (np.empty, np.zeros, np.ones)):
            return False
    return True


def _is_name(node: gast.expr) -> bool:
    return isinstance(node, gast.Name)
