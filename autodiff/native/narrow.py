"""Arguments of 32 bits: converted on entry, their gradients on return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np
from numba.core import types
from numba.extending import overload

from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.native.arrays import apart
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.pipeline.request import Request
from autodiff.syntax.change import changed
from autodiff.syntax.names import parameters
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import walk

NARROW = "float32"


def widened(request: Request) -> Request:
    """The request with floats of 64 bits for those of 32, where the native backend computes so.

    Numba has a number of 64 bits wherever one of 32 meets a Python float, NumPy one of 32. So
    arguments are converted on entry, and gradients on return: nothing is less exact than either.
    """
    if request.backend is None or request.mode not in ("grad", "value_and_grad"):
        return request
    if request.has_aux or not any(map(is_narrow, request.kinds)):
        return request
    kinds = tuple(_wide(kind) if is_narrow(kind) else kind for kind in request.kinds)
    return replace(request, kinds=kinds, narrow=tuple(map(is_narrow, request.kinds)))


def is_narrow(kind: Kind) -> bool:
    return isinstance(kind, (Scalar, Array)) and kind.dtype == NARROW


def _wide(kind: Kind) -> Kind:
    assert isinstance(kind, (Scalar, Array))
    return replace(kind, dtype="float64")


def widen(x: Any) -> Any:
    """A number, or a copy of an array, with 64 bits."""


def narrow(x: Any) -> Any:
    """A number, or a copy of an array, with 32 bits."""


def _converting(dtype: type[np.floating[Any]]) -> Callable[[Any], Any]:
    def typed(x: Any) -> Any:
        def array(x: Any) -> Any:
            return x.astype(dtype)

        def number(x: Any) -> Any:
            return dtype(x)

        return array if isinstance(x, types.Array) else number

    return typed


overload(widen)(_converting(np.float64))
overload(narrow)(_converting(np.float32))


def narrowed(
    tree: gast.FunctionDef, known: NativeKinds, request: Request, helpers: Helpers
) -> gast.FunctionDef:
    """The function of arguments of 32 bits, with the body of that for 64 bits.

    def f_grad(x):                         def f_grad(x):
        ...                                    x = widen(x)
        return x_bar                           ...
                                               return narrow(x_bar)
    """
    given = [name for name, is_one in zip(parameters(tree.args), request.narrow) if is_one]
    if not given:
        return tree
    if any(known.called(node) is apart for node in walk(tree.body)):
        raise NativeError(
            "float32 arguments beside one that is changed in place cannot be compiled natively",
            origin_of(tree),
            why="they are copied on entry, so that nobody could tell whether they share memory",
            cure="pass float64 arrays, or change a copy: x = x.copy()",
        )
    place = 1 if isinstance(tree.body[0], gast.Expr) else 0
    opening: list[gast.stmt] = []
    for name in given:
        opening += quote_statements("x = f(x)", x=name, f=helpers.use("widen", widen))
    *body, last = tree.body
    value = last.value
    if request.mode == "value_and_grad":
        value = changed(value, elts=[value.elts[0], _bars(value.elts[1], given, request, helpers)])
    else:
        value = _bars(value, given, request, helpers)
    end = changed(last, value=value)
    body = [*body[:place], *with_origin(opening, origin_of(tree)), *body[place:], end]
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _bars(node: gast.expr, given: list[str], request: Request, helpers: Helpers) -> gast.expr:
    """The gradient, or the tuple of gradients, in the types of the arguments."""
    use = helpers.use("narrow", narrow)
    if request.single:
        return quote("f(x)", f=use, x=node) if request.wrt[0] in given else node
    parts = node.elts if isinstance(node, gast.Tuple) else []
    if len(parts) != len(request.wrt):
        parts = [quote(f"x[{k}]", x=node) for k in range(len(request.wrt))]
    parts = [
        quote("f(x)", f=use, x=part) if name in given else part
        for name, part in zip(request.wrt, parts)
    ]
    return gast.Tuple(elts=parts, ctx=gast.Load())
