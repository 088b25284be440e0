"""New arrays by their shapes, and arrays of another shape, in the forms that Numba compiles."""

from __future__ import annotations

import gast
import numpy as np

from autodiff.kinds.kind import Array, Record, Scalar
from autodiff.native import arrays
from autodiff.native.bindings import Helpers
from autodiff.native.further import dtype_of
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.native.stands import Given, Handler, floats
from autodiff.syntax.quote import quote

DTYPES = ("float64", "int64", "bool", "complex128")


def reshape(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    kind, shape = known.of(given["x"]), given.get("shape", gast.Constant(value=-1, kind=None))
    if not isinstance(kind, Array) or kind.dtype not in DTYPES:
        return None
    own = known.of(shape)
    if not is_shape(shape, known) and not (isinstance(own, Scalar) and own.type == "int"):
        return None
    use = helpers.use("reshaped", arrays.reshaped)
    return quote("f(x, s)", f=use, x=given["x"], s=shape)


def view(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """`np.reshape` of memory that changes."""
    copy = reshape(given, known, helpers)
    if copy is None:
        return None
    use = helpers.use("viewed", arrays.viewed)
    return quote("f(x, s)", f=use, x=copy.args[0], s=copy.args[1])


def full_like(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """With an array in it; a number is for Numba."""
    return None if isinstance(known.of(given["x"]), Scalar) else filled(given, known, helpers)


def filled(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """A number or array in all places of a new, larger one."""
    kind, like = known.of(given["x"]), given.get("like")
    number = isinstance(kind, Scalar) and kind.type == "float" and kind.dtype in (None, "float64")
    if not number and not floats(1, 2, 3, 4)(kind):
        return None
    shape = given.get("shape")
    if like is not None:
        if not floats(1, 2, 3, 4)(known.of(like)):
            return None
        shape = quote("x.shape", x=like)
    if shape is None or not is_shape(shape, known):
        return None
    return quote("f(x, s)", f=helpers.use("filled", arrays.filled), x=given["x"], s=shape)


def is_shape(node: gast.expr, known: NativeKinds) -> bool:
    if isinstance(node, gast.Tuple):
        return bool(node.elts)
    kind = known.of(node)
    if isinstance(node, gast.Name) and isinstance(kind, Record) and kind.cls is tuple:
        return bool(kind.items) and all(getattr(k, "type", "") == "int" for k in kind.items)
    return isinstance(node, gast.Attribute) and node.attr == "shape"


def created(name: str) -> Handler:
    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        dtype, like, shape = dtype_of(given.get("dtype"), known), given.get("x"), given.get("shape")
        if like is not None:
            kind = known.of(like)
            if not isinstance(kind, Array) or "dtype" not in given:
                return None
            shape = quote("x.shape", x=like)
        if dtype not in DTYPES or literal(given.get("order"), "C") not in ("C", ...):
            return None
        if isinstance(shape, gast.List):
            shape = gast.Tuple(elts=shape.elts, ctx=gast.Load())
        extra = "" if dtype == "float64" else f", np.{dtype}".replace("bool", "bool_")
        return quote(f"np.{name}(s{extra})", np=helpers.use("np", np), s=shape)

    return handler


def shape(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    return quote("x.shape", x=given["x"]) if isinstance(known.of(given["x"]), Array) else None
