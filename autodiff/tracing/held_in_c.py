"""What C gives out of what it holds: entries that a factory makes, generators that began before."""

from __future__ import annotations

import types
from collections import defaultdict
from typing import Any

import numpy as np

from autodiff.rules.home import is_library
from autodiff.tracing.bound_late import call
from autodiff.tracing.hooked import with_hooks
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python
from autodiff.tracing.trace import Trace

GENERATOR = types.GeneratorType


def check_begun(trace: Trace, x: Any) -> None:
    """A generator that began before the run has no hooks in it."""
    if x.gi_frame is None or x.gi_code in with_hooks.OWN:
        return
    module = x.gi_frame.f_globals.get("__name__", "")
    if module.startswith("autodiff."):
        return
    if not is_library(module) or holds_derivative(trace, x):
        raise trace.fail(f"a generator that began before, {x.__name__}")


def entry(trace: Trace | None, x: Any, key: Any) -> Any:
    """`x[key]` of a dict of a class that may have a way to make what is missing."""
    if trace is not None and key not in x:
        missing = in_python(type(x), "__missing__")
        if missing is not None:
            return call(missing, x, key)
        if isinstance(x, defaultdict):
            return made_by_factory(trace, x, key)
    return dict.__getitem__(x, key)


def made_by_factory(trace: Trace, x: Any, key: Any) -> Any:
    """What a `defaultdict` has where there was nothing."""
    if x.default_factory is None:
        raise KeyError(key)
    trace.touched[id(x)] = x
    x[key] = made = call(x.default_factory)
    return made


def check_seen(trace: Trace, x: Any) -> None:
    """What looks into the memory of an array: it is read where no hook sees it."""
    opaque = id(x) in trace.blind or id(x) in trace.held
    if opaque or isinstance(x, (memoryview, np.void)) and holds_derivative(trace, x):
        raise trace.fail(f"memory that is read by {type(x).__name__}")
