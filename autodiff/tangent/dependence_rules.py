"""Which elements of a primitive's operands each element of its result depends on.

A primitive that is in no table here, and has no elementwise rule, depends on everything.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autodiff import runtime
from autodiff.primitives.axes_found import lanes_of
from autodiff.rules.installed import newer
from autodiff.rules.template import Rule


class Transfer(NamedTuple):
    """A helper of `runtime/dependence.py`, and what it is given besides the result.

    A parameter of the primitive stands for the sets of its operand; `value:` before it for the
    operand itself, `all:` for the union of the operand's sets. Anything else is a constant.
    """

    helper: str
    arguments: tuple[Any, ...]


MOVES: frozenset[Any] = frozenset((
    operator.getitem, list, tuple, np.array, np.asarray, np.asanyarray, np.ascontiguousarray,
    np.asfortranarray, np.copy, np.ndarray.flatten, np.ndarray.tolist, np.ndarray.item, np.full,
    np.broadcast_to, np.broadcast_arrays, np.meshgrid, np.fft.fftshift, np.fft.ifftshift, np.take,
    np.take_along_axis, np.delete, np.compress, np.extract, np.diagonal, newer.linalg.diagonal,
    np.diag, np.diagflat, np.tril, np.triu, np.choose, np.select, np.concatenate, np.stack,
    np.vstack, np.hstack, np.column_stack, np.dstack, np.append, np.block, np.insert, np.split,
    np.array_split, np.vsplit, np.hsplit, np.dsplit, np.reshape, np.ravel, np.squeeze,
    np.expand_dims, np.atleast_1d, np.atleast_2d, np.atleast_3d, np.transpose, np.swapaxes,
    np.moveaxis, np.rollaxis, np.flip, np.fliplr, np.flipud, np.roll, np.rot90, np.tile, np.repeat,
    np.resize, np.where, runtime.stored,
))  # fmt: skip
"""These only move elements, or fill with zeros: they do the same to sets."""

_BLOCKS = {
    np.linalg.inv: (2,), np.linalg.det: (2,), np.linalg.slogdet: (2,), np.linalg.cholesky: (2,),
    np.linalg.pinv: (2,), np.linalg.eigh: (2,), np.linalg.eigvalsh: (2,), np.linalg.svd: (2,),
    np.linalg.qr: (2,), np.linalg.matrix_power: (2,), np.linalg.cond: (2,),
}  # fmt: skip
_EACH: dict[Any, tuple[str, ...]] = {
    np.interp: ("x",),
    np.polyval: ("x",),
    np.linspace: ("start", "stop"),
    np.array: ("object",),
    np.asarray: ("a",),
    np.asanyarray: ("a",),
    np.ascontiguousarray: ("a",),
    np.ndarray.astype: ("x",),
    np.float64: ("value",),
    np.full: ("fill_value",),
    np.full_like: ("fill_value",),
    runtime.conj: ("x",),
    runtime.adjoint_of: ("g",),
    runtime.tangent_of: ("g",),
    runtime.accumulate: ("a", "b"),
}
_FACTORS = (operator.mul, np.multiply, operator.truediv, np.divide)
_PRODUCTS = (np.matmul, operator.matmul, np.dot)


def transfer_of(
    function: Any, rule: Rule, given: dict[str, Any], active: set[str]
) -> Transfer | None:
    """How the sets of a result follow from those of the operands; None: nothing is known.

    `given` are the operands by parameter, `active` the parameters with sets.
    """
    for makes in _MAKERS:
        found = makes(function, rule, given, active)
        if found is not None:
            return found
    return None


def _elementwise(
    function: Any, rule: Rule, given: dict[str, Any], active: set[str]
) -> Transfer | None:
    if function in _FACTORS:
        a, b = (parameter.name for parameter in rule.parameters[:2])
        if not any(hasattr(given[p], "value") for p in (a, b)):  # no constants
            own = f"value:{b}" if function in _FACTORS[:2] else 1
            sets = (p if p in active else 0 for p in (a, b))
            return Transfer("depends_on_factors", (f"value:{a}", own, *sets))
    return Transfer("depends", tuple(sorted(active))) if rule.elementwise else None


def _each(function: Any, rule: Rule, given: dict[str, Any], active: set[str]) -> Transfer | None:
    own = _EACH.get(function)
    if own is None:
        return None
    operands = (p if p in own else f"all:{p}" for p in sorted(active))
    return Transfer("depends", tuple(operands))


def _reduced(function: Any, rule: Rule, given: dict[str, Any], active: set[str]) -> Transfer | None:
    helper = lanes_of(function)
    data = rule.parameters[0].name
    if helper is None or active != {data}:
        return None
    if "axis" in given:
        return Transfer(helper, (data, "value:axis"))
    defaults = [p.default for p in rule.parameters if p.name == "axis"]
    return Transfer(helper, (data, *defaults)) if defaults else None


def _blocked(function: Any, rule: Rule, given: dict[str, Any], active: set[str]) -> Transfer | None:
    cores = _BLOCKS.get(function)
    data = rule.parameters[0].name
    if cores is None or active != {data}:
        return None
    return Transfer("depends_on_blocks", (cores, data))


def _product(function: Any, rule: Rule, given: dict[str, Any], active: set[str]) -> Transfer | None:
    if function not in _PRODUCTS or not active:
        return None
    left, right = (p.name for p in rule.parameters[:2])
    sides = ((f"value:{p}", p if p in active else None) for p in (left, right))
    return Transfer("depends_on_product", tuple(part for side in sides for part in side))


def _contraction(
    function: Any, rule: Rule, given: dict[str, Any], active: set[str]
) -> Transfer | None:
    if function is not np.einsum or "operands" not in given:
        return None
    text = getattr(given.get("subscripts"), "value", None)
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    return Transfer("depends_on_contraction", (text, "each:operands"))


def _special(function: Any, rule: Rule, given: dict[str, Any], active: set[str]) -> Transfer | None:
    if function is np.diff and active == {"a"}:
        n = "value:n" if "n" in given else 1
        if not {"prepend", "append"} & set(given):
            axis = "value:axis" if "axis" in given else -1
            return Transfer("depends_on_neighbours", ("a", n, axis))
    if function is np.gradient and active == {"f"} and "axis" in given:
        return Transfer("depends_on_slopes", ("f", "value:axis"))
    if function is np.cross and set(given) == {"a", "b"}:
        return Transfer("depends_on_cross", tuple(sorted(active)))
    if function in (np.convolve, np.correlate) and active == {"a"}:
        mode = {np.convolve: "full", np.correlate: "valid"}[function]
        own = "value:mode" if "mode" in given else mode
        return Transfer("depends_on_window", ("a", "value:v", own))
    outer = isinstance(getattr(function, "__self__", None), np.ufunc)
    if function is np.outer or outer and function.__name__ == "outer":
        return Transfer("depends_on_outer", tuple(p.name for p in rule.parameters[:2]))
    if function is newer.trapezoid and active == {"y"}:
        return Transfer("depends_along", ("y", "value:axis" if "axis" in given else -1))
    if function is runtime.unbroadcast:
        return Transfer("depends_unbroadcast", ("g",))
    if function in (runtime.scatter, runtime.scatter_flat):
        flat = function is runtime.scatter_flat
        return Transfer("scattered", ("value:at", "g", flat))
    if function is runtime.unreduce:
        kept = "value:keepdims" if "keepdims" in given else False
        return Transfer("depends_unreduced", ("g", "value:axis" if "axis" in given else None, kept))
    return None


_Maker = Callable[[Any, Rule, dict[str, Any], set[str]], Transfer | None]
_MAKERS: tuple[_Maker, ...] = (
    *(_elementwise, _each, _special, _reduced, _blocked, _product, _contraction),
)
