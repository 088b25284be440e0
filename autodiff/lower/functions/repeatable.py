"""What keeps the body of a loop from being run again, as a checkpointed loop does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autodiff.core import (
    Break,
    Loop,
    NotYet,
    Operation,
    Region,
    Try,
    Unseen,
    Value,
    Verbatim,
    around,
)
from autodiff.kinds.kind import Drawing
from autodiff.primitives import is_world
from autodiff.primitives.containing import is_container

_LEFT = (
    "a checkpointed loop is left by `break`, or by `return`",
    "how many steps it takes is not known before it runs",
    "write it as a `while` loop, under `with checkpointed(snapshots=...)`",
)
_TRIED = (
    "a checkpointed loop inside a `try`",
    "an exception would leave its state half computed",
    "move the `try` into the loop, or out of the function",
)
_AGAIN = (
    "this is not known to give the same when it is run again",
    "what is checkpointed runs again; random numbers would be others, and output would come twice",
    "draw random numbers before the call, or before the loop, one row for each step; print after "
    "it",
)
_OUTSIDE = (
    "a checkpointed loop changes `{}`, which is no variable of the function",
    "steps are run again, and would change it again",
    "change a copy that is made before the loop",
)

_UNBOUND = (
    "`{}` may have no value before the checkpointed loop",
    "it is part of the state, since it is read after an iteration",
    "assign `{}` before the loop",
)
_LENT = (
    "a checkpointed call gives memory that it was given, and that is changed later",
    "its reverse sweep calls it again: what that changes would not be what was changed",
    "change a copy of it",
)


def check(loop: Loop, outer: list[Region | None]) -> None:
    """Refuses steps that are not the same when they are run again."""
    for op in loop.body.walk():
        drawn = any(isinstance(value.kind, Drawing) for value in op.operands)
        form = op.form if isinstance(op, Verbatim) else None
        if drawn or isinstance(form, gast.Expr) or is_world(op):
            raise Unseen(op.origin or loop.origin, *_AGAIN)
        places = form.targets if isinstance(form, gast.Assign) else []
        names = [gast.unparse(place).lstrip("@") for place in places]
        for effect in op.effects():
            if effect.what == "write" and effect.region.find() in outer:
                names += [v.hint for v in op.operands if v.region is effect.region.find()]
        if names:
            own = next((name for name in names if name), "it")
            raise Unseen(loop.origin, _OUTSIDE[0].format(own), *_OUTSIDE[1:])
    if any(isinstance(op, Break) for op in loop.body.operations):
        raise Unseen(loop.origin, *_LEFT)
    if any(isinstance(block.parent, Try) for block in around(loop.block)):
        raise Unseen(loop.origin, *_TRIED)


def check_call(
    operations: list[Operation],
    given: list[Value],
    results: list[Value],
    changed: set[Region],
    origin: Any,
) -> None:
    """Refuses a function that changes what it is given, or comes out otherwise, and one of which
    others change what it was given.
    """
    for op in (inner for each in operations for inner in each.nested()):
        drawn = any(isinstance(value.kind, Drawing) for value in op.operands)
        if drawn or is_world(op) or isinstance(op, Verbatim) and op.error is None:
            raise NotYet.saying(
                "a checkpointed call of what is not known to give the same", *_AGAIN
            )
    lent = {r for v in given if v.region is not None for r in v.region.reached()}
    if not changed.isdisjoint(lent):
        raise NotYet.saying(
            "a checkpointed call that may change what it is given",
            "this call is not known to change nothing that it is given",
            "a checkpointed call runs again, and would find its arguments changed",
            "change a copy of the argument inside of the function",
        )
    memory = [v.region for v in results if v.region is not None]
    if any(is_container(v.kind) for v in results) or len({*memory}) < len(memory):
        raise NotYet.saying(
            "a checkpointed call that gives containers that are memory",
            "a checkpointed call gives a container whose parts are found when it runs",
            "its adjoint could not be kept apart from that of what it holds",
            "return the arrays themselves, in a tuple",
        )
    if any(region in lent and region.written for region in memory):
        raise Unseen(origin, *_LENT)


def check_bound(loop: Loop, given: list[Value]) -> None:
    """Refuses steps that read arrays which are not there at first: a number is None then."""
    used = {*read_in(loop.body.walk()), *loop.body.results}
    for value in given:
        if value.partial and value in used and not value.is_number:
            raise Unseen(loop.origin, *(each.format(value.hint) for each in _UNBOUND))


def read_in(operations: Iterable[Operation]) -> list[Value]:
    """What operations read, and what their blocks end with."""
    every = list(operations)
    ends = [value for op in every for block in op.blocks for value in block.results]
    return [*(value for op in every for value in op.operands), *ends]
