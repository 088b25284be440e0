"""What is handed to a call whose pullback, or driver, reads it again in the reverse sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Array
from autodiff.analysis.references import has_memory
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def as_it_is(reverse: Reverse, argument: gast.expr) -> gast.expr:
    """An argument as it is now: the pullback reads it later, when its memory may have changed."""
    if not isinstance(argument, gast.Name) or not reverse.aliases.is_changed(argument.id):
        return argument
    kind = reverse.kinds.names.get(argument.id, UNKNOWN)
    if isinstance(kind, Array):
        return quote("x.copy()", x=argument)
    if argument.id in reverse.mirrored.names or not has_memory(argument.id, reverse.kinds):
        return argument
    return quote("f(x)", f=reverse.helper("copied"), x=argument)
