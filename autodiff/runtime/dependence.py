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

from autodiff.runtime.copying import copied, replica, shadow_of
from autodiff.runtime.indexsets import Ints, current
from autodiff.runtime.structure import as_tuple, fields, in_form, is_record

_NUMBERS = (float, np.float64, int, np.int64)
_SETS = (int, np.int64)

Axis = int | tuple[int, ...] | None


def independent(x: Any) -> Any:
    """Empty sets for all that is in `x`; what `x` shares between two places, they share, too."""
    return _filled(x, 0, {})


def depends(y: Any, *operands: Any) -> Any:
    """For a function that acts element by element on operands that are broadcast."""
    if y.__class__ in _NUMBERS and all(o.__class__ in _SETS for o in operands):
        return _of_numbers(y, operands)
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
    return like_value(y, total)


def _of_numbers(y: Any, operands: tuple[int, ...]) -> Any:
    """The union, in loops over numbers."""
    number = 0
    for operand in operands:
        number = current().pair(number, int(operand))
    return _set_of(y, number)


def depends_on_factors(y: Any, a: Any, b: Any, a_from: Any, b_from: Any) -> Any:
    """For a product, or `a` divided by something: of a zero that depends on nothing it is zero."""
    return depends(y, _beside(a_from, b, b_from), _beside(b_from, a, a_from))


def _beside(ids: Any, factor: Any, own: Any) -> Any:
    """The sets of one factor, without those beside zeros of the other."""
    if own.__class__ in _SETS and factor.__class__ in _NUMBERS:
        return 0 if not own and not factor else ids
    try:
        zero = np.logical_not(factor) & (numbers(own) == 0)
        return np.where(zero, 0, numbers(ids)) if zero.any() else ids
    except ValueError:  # lists of arrays of several shapes, which are not broadcast
        return ids


def depends_on_all(y: Any, *operands: Any) -> Any:
    """For a function of which nothing is known: each element depends on all that is given."""
    if y.__class__ in _NUMBERS and all(o.__class__ in _SETS for o in operands):
        return _of_numbers(y, operands)
    return _filled(y, everything(*operands), {})


def depends_along(y: Any, x: Any, axis: Axis) -> Any:
    """For a reduction over some axes, or over all; `y` may have kept them."""
    ids = united_along(numbers(x), axis)
    if np.size(y) != ids.size or isinstance(y, (tuple, list)):
        return depends_on_all(y, x)
    return like_value(y, ids.reshape(np.shape(y)))


def depends_on_lanes(y: Any, x: Any, axis: Axis) -> Any:
    """For a function of the lanes along an axis, such as a sum that runs on, or sorting."""
    ids = numbers(x)
    if axis is None or isinstance(y, (tuple, list)) or np.ndim(y) != ids.ndim:
        return depends_on_all(y, x)
    ids = united_along(ids, axis)
    return like_value(y, ids) if _fits(ids.shape, np.shape(y)) else depends_on_all(y, x)


def depends_on_blocks(y: Any, cores: tuple[int, ...], *operands: Any) -> Any:
    """For a function of the last axes of its operands, `cores` of them, stacked along the rest."""
    if isinstance(y, tuple):
        return as_tuple(y, [depends_on_blocks(part, cores, *operands) for part in y])
    given = [numbers(operand) for operand in operands]
    batches = [
        united_along(ids, tuple(range(-core, 0))).reshape(ids.shape[: ids.ndim - core])
        for ids, core in zip(given, cores)
    ]
    batch = np.broadcast_shapes(*(ids.shape for ids in batches))
    if np.shape(y)[: len(batch)] != batch:
        return depends_on_all(y, *operands)
    own = (1,) * (np.ndim(y) - len(batch))
    return depends(y, *(np.broadcast_to(ids, batch).reshape(batch + own) for ids in batches))


def depends_unbroadcast(y: Any, g: Any) -> Any:
    """For a sum over the axes along which `y` was broadcast to the shape of `g`."""
    if isinstance(y, (tuple, list)):
        return depends_on_all(y, g)
    ids, shape = numbers(g), np.shape(y)
    if ids.shape == shape:
        return like_value(y, ids)
    extra = ids.ndim - len(shape)
    if extra < 0:
        return depends_on_all(y, g)
    axes = tuple(k for k in range(ids.ndim) if k < extra or shape[k - extra] == 1)
    ids = united_along(ids, axes)
    return like_value(y, ids.reshape(ids.shape[extra:])) if extra else like_value(y, ids)


def depends_unreduced(y: Any, g: Any, axis: Axis, keepdims: bool) -> Any:
    """For the adjoint of a reduction, repeated along its axes."""
    ids = numbers(g)
    if axis is not None and not keepdims and ids.ndim:
        ids = np.expand_dims(ids, axis)
    return depends(y, ids)


def scattered(y: Any, at: Any, g: Any, flat: bool) -> Any:
    """For zeros shaped like `y` to which `g` was added at an index; flat: of all in a row."""
    if not isinstance(y, np.ndarray):
        return depends_on_all(y, g)
    found = places(y).ravel()[np.ravel(at)] if flat else places(y)[at]
    return united_at(np.zeros(y.shape, np.int64), found, np.ravel(g) if flat else g)


def places(x: Any) -> Ints:
    """The place of each element of `x`."""
    found: Ints = np.arange(x.size).reshape(x.shape)
    return found


def united_at(x: Any, at: Any, g: Any) -> Ints:
    """The sets of `x` after `np.add.at(x, ..., g)`, which adds at some `places`."""
    sets = np.broadcast_to(numbers(g), np.shape(at)).ravel()
    touched, labels = np.unique(np.ravel(at), return_inverse=True)
    flat = np.ravel(numbers(x)).copy()
    labels = np.concatenate([labels.ravel(), np.arange(touched.size)])
    flat[touched] = current().gathered(labels, np.append(sets, flat[touched]), touched.size)
    united: Ints = flat.reshape(np.shape(x))
    return united


def unite_items(bars: Any, g: Any) -> None:
    """What `add_items` does to the sets of a list."""
    parts = g if isinstance(g, (list, tuple)) or np.ndim(g) else [g] * len(bars)
    for k, part in enumerate(parts):
        new = depends(bars[k], bars[k], part)
        if isinstance(bars[k], np.ndarray):
            bars[k][...] = new
        else:
            bars[k] = new


def laid_out(x_from: Any, x: Any) -> Any:
    """The sets as new memory that lies as the array `x` does; of anything else, a copy."""
    if not isinstance(x, np.ndarray) or x.dtype.hasobject:
        return copied(x_from)
    result = replica(x).view(np.int64) if x.itemsize == 8 else np.empty_like(x, np.int64)
    result[...] = x_from
    return result


def shadow_from(part: Any, whole: Any, sets: Any) -> Any:
    """What `part` is of `whole`, of the sets of that (see `shadow_of`)."""
    if not np.may_share_memory(part, whole):
        return laid_out(0, part)
    if part.itemsize != 8 or whole.itemsize != 8:
        raise TypeError("index sets are not kept for parts of numbers")
    return shadow_of(part.view(np.int64), whole.view(np.int64), sets)


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


def united_along(ids: Ints, axis: Axis) -> Ints:
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


def like_value(y: Any, ids: Any) -> Any:
    """Sets in new memory of the form of `y`: an array, a list of lists, a number."""
    shape = np.shape(y)
    if isinstance(y, np.ndarray):
        return np.array(np.broadcast_to(ids, shape), np.int64)
    if isinstance(y, (tuple, list)):  # of numbers
        parts = [like_value(part, own) for part, own in zip(y, np.broadcast_to(ids, shape))]
        return as_tuple(y, parts) if isinstance(y, tuple) else parts
    return _set_of(y, int(ids))


def _set_of(y: Any, number: int) -> Any:
    """The set of a number; a NumPy number has one that can be indexed as it can."""
    return np.int64(number) if isinstance(y, np.generic) else number


def _filled(x: Any, number: int, made: dict[int, Any]) -> Any:
    """The structure `x` with a set in every place."""
    if isinstance(x, np.ndarray) and x.dtype.kind != "O":
        return made.setdefault(id(x), laid_out(number, x))
    if isinstance(x, (int, float, complex, np.generic)):
        return _set_of(x, number)
    if not isinstance(x, np.ndarray):
        return in_form(x, made, lambda item: _filled(item, number, made))
    if id(x) not in made:
        result = made[id(x)] = np.empty_like(x)
        for index in np.ndindex(x.shape):
            result[index] = _filled(x[index], number, made)
    return made[id(x)]
