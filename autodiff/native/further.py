"""Functions that are written in another way, or have several helpers."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.kind import Array, Scalar
from autodiff.native import arrays
from autodiff.native.bindings import Helpers
from autodiff.native.decompositions import FACTORIZATIONS
from autodiff.native.made import rolled
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.native.stands import KINDS, Given, Handler, floats
from autodiff.syntax.quote import quote

_Entry = tuple[tuple[str, ...], Handler]


def whole(node: gast.expr, new: gast.expr, known: NativeKinds) -> gast.expr | None:
    """The array for `x[...]`, which Numba does not read; `new` is the same with other parts."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.ctx, gast.Load):
        return None
    is_whole = isinstance(node.slice, gast.Constant) and node.slice.value is Ellipsis
    is_name = isinstance(node.value, gast.Name) and isinstance(known.of(node.value), Array)
    return quote("x", x=new.value) if is_whole and is_name else None


def _array(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """Of whole numbers and floats: floats. Tuples as lists."""
    rows = given["x"].elts if isinstance(given["x"], (gast.List, gast.Tuple)) else []
    nested = all(isinstance(row, (gast.List, gast.Tuple)) for row in rows)
    items = [row.elts for row in rows] if nested else [rows]
    kinds = [known.of(part) for row in items for part in row]
    types = {kind.type if isinstance(kind, Scalar) else None for kind in kinds}
    if not types or not types <= {"float", "int"} or len({len(row) for row in items}) > 1:
        return None
    use = helpers.use("float", float) if len(types) > 1 else None
    lists = [gast.List(elts=[_wide(e, known, use) for e in r], ctx=gast.Load()) for r in items]
    whole = gast.List(elts=lists, ctx=gast.Load()) if nested else lists[0]
    return quote("np.array(x)", np=helpers.use("np", np), x=whole)


def _wide(item: gast.expr, known: NativeKinds, use: gast.expr | str | None) -> gast.expr:
    kind = known.of(item)
    if use is None or not isinstance(kind, Scalar) or kind.type == "float":
        return item
    return quote("f(x)", f=use, x=item)


def _eye(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """Of floats, with its ones on the main diagonal."""
    if literal(given.get("k"), 0) != 0 or not is_float(given.get("dtype"), known):
        return None
    use = helpers.use("np", np)
    if "m" not in given:
        return quote("np.eye(n)", np=use, n=given["n"])
    return quote("np.eye(n, m)", np=use, n=given["n"], m=given["m"])


def dtype_of(node: gast.expr | None, known: NativeKinds) -> str | None:
    """The name of the dtype that is asked for, "float64" where none is; None for any other."""
    if node is None or literal(node, ...) is None:
        return "float64"
    value = known.value(node)
    if isinstance(node, gast.Call) and known.called(node) is np.result_type:
        dtypes = {getattr(known.of(part), "dtype", None) for part in node.args}
        value = dtypes.pop() if len(dtypes) == 1 else None
    if isinstance(node, gast.Constant):
        value = node.value
    try:
        return None if value is None else np.dtype(value).name
    except TypeError:
        return None


def is_float(dtype: gast.expr | None, known: NativeKinds) -> bool:
    """Whether a dtype, if one is given, is that of floats of 64 bits."""
    return dtype_of(dtype, known) == "float64"


def _flipped(*axes: int) -> Handler:
    """A view backwards: along these axes, or those that are asked for."""

    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        kind, axis = known.of(given["x"]), literal(given.get("axis"), None)
        if not isinstance(kind, Array) or axis is not None and type(axis) is not int:
            return None
        ndim = len(kind.shape)
        turned = axes or (range(ndim) if axis is None else (axis % ndim,))
        parts = ["::-1" if k in turned else ":" for k in range(ndim)]
        return quote(f"x[{', '.join(parts)}]", x=given["x"])

    return handler


def _joined(function: Any) -> Handler:
    """Of a tuple or list of float arrays that is written out, or a tuple."""

    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        parts, axis = given["arrays"], literal(given.get("axis"), 0)
        items: tuple[Any, ...] = getattr(known.of(parts), "items", ())
        if isinstance(parts, (gast.List, gast.Tuple)):
            items = tuple(map(known.of, parts.elts))
            parts = gast.Tuple(elts=parts.elts, ctx=gast.Load())
        elif getattr(known.of(parts), "cls", None) is not tuple:
            return None
        if not items or not all(map(KINDS["array"], items)) or type(axis) is not int:
            return None
        text = f"np.{function.__name__}(arrays" + (f", {axis})" if axis else ")")
        return quote(text, np=helpers.use("np", np), arrays=parts)

    return handler


def _diff(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    times, axis = literal(given.get("n"), 1), literal(given.get("axis"), -1)
    if times != 1 or axis not in (0, -1) or not floats(1)(known.of(given["x"])):
        return None
    if isinstance(given["x"], gast.Name):
        return quote("x[1:] - x[:-1]", x=given["x"])
    return quote("f(x)", f=helpers.use("difference", arrays.difference), x=given["x"])


def _undiff(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    if literal(given["n"], ...) != 1 or not floats(1)(known.of(given["x"])):
        return None
    own, x = helpers.use("undiff", arrays.undiff), given["x"]
    size = given.get("size") or quote("len(x) + 1", x=x)
    return quote("f(x, n)", f=own, x=x, n=size)


def _expand_dims(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    kind, axis = known.of(given["x"]), literal(given.get("axis"), ...)
    axes = axis if isinstance(axis, tuple) else (axis,)
    ndim = len(getattr(kind, "shape", ())) + len(axes)
    if not isinstance(kind, Array) or not all(type(k) is int and -ndim <= k < ndim for k in axes):
        return None
    index = ["None" if k in {own % ndim for own in axes} else ":" for k in range(ndim)]
    return quote(f"x[{', '.join(index)}]", x=given["x"])


def _roll(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """Along one axis of several; without an axis Numba has it."""
    kind, axis, shift = known.of(given["x"]), literal(given.get("axis"), None), given["shift"]
    own = known.of(shift)
    if not floats(1, 2, 3)(kind) or not isinstance(own, Scalar) or own.type != "int":
        return None
    ndim = len(kind.shape)  # type: ignore[attr-defined]
    if axis is None:
        return quote("np.roll(x, s)", np=helpers.use("np", np), x=given["x"], s=shift)
    if type(axis) is not int or not -ndim <= axis < ndim:
        return None
    helper = rolled(ndim, axis % ndim)
    return quote("f(x, s)", f=helpers.use(helper.__name__, helper), x=given["x"], s=shift)


def _absolute(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """Of an array: Numba has Python's own function for numbers only."""
    if not isinstance(known.of(given["x"]), Array):
        return None
    return quote("np.absolute(x)", np=helpers.use("np", np), x=given["x"])


def _clip(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    bounds = [literal(given.get(name), None) for name in ("low", "high")]
    if None in bounds or not floats(1, 2, 3)(known.of(given["x"])):
        return None
    text = "np.minimum(np.maximum(x, low), high)"
    return quote(text, np=helpers.use("np", np), **given)


def _asarray(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """Of an array: itself; of a list that is written out, `np.array`."""
    if isinstance(given["x"], gast.List):
        return quote("np.array(x)", np=helpers.use("np", np), x=given["x"])
    return given["x"] if isinstance(known.of(given["x"]), Array) else None


def _astype(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """A copy as floats or ints of 64 bits."""
    kind, wanted = known.of(given["x"]), dtype_of(given["dtype"], known)
    if not isinstance(kind, Array) or kind.dtype not in ("float64", "int64", "bool"):
        return None
    if wanted not in ("float64", "int64"):
        return None
    return quote(f"x.astype(np.{wanted})", x=given["x"], np=helpers.use("np", np))


def _size(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    kind, axis = known.of(given["x"]), given.get("axis")
    if not isinstance(kind, Array):
        return None
    return quote("x.size", x=given["x"]) if axis is None else quote("x.shape[k]", k=axis, **given)


def _transpose(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    kind, axes = known.of(given["x"]), literal(given.get("axes"), None)
    if not isinstance(kind, Array):
        return None
    every = tuple(range(len(kind.shape)))
    if axes is None or axes == every[::-1]:
        return quote("x.T", x=given["x"])
    if not isinstance(axes, tuple) or tuple(sorted(axes)) != every:
        return None
    return quote("np.transpose(x, s)", np=helpers.use("np", np), x=given["x"], s=given["axes"])


def _filled_in(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    """`np.full`, with a dtype or as many as its number."""
    kind = known.of(given["x"])
    if not isinstance(kind, Scalar):
        return None
    own = kind.type if "dtype" not in given else dtype_of(given["dtype"], known)
    own = {"float64": "float", "int64": "int", "complex128": "complex"}.get(str(own), own)
    if own not in ("float", "int", "complex") or kind.dtype not in (None, "float64", "int64"):
        return None
    one = _wide(given["x"], known, helpers.use("float", float) if own == "float" else None)
    return quote("np.full(s, x)", np=helpers.use("np", np), s=given["shape"], x=one)


HANDLERS: dict[Any, _Entry] = {
    np.expand_dims: (("x", "axis"), _expand_dims),
    np.diff: (("x", "n", "axis"), _diff),
    runtime.undiff: (("x", "n", "axis", "size"), _undiff),
    **FACTORIZATIONS,
    np.clip: (("x", "low", "high"), _clip),
    np.array: (("x",), _array),
    np.eye: (("n", "m", "k", "dtype"), _eye),
    np.roll: (("x", "shift", "axis"), _roll),
    np.asarray: (("x",), _asarray),
    np.ndarray.astype: (("x", "dtype"), _astype),
    np.size: (("x", "axis"), _size),
    np.transpose: (("x", "axes"), _transpose),
    np.full: (("shape", "x", "dtype"), _filled_in),
    abs: (("x",), _absolute),
    np.flip: (("x", "axis"), _flipped()),
    np.flipud: (("x",), _flipped(0)),
    np.fliplr: (("x",), _flipped(1)),
    **{
        function: (("arrays", "axis"), _joined(function))
        for function in (np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack)
    },
}
"""By function: the names of its parameters in their order, and what stands for a call of it."""
