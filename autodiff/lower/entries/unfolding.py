"""Recursion that ends by what is known while compiling: over a tree, or down from a written number.

    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    power(x, 3)           # x * (x * (x * 1.0)): three bodies within each other

The calls differ in form: in a number that is known, in the parts of a container, in a kind. Where
one has the form of a call that it stands in, nothing that is known while compiling ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff.analysis.kind import Array, forget_values
from autodiff.core.notyet import Recursion
from autodiff.core.value import Value
from autodiff.lower.entries.entry import Bound, Box, Closure, DictView, Entry, Outer, Pack

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Frame, Unit

DEEPEST = 12
"""So often may a function stand within itself."""
MOST = 64
"""So many calls of functions by themselves may be unfolded in one derivative."""
LOOPS = 8
"""Within so many loops: Python knows a limit, too."""


def unfolded(
    unit: Unit, identity: Any, names: dict[str, Entry], home: Frame | None = None
) -> tuple[Any, Any]:
    """What stands for a call among those around its body; `Recursion` where it may not be unfolded.
    home: the frame whose variables it reads.
    """
    form = home, *((name, form_of(entry, ())) for name, entry in names.items())
    around = [own for own in unit.calls if own[0] is identity]
    if any(own[1] == form for own in around) or len(around) > DEEPEST:
        raise Recursion(identity)
    if around:
        unit.unfolded += 1
        if unit.unfolded > MOST or len(unit.repeating) > LOOPS:
            raise Recursion(identity)
    return identity, form


def form_of(entry: Entry, inside: tuple[Box, ...]) -> Any:
    """What is known of an entry while compiling, but not its symbolic sizes; in terms of boxes that
    hold it where it is one of these.
    """
    if isinstance(entry, Value):
        if entry.is_constant:
            return type(entry.constant), repr(entry.constant)
        kind = forget_values(entry.kind)
        if isinstance(kind, Array):
            sizes = tuple(size if isinstance(size, int) else None for size in kind.shape)
            return Array(kind.dtype, sizes)
        return kind
    if isinstance(entry, Pack):
        return entry.cls, tuple(form_of(item, inside) for item in entry.items)
    if isinstance(entry, Box):
        if entry in inside:
            return inside.index(entry)
        slots = entry.slots.items()
        return entry.cls, tuple((key, form_of(item, (*inside, entry))) for key, item in slots)
    if isinstance(entry, DictView):
        return entry.what, form_of(entry.box, inside)
    if isinstance(entry, Outer):
        return Outer, id(entry.object)
    if isinstance(entry, Closure):
        return Closure, id(entry.node)
    if isinstance(entry, Bound):
        parts = (entry.function, *entry.arguments, *(item for _, item in entry.keywords))
        return Bound, tuple(form_of(part, inside) for part in parts)
    return type(entry)
