"""Tangents along many directions for `vmap`: by the code for several directions, where that can be.

vmap(linearize(f, x)[1])(rows)          vmap(hvp(f), in_axes=(None, 0))(x, rows)
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from autodiff.derivatives.target import target_of
from autodiff.errors import AutodiffError
from autodiff.structure import are_same, is_leaf, map_leaves, pieces
from autodiff.transforms.hessian import ForwardJacobian, HessianProduct
from autodiff.transforms.tangents import Linear, Several, swept


def at_once(f: Any, args: tuple[Any, ...], axes: list[int | None]) -> Any:
    """What a tangent gives along the directions in `args`, in its structure with one more axis in
    front; None where one example after the other is taken.

    axes: of each piece of the arguments.
    """
    if isinstance(f, Linear) and len(args) == len(f.primals):
        derivative, given, directions = _linear(f), f.primals, args
    elif isinstance(f, HessianProduct) and len(args) > 1 and not f.has_aux:
        derivative, given = _product(f), args[:-1]
        directions = args[-1] if isinstance(f._wrt, tuple) else args[-1:]
    else:
        return None
    if derivative is None or not isinstance(directions, tuple):
        return None
    count = sum(1 for _ in pieces(directions))
    if any(axis is not None for axis in axes[: len(axes) - count]):
        return None
    with contextlib.suppress(AutodiffError, TypeError):  # they come again, of one example
        arguments = derivative._bind(given, {})
        by_name = dict(zip(derivative.target.signature.parameters, arguments.values))
        primals = tuple(by_name[name] for name in derivative.wrt)
        rows = _rows(directions, primals, axes[len(axes) - count :])
        if rows is None or derivative._compile(arguments).unmarked:
            return None
        sweeps = swept(derivative, arguments, primals, len(rows), lambda a, b: rows[a:b])
        value = sweeps[0][0]
        if all(is_leaf(own) for _, own in pieces(value)) and all(
            are_same(value, again) for again, _ in sweeps
        ):
            parts = [tangents for _, tangents in sweeps]
            return map_leaves(lambda _, *own: np.concatenate(own), value, *parts)
    return None


def _linear(f: Linear) -> Several | None:
    wrt, inside = target_of(f.f).covered(len(f.primals))
    options = dict(f.options)
    if options.pop("has_aux", False) or inside is not None or not wrt:
        return None
    return Several(f.f, "jvp", wrt, False, options)


def _product(f: HessianProduct) -> Several:
    return ForwardJacobian(f.primal, "jvp", f._wrt, False, f._given_options)


def _rows(directions: Any, primals: Any, axes: list[int | None]) -> Any:
    """The numbers of each direction in a row; None where they do not fit the primals."""
    both = zip(pieces(directions), pieces(primals), axes)
    parts = []
    for (path, own), (again, primal), axis in both:
        if path != again or axis is None or not isinstance(own, np.ndarray):
            return None
        if (
            not (is_leaf(primal) and is_leaf(own))
            or np.iscomplexobj(primal)
            or np.iscomplexobj(own)
        ):
            return None
        if not -own.ndim <= axis < own.ndim:
            return None
        rows = np.moveaxis(own, axis, 0)
        if rows.shape[1:] != np.shape(primal) or not len(rows):
            return None
        parts.append(rows.reshape(len(rows), -1))
    same = len({len(own) for own in parts}) == 1
    whole = len(parts) == sum(1 for _ in pieces(primals))
    return np.concatenate(parts, axis=1) if same and whole else None
