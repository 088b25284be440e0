"""What a function returns as an expression; what stands in it twice has a name.

rows = [x, x * x]
return rows, {"again": rows}        return (shared := [x, x * x]), {"again": shared}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from autodiff.core import Built, Value
from autodiff.emit.printer import Printer
from autodiff.normalize.build import call
from autodiff.primitives.primitive import written
from autodiff.runtime import assembled, restructured
from autodiff.syntax.names import name, store


def structure(printer: Printer, found: Any) -> gast.expr:
    """A value, or a structure of values, as an expression; what stands in it twice is one."""
    counts = Counter(map(id, built_in(found)))
    return expressed(printer, found, {own: "" for own, count in counts.items() if count > 1})


def built_in(found: Any) -> Iterator[Built]:
    """The containers in a structure, each as often as it stands there."""
    if isinstance(found, Built):
        yield found
    for item in () if isinstance(found, Value) else getattr(found, "items", found):
        yield from built_in(item)


def expressed(printer: Printer, found: Any, known: dict[int, str]) -> gast.expr:
    """The same. known: the names of what stands in it twice, once it is there."""
    if id(found) not in known:
        return written_out(printer, found, known)
    if known[id(found)]:
        return name(known[id(found)])
    made = written_out(printer, found, known)
    own = known[id(found)] = printer.fresh("shared")
    return gast.NamedExpr(target=store(own), value=made)


def written_out(printer: Printer, found: Any, known: dict[int, str]) -> gast.expr:
    """A value, or a container of such."""
    if isinstance(found, Value):
        return printer.expr(found)
    items = found.items if isinstance(found, Built) else found
    values = [expressed(printer, item, known) for item in items]
    if not isinstance(found, Built) or found.cls is tuple:
        return gast.Tuple(elts=values, ctx=gast.Load())
    if found.cls is list:
        return gast.List(elts=values, ctx=gast.Load())
    if found.cls is dict or found.like is not None:
        table = gast.Dict(keys=[written(key) for key in found.keys], values=values)
        if found.like is None:
            return table
        return call(printer.spelled(restructured), printer.expr(found.like), table)
    own = printer.spelled(found.cls)
    if not found.is_object:
        return call(own, *values)
    made = call(own) if found.plain else call(printer.spelled(assembled), name(own))
    made.keywords = [gast.keyword(str(key), value) for key, value in zip(found.keys, values)]
    return made
