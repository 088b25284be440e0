"""Classes that say themselves what universal functions give of them.

    class Length(np.ndarray):
        def __array_ufunc__(self, ufunc, way, *given, **keywords): ...

NumPy asks `__array_ufunc__` of the operands; where none has one, the plain result is given to the
`__array_wrap__` of one of them. Both are followed where they are written in Python.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.rules.home import is_library, module_of
from autodiff.tracing.bound_late import call
from autodiff.tracing.number import Number, value_of
from autodiff.tracing.special_methods import UFUNCS, in_python, method
from autodiff.tracing.trace import Trace

_SCALARS = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
PARTS = {
    "reduce": ("axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("axis", "dtype", "out"),
    "reduceat": ("axis", "dtype", "out"),
}
"""Arguments by place behind what a way of a universal function is of, which NumPy names."""
_OF = {"reduceat": 2}
_PRIORITY = "__array_priority__"
_SPECIAL = ("__array_ufunc__", "__array_function__", "__array_wrap__", "__array_prepare__")


def says_itself(x: Any) -> bool:
    """Whether the class of an array says what functions give of it."""
    if not isinstance(x, np.ndarray) or type(x) is np.ndarray:
        return False
    return any(isinstance(method(type(x), own), FunctionType) for own in _SPECIAL)


def by_class(trace: Trace, f: Any, way: str, args: Any, keywords: Any) -> Any:
    """What a universal function gives, if a class says so; NotImplemented for others.

    way: `__call__`, `reduce` and others.
    """
    if all(_is_plain(own) for own in (*args, *keywords.values())):
        return NotImplemented
    first = _OF.get(way, 1 if way in PARTS else f.nin)
    if way != "at" and len(args) > first:
        names = PARTS.get(way, ("out",) if f.nout == 1 else ())
        if len(args) - first > len(names):
            raise trace.fail("several `out` of a universal function of a class")
        by_place = {name: own for name, own in zip(names, args[first:]) if own is not None}
        args, keywords = args[:first], {**by_place, **keywords}
    out = keywords.get("out")
    outs = out if isinstance(out, tuple) else () if out is None or out is Ellipsis else (out,)
    sayers = _sayers((*args, *outs))
    if sayers:
        given = {**keywords, "out": outs} if outs else keywords
        for own in sayers:
            found = _by_operator(trace, own, f, args) if way == "__call__" and not given else None
            if found is not None:
                return found
            found = call(_says(own), own, f, way, *args, **given)
            if found is not NotImplemented:
                return found
        raise TypeError(
            f"operand type(s) all returned NotImplemented from __array_ufunc__({f!r}, {way!r})"
        )
    chosen = _wrapper(args)
    if outs:
        return _into(trace, f, way, args, keywords, outs)
    if chosen is None:
        return NotImplemented
    named = {key: _plain(own) for key, own in keywords.items()}
    made = call(f if way == "__call__" else getattr(f, way), *map(_plain, args), **named)
    if isinstance(made, tuple):
        return tuple(_wrapped(chosen, f, way, args, own, k) for k, own in enumerate(made))
    return _wrapped(chosen, f, way, args, made, 0)


def _by_operator(trace: Trace, own: Any, f: Any, args: Any) -> Any:
    """What an operator of a library's class gives in place of its universal function, which may ask
    for it in C, as those of pandas do; None where it has none, or its own is asked for inside.
    """
    key = (id(own), f)
    word = next((name for name, each in UFUNCS.items() if each is f), None)
    if word is None or key in trace.asked or not is_library(module_of(type(own))):
        return None
    first = args[0] is own
    special = in_python(type(own), f"__{'' if first else 'r'}{word}__")
    if special is None:
        return None
    plain = f(*map(value_of, args))
    trace.asked.add(key)
    try:
        found = call(special, own, args[1 if first else 0])
    finally:
        trace.asked.discard(key)
    made = value_of(found)
    if type(made) is not type(plain) or not np.array_equal(made, plain, equal_nan=True):
        raise trace.fail(f"an operator of {type(own).__name__} that differs from {f.__name__}")
    return found


def _into(trace: Trace, f: Any, way: str, args: Any, keywords: Any, outs: Any) -> Any:
    """The same where it is written to a place: the class of that is asked, not the operands'."""
    if not any(map(says_itself, (*args, *outs))):
        return NotImplemented
    if len(outs) > 1:
        raise trace.fail("several `out` of a universal function of a class")
    named = {key: _plain(own) for key, own in keywords.items() if key != "out"}
    run = f if way == "__call__" else getattr(f, way)
    call(run, *map(_plain, args), out=_plain(outs[0]), **named)
    wrap = in_python(type(outs[0]), "__array_wrap__")
    if wrap is None:
        return outs[0]
    context = (f, (*args, *outs), 0) if way == "__call__" else None
    return call(wrap, outs[0], outs[0], context)


def unasked(f: Any, way: str, args: Any, keywords: Any) -> Any:
    """What `np.ndarray.__array_ufunc__` gives: of arrays that have no other."""
    out = keywords.get("out")
    if _sayers((*args, *(out if isinstance(out, tuple) else (out,)))):
        return NotImplemented
    if isinstance(out, tuple) and len(out) == 1:
        keywords = {**keywords, "out": out[0]}
    return call(f if way == "__call__" else getattr(f, way), *args, **keywords)


def _is_plain(x: Any) -> bool:
    cls = type(x)
    return cls is Number or cls is np.ndarray or cls.__module__ == "builtins" and cls is not tuple


def _says(x: Any) -> Any:
    found = method(type(x), "__array_ufunc__")
    return found if isinstance(found, FunctionType) else None


def _sayers(given: Any) -> list[Any]:
    """Those who are asked, in this order: one for each class, a derived class before its own."""
    found: list[Any] = []
    for own in given:
        if _is_plain(own) or _says(own) is None or any(type(own) is type(each) for each in found):
            continue
        before = (k for k, each in enumerate(found) if isinstance(own, type(each)))
        found.insert(next(before, len(found)), own)
    return found


def _wrapper(given: Any) -> Any:
    """The operand whose class makes the result its own, if it does so in Python."""
    chosen, first = None, float("-inf")
    for own in given:
        if isinstance(value_of(own), (np.generic, int, float, complex)):
            continue
        if method(type(own), "__array_wrap__") is None:
            continue
        found = 0.0 if type(own) is np.ndarray else float(getattr(own, _PRIORITY, -1e6))
        plain = chosen is None or type(chosen) is np.ndarray
        if found > first or found == first == 0.0 and plain and type(own) is not np.ndarray:
            chosen, first = own, found
    if chosen is None or in_python(type(chosen), "__array_wrap__") is None:
        return None
    return chosen


def _plain(x: Any) -> Any:
    """An operand as an array of no class of its own, over the same memory."""
    if isinstance(x, np.ndarray):
        return x if type(x) is np.ndarray else x.view(np.ndarray)
    return call(np.asarray, x) if in_python(type(x), "__array__") is not None else x


def _wrapped(chosen: Any, f: Any, way: str, args: Any, made: Any, k: int) -> Any:
    """A plain result as its class gives it."""
    array = made if isinstance(made, np.ndarray) else call(np.asarray, made)
    context = (f, args, k) if way == "__call__" else None
    wrap = in_python(type(chosen), "__array_wrap__")
    if not _SCALARS:
        return call(wrap, chosen, array, context)
    whole: tuple[Any, ...] = (array, context, array.ndim == 0)
    try:
        inspect.signature(wrap).bind(chosen, *whole)
    except TypeError:
        whole = whole[:2]
    return call(wrap, chosen, *whole)
