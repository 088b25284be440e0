"""Functions that are called for an effect outside, and only look at what they are given."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from autodiff.analysis.harmless import Told, told
from autodiff.analysis.kind import Kind, number
from autodiff.primitives.table import primitive_of
from autodiff.rules.home import hashable

_LOOKING = frozenset((print, warnings.warn, warnings.warn_explicit))
"""Builtins that say something."""

_CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
CLOCKS: dict[Any, Kind] = {
    getattr(time, name + suffix): number(cls)
    for name in _CLOCKS
    for suffix, cls in (("", "float"), ("_ns", "int"))
}
"""What the clocks of outside give, each time something else."""


def only_looks(function: Any) -> bool:
    """Whether a function changes nothing that it is given, but something outside.

    >>> import logging
    >>> only_looks(print), only_looks(logging.getLogger("a").info), only_looks([].append)
    (True, True, False)
    """
    if primitive_of(function).pure or isinstance(function, type):
        return False
    return hashable(function) and (function in _LOOKING or told(function, {}) == Told())


def only_warns(manager: Any) -> bool:
    """Whether a context manager changes what is warned about, not what is computed."""
    return manager in (np.errstate, warnings.catch_warnings)


def sets_warnings(function: Any) -> bool:
    """Whether a function changes what is warned about, until its context is left."""
    return function in (warnings.simplefilter, warnings.filterwarnings, np.seterr)
