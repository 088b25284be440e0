"""Functions that make arrays of what they are given, and the arguments of operations."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from autodiff.tracing.bound_late import call, getattr_of
from autodiff.tracing.handlers.handled import HANDLED, handles
from autodiff.tracing.items import getitem, iterate, store
from autodiff.tracing.number import FLOATS, Number, add, carries, layer, value_of
from autodiff.tracing.object_arrays import is_element, is_of_objects, product
from autodiff.tracing.plain_calls import operation
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.texts_read import check_read
from autodiff.tracing.trace import Trace, current, place_of, root_of


def as_array(x: Any) -> Any:
    """A list or tuple of numbers and arrays as the array that NumPy makes of it."""
    trace = current()
    if trace is None or not holds_derivative(trace, x):
        return x
    return array_of(trace, x)


def array_of(trace: Trace, x: Any, *args: Any, **keywords: Any) -> Any:
    """What `np.array` gives: new memory, into which the parts are stored."""
    places: list[tuple[tuple[int, ...], Any]] = []
    asked = args[0] if args else keywords.get("dtype")
    number = {"f": float, "c": complex}.get(np.dtype(asked).kind) if asked is not None else None
    plain = _places(trace, x, (), places, number)
    made = np.array(plain, *args, **{**keywords, "copy": True})
    if made.dtype.kind == "O":
        if any(isinstance(own, np.ndarray) for own in made.flat):
            if asked is None or np.dtype(asked).kind != "O":
                raise trace.fail("an array of objects")
            return np.array(x, *args, **keywords)
        return np.array(_taken_apart(x), *args, **keywords)
    if made.dtype.names and not (isinstance(x, np.ndarray) and x.dtype == made.dtype):
        for index in np.ndindex(made.shape):
            store(made, index, functools.reduce(getitem, index, x))
        return made
    if made.dtype.kind not in "fcV":
        return made
    lead = made.ndim - np.ndim(plain) if "ndmin" in keywords else 0
    memory = trace.activate(made)
    places = [((0,) * lead + place, own) for place, own in places]
    held = [(place, place_of(own)) for place, own in places]
    if trace.tangents:
        for place, own in held:
            dot = layer(trace, "dot", own)
            if dot is not None:
                memory.at("dot", made)[place] = dot

    def back() -> None:
        for name in trace.sweeps:
            if name not in memory.layers:
                continue
            whole = memory.at(name, made)
            for place, own in held:
                bar = whole[place]
                if made.dtype.names:
                    add(trace, name, own, bar)
                elif np.any(bar):
                    of_own = value_of(own)
                    add(trace, name, own, bar if np.iscomplexobj(of_own) else np.real(bar))
            whole[...] = np.zeros((), made.dtype)

    if trace.adjoints:
        trace.tape.append(back)
    return made


def _taken_apart(x: Any) -> Any:
    """Nested lists with the elements of arrays in their places."""
    if isinstance(x, (list, tuple)):
        return list(map(_taken_apart, x))
    if isinstance(x, np.ndarray) and x.dtype.kind != "O":
        return call(getattr_of(place_of(x), "tolist"))
    return x


def _places(
    trace: Trace, x: Any, at: tuple[int, ...], places: list[Any], number: Any = None
) -> Any:
    """The plain values of nested lists, and where in the array what carries a derivative comes.

    number: what makes numbers of objects, if numbers are asked for.
    """
    if x.__class__ is Number:
        places.append((at, x))
        return x.value
    if is_of_objects(x) and number is not None:
        x = x.tolist()
    if isinstance(x, np.ndarray):
        if carries(trace, x):
            places.append((at, x))
        return x
    if isinstance(x, (list, tuple)):
        parts = (_places(trace, own, (*at, k), places, number) for k, own in enumerate(x))
        return tuple(parts) if isinstance(x, tuple) else list(parts)  # one record, or several
    found = method(type(x), "__array__")
    if isinstance(found, FunctionType):
        return _places(trace, call(found, x), at, places, number)
    if isinstance(x, (int, str, *FLOATS, np.generic, type(None))):
        return x
    python = in_python(type(x), "__len__") and in_python(type(x), "__getitem__")
    single = is_element(x)
    if not single and (python or isinstance(x, Sequence) and not isinstance(x, bytes)):
        return _places(trace, list(iterate(x)), at, places, number)
    if single:
        if number is None or in_python(type(x), f"__{number.__name__}__") is None:
            return x
        return _places(trace, call(number, x), at, places)
    if holds_derivative(trace, x):
        raise trace.fail(f"an array of objects of {type(x).__name__}")
    return x


@handles(np.array)
def _np_array(trace: Trace, x: Any, *args: Any, **keywords: Any) -> Any:
    if not holds_derivative(trace, x):
        return check_read(trace, x, np.array(x, *args, **keywords))
    copy = keywords.get("copy", True)
    shares = copy is None or copy is False or copy is np._CopyMode.IF_NEEDED
    if isinstance(x, np.ndarray) and shares:
        return _as(trace, np.array, x, args, keywords)
    return array_of(trace, x, *args, **keywords)


def _as(trace: Trace, f: Any, x: Any, args: Any, keywords: Any) -> Any:
    if isinstance(x, np.ndarray) and not (is_of_objects(x) and (args or "dtype" in keywords)):
        made = f(x, *args, **keywords)
        if made is x or root_of(made) is root_of(x) or made.dtype.kind not in "fcV":
            return made
        order = "F" if made.flags.fnc else "C" if made.flags.c_contiguous else "K"
        kept = {"dtype": made.dtype, "order": order}
        return array_of(trace, x, **kept)
    keywords.pop("copy", None)
    return array_of(trace, x, *args, **keywords)


def _converting(function: Any) -> None:
    def convert(trace: Trace, x: Any, *args: Any, **keywords: Any) -> Any:
        if not holds_derivative(trace, x):
            return check_read(trace, x, function(x, *args, **keywords))
        if function is np.asarray_chkfinite:
            made = _as(trace, np.asarray, x, args, keywords)
            np.asarray_chkfinite(made)
            return made
        if function in (np.ascontiguousarray, np.asfortranarray) and not isinstance(x, np.ndarray):
            return call(function, array_of(trace, x))
        return _as(trace, function, x, args, keywords)

    HANDLED[function] = convert


for _own in (np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray):
    _converting(_own)
_converting(np.asarray_chkfinite)


@handles(np.atleast_1d)
def _atleast_1d(trace: Trace, *arrays: Any) -> Any:
    made = []
    for own in arrays:
        own = _as(trace, np.asanyarray, own, (), {}) if holds_derivative(trace, own) else own
        made.append(np.atleast_1d(own))
    kind: Any = type(np.atleast_1d(1, 1))  # a list before NumPy 2
    return made[0] if len(made) == 1 else kind(made)


@handles(np.fromiter)
def _fromiter(trace: Trace, source: Any, *args: Any, **keywords: Any) -> Any:
    return call(
        np.array,
        [*itertools.islice(iterate(source), *_counted(args, keywords))],
        *args[:1],
        **keywords,
    )


def _counted(args: Any, keywords: dict[str, Any]) -> tuple[Any]:
    count = args[1] if len(args) > 1 else keywords.pop("count", -1)
    return (None if count < 0 else count,)


def vectorized(f: Any, args: Any, keywords: Any) -> Any:
    """A call of `np.vectorize`: of the function for each element, or as a signature says."""
    if f.signature is not None or keywords or f.excluded:
        return call(type(f).__call__, f, *args, **keywords)
    given = [as_array(own) if isinstance(own, (list, tuple)) else own for own in args]
    shape = np.broadcast_shapes(*(np.shape(value_of(own)) for own in given))
    wide = [call(np.broadcast_to, call(np.asarray, own), shape) for own in given]
    if not f.otypes and not f.cache:  # NumPy asks for the types of the results first
        call(f.pyfunc, *(getitem(own, (0,) * len(shape)) for own in wide))
    found = [call(f.pyfunc, *(getitem(own, k) for own in wide)) for k in np.ndindex(shape)]
    if not found:
        return f(*args)

    def whole(values: list[Any]) -> Any:
        return call(np.reshape, call(np.array, values), shape) if shape else values[0]

    if not isinstance(found[0], tuple):
        return whole(found)
    return tuple(whole([own[k] for own in found]) for k in range(len(found[0])))


class _Converted:
    """What NumPy's own functions convert their arguments with (`_array_converter`)."""

    def __init__(self, *given: Any) -> None:
        self.given = [call(np.asanyarray, own) for own in given]
        self.scalar_input = tuple(not np.ndim(value_of(own)) for own in given)

    def __getitem__(self, k: int) -> Any:
        return self.given[k]

    def as_arrays(self, *, subok: bool = True, pyscalars: str = "convert_if_no_array") -> Any:
        return tuple(self.given)

    def result_type(self, *others: Any, **keywords: Any) -> Any:
        return np.result_type(*self.given, *others)

    def wrap(self, x: Any, *, to_scalar: bool | None = None) -> Any:
        number = all(self.scalar_input) if to_scalar is None else to_scalar
        return getitem(x, ()) if number and isinstance(x, np.ndarray) and x.ndim == 0 else x


_CONVERTER: Any = getattr(getattr(np, "_core", None), "_multiarray_umath", None)
if hasattr(_CONVERTER, "_array_converter"):
    HANDLED[_CONVERTER._array_converter] = lambda trace, *given: _Converted(*given)


@handles(as_strided)
def _as_strided(trace: Trace, x: Any, *args: Any, **keywords: Any) -> Any:
    return as_strided(call(np.asarray, x), *args, **keywords)


@handles(np.ndenumerate)
def _ndenumerate(trace: Trace, x: Any) -> Any:
    whole = call(np.asarray, x)
    return ((index, getitem(whole, index)) for index in np.ndindex(whole.shape))


def _has_floats(x: Any) -> bool:
    """Whether a number in lists is one that could carry a derivative."""
    if isinstance(x, (list, tuple)):
        return any(map(_has_floats, x))
    return x.__class__ is Number or isinstance(x, FLOATS)


def _shape(x: Any) -> tuple[int, ...] | None:
    """The shape of the array that numbers in lists make, if they make one."""
    if not isinstance(x, (list, tuple)):
        return () if x.__class__ is Number or isinstance(x, (int, *FLOATS)) else None
    shapes = {_shape(own) for own in x}
    first = shapes.pop() if len(shapes) == 1 else None
    return None if first is None else (len(x), *first)


def numeric(trace: Trace, args: Any, keywords: Any) -> tuple[Any, Any]:
    """The arguments of an operation: lists of numbers as the arrays that NumPy makes of them."""

    def one(x: Any) -> Any:
        if isinstance(x, (list, tuple)) and x and _has_floats(x):
            if _shape(x) is not None:
                return array_of(trace, x)
            if any(isinstance(own, (list, tuple)) for own in x):
                return type(x)(map(one, x))
            return x
        if in_python(type(x), "__array__") is not None:
            return call(np.asarray, x)
        return x

    return tuple(map(one, args)), {name: one(own) for name, own in keywords.items()}


@handles(np.dot)
def _dot(trace: Trace, *args: Any, **keywords: Any) -> Any:
    found = NotImplemented
    if any(map(is_of_objects, args)) and not keywords and holds_derivative(trace, args):
        found = product(trace, *args)
    return operation(trace, np.dot, args, keywords) if found is NotImplemented else found
