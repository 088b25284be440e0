"""A function with its reverse sweep as operations like others, which can be differentiated again.

What goes on the tape goes into lists, one for each value:

    tape.push((x, y))           xs.append(x); ys.append(y)
    x, y = tape.pop()           y = ys.pop(); x = xs.pop()
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.core import (
    Apply,
    If,
    Load,
    Loop,
    Move,
    NotYet,
    Operation,
    Pop,
    Push,
    Store,
    Try,
    View,
    Window,
)
from autodiff.core.function import Function, References, User, placed, users
from autodiff.core.value import Block, Value, unite
from autodiff.dataflow.settle import is_version, rename
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Mapping, Record, Sequence
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lifted import results_of
from autodiff.primitives.applying import parts_of
from autodiff.primitives.builder import Builder
from autodiff.primitives.containing import is_container
from autodiff.primitives.table import DISPLAY, ITEM, key_of
from autodiff.reversal.unfolded import again
from autodiff.runtime import replica


def ordinary(unit: Unit) -> None:
    """Makes no difference any more between the sweeps of a function."""
    function, references = unit.function, unit.references
    on_lists(unit)
    moved(function, references)
    loaded(function, references)
    for op in function.body.walk():
        op.reverse = op.shadow = False
        op.source = op.again = None
        if isinstance(op, (Loop, If)):
            op.mirror = None
            for group in op.groups:
                unite(*group)  # adjoints were handed on without: they are values until here
    for block in function.body.blocks():
        for value in (*block.parameters, *(v for op in block.operations for v in op.results)):
            for region in value.region.reached() if value.region is not None else ():
                region.shadow = None  # the adjoints here are values, which have their own shadows


def moved(function: Function, references: References) -> None:
    """Values under other names are these values, also what is taken of a list written out."""
    swapped: dict[Value, Value] = {}
    for block in [*function.body.blocks()]:
        operations: list[Operation] = []
        for op in block.operations:
            if isinstance(op, Move):
                swapped.update(zip(op.results, op.operands))
            elif isinstance(op, Apply) and op.primitive is ITEM and op.reverse:
                held = swapped.get(op.base, op.base)
                if isinstance(held.op, Apply) and held.op.primitive is DISPLAY:
                    keys = getattr(held.kind, "keys", ())
                    swapped[op.result] = held.op.operands[keys.index(key_of(op))]
                elif isinstance(held.kind, Sequence):
                    builder = Builder(Block(), references, op.origin)
                    swapped[op.result] = builder.load(held, Window((key_of(op),)))
                    placed(block, builder.block.operations)
                    operations += builder.block.operations
            if not isinstance(op, Move) and not swapped.keys() & {*op.results}:
                operations.append(op)
        block.operations = operations
    rename(function, swapped)


def on_lists(unit: Unit) -> None:
    """What is pushed is appended to a list for each value, made where the function begins."""
    function, references = unit.function, unit.references
    body = function.body
    entry = Builder(Block(), references)
    lists: dict[Value, Value] = {}
    swapped: dict[Value, Value] = {}
    for block in list(body.blocks()):
        operations: list[Operation] = []
        for op in block.operations:
            if isinstance(op, Try) and op.cut:
                raise NotYet("a push in front of what may raise")
            if not isinstance(op, (Push, Pop)):
                operations.append(op)
                continue
            builder = Builder(Block(), references, op.origin)
            if any(value.partial for value in op.operands):
                raise NotYet("a push of what may hold nothing")
            if isinstance(op, Push):
                for value in op.operands:
                    push(builder, entry, lists, value, function.laid_out)
            else:
                for value, before in zip(op.results, op.push.operands):
                    swapped[value] = found = popped(builder, lists, before)
                    if not found.is_constant:
                        found.hint, found.named = value.hint, value.named
            placed(block, builder.block.operations)
            operations += builder.block.operations
        block.operations = operations
    placed(body, entry.block.operations)
    operations = body.operations
    at = next((k for k, op in enumerate(operations) if op not in unit.entry), len(operations))
    operations[at:at] = entry.block.operations
    assert function.boundary is not None
    function.boundary += len(entry.block.operations)
    rename(function, swapped)


def push(
    builder: Builder, entry: Builder, lists: dict[Value, Value], value: Value, laid_out: bool
) -> None:
    """Appends a value to its list; of a container that is written out, each part."""
    for part in parts_of(value):
        if not part.is_constant:
            if part not in lists:
                lists[part] = empty(entry, part)
            builder.append(lists[part], lasting(builder, part, laid_out))


def popped(builder: Builder, lists: dict[Value, Value], value: Value) -> Value:
    """What was pushed."""
    op = value.op
    if isinstance(op, Apply) and op.primitive is DISPLAY:
        items = [popped(builder, lists, part) for part in op.operands]
        return builder.apply(DISPLAY, op.application, op.form, items, value.kind)
    return value if value.is_constant else builder.take(lists[value])


def loaded(function: Function, references: References) -> None:
    """Whoever reads adjoint memory that changes loads it."""
    used = users(function)
    for block in list(function.body.blocks()):
        operations: list[Operation] = []
        for op in block.operations:
            builder = Builder(Block(), references, op.origin)
            for place in read_at(op, used):
                value = op.operands[place]
                if value.is_array and value.is_written and not isinstance(value.op, Load):
                    op.operands[place] = builder.load(value)
            placed(block, builder.block.operations)
            operations += [*builder.block.operations, op]
        block.operations = operations


def read_at(op: Operation, used: dict[Value, list[User]]) -> set[int]:
    """The operands of which an operation reads what they hold."""
    if isinstance(op, Store):
        return set() if is_container(op.base.kind) else {1}
    if not isinstance(op, Apply):
        return set()
    read = computes(op)
    if op.primitive is DISPLAY:
        read = all(isinstance(own, Apply) and computes(own) for own in used.get(op.result, ()))
    return {*range(op.primitive.formal, len(op.operands) if read else 0)} - {*op.changes}


def computes(op: Apply) -> bool:
    """Whether an operation makes something new of what its operands hold, and keeps none."""
    return op.primitive.function is not None and op.primitive.memory == "new"


def lasting(builder: Builder, value: Value, laid_out: bool) -> Value:
    """What memory holds now, for a list that keeps it while that changes."""
    if value.is_array and is_passing(value):
        way = ("replica", replica) if laid_out else (".copy", np.copy)
        return builder.call(*way, value, name_hint=hint(value), kind=value.kind)
    if isinstance(value.kind, (Mapping, Record, Sequence)) and is_passing(value):
        return again(builder, value)
    return value


def is_passing(value: Value) -> bool:
    """Whether a value is what memory holds that changes, or a view of that; a shadow is memory
    itself, an item of a container as well.
    """
    op = value.op
    if isinstance(op, Load):
        return is_version(op) and (op.window is None or not is_container(op.base.kind))
    if not isinstance(op, View) and (not isinstance(op, Apply) or op.primitive.memory == "new"):
        return False
    return any(
        v.region is not None and v.region is value.region and is_passing(v) for v in op.operands
    )


def empty(builder: Builder, value: Value) -> Value:
    """An empty list for what a value is each time."""
    made = builder.holding(list, [], [], gast.List(elts=[], ctx=gast.Load()))
    made.hint, made.named = f"{hint(value)}s", True
    return made


def take_apart(unit: Unit) -> None:
    """Takes apart what gives several values, of which only the parts are read, as the forward sweep
    does: each is one value.

    before: `both = np.linalg.eigh(a)`, `both[0]`, `both[1]`, `both[0]`
    after: `w, v = np.linalg.eigh(a)`, `w`, `v`, `w`
    """
    function = unit.function
    swapped: dict[Value, Value] = {}
    readers = users(function)
    for block in [*function.body.blocks()]:
        for op in [*block.operations]:
            written = part_of(op)
            if written is not None:
                swapped[op.result] = written
                unite(written, op.result)
                block.operations.remove(op)
                continue
            items = readers.get(op.result, []) if is_several(op) else []
            taken = [each for each in items if isinstance(each, Apply) and each.primitive is ITEM]
            if not taken or len(taken) < len(items) or op.result in unit.results:
                continue
            builder = Builder(Block(), unit.references, op.origin, reverse=True)
            results_of(unit, builder, op.result)
            placed(block, builder.block.operations)
            at = block.operations.index(op) + 1
            block.operations[at:at] = builder.block.operations
            made = [each for each in builder.block.operations if isinstance(each, Apply)]
            parts = {key_of(each): each.result for each in made if each.base is op.result}
            for each in taken:
                swapped[each.result] = own = parts[key_of(each)]
                unite(own, each.result)
                each.block.operations.remove(each)
    rename(function, swapped)


def is_several(op: object) -> bool:
    """Whether an operation of the reverse sweep calls something that gives several values."""
    if not isinstance(op, Apply) or not op.reverse or op.primitive.function is None:
        return False
    return isinstance(op.result.kind, Record) and not op.result.is_constant


def part_of(op: Operation) -> Value | None:
    """What an operation takes of a tuple or list that is written out; None for others."""
    if not isinstance(op, Apply) or op.primitive is not ITEM or not op.reverse:
        return None
    source, kind = op.base.op, op.base.kind
    if not isinstance(source, Apply) or source.primitive is not DISPLAY:
        return None
    assert isinstance(kind, Record)
    return source.operands[kind.keys.index(key_of(op))]
