"""Methods of lists and dicts."""

from __future__ import annotations

from autodiff.core.notyet import NotYet
from autodiff.core.value import constant
from autodiff.lower import boxes, parts
from autodiff.lower.arguments import Arguments
from autodiff.lower.entry import Box, DictView, Entry
from autodiff.lower.expressions import Expressions
from autodiff.lower.lists import as_memory, held, item_value, memory_of

_DEEPEST = 30
"""So many calls may be inlined within each other."""


def of_list(expressions: Expressions, box: Box, method: str, arguments: Arguments) -> Entry:
    """A method of a list or dict whose parts are known, in code that runs once."""
    given, slots = arguments.positional, box.slots
    if memory_of(box) is None:
        found = parts.changed(expressions, box, method, given, arguments.named)
        if found is not None:
            return found
    if arguments.named:
        raise NotYet(f"method {method} of a {box.cls.__name__} with keywords")
    around = any(box in heap.slots for heap in expressions.unit.around)
    if box.cls is list and (memory_of(box) is not None or around and method in ("append", "pop")):
        return of_memory(expressions, box, method, given)
    if memory_of(box) is not None:
        raise NotYet(f"method {method} of a {box.cls.__name__} that is memory")
    if box.cls is dict and method in ("keys", "values", "items") and not given:
        return DictView(box, method)
    if box.cls is dict and method == "get" and given:
        key = boxes.key_of(box, expressions.unit.facts.exact(given[0]))
        return slots[key] if key in slots else given[1] if len(given) > 1 else constant(None)
    if box.cls is list and method == "append" and len(given) == 1:
        slots[len(slots)] = given[0]
        return constant(None)
    if box.cls is list and method == "pop" and not given and slots:
        return slots.pop(len(slots) - 1)
    if method == "copy" and not given:
        return boxes.boxed(expressions.unit, box.cls, dict(slots))
    if box.cls is list and method == "extend" and len(given) == 1:
        parts.extended(expressions, box, given[0])
        return constant(None)
    raise NotYet(f"method {method} of a {box.cls.__name__}")


def of_memory(expressions: Expressions, box: Box, method: str, given: list[Entry]) -> Entry:
    """A method of a list that is memory."""
    value = as_memory(expressions, box)
    if method == "append" and len(given) == 1:
        expressions.builder.append(value, item_value(expressions, given[0]))
        return constant(None)
    if method == "pop" and not given:
        return held(expressions, expressions.builder.take(value))
    if method == "extend" and len(given) == 1:
        parts.extended(expressions, box, given[0])
        return constant(None)
    raise NotYet(f"method {method} of a list that grows")
