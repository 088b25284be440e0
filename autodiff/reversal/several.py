"""What gives several values in a reverse sweep has each of them as one value, as it has in the
forward sweep, where it is differentiated again.

both = np.linalg.eigh(a)                            w, v = np.linalg.eigh(a)
... both[0] ... both[1] ... both[0]                 ... w ... v ... w
"""

from __future__ import annotations

from autodiff.core import Apply, Block, Operation, Value, placed, users
from autodiff.core.value import unite
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Record
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lifted import results_of
from autodiff.primitives import DISPLAY, ITEM, Builder, key_of


def take_apart(unit: Unit) -> None:
    """Takes apart what gives several values, of which only the parts are read."""
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
