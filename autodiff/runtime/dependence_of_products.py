"""What products, contractions, differences and windows depend on; see `dependence`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.dependence import depends, depends_on_all, like_value, numbers, united_along
from autodiff.runtime.indexsets import Ints, current


def depends_on_product(y: Any, a: Any, a_from: Any, b: Any, b_from: Any) -> Any:
    """For `a @ b`; the zeros of a matrix that depends on nothing (None for its sets) are used."""
    terms = []
    if a_from is not None:
        constant = np.transpose(b) if b_from is None and np.ndim(b) == 2 else None
        rows = numbers(a_from)
        terms.append(_rows_of_product(y, rows, constant, np.ndim(b) > 1))
    if b_from is not None:
        constant = np.asarray(a) if a_from is None and np.ndim(a) == 2 else None
        columns = numbers(b_from)
        if columns.ndim > 1:
            columns = np.swapaxes(columns, -1, -2)
        term = _rows_of_product(y, columns, constant, np.ndim(a) > 1)
        turned = np.ndim(a) > 1 and np.ndim(b) > 1
        terms.append(np.swapaxes(term, -1, -2) if turned else term)
    return depends(y, *terms)


def _rows_of_product(y: Any, rows: Ints, constant: Any, expand: bool) -> Ints:
    """The sets of `rows @ constant.T`; of the product with anything if `constant` is None."""
    if constant is not None and rows.ndim <= 2:
        to, of = np.nonzero(constant)
        taken = rows[..., of].reshape(-1, of.size)
        labels = np.arange(taken.shape[0])[:, None] * constant.shape[0] + to
        count = taken.shape[0] * constant.shape[0]
        found = current().gathered(labels.ravel(), taken.ravel(), count)
        return found.reshape((*rows.shape[:-1], constant.shape[0]))
    united = united_along(rows, -1)
    return united if expand else united[..., 0]


def depends_on_contraction(y: Any, subscripts: str, *operands: Any) -> Any:
    """For `np.einsum`, the operands that depend on nothing being None; no ellipses."""
    inputs, _, output = subscripts.replace(" ", "").partition("->")
    terms = []
    for labels, operand in zip(inputs.split(","), operands):
        if operand is None:
            continue
        single = "".join(dict.fromkeys(labels))
        ids: Ints = np.einsum(f"{labels}->{single}", numbers(operand))  # takes diagonals
        gone = tuple(k for k, label in enumerate(single) if label not in output)
        kept = [label for label in single if label in output]
        ids = np.squeeze(united_along(ids, gone), gone)
        ids = ids.transpose([kept.index(label) for label in output if label in kept])
        terms.append(np.expand_dims(ids, [k for k, o in enumerate(output) if o not in kept]))
    return depends(y, *terms)


def depends_on_cross(y: Any, *operands: Any) -> Any:
    """For `np.cross` of vectors along the last axis: no component depends on its own."""
    terms = []
    for ids in map(numbers, operands):
        if not ids.ndim or ids.shape[-1] != 3 or np.shape(y)[-1:] != (3,):
            return depends_on_all(y, *operands)
        terms.append(current().united(np.roll(ids, 1, -1), np.roll(ids, -1, -1)))
    return depends(y, *terms)


def depends_on_outer(y: Any, a: Any, b: Any) -> Any:
    """For `np.outer`, and for the outer products of ufuncs."""
    left, right = numbers(a), numbers(b)
    if np.ndim(y) == 2:
        left, right = left.ravel(), right.ravel()
    return depends(y, left.reshape(left.shape + (1,) * right.ndim), right)


def depends_on_window(y: Any, x: Any, kernel: Any, mode: str) -> Any:
    """For the convolution or correlation of `x` with a kernel that depends on nothing."""
    ids, size = numbers(x), np.size(kernel)
    if ids.size < size:
        return depends_on_all(y, x)
    padded = np.pad(ids, size - 1)
    full = united_along(np.lib.stride_tricks.sliding_window_view(padded, size), -1)[:, 0]
    cut = {"full": 0, "same": (size - 1) // 2, "valid": size - 1}[mode]
    if mode == "same" and size % 2 == 0:  # conventions differ: both neighbours
        full = current().united(full[:-1], full[1:])
        cut = size // 2 - 1
    taken = full[cut : cut + np.size(y)]
    return like_value(y, taken) if taken.shape == np.shape(y) else depends_on_all(y, x)


def depends_on_neighbours(y: Any, x: Any, n: int, axis: int) -> Any:
    """For `np.diff(x, n, axis)`."""
    ids = np.moveaxis(numbers(x), axis, 0)
    for _ in range(n):
        ids = current().united(ids[1:], ids[:-1])
    ids = np.moveaxis(ids, 0, axis)
    return like_value(y, ids) if ids.shape == np.shape(y) else depends_on_all(y, x)


def depends_on_slopes(y: Any, x: Any, axis: int) -> Any:
    """For `np.gradient` along an axis: on two neighbours, at the ends on two elements inwards."""
    ids = np.moveaxis(numbers(x), axis, 0)
    result = ids.copy()
    for shift in (1, 2):
        result[shift:] = current().united(result[shift:], ids[:-shift])
        result[:-shift] = current().united(result[:-shift], ids[shift:])
    return like_value(y, np.moveaxis(result, 0, axis))
