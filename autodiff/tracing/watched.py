"""That nothing of the user's is run past the hooks with what carries a derivative.

C code may call what is written in Python: `np.asarray(x)` calls `x.__array__`, a store does, too.
The hooks know of many such ways; whatever they do not know of is met here, and not followed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from autodiff.rules.home import is_library
from autodiff.tracing import rewriting
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.trace import Trace

_ANSWERS = frozenset(
    ("__hash__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__len__")
    + ("__bool__", "__repr__", "__str__", "__format__", "__del__", "__contains__", "__index__")
    + (
        "__array_finalize__",
        "__instancecheck__",
        "__subclasscheck__",
        "__set_name__",
        "__init_subclass__",
    )
)
"""Methods that give truth values, integers and texts, or hand attributes on."""


@contextmanager
def watched(trace: Trace) -> Iterator[None]:
    """While a run goes on; not beside a profiler, whose place it would take."""
    if sys.getprofile() is not None:
        yield
        return
    known: dict[CodeType, bool] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or trace.inside:
            return
        code = frame.f_code
        passed = known.get(code)
        if passed is None:
            module = frame.f_globals.get("__name__") or ""
            passed = code in rewriting.OWN or is_library(str(module)) or code.co_name in _ANSWERS
            known[code] = passed
        if not passed and holds_derivative(trace, frame.f_locals):
            raise trace.fail(f"`{code.co_name}` is run where that is not seen")

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
