"""Items of containers that are a number or an array, or `None`, which is found when it runs.

memo = [None] * n                 item = memo[k]
if memo[k] is None: ...           if item is None: ...
"""

from __future__ import annotations

from autodiff.analysis.kind import Array, Kind, Nullable, Numeric, Scalar, number
from autodiff.core import Load
from autodiff.core.value import Value, constant
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
    return Mixed("a variable that differs in form by path", test, constant(None), value)
