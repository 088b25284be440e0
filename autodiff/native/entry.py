"""What a compiled derivative relies on, checked on entry."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.kinds.kind import Array, Kind, Record, Scalar
from autodiff.kinds.size import Dim, Size
from autodiff.native.bindings import Helpers
from autodiff.native.expected import expect
from autodiff.native.narrow import NARROW
from autodiff.syntax.change import changed
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import name, parameters
from autodiff.syntax.quote import quote_statements

_LETTERS = "nmklpq"


def entry(tree: gast.FunctionDef, given: Mapping[str, Kind], helpers: Helpers) -> gast.FunctionDef:
    """The types and equal sizes for which the text was made, compared before anything else.

        expect("float64[n], float64[n, m]", x, a)

    The text holds for these kinds only, and other jitted functions may call it with any. The types
    are compared while Numba compiles; the sizes cost a few comparisons.
    """
    names = parameters(tree.args)
    if not names:
        return tree
    sizes: dict[Dim, str] = {}
    spelled = ", ".join(_spelled(given[parameter], sizes) for parameter in names)
    use = helpers.use("expect", expect)
    [check] = quote_statements("f(k)", f=use, k=gast.Constant(value=spelled, kind=None))
    check.value.args.extend(map(name, names))
    place = 1 if tree.body and isinstance(tree.body[0], gast.Expr) else 0
    if place and is_comment(tree.body[0]):
        place = 0
    result: gast.FunctionDef = changed(tree, body=[*tree.body[:place], check, *tree.body[place:]])
    return result


def _spelled(kind: Kind, sizes: dict[Dim, str]) -> str:
    """A kind as `expect` reads it; `sizes`: how those of the kinds before are called."""
    if isinstance(kind, Scalar) and kind.dtype == NARROW:
        return NARROW
    if isinstance(kind, Scalar):
        wide = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128"}
        return wide.get(kind.type, kind.type)
    if isinstance(kind, Array):
        return f"{kind.dtype}[{', '.join(_size(size, sizes) for size in kind.shape)}]"
    if isinstance(kind, Record):
        return f"({', '.join(_spelled(item, sizes) for item in kind.items)})"
    return "?"


def _size(size: Size, sizes: dict[Dim, str]) -> str:
    if isinstance(size, int):
        return str(size)
    if not isinstance(size, Dim):
        return ":"
    place = len(sizes)
    number = str(place // len(_LETTERS)) if place >= len(_LETTERS) else ""
    return sizes.setdefault(Dim(size.name, size.least), _LETTERS[place % len(_LETTERS)] + number)
