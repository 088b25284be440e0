"""The place where the reverse sweep hands the adjoint of a value to a block of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import TypeGuard

from autodiff.core import Apply, Operation
from autodiff.primitives.primitive import Primitive


@dataclass(frozen=True, slots=True)
class Insertion:
    """The value itself, for all but the reverse sweep. block: a function of the adjoint. shared: it
    is memory that other variables hold as well, which have the same adjoint if it changes.
    """

    block: FunctionType
    shared: bool


def insertion_of(block: FunctionType, shared: bool) -> Primitive:
    """The entry for a block."""
    own = Insertion(block, shared)
    return Primitive(own, "insertion", memory="view", total=True, cheap=True, lending=False)


def is_insertion(op: Operation) -> TypeGuard[Apply]:
    """Whether an operation is such a place."""
    return isinstance(op, Apply) and isinstance(op.primitive.function, Insertion)
