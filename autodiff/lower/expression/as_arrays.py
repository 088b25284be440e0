"""Objects that say themselves which array they are: NumPy asks them, and computes with that.

np.polyval(np.poly1d(c), x)         of the coefficients
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Drawing, Numeric
from autodiff.core import Value
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.entry import Box, Entry, Outer
from autodiff.lower.flow import opaque
from autodiff.rules.home import is_library, module_of

_ARRAYS = (np.ndarray, np.generic)


def as_array(expressions: Values, function: Any, place: int | str, entry: Entry) -> Entry:
    """What a function of NumPy computes with in place of an object."""
    if not module_of(function).startswith("numpy"):
        return entry
    looks = not isinstance(function, np.ufunc) and (function is not np.polyval or place != 0)
    if isinstance(entry, (Box, Outer)):
        method = special(expressions, entry, "__array__")
        if method is not None and is_asked(entry.cls, looks):
            return called(expressions, method, entry)
    kind = getattr(entry, "kind", None)
    if isinstance(entry, Value) and isinstance(kind, Drawing):
        if all(is_asked(cls, looks) and not issubclass(cls, _ARRAYS) for cls in kind.classes):
            return opaque.done(expressions, np.asarray, entry, kind=Numeric())
    return entry


def is_asked(cls: type, looks: bool) -> bool:
    """Whether NumPy asks objects of a class for the array. looks: a function may do something else
    for a class of a library.
    """
    if class_attribute(cls, "__array__") is None or is_library(cls.__module__) and looks:
        return False
    answers = class_attribute(cls, "__array_ufunc__"), class_attribute(cls, "__array_function__")
    return answers == (None, None)
