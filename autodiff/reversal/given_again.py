"""The adjoints of checkpointed loops and calls where compiled code has no pullback as a value: they
are a function of what was kept, or of what was given, and of the seeds.

    u, kept = run_steps(range(n), s, (u,), (nu,))    y = layer(x, w)
    (u_bar,) = reverse_steps(kept, (u_bar,))         x_bar, w_bar = layer_adjoints(x, w, (y_bar,))

What a loop keeps goes on no tape: inside of a block the reverse sweep runs the steps once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.core import Load, Value
from autodiff.core.statements import Call, Pullback, Recomputed, Steps
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.settle import is_version
from autodiff.emit.naming import hint
from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Text, number
from autodiff.primitives import Builder
from autodiff.primitives.containing import is_container
from autodiff.reversal.scope import Scope
from autodiff.runtime import copied, duplicates, replica

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep


def given_again(
    sweep: Sweep, op: Steps, scope: Scope, driven: Callable[[Any], tuple[str, str]]
) -> None:
    """Adds the adjoints of what a checkpointed loop or call is given. driven: the names of what
    runs a loop, and of what reverses it.
    """
    given, is_loop = list(op.given), not isinstance(op, Recomputed)
    check(op, is_loop)
    carrying = [value for value in op.carrying if carries(value.kind)]
    seeds = [scope.full(value, sweep.take(scope, value)) for value in carrying]
    first = len(op.operands) - len(given)
    state = op.width if is_loop else 0
    for k in range(state):
        op.operands[first + k] = begins(sweep, op, given[k], op.results[k].kind)
    inside = op.block is not sweep.unit.function.body
    together = sorted(op.grouped) if inside and any(changes(given[k]) for k in op.grouped) else []
    copies = lasting_together(sweep, op, [given[k] for k in together]) if together else []
    for k, copy in zip(together, copies):
        op.operands[first + k] = copy
    for k, value in enumerate(given):  # the first state of a loop that runs once is copied there
        if (k >= state or inside and k not in together) and changes(value):
            op.operands[first + k] = lasting(sweep, op, value)
    op.typed = True
    if is_loop:
        op.name, op.variant = driven(op)
        again = [kept(sweep, op, scope)]
    else:
        op.name = sweep.unit.compile(op.callee, None)
        op.variant = sweep.unit.compile(op.callee, op.active)
        again = op.given
    made = [Value(f"{hint(given[k])}_bar", given[k].kind) for k in op.active]
    scope.builder.add(Pullback(op, [*again, *seeds], made))
    for k, bar in zip(op.active, made):
        if k in op.grouped and given[k] in sweep.of:
            sweep.overwrite(scope, sweep.of[given[k]], bar)
        else:
            sweep.add(scope, given[k], bar)


def changes(value: Value) -> bool:
    """Whether memory may be other memory when the reverse sweep is given it again."""
    held = value.region is not None and any(r.written for r in value.region.reached())
    return held or isinstance(value.op, Load) and is_version(value.op)


def kept(sweep: Sweep, op: Steps, scope: Scope) -> Value:
    """What is kept of a loop; one inside of a block is run once more."""
    found = Value("kept", Text())
    if op.block is sweep.unit.function.body:
        found.op, found.block = op, op.block
        op.results.append(found)
        return found
    again = Steps(op.callee, [*op.operands], [Value(v.hint, v.kind) for v in op.results])
    again.name, again.test, again.typed = op.name, op.test, True
    again.results.append(found)
    found.op = again
    scope.builder.add(again)
    return found


def begins(sweep: Sweep, op: Steps, value: Value, kind: Kind) -> Value:
    """A part of the state before the loop in the type that it has behind it."""
    if isinstance(kind, Scalar) and isinstance(value.kind, Scalar):
        if kind.type == "float" and value.kind.type in ("int", "bool"):
            with in_front(sweep, op) as builder:
                return builder.call("float", float, value, kind=number("float"))
    return value


def check(op: Steps, is_loop: bool) -> None:
    """Refuses what has no type, or shares memory with something else."""
    values = [*op.given, *op.results] if is_loop else op.given
    if not all(isinstance(value.kind, (Array, Scalar)) for value in values):
        raise refused(op, "a checkpointed loop whose state is more than numbers and arrays")


def refused(op: Steps, what: str) -> NativeError:
    return NativeError(
        f"{what} cannot be compiled natively",
        op.origin,
        why="compiled code carries numbers, and arrays of which each has its own memory",
        cure='give the loop numbers and arrays, or leave backend="numba" out',
    )


@contextmanager
def in_front(sweep: Sweep, op: Call) -> Iterator[Builder]:
    """A builder for what stands in front of a call, in the forward sweep."""
    block, function = op.block, sweep.unit.function
    at = block.operations.index(op)
    rest, block.operations = block.operations[at:], block.operations[:at]
    before = block.operations[-1].number if at else op.number - 1
    yield Builder(block, sweep.unit.references, op.origin)
    for made in block.operations[at:]:
        made.number = before = (before + op.number) / 2
    if block is function.body and function.boundary is not None:
        function.boundary += len(block.operations) - at
    block.operations += rest


def lasting_together(sweep: Sweep, op: Call, values: list[Value]) -> list[Value]:
    """Copies that share memory among each other as the values do."""
    kind = Record(tuple, tuple(range(len(values))), tuple(value.kind for value in values))
    with in_front(sweep, op) as builder:
        whole = builder.call("duplicates", duplicates, *values, kind=kind)
        made = [builder.item(whole, k, value.kind) for k, value in enumerate(values)]
    for own, value in zip(made, values):
        own.hint = hint(value)
    return made


def lasting(sweep: Sweep, op: Call, value: Value) -> Value:
    """A copy of memory that changes: a pullback reads what its function was given."""
    way: tuple[str, Any] = ("copied", copied) if is_container(value.kind) else (".copy", np.copy)
    if op.laid_out and isinstance(value.kind, Array):
        way = "replica", replica
    with in_front(sweep, op) as builder:
        return builder.call(*way, value, name_hint=hint(value), kind=value.kind)
