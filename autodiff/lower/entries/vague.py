"""Items of containers that are a number or an array, or `None`, which is found when it runs.

memo = [None] * n                 item = memo[k]
if memo[k] is None: ...           if item is None: ...
"""

from __future__ import annotations

from autodiff.core import Load, Loop, Operation, Window
from autodiff.core.operation import Store
from autodiff.core.value import Value, constant
from autodiff.kinds.kind import Array, Kind, Nullable, Numeric, Scalar, number
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Mixed


def settled(expressions: Values, value: Value) -> Value:
    """What a number or an array holds: nobody changes it from there on, or it is refused."""
    load = Load([value], [Value(value.hint, value.kind)], None, expressions.builder.origin)
    load.apart, load.result.memory = True, None
    if value.memory is not None:
        value.memory.find().held = True
    expressions.builder.add(load)
    return load.result


def is_perhaps(kind: Kind) -> bool:
    """Whether an item is `None`, or a number or an array."""
    return isinstance(kind, Nullable) and isinstance(kind.other, (Scalar, Array, Numeric))


def perhaps(expressions: Values, value: Value) -> Mixed:
    """An item that is `None`, or a number or an array: where it is none, nobody reads that."""
    assert isinstance(value.kind, Nullable)
    value.kind, value.partial = value.kind.other, True
    if isinstance(value.kind, Scalar):
        value.memory = None
    test = expressions.builder.look("_0 is None", number("bool"), value)
    expressions.unit.facts.exists[value] = test, False
    return one_of_both(test, value)


def one_of_both(test: Value, value: Value) -> Mixed:
    """`None` where a test is true, else a value."""
    return Mixed("a variable that differs in form by path", test, constant(None), value)


def is_write(op: Operation) -> bool:
    """Whether an operation without blocks may write to a container: to what is no array."""
    into_array = isinstance(op, Store) and op.base.is_array
    return not into_array and any(each.what == "write" for each in op.effects())


def looked_up(expressions: Values, base: Value, window: Window, index: list[Value]) -> Mixed | None:
    """An item that is `None` or not, if that was asked for before and nothing was written since: so
    a test of the one decides the other. A loop begins with what its iterations have written.
    """
    exists = expressions.unit.facts.exists
    block = expressions.builder.block
    operations = block.operations
    while True:
        for op in reversed(operations):
            if isinstance(op, Load) and op.result in exists and op.window == window:
                if op.base is base and op.index == index:
                    return one_of_both(exists[op.result][0], op.result)
            if any(is_write(each) for each in op.nested() if not each.blocks):
                return None
        around = block.parent
        if around is None or isinstance(around, Loop):
            return None
        block = around.block
        operations = block.operations
        if around in operations:
            operations = operations[: operations.index(around)]
