"""Objects that say themselves which array they are: NumPy asks them, and computes with that.

np.polyval(np.poly1d(c), x)         of the coefficients
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.core import Value
from autodiff.kinds.arguments import attributes_of
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Drawing, Numeric
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.entry import Box, Entry, Outer
from autodiff.lower.flow import opaque
from autodiff.rules.home import is_library, module_of

_ARRAYS = (np.ndarray, np.generic)
_METHODS = [own for own in dir(np.ndarray) if own[0] != "_" and callable(getattr(np.ndarray, own))]


def as_array(expressions: Values, function: Any, place: int | str, entry: Entry) -> Entry:
    """What a function of NumPy computes with in place of an object."""
    if not module_of(function).startswith("numpy"):
        return entry
    looks = not isinstance(function, np.ufunc) and (function is not np.polyval or place != 0)
    if isinstance(entry, (Box, Outer)) and not delegates(function, entry):
        method = special(expressions, entry, "__array__")
        if method is not None and is_asked(entry.cls, looks):
            return called(expressions, method, entry)
    kind = getattr(entry, "kind", None)
    if isinstance(entry, Value) and isinstance(kind, Drawing) and not asks_methods(function):
        if all(is_asked(cls, looks) and not issubclass(cls, _ARRAYS) for cls in kind.classes):
            return opaque.done(expressions, np.asarray, entry, kind=Numeric())
    return entry


def is_asked(cls: type, looks: bool) -> bool:
    """Whether NumPy asks objects of a class for the array. looks: a function may do something else
    for a class of a library.
    """
    if class_attribute(cls, "__array__") is None or is_library(cls.__module__) and looks:
        return False
    own = {each for base in cls.__mro__ for each in vars(base)}  # others say what else NumPy does
    own -= {"__array__", "__array_priority__"}
    return not any(each.startswith("__array_") for each in own) and "__buffer__" not in own


def asks_methods(function: Any) -> bool:
    """Whether a function may be a method of what it is given: `np.sum(obj)` is `obj.sum()`."""
    return not isinstance(function, np.ufunc) and function not in (np.polyval, np.asarray)


def delegates(function: Any, entry: Box | Outer) -> bool:
    """Whether a function may call a method of an object: `np.around(obj)` is `obj.round()`. Which
    one nobody tells, so that it has none of the names of an array's.
    """
    if not asks_methods(function):
        return False
    own = entry.slots if isinstance(entry, Box) else attributes_of(entry.object) or ()
    names = (*_METHODS, "__getattr__", getattr(function, "__name__", ""))
    return any(each in own or class_attribute(entry.cls, each) for each in names)
