"""Functions behind `functools.lru_cache`.

Of arguments that carry a derivative such a function is its body, if that sees nothing else: called
again it would give the same. Of others it is called as it is, unless the body gives a constant.

mode = checked("Exact", MODES)        mode = "exact"
y = square(x)                         y = x * x
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autodiff.core import LoadOuter, NotYet, Value, Verbatim
from autodiff.kinds.kind import Scalar, Sequence, Text, forget_values
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.flow import opaque
from autodiff.lower.flow.heap import Mark
from autodiff.lower.functions.inlining import inlined
from autodiff.primitives.containing import contained
from autodiff.primitives.opaque import is_world
from autodiff.syntax.names import name


def remembered(
    expressions: Expressions, target: Any, positional: Entries, named: Keywords
) -> Entry | None:
    """What the body gives; None where the function is called as it is.

    Raises NotYet where a derivative flows through one that sees more than its arguments.
    """
    unit, inner = expressions.unit, target.__wrapped__
    given = [*positional, *(entry for _, entry in named)]
    derived = any(opaque.is_derived(unit, each) for each in given)
    mark, known = Mark(expressions.frame), unit.risks
    found = None
    if isinstance(inner, FunctionType) and all(map(is_plain, given)):
        if any(own is inner.__code__ for own, _ in unit.calls):
            raise NotYet("a cached function that calls itself")
        try:
            with unit.whole():
                found = inlined(expressions, inner, positional, named)
        except NotYet as reason:
            if derived or type(reason) is not NotYet:
                raise
    sees = any(isinstance(op, (LoadOuter, Verbatim)) or is_world(op) for op in mark.since())
    keeps = not sees and known == unit.risks and found is not None and is_plain(found)
    if keeps and (derived or isinstance(found, Value) and found.is_constant):
        return found
    mark.back()
    unit.risks = known
    if derived:
        raise NotYet("a cached function that sees more than its arguments")
    if keeps and isinstance(found, Value) and not any(isinstance(each, Box) for each in given):
        own = name(unit.references.use(target.__name__, target))
        kind = forget_values(found.kind)
        return opaque.called(expressions, own, positional, named, kind, target)
    return None


def is_plain(entry: Entry) -> bool:
    """Whether something is a number or text, or a tuple of these: it can be looked up."""
    if isinstance(entry, Pack):
        return entry.cls is tuple and all(map(is_plain, entry.items))
    if isinstance(entry, Box):  # a tuple of unknown length
        kind = contained(entry.memory) if entry.cls is tuple and entry.memory else None
        return isinstance(kind, Sequence) and isinstance(kind.item, (Scalar, Text))
    return isinstance(entry, Value) and entry.memory is None
