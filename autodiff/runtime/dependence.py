"""What code that finds sparsity patterns calls: which inputs the elements of a value depend on.

Beside each value `y` such code holds `y_from`, numbers and arrays of the same structure and shapes:
the numbers of index sets. What a function here cannot follow exactly depends on all that it is
given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import ValuesView
from typing import Any

import numpy as np

from autodiff.runtime.indexsets import Ints, current
from autodiff.runtime.structure import as_tuple, blank, fields, is_record

_NUMBERS = (float, np.float64)
_SETS = (int, np.int64)

Axis = int | tuple[int, ...] | None


def independent(x: Any) -> Any:
    """Empty sets for all that is in `x`; what `x` shares between two places, they share, too."""
    return _filled(x, 0, {})


def depends(y: Any, *operands: Any) -> Any:
    """For a function that acts element by element on operands that are broadcast."""
    if y.__class__ in _NUMBERS and all(o.__class__ in _SETS for o in operands):
        number = 0
        for operand in operands:  # in loops over numbers
            number = current().pair(number, int(operand))
        return number
    if isinstance(y, (tuple, list)):
        parts = [depends(part, *operands) for part in y]
        return as_tuple(y, parts) if isinstance(y, tuple) else parts
    if not isinstance(y, (int, float, complex, np.generic, np.ndarray)):
        return depends_on_all(y, *operands)
    try:
        given = [numbers(operand) for operand in operands]
    except ValueError:  # lists of arrays of several shapes
        return depends_on_all(y, *operands)
    shape = np.shape(y)
    if any(not _fits(ids.shape, shape) for ids in given):
        return depends_on_all(y, *operands)
    total: Any = 0
    for ids in given:
        total = current().united(total, ids)
    return _like(y, total)


def depends_on_all(y: Any, *operands: Any) -> Any:
    """For a function of which nothing is known: each element depends on all that is given."""
    return _filled(y, everything(*operands), {})


def depends_along(y: Any, x: Any, axis: Axis) -> Any:
    """For a reduction over some axes, or over all; `y` may have kept them."""
    ids = _united_along(numbers(x), axis)
    if np.size(y) != ids.size or isinstance(y, (tuple, list)):
        return depends_on_all(y, x)
    return _like(y, ids.reshape(np.shape(y)))


def depends_on_lanes(y: Any, x: Any, axis: Axis) -> Any:
    """For a function of the lanes along an axis, such as a sum that runs on, or sorting."""
    ids = numbers(x)
    if axis is None or isinstance(y, (tuple, list)) or np.ndim(y) != ids.ndim:
        return depends_on_all(y, x)
    ids = _united_along(ids, axis)
    return _like(y, ids) if _fits(ids.shape, np.shape(y)) else depends_on_all(y, x)


def depends_on_blocks(y: Any, cores: tuple[int, ...], *operands: Any) -> Any:
    """For a function of the last axes of its operands, `cores` of them, stacked along the rest."""
    if isinstance(y, tuple):
        return as_tuple(y, [depends_on_blocks(part, cores, *operands) for part in y])
    given = [numbers(operand) for operand in operands]
    batches = [
        _united_along(ids, tuple(range(-core, 0))).reshape(ids.shape[: ids.ndim - core])
        for ids, core in zip(given, cores)
    ]
    batch = np.broadcast_shapes(*(ids.shape for ids in batches))
    if np.shape(y)[: len(batch)] != batch:
        return depends_on_all(y, *operands)
    own = (1,) * (np.ndim(y) - len(batch))
    return depends(y, *(np.broadcast_to(ids, batch).reshape(batch + own) for ids in batches))


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
    united = _united_along(rows, -1)
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
        ids = np.squeeze(_united_along(ids, gone), gone)
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
    full = _united_along(np.lib.stride_tricks.sliding_window_view(padded, size), -1)[:, 0]
    cut = {"full": 0, "same": (size - 1) // 2, "valid": size - 1}[mode]
    if mode == "same" and size % 2 == 0:  # conventions differ: both neighbours
        full = current().united(full[:-1], full[1:])
        cut = size // 2 - 1
    taken = full[cut : cut + np.size(y)]
    return _like(y, taken) if taken.shape == np.shape(y) else depends_on_all(y, x)


def depends_on_slopes(y: Any, x: Any, axis: int) -> Any:
    """For `np.gradient` along an axis: on two neighbours, at the ends on two elements inwards."""
    ids = np.moveaxis(numbers(x), axis, 0)
    result = ids.copy()
    for shift in (1, 2):
        result[shift:] = current().united(result[shift:], ids[:-shift])
        result[:-shift] = current().united(result[:-shift], ids[shift:])
    return _like(y, np.moveaxis(result, 0, axis))


def depends_unbroadcast(y: Any, g: Any) -> Any:
    """For a sum over the axes along which `y` was broadcast to the shape of `g`."""
    ids, shape = numbers(g), np.shape(y)
    if ids.shape == shape:
        return _like(y, ids)
    extra = ids.ndim - len(shape)
    if extra < 0 or isinstance(y, (tuple, list)):
        return depends_on_all(y, g)
    axes = tuple(k for k in range(ids.ndim) if k < extra or shape[k - extra] == 1)
    ids = _united_along(ids, axes)
    return _like(y, ids.reshape(ids.shape[extra:])) if extra else _like(y, ids)


def depends_on_neighbours(y: Any, x: Any, n: int, axis: int) -> Any:
    """For `np.diff(x, n, axis)`."""
    ids = np.moveaxis(numbers(x), axis, 0)
    for _ in range(n):
        ids = current().united(ids[1:], ids[:-1])
    ids = np.moveaxis(ids, 0, axis)
    return _like(y, ids) if ids.shape == np.shape(y) else depends_on_all(y, x)


def depends_unreduced(y: Any, g: Any, axis: Axis, keepdims: bool) -> Any:
    """For the adjoint of a reduction, repeated along its axes."""
    ids = numbers(g)
    if axis is not None and not keepdims and ids.ndim:
        ids = np.expand_dims(ids, axis)
    return depends(y, ids)


def scattered(y: Any, at: Any, g: Any) -> Any:
    """For zeros shaped like `y` to which `g` was added at an index."""
    if not isinstance(y, np.ndarray):
        return depends_on_all(y, g)
    result = np.zeros(y.shape, np.int64)
    united_at(result, at, g)
    return result


def united_at(x: Any, at: Any, g: Any) -> None:
    """What `np.add.at(x, at, g)` does to the sets of `x`, in place."""
    places = np.arange(x.size).reshape(x.shape)[at]
    shape = np.shape(places)
    sets = np.broadcast_to(numbers(g), shape).ravel()
    touched, labels = np.unique(np.ravel(places), return_inverse=True)
    flat = x.reshape(-1)
    labels = np.concatenate([labels.ravel(), np.arange(touched.size)])
    flat[touched] = current().gathered(labels, np.append(sets, flat[touched]), touched.size)
    if not np.shares_memory(flat, x) and x.size:
        x[...] = flat.reshape(x.shape)


def laid_out(x_from: Any, x: Any) -> Any:
    """The sets as new memory that lies as the array `x` does."""
    result = np.empty_like(x, np.int64)
    result[...] = x_from
    return result


def everything(*operands: Any) -> int:
    """The union of all sets in some structures."""
    found = [np.zeros(0, np.int64)]
    _collect(operands, found)
    sets = np.unique(np.concatenate(found))
    (number,) = current().gathered(np.zeros(sets.size, np.int64), sets, 1).tolist()
    return int(number)


def numbers(x: Any) -> Ints:
    """Sets given as a number, an array, or lists of those, as an array.

    Raises:
        TypeError: these cannot be the numbers of sets.
    """
    result = np.asarray(x)
    if result.dtype.kind in "iu" or result.dtype == np.float64:  # exact up to 2**53
        return result.astype(np.int64, copy=False)
    raise TypeError(f"index sets cannot be {result.dtype}")


def _collect(x: Any, found: list[Ints]) -> None:
    if isinstance(x, np.ndarray) and x.dtype.kind != "O":
        found.append(numbers(x).ravel())
    elif isinstance(x, (int, float, np.generic)):
        found.append(numbers(x).reshape(1))
    elif isinstance(x, (tuple, list, np.ndarray, deque, ValuesView)):
        for item in x:
            _collect(item, found)
    elif isinstance(x, dict):
        for item in x.values():
            _collect(item, found)
    elif is_record(x):
        for item in fields(x).values():
            _collect(item, found)
    elif x is not None:
        raise TypeError(f"index sets cannot be looked for in a {type(x).__name__}")


def _united_along(ids: Ints, axis: Axis) -> Ints:
    """The unions along some axes (all of them for None), which stay, of length 1."""
    axes = range(ids.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    over = sorted({k % max(ids.ndim, 1) for k in axes})
    kept = [k for k in range(ids.ndim) if k not in over]
    shape = [1 if k in over else n for k, n in enumerate(ids.shape)]
    lanes = ids.transpose([*kept, *over]).reshape(int(np.prod([ids.shape[k] for k in kept])), -1)
    result = lanes.max(axis=1, initial=0)
    (mixed,) = np.nonzero(np.any((lanes != result[:, None]) & (lanes != 0), axis=1))
    if mixed.size:
        labels = np.repeat(np.arange(mixed.size), lanes.shape[1])
        result[mixed] = current().gathered(labels, lanes[mixed].ravel(), mixed.size)
    united: Ints = result.reshape(shape)
    return united


def _fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether something of one shape is broadcast to the other."""
    pairs = zip(reversed(shape), reversed(whole))
    return len(shape) <= len(whole) and all(n in (1, m) for n, m in pairs)


def _like(y: Any, ids: Any) -> Any:
    """Sets in new memory of the form of `y`: an array, a list of lists, a number."""
    shape = np.shape(y)
    if isinstance(y, np.ndarray):
        return np.array(np.broadcast_to(ids, shape), np.int64)
    if isinstance(y, (tuple, list)):  # of numbers
        parts = [_like(part, own) for part, own in zip(y, np.broadcast_to(ids, shape))]
        return as_tuple(y, parts) if isinstance(y, tuple) else parts
    return int(ids)


def _filled(x: Any, number: int, made: dict[int, Any]) -> Any:
    """The structure `x` with a set in every place."""
    if isinstance(x, np.ndarray) and x.dtype.kind != "O":
        return made.setdefault(id(x), np.full(x.shape, number, np.int64))
    if isinstance(x, (int, float, complex, np.generic)):
        return number
    if isinstance(x, tuple):
        return as_tuple(x, [_filled(item, number, made) for item in x])
    if id(x) in made:
        return made[id(x)]
    result: Any
    if isinstance(x, np.ndarray):
        result = made[id(x)] = np.empty_like(x)
        for index in np.ndindex(x.shape):
            result[index] = _filled(x[index], number, made)
    elif isinstance(x, list):
        result = made[id(x)] = []
        result.extend(_filled(item, number, made) for item in x)
    elif isinstance(x, dict):
        result = made[id(x)] = {}
        result.update((key, _filled(item, number, made)) for key, item in x.items())
    elif is_record(x):
        result = made[id(x)] = blank(type(x))
        for field, item in fields(x).items():
            object.__setattr__(result, field, _filled(item, number, made))
    else:
        return None
    return result
