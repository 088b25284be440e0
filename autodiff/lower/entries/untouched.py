"""Objects of outside that nobody changes, as one value: handed as they are to functions that look
at them, or containers an item of which is found at run time.
"""

from __future__ import annotations

from autodiff.core import LoadOuter, NotYet, Region, Value
from autodiff.kinds.kind import Mapping, Sequence, Static
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Outer, Pack
from autodiff.lower.entries.outer import check_whole, items, load, owner
from autodiff.primitives.algebra import holds_numbers, items_alike
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


def listed(expressions: Values, outer: Outer) -> Value:
    """A container of numbers, or of such, an item of which is found at run time."""
    check_whole(expressions, outer)
    kind = expressions.frame.kind(outer.object)
    whole = items_alike(kind) if outer.cls in (tuple, list, dict) else kind
    if not isinstance(whole, (Mapping, Sequence)) or not holds_numbers(whole):
        raise NotYet("an item of a container of outside that is found at run time")
    value = load(expressions, outer.object, whole, outer.path)
    for own in arrays_in(outer.object):
        value.home.content.unite(expressions.unit.outer.setdefault(id(owner(own)), Region()))
    return value


def sequence(expressions: Values, outer: Outer) -> Pack | Value:
    """What a loop goes over: the parts, or the whole of a long list or tuple of numbers."""
    if isinstance(expressions.frame.kind(outer.object), Sequence):
        return listed(expressions, outer)
    return Pack(tuple(items(expressions, outer)))
