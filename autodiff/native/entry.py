"""What a compiled derivative relies on, checked on entry."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.analysis.kind import Array, Kind, Record, Scalar
from autodiff.analysis.size import Dim
from autodiff.native.helpers import expect
from autodiff.optimize.change import changed
from autodiff.pipeline.widened import NARROW
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import parameters
from autodiff.syntax.quote import quote_statements


def entry(tree: gast.FunctionDef, given: Mapping[str, Kind], helpers: Helpers) -> gast.FunctionDef:
    """The types and equal sizes for which the text was made, asserted before anything else.

    The text holds for these kinds only, and other jitted functions may call it with any. The types
    are compared while Numba compiles; the sizes cost a few comparisons.
    """
    checks: list[gast.stmt] = []
    sizes: dict[object, str] = {}
    for parameter in parameters(tree.args):
        kind = given[parameter]
        spelled = gast.Constant(value=_spelled(kind), kind=None)
        use = helpers.use("expect", expect)
        checks.extend(quote_statements("f(x, k)", f=use, x=parameter, k=spelled))
        checks.extend(_sized(parameter, kind, sizes))
    place = 1 if tree.body and isinstance(tree.body[0], gast.Expr) else 0
    if place and is_comment(tree.body[0]):
        place = 0
    result: gast.FunctionDef = changed(tree, body=[*tree.body[:place], *checks, *tree.body[place:]])
    return result


def _sized(text: str, kind: Kind, sizes: dict[object, str]) -> list[gast.stmt]:
    found: list[gast.stmt] = []
    if isinstance(kind, Record):
        for position, item in enumerate(kind.items):
            found.extend(_sized(f"{text}[{position}]", item, sizes))
    if not isinstance(kind, Array):
        return found
    for axis, size in enumerate(kind.shape):
        own = f"{text}.shape[{axis}]"
        if size == 1:
            found.extend(quote_statements(f"assert {own} == 1"))
        elif isinstance(size, Dim):
            base = Dim(size.name, size.least)
            other = sizes.setdefault(base, own)
            test = f"assert {own} == {other}"
            if other == own:
                test = _several(own, len(kind.shape))
            found.extend(quote_statements(test))
    return found


def _several(size: str, axes: int) -> str:
    """The check that a size is neither 0 nor 1.

    What LLVM makes of loops depends on it, for no reason that we know: stencils of vectors run 1.3
    times as long once it knows that the size is positive, N-body problems 1.2 times as long before.
    """
    return f"assert {size} > 1" if axes > 1 else f"assert {size} != 0 and {size} != 1"


def _spelled(kind: Kind) -> str:
    """A kind as `helpers.spelled` names the type of Numba's."""
    if isinstance(kind, Scalar) and kind.dtype == NARROW:
        return NARROW
    if isinstance(kind, Scalar):
        wide = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128"}
        return wide.get(kind.type, kind.type)
    if isinstance(kind, Array):
        return f"{kind.dtype}[{len(kind.shape)}]"
    if isinstance(kind, Record):
        return f"({', '.join(map(_spelled, kind.items))})"
    return "?"
