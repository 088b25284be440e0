"""What a function gives that gives several values: taken apart where it is called.

    parts = np.split(x, 2)          parts = np.split(x, 2)
                                    parts_0, parts_1 = parts

From then on it is a tuple or list whose parts are known, as if it were written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff.analysis.classes import is_named_tuple
from autodiff.analysis.kind import Record
from autodiff.core.value import Value
from autodiff.lower.entries.boxes import boxed, reached
from autodiff.lower.entries.entry import Entry, Pack

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.primitives.builder import Builder


def results_of(unit: Unit, builder: Builder, found: Value) -> Entry:
    """The parts of a value that is a tuple or a list, else itself."""
    kind = found.kind
    if not isinstance(kind, Record) or found.is_constant or not kind.keys:
        return found
    if kind.cls not in (tuple, list) and not is_named_tuple(kind.cls):
        return found
    parts = []
    for key, item in zip(kind.keys, kind.items):
        part = builder.item(found, key, reached(kind, key), item)
        part.hint = f"{found.hint}_{key}" if found.hint else ""
        parts.append(results_of(unit, builder, part))
    unit.results[found] = Pack(tuple(parts), tuple if kind.cls is list else kind.cls)
    if kind.cls is list:
        return boxed(unit, list, dict(enumerate(parts)), found.hint)
    return unit.results[found]
