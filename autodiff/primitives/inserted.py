"""The place where the reverse sweep hands the adjoint of a value to a block of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import TypeGuard

from autodiff.core import Apply, Operation
from autodiff.primitives.primitive import Primitive


@dataclass(frozen=True, slots=True)
class Insertion:
    """The value itself, for all but the reverse sweep. block: a function of the adjoint."""

    block: FunctionType


def insertion_of(block: FunctionType) -> Primitive:
    """The entry for a block. It is of no kind that is known to have a form: it comes once."""
    return Primitive(Insertion(block), "insertion", memory="view", total=True, cheap=True)


def is_insertion(op: Operation) -> TypeGuard[Apply]:
    """Whether an operation is such a place."""
    return isinstance(op, Apply) and isinstance(op.primitive.function, Insertion)
