"""Methods of numbers and arrays that do more than give a number for numbers."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from autodiff.tracing import operator_hooks
from autodiff.tracing.array_classes import unasked
from autodiff.tracing.bound_late import call, followed
from autodiff.tracing.flat_elements import Flat
from autodiff.tracing.handlers.array_calls import array_of
from autodiff.tracing.items import elements, getitem, iterate, setitem, store
from autodiff.tracing.number import Number, carries, value_of
from autodiff.tracing.operator_hooks import binary, compare, unary
from autodiff.tracing.special_methods import COMPARISONS, UFUNCS, in_python
from autodiff.tracing.trace import Trace, place_of

_CHANGING = ("put", "resize", "itemset", "setfield", "byteswap")
_WRITING = ("tofile", "dump", "dumps", "tobytes", "tostring", "__reduce__", "__reduce_ex__")
_ITEMS: dict[str, Any] = {"__getitem__": elements, "__setitem__": store, "__iter__": iterate}
_ASKED: dict[str, Any] = {
    f"__{own.__name__}__": own
    for own in (float, int, bool, complex, abs, round, divmod, hash, repr, str, format)
}
_UNARY = {"neg": np.negative, "pos": np.positive, "invert": np.invert}
_TAKEN_APART = ("as_integer_ratio", "hex")
_SAME = ("__copy__", "__deepcopy__", "copy")


def of_array(trace: Trace, x: Any, name: str, args: Any, keywords: Any) -> Any:
    """Methods of numbers and arrays that do more than give a number; NotImplemented for others."""
    if name in _ASKED:
        return call(_ASKED[name], x, *args)
    if name in _TAKEN_APART:
        raise trace.fail(f"`{name}` of what carries a derivative")
    if x.__class__ is Number:
        if name == "view":  # as an array of a class it stays a number
            own = x.value.view(*args, **keywords)
            if type(own) is type(x.value) and np.array_equal(own, x.value, equal_nan=True):
                return x
            raise trace.fail("`view` as something else")
        if name in _SAME or name == "conjugate" and not np.iscomplexobj(x.value):
            return x
        if name == "item" or name == "tolist":
            return x if type(x.value) is float else _plainly(x)
        if name == "astype" and args and np.dtype(args[0]) == np.result_type(x.value):
            return x
    elif name in _SAME:
        return array_of(trace, x, order=_order(name, args, keywords), subok=True)
    elif name == "tolist":
        return (
            [
                own.tolist()
                if isinstance(own, np.ndarray) and not carries(trace, own)
                else of_array(trace, own, name, (), {})
                for own in iterate(x)
            ]
            if x.ndim
            else _plainly(x)
        )
    elif name == "item":
        index = args if args else (0,) * x.ndim
        index = index[0] if len(index) == 1 else index
        if isinstance(index, int) and x.ndim != 1:
            index = np.unravel_index(index, x.shape)
        x.item(*args)  # its own error
        return _plainly(getitem(x, index))
    elif name == "fill" and x.dtype.kind == "O":
        trace.touched[id(x)] = x
        x.fill(*args)
        return None
    elif name == "fill":
        setitem(x, Ellipsis, *args)
        return None
    elif name == "setflags":
        return x.setflags(*args, **keywords)
    elif name == "put" and len(args) == 2 and not keywords:
        Flat(x)[args[0]] = args[1]
        return None
    elif name == "sort" and x.dtype.names and x.ndim == 1:
        setitem(x, Ellipsis, getitem(x, place_of(x).argsort(*args, **keywords)))
        return None
    elif name in ("sort", "partition"):
        setitem(x, Ellipsis, call(getattr(np, name), x, *args, **keywords))
        return None
    elif name == "view":
        return viewed(trace, type(x).view, x, *args, **keywords)
    elif name == "__array__" and not args and not keywords:
        return x.__array__()
    elif name == "__len__":
        return len(x)
    elif name == "__array_namespace__":  # NumPy
        return x.__array_namespace__(*args, **keywords)
    elif name in _ITEMS:
        return _ITEMS[name](x, *args)
    if name == "__array_ufunc__":
        ufunc, way, *given = args
        return unasked(ufunc, way, tuple(given), keywords)
    if name == "__array_function__":
        return _as_array(trace, *args)
    if name == "__array_finalize__":  # of `np.ndarray` itself
        return None
    if name == "__array_wrap__" and isinstance(x, np.ndarray):
        return x.__array_wrap__(*args[:1])
    if name in _CHANGING or name in _WRITING:
        raise trace.fail(f"`{name}` of an array that carries a derivative")
    if name.startswith("__"):
        short = name.strip("_")
        if isinstance(x, np.ndarray) and in_python(type(x), name) is not None:  # by `super()`
            found = _by_ufunc(short, x, *args)
            if found is not NotImplemented:
                return found
        for sign in (short, f"{short}_"):
            if sign in operator_hooks.SIGNS:
                return binary(sign, x, args[0])
            if short.startswith("r") and sign[1:] in operator_hooks.SIGNS:
                return binary(sign[1:], args[0], x)
            if short.startswith("i") and sign[1:] in operator_hooks.SIGNS:
                return operator_hooks.inplace(sign[1:], x, args[0])
        if short in ("neg", "pos", "invert"):
            return unary(short, x)
        if short in ("lt", "le", "gt", "ge", "eq", "ne"):
            return compare(short, x, args[0])
        raise trace.fail(f"`{name}` of what carries a derivative")
    return NotImplemented


def viewed(trace: Trace, view: Any, x: Any, *args: Any, **keywords: Any) -> Any:
    """`x.view(...)` by the method of a class."""
    own = view(x, *args, **keywords)
    if own.dtype.kind in "fcV":
        return own
    raise trace.fail("`view` as something else")


def _by_ufunc(short: str, x: Any, *others: Any) -> Any:
    """What an operator of `np.ndarray` itself does, which asks a universal function."""
    if short in _UNARY:
        return call(_UNARY[short], x)
    if short in COMPARISONS:
        return call(COMPARISONS[short], x, *others)
    if short in UFUNCS:
        return call(UFUNCS[short], x, *others)
    ufunc = UFUNCS.get(short[1:])
    if ufunc is None:
        return NotImplemented
    return call(ufunc, *others, x) if short[0] == "r" else call(ufunc, x, *others, out=(x,))


def _plainly(x: Any) -> Any:
    """A number of NumPy's as one of Python's."""
    return call(complex if np.iscomplexobj(value_of(x)) else float, x)


def _as_array(trace: Trace, f: Any, types: Any, args: Any, keywords: Any) -> Any:
    """What `np.ndarray.__array_function__` gives: what the function does for arrays."""
    inside = getattr(f, "_implementation", None)
    if isinstance(inside, FunctionType):
        return followed(trace, inside, args, keywords)
    raise trace.fail(f"what a class makes of {f.__name__}")


def _order(name: str, args: Any, keywords: Any) -> str:
    if name != "copy":
        return "K"
    found: str = args[0] if args else keywords.get("order", "C")
    return found
