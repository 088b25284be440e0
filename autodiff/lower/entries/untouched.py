"""Objects of outside that are handed, as they are, to functions that change nothing."""

from __future__ import annotations

from autodiff.core import LoadOuter, NotYet, Region, Value
from autodiff.kinds.kind import Static
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Outer
from autodiff.lower.entries.outer import load, owner
from autodiff.runtime.copying import arrays_in, containers_in


def untouched(expressions: Values, outer: Outer) -> Value:
    """The object; what it holds is not changed, as long as it is in use."""
    unit, found = expressions.unit, outer.object
    if any(id(part) in unit.cells for part in containers_in(found)):
        raise NotYet("a container of outside that changes, as a value")
    value = load(expressions, found, Static(found), outer.path)
    assert isinstance(value.op, LoadOuter)
    regions = [unit.outer.setdefault(id(owner(own)), Region()) for own in arrays_in(found)]
    value.op.held = tuple(regions)
    for region in regions:
        region.given = True
    return value
