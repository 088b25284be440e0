"""Methods of text that is known while compiling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Entry, Pack

if TYPE_CHECKING:
    from autodiff.lower.expression.arguments import Arguments
    from autodiff.lower.expression.expressions import Expressions


def of_text(
    expressions: Expressions, text: str | bytes, method: str, arguments: Arguments
) -> Entry:
    """What a method of a text gives: text does not change, so that is known, too."""
    given = [_known(entry, method) for entry in arguments.positional]
    named = {key: _known(entry, method) for key, entry in arguments.named}
    try:
        found = getattr(text, method)(*given, **named)
    except (AttributeError, TypeError, ValueError, LookupError):
        raise NotYet(f"method {method} of a text that raises an error") from None
    if isinstance(found, (str, bytes, bool, int)):
        return constant(found)
    if isinstance(found, tuple):
        return Pack(tuple(map(constant, found)))
    if isinstance(found, list):
        return boxed(expressions.unit, list, dict(enumerate(map(constant, found))))
    raise NotYet(f"method {method} of a text")


def _known(entry: Entry, method: str) -> Any:
    if isinstance(entry, Value) and entry.is_constant:
        return entry.constant
    if isinstance(entry, Pack):
        return tuple(_known(item, method) for item in entry.items)
    raise NotYet(f"method {method} of a text with what is found at run time")
