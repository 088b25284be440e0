"""Memory that changes and is not followed: where that is refused."""

from __future__ import annotations

from autodiff.core import About, Function, NotYet, Unseen
from autodiff.core.operation import Apply, LoadOuter, Operation, Store
from autodiff.core.value import Value
from autodiff.dataflow.ordered import read_later
from autodiff.kinds.kind import Drawing, Unknown
from autodiff.primitives import is_world
from autodiff.primitives.untraced import lost

_HELD = (
    "an object of outside is read here that this function may change",
    "the reverse sweep would read what it holds then",
    "change a copy of it, or pass what is changed as an argument",
)


def check(function: Function) -> None:
    """What memory that changes is not followed through yet."""
    worlds = any(map(is_world, function.body.walk()))
    for op in list(function.body.walk()):
        with About(op):
            check_memory(function, op, worlds)


def check_memory(function: Function, op: Operation, worlds: bool) -> None:
    """What memory of one operation is not followed through yet."""
    for value in op.results:
        if is_vague(value) and value.is_written:
            check_known(function, value)
            raise NotYet("memory that changes and may be a number")
    if isinstance(op, Apply) and op.spoils and read_later(function, op):
        if not op.mended:
            raise NotYet("memory that is read after a call may have overwritten it")
    elif isinstance(op, Apply) and op.mended:
        op.block.operations = [o for o in op.block.operations if o not in op.mended]
    changed = isinstance(op, LoadOuter) and not (op.result.is_array or is_drawing(op.result))
    if changed and op.result.region and any(r.written for r in op.result.region.reached()):
        raise NotYet("memory of outside is changed")
    if isinstance(op, LoadOuter) and op.held:
        if worlds or any(region.find().written for region in op.held):
            raise Unseen(op.origin, *_HELD)
    if isinstance(op, Store) and op.base.is_constant:
        raise NotYet("a store into a constant")


def check_known(function: Function, value: Value) -> None:
    """Refuses a call of which nothing is known, and which gives what may be a number."""
    for op in function.body.walk():
        if is_world(op) and op.writes(value.home.find()):
            with About(op):
                raise lost(op, any(not each.is_constant for each in op.operands))


def is_drawing(value: Value) -> bool:
    """Whether a value is a random generator, which moves on where it is asked."""
    return isinstance(value.kind, Drawing)


def is_vague(value: Value) -> bool:
    """Whether a value may be a number or an array."""
    return isinstance(value.kind, Unknown) and not is_drawing(value)
