"""Which call in the user's file leads into a library whose source is inlined.

What is refused there is told of that call, by the name that the user knows: what stands in a
private module of the library is not theirs to change.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import dirname
from typing import Any

import gast

from autodiff.analysis.kind import Kind, Static
from autodiff.errors import AutodiffError
from autodiff.rules.home import is_library, module_of, public_name
from autodiff.syntax.expressions import expression
from autodiff.syntax.origin import Entry, Origin, entered, origin_of, place


def entry_of(
    kind: Kind | None, function: Any, statement: gast.stmt, value: gast.expr
) -> Entry | None:
    """The entry of what is inlined for `value`, if `function`, which it calls, is a library's.

    Inside of a library that is the entry of the statement; a function of the user's that is called
    back from there has none.
    """
    if isinstance(function, gast.AST) or not is_library(module_of(function)):
        return None
    origin = origin_of(statement)
    if origin is not None and origin.entry is not None:
        return origin.entry
    called = kind.value if isinstance(kind, Static) else function
    if module_of(called).partition(".")[0] == "autodiff":
        return None
    own = isinstance(kind, Static) or not isinstance(value, gast.Call)
    title = public_name(called) if own else expression(value.func)
    return Entry(called, title, place(value, origin))


@contextmanager
def entering(entry: Entry | None) -> Iterator[None]:
    """What is refused in a library's function meanwhile is told of the call that led there."""
    try:
        yield
    except AutodiffError as error:
        inside = error.origin
        if entry is None or not isinstance(inside, Origin) or not _is_inside(inside, entry):
            raise
        raise type(error)(
            error.what, entered(inside, entry), why=error.why, cure=error.cure
        ) from error.__cause__


def _is_inside(origin: Origin, entry: Entry) -> bool:
    """Whether a place, or the call that led there, is in a file of the library itself."""
    here = origin.entry.place if origin.entry is not None else origin
    package = sys.modules.get(module_of(entry.function).partition(".")[0])
    file = getattr(package, "__file__", None)
    return here is not None and file is not None and here.file.startswith(dirname(file))
