"""Functions of NumPy that call what they are given: `vectorize`, `apply_along_axis`, `piecewise`.

    np.vectorize(f)(x)              result = np.empty(len(x))
                                    for k in range(len(result)):
                                        result[k] = f(float(x[k]))

Of what type their results are, NumPy finds out by the first call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.core import (
    Append,
    Apply,
    If,
    Load,
    Loop,
    NotYet,
    Operation,
    Raises,
    Value,
    constant,
    ends,
)
from autodiff.frontend import jitted
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Bound, Box, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.truth import truth
from autodiff.lower.flow.lifted import results_of
from autodiff.lower.recipes import array_recipes as recipes

_CACHED = "cached"
_FLOATS = (float, np.float64, "d", "float", "float64")


class Vectorized:
    """What stands for a call of what `np.vectorize` gives."""

    def __call__(self) -> None: ...


VECTORIZED = Vectorized()


def vectorize(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.vectorize(function, otypes=[float])`."""
    types = dict(named).pop("otypes", given[1] if len(given) > 1 else constant(None))
    if len(given) not in (1, 2) or {key for key, _ in named} - {"otypes", "doc", "cache"}:
        raise NotYet("vectorize with options")
    if truth(expressions, dict(named).get("cache", constant(False))).constant is not False:
        types = constant(_CACHED)
    return of_type(expressions, given[0], types)


def from_python(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.frompyfunc(function, n, 1)`: its results are objects; floats alone are taken."""
    count = given[2].constant if len(given) == 3 and isinstance(given[2], Value) else None
    if named or count != 1:
        raise NotYet("frompyfunc of several results")
    return of_type(expressions, given[0], constant("d"))


def of_object(expressions: Expressions, target: np.vectorize, given: Entries) -> Entry:
    """A call of what `np.vectorize` gave when the user's module was imported."""
    if target.excluded or target.signature is not None or target.otypes not in ("", "d", None):
        raise NotYet("vectorize with options")
    types = constant("d" if target.otypes else None)
    function = boxes.of_class(expressions, target.pyfunc)
    return vectorized(expressions, [function, types, *given], [])


def by_numba(expressions: Expressions, target: Any, given: Entries) -> Entry | None:
    """A call of what `numba.vectorize` made: a ufunc, which gives numbers for numbers."""
    function = jitted.of_elements(target)
    if function is None:
        return None
    call, own = expressions.builder.call, boxes.of_class(expressions, function)
    arrays = [expressions.loaded(as_array(expressions, entry)) for entry in given]
    if not jitted.is_of_doubles(target) and not all(_is_double(array.kind) for array in arrays):
        raise NotYet("a ufunc of Numba's that is not of floats alone")
    if any(isinstance(array.kind, Array) and array.kind.shape for array in arrays):
        floats = [call("np.asarray", np.asarray, each, constant("d")) for each in arrays]
        return vectorized(expressions, [own, constant("d"), *floats], [])
    made = called(expressions, function, *[call("float", float, each) for each in arrays])
    return call("np.float64", np.float64, expressions.as_value(made))


def _is_double(kind: Kind | None) -> bool:
    if isinstance(kind, Scalar):
        return kind.type == "float" and kind.dtype in (None, "float64")
    return isinstance(kind, Array) and kind.dtype == "float64"


def of_type(expressions: Expressions, function: Entry, types: Entry) -> Entry:
    """A function to be called with items of arrays, and the type of what it gives."""
    if isinstance(types, Box) and types.cls is list and len(types.slots) == 1:
        types = types.slots[0]
    if not isinstance(types, Value) or types.constant not in (None, _CACHED, *_FLOATS):
        raise NotYet("vectorize with types")
    marker = boxes.of_class(expressions, VECTORIZED)
    return Bound(marker, (function, types))


def vectorized(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """A call of what `np.vectorize` gives."""
    function, types, *others = given
    arrays = [as_array(expressions, entry) for entry in others]
    if not any(isinstance(a.kind, Array) and a.kind.shape for a in arrays):
        items = [item(expressions, each) for each in others]
        by_name = [(key, item(expressions, each)) for key, each in named]
        told = isinstance(types, Value) and types.constant is not None
        once = recipes.called_once if told else recipes.called_twice
        made = called(expressions, once, function, *items, named=by_name)
        found = made.items if isinstance(made, Pack) else (made,)
        results = tuple(of_no_axis(expressions, each, types) for each in found)
        return Pack(results) if isinstance(made, Pack) else results[0]
    if named or not arrays or isinstance(types, Value) and types.constant == _CACHED:
        raise NotYet("vectorize by name")
    if len(arrays) > 1:
        every = expressions.builder.call("np.broadcast_arrays", np.broadcast_arrays, *arrays)
        arrays = list(map(expressions.as_value, expressions.parts(parts(expressions, every))))
    kinds = [array.kind for array in arrays]
    if any(not isinstance(kind, Array) or kind.dtype != "float64" for kind in kinds):
        raise NotYet("vectorize of what are no floating-point numbers")
    rows = [flat(expressions, array) for array in arrays]
    own = [function, *rows]
    if isinstance(types, Value) and types.constant is None:
        if not is_float(called(expressions, recipes.first_call, *own)):
            raise NotYet("a type of results that depends on the first")
    result = expressions.as_value(called(expressions, recipes.vectorized, *own))
    return shaped(expressions, result, arrays[0])


def item(expressions: Expressions, entry: Entry) -> Entry:
    """What `np.vectorize` calls a function with for what has no axis."""
    kind = entry.kind if isinstance(entry, Value) else None
    if isinstance(kind, Array) and kind.shape:
        raise NotYet("vectorize by name")
    if isinstance(kind, Array) or isinstance(kind, Scalar) and kind.dtype is not None:
        return called(expressions, recipes.item, entry)
    return entry


def of_no_axis(expressions: Expressions, entry: Entry, types: Entry) -> Value:
    """What `np.vectorize` makes of the one result."""
    told = isinstance(types, Value) and types.constant in _FLOATS
    if not isinstance(entry, Value) or not isinstance(entry.kind, Scalar):
        raise NotYet("vectorize of what is no number")
    return expressions.builder.call(
        "np.asarray", np.asarray, entry, *([constant("d")] if told else [])
    )


def parts(expressions: Expressions, found: Value) -> Entry:
    """The parts of what gives several values."""
    return results_of(expressions.unit, expressions.builder, found)


def flat(expressions: Expressions, array: Value) -> Value:
    """An array in one axis."""
    assert isinstance(array.kind, Array)
    if len(array.kind.shape) == 1:
        return array
    return expressions.builder.call("np.ravel", np.ravel, expressions.loaded(array))


def shaped(expressions: Expressions, row: Value, array: Value) -> Value:
    """A row in the shape of an array."""
    assert isinstance(array.kind, Array)
    if len(array.kind.shape) == 1:
        return row
    shape = expressions.as_value(expressions.sizes_of(array))
    return expressions.builder.call("np.reshape", np.reshape, expressions.loaded(row), shape)


def as_array(expressions: Expressions, entry: Entry) -> Value:
    """An operand that NumPy makes an array of."""
    value = expressions.as_value(entry)
    if not isinstance(entry, (Box, Pack)):
        return value
    return expressions.builder.call("np.asarray", np.asarray, value)


def along_axis(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.apply_along_axis(function, axis, array)`, of one axis or two."""
    if len(given) < 3:
        raise NotYet("apply_along_axis by name")
    function, axis, table, *others = given
    array = as_array(expressions, table)
    kind, number = array.kind, axis.constant if isinstance(axis, Value) else None
    if isinstance(kind, Array) and len(kind.shape) == 1 and number in (-1, 0):
        return alone(
            expressions, called(expressions, recipes.result, function, array, *others, named=named)
        )
    if not isinstance(kind, Array) or len(kind.shape) != 2 or number not in (-2, -1, 0, 1):
        raise NotYet("a call of apply_along_axis")
    first = number in (-2, 0)
    if first:
        array = expressions.builder.call("np.transpose", np.transpose, array)
    made = called(expressions, recipes.along_rows, function, array, *others, named=named)
    if isinstance(made, Box) and made.memory is None and not made.slots:
        raise Raises(ValueError, "apply_along_axis of nothing")
    rows = expressions.as_value(made)
    items = [op.operands[1] for op in expressions.builder.block.walk() if is_put(op, made)]
    if not items or not all(map(is_float, items)):
        raise NotYet("a type of results that depends on the first")
    table = expressions.builder.call("np.stack", np.stack, rows)
    if not first:
        return table
    moved = constant(0), constant(-1)  # in memory, too, rows lie one behind the other
    return expressions.builder.call("np.moveaxis", np.moveaxis, table, *moved)


def alone(expressions: Expressions, made: Entry) -> Entry:
    """What `np.apply_along_axis` makes of the one result: an array."""
    if isinstance(made, Value) and (made.constant is None or is_float(made)):
        return expressions.builder.call("np.array", np.array, expressions.loaded(made))
    raise NotYet("a type of results that depends on the first")


def is_put(op: Operation, made: Entry) -> bool:
    """Whether an operation puts an item into a list."""
    memory = made.memory if isinstance(made, Box) else None
    return isinstance(op, Append) and memory is not None and op.operands[0].region is memory.region


def piecewise(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.piecewise(x, conditions, functions)`: later pieces lie over earlier ones, a last one is
    what no condition is true of.
    """
    x, conditions, functions, *others = given
    chosen = expressions.listed(conditions) or [conditions]
    pieces = expressions.listed(functions)
    if isinstance(x, Value) and isinstance(x.kind, Scalar):
        rows = [row(expressions, own) for own in (x, *chosen)]
        packs = Pack(tuple(rows[1:])), functions
        found = expressions.as_value(piecewise(expressions, [rows[0], *packs, *others], named))
        return expressions.builder.call("np.reshape", np.reshape, found, constant(()))
    if not isinstance(x, Value) or not isinstance(x.kind, Array) or not x.kind.shape:
        raise NotYet("a call of piecewise")
    if x.kind.dtype != "float64" or pieces is None or not 0 <= len(pieces) - len(chosen) <= 1:
        raise NotYet("a call of piecewise")
    masks = [expressions.mask(own, converts=True) for own in chosen]
    if len(pieces) > len(masks):
        masks.append(rest(expressions, masks))
    result = expressions.builder.call("np.zeros_like", np.zeros_like, expressions.loaded(x))
    for mask, function in zip(masks, pieces):
        if isinstance(function, Value) and isinstance(function.kind, (Scalar, Array)):
            called(expressions, recipes.piece_of_number, result, mask, function)
        else:
            called(expressions, recipes.piece, result, x, mask, function, *others, named=named)
    return result


def row(expressions: Expressions, entry: Entry) -> Value:
    """A number as an array of one."""
    value = expressions.as_value(entry)
    return expressions.builder.call("np.reshape", np.reshape, value, constant((1,)))


def rest(expressions: Expressions, masks: list[Value]) -> Value:
    """Where no mask is true."""
    found = masks[0]
    for mask in masks[1:]:
        found = expressions.builder.call("np.logical_or", np.logical_or, found, mask)
    return expressions.builder.call("np.logical_not", np.logical_not, found)


def is_float(entry: Entry) -> bool:
    """Whether an entry is of floating-point numbers, whatever path it comes from: of the class by
    which NumPy chooses, `0 if t < 0.0 else t` is not.
    """
    return isinstance(entry, Value) and _is_float(entry, set())


def _is_float(value: Value, asked: set[Value]) -> bool:
    if value in asked:
        return True
    asked.add(value)
    if isinstance(value.kind, Array):
        return value.kind.dtype == "float64"
    if not isinstance(value.kind, Scalar) or value.kind.type != "float":
        return False
    if isinstance(value.op, (If, Loop)) or ends(value):
        return all(_is_float(end, asked) for end in ends(value))
    return value.op is None or isinstance(value.op, (Apply, Load))
