"""What lower modules of this room ask of higher ones: it is bound once all of them are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.tracing.trace import Trace

_BOUND: dict[str, Callable[..., Any]] = {}


def bind(**functions: Callable[..., Any]) -> None:
    """Says what the functions below are."""
    _BOUND.update(functions)


def call(f: Any, /, *args: Any, **keywords: Any) -> Any:
    """`f(*args, **keywords)`, followed."""
    return _BOUND["call"](f, *args, **keywords)


def getattr_of(x: Any, name: str) -> Any:
    """`x.name`."""
    return _BOUND["getattr_of"](x, name)


def getitem_of(x: Any, index: Any) -> Any:
    """`x[index]`."""
    return _BOUND["getitem_of"](x, index)


def setitem(x: Any, index: Any, value: Any) -> None:
    """`x[index] = value`."""
    _BOUND["setitem"](x, index, value)


def iterate(x: Any) -> Any:
    """What gives the items of `x`."""
    return _BOUND["iterate"](x)


def entries(x: Any) -> Any:
    """What a dict is filled with: a mapping, or pairs."""
    return _BOUND["entries"](x)


def as_array(x: Any) -> Any:
    """A list or tuple that holds derivatives as the array that NumPy makes of it."""
    return _BOUND["as_array"](x)


def numeric(trace: Trace, args: Any, keywords: Any) -> tuple[Any, Any]:
    """The arguments of an operation, lists of numbers as arrays."""
    found: tuple[Any, Any] = _BOUND["numeric"](trace, args, keywords)
    return found


def of_array(trace: Trace, x: Any, name: str, args: Any, keywords: Any) -> Any:
    """A method of a number or array that does more than give a number; else NotImplemented."""
    return _BOUND["of_array"](trace, x, name, args, keywords)


def handled_method(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """A method of a container, or what makes and keeps objects; else NotImplemented."""
    return _BOUND["handled_method"](trace, f, args, keywords)


def vectorized(f: Any, args: Any, keywords: Any) -> Any:
    """A call of an object of `np.vectorize`."""
    return _BOUND["vectorized"](f, args, keywords)


def where_asked(f: Any, args: Any, keywords: Any, out: Any) -> Any:
    """A universal function with `out` and `where`."""
    return _BOUND["where_asked"](f, args, keywords, out)


def followed(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """A call of a function in Python, with hooks in it."""
    return _BOUND["followed"](trace, f, args, keywords)
