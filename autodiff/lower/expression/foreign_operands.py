"""What is said of operators of arrays of other libraries, which are not followed."""

from __future__ import annotations

import gast

from autodiff.core import NotYet, TooMuch, Value
from autodiff.errors import UnsupportedSyntaxError
from autodiff.lower.entries.entry import Entry, Outer
from autodiff.rules.foreign_arrays import is_foreign_array, numbers_of
from autodiff.runtime.structure import has_blank
from autodiff.syntax.expressions import expression


def worded(reason: NotYet, *operands: tuple[Entry, gast.expr]) -> NotYet:
    """What is raised where an operator is not taken: it names such an operand, if there is one."""
    for entry, node in operands if type(reason) in (NotYet, TooMuch) else ():
        words = _words(entry, node, reason)
        if words is not None:
            own = TooMuch if isinstance(reason, TooMuch) else NotYet
            return own("an operator of an array of another library", words)
    return reason


def _words(entry: Entry, node: gast.expr, reason: NotYet) -> UnsupportedSyntaxError | None:
    kind = entry.kind if isinstance(entry, Value) else None
    cls = getattr(entry, "cls", None) or getattr(kind, "cls", None)
    if not isinstance(cls, type) or not is_foreign_array(cls):
        return None
    if not isinstance(entry, Outer) and has_blank(cls):
        return None  # its numbers may carry a derivative
    own, package = expression(node), cls.__module__.partition(".")[0]
    return UnsupportedSyntaxError(
        f"`{own}` is of the class {cls.__name__} of {package}, whose operators are not followed",
        why="they are no operators of NumPy",
        cure=f"write {numbers_of(own, cls)} in its place, its numbers in their order",
    )
