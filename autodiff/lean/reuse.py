"""What was computed or looked up before is not again, nor in each iteration of a reversed loop."""

from __future__ import annotations

import operator
from typing import TypeGuard

from autodiff.core import (
    Apply,
    Block,
    Function,
    Load,
    Loop,
    Operation,
    Push,
    References,
    Value,
    unite,
)
from autodiff.dataflow.apart import apart
from autodiff.dataflow.integers import place_of
from autodiff.dataflow.settle import rename
from autodiff.kinds.binding import binding
from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.operation import Operation as Called
from autodiff.primitives import DISPLAY, ITEM, bound, constant_key, hole, structure
from autodiff.primitives.call_effects import may_raise

Key = tuple[object, ...]
_COMMUTE = (operator.add, operator.mul)
_SHORT = (operator.add, operator.sub, operator.mul, operator.neg)


_BETWEEN = (hole(0), hole(1))


def reuse(function: Function, references: References) -> None:
    """One value for equal operations on equal operands, in the body and in what is nested in it.

    Inner blocks of the forward sweep give nothing: what the reverse sweep takes from there has to
    be kept; where there is none, tangents stand there, too. Memory that is written to is never
    shared.

    before: forward `result = 1.0 / d2`, reverse `d2_bar = -(1.0 / d2) * result`
    after: reverse `d2_bar = -result * result`
    """
    swapped: dict[Value, Value] = {}

    def visit(block: Block, outer: dict[Key, Value]) -> None:
        known = dict(outer)
        for op in list(block.operations):
            if isinstance(op, Apply):
                op.operands = [swapped.get(value, value) for value in op.operands]
                key = key_of(op)
                if key is None:
                    continue
                if op.reverse and key in known:
                    unite(known[key], op.result)  # views of the one are views of the other now
                    swapped[op.result] = known[key]
                    block.operations.remove(op)
                else:
                    known.setdefault(key, op.result)
            elif op.reverse or function.boundary is None:
                for inner in op.blocks:
                    visit(inner, known)

    visit(function.body, {})
    rename(function, swapped)


def key_of(op: Apply) -> Key | None:
    """What an operation computes; None if it must not be shared."""
    value = op.result
    if value.is_written or not op.primitive.pure or op.reads:
        return None
    if op.primitive is DISPLAY or op.primitive is ITEM:
        return None
    function = op.primitive.function
    if function is None or op.primitive.memory != "new" or is_short(op):
        return None
    if op.application.arguments == _BETWEEN and not op.application.keywords:
        texts = [v.token if not v.is_constant else repr(constant_key(v)) for v in op.operands]
        if "None" not in texts:
            return function, *(sorted(texts) if function in _COMMUTE else texts)
    arguments = tuple(bound(node, op.operands) for node in op.application.arguments)
    keywords = tuple((key, bound(node, op.operands)) for key, node in op.application.keywords)
    given = binding(Called(function, arguments, keywords))
    if given is None:
        return None
    parts = [(name, _dumped(node)) for name, node in given.items()]
    if function in _COMMUTE:
        return function, *sorted(text for _, text in parts)
    return function, *sorted(parts)


def is_short(op: Apply) -> bool:
    """Whether an operation is written as fast as a name: `2.0 * x` of a number."""
    constants = any(value.is_constant for value in op.operands)
    return op.result.is_number and constants and op.primitive.function in _SHORT


def _dumped(node: object) -> str:
    if isinstance(node, (tuple, list)):
        return repr([_dumped(item) for item in node])
    return str(structure(node))


def invariants(function: Function, references: References) -> None:
    """Moves what no iteration changes, and what cannot raise an error if there is none.

    before: `for ...: x_bar += g_bar * (h / 6)`
    after: `h_over_6 = h / 6`, `for ...: x_bar += g_bar * h_over_6`
    """
    body = function.body
    for loop in [op for op in body.operations if isinstance(op, Loop) and op.reverse]:
        inside = {block for own in loop.blocks for block in own.blocks()}
        moved: list[Operation] = []
        for op in loop.body.walk():
            if is_number(op) and all(
                value.is_constant or value.block not in inside for value in op.operands
            ):
                moved.append(op)
                op.block.operations = [other for other in op.block.operations if other is not op]
                op.block = op.results[0].block = body
                op.origin = None  # it is about no one statement
        at = body.operations.index(loop)
        body.operations[at:at] = moved


def is_number(op: Operation) -> bool:
    """Whether an operation computes a number from numbers, and cannot go wrong."""
    if not isinstance(op, Apply) or op.reads or op.changes or op.contexts or is_short(op):
        return False
    if op.raises or may_raise(op):  # a repetition, too: there may be no iteration
        return False
    pure = op.primitive.pure and op.primitive.function is not None
    pure = pure and not all(value.is_constant for value in op.operands)
    numbers = [op.result, *op.operands]
    return pure and all(isinstance(value.kind, Scalar) for value in numbers)


def elements(function: Function, references: References) -> None:
    """One load for several of one element, in a block; in the forward sweep only in statements
    that are not written as the user did anyway, as something in them is kept for the reverse sweep.

    before: `d = u[i] - u[i - 1]`, `tape.push(d)`, `w[i] = u[i] - c * d`
    after: `u_i = u[i]`, `d = u_i - u[i - 1]`, `tape.push(d)`, `w[i] = u_i - c * d`
    """
    keeping = [op for op in function.body.walk() if isinstance(op, Push) or op.reverse]
    values = (value.op for op in keeping for value in op.operands if value.op is not None)
    kept = {op.origin for op in values if not op.reverse}
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        known: dict[object, Load] = {}
        for op in list(block.operations):
            op.operands = [swapped.get(value, value) for value in op.operands]
            if is_element(op) and (op.reverse or op.origin in kept):
                first = known.setdefault((op.base, place_of(op)), op)
                if first is not op:
                    swapped[op.result] = first.result
                    block.operations.remove(op)
                    if block is function.body and not op.reverse and function.boundary:
                        function.boundary -= 1
            else:
                known = {key: load for key, load in known.items() if not changes(op, load)}
    rename(function, swapped)


def read_once(function: Function, references: References) -> None:
    """Of equal loads of memory that does not change in between the reverse sweep reads the first.

    before: `tape.push((p.copy(), p.copy()))`, where the second was for `p *= s`
    after: `tape.push(p.copy())`
    """
    later = [op for op in function.body.walk() if op.reverse]
    read = {value for op in later for value in op.operands}
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        known: dict[object, Load] = {}
        for op in block.operations:
            known = {key: load for key, load in known.items() if not changes(op, load)}
            if isinstance(op, Load) and not op.reverse and op.result in read:
                first = known.setdefault((op.base, op.result.kind, place_of(op)), op)
                if first is not op:
                    unite(first.result, op.result)  # so are views of what was loaded
                    swapped[op.result] = first.result
    for op in later:
        op.operands = [swapped.get(value, value) for value in op.operands]


def is_element(op: Operation) -> TypeGuard[Load]:
    """Whether an operation looks up one number of an array."""
    if not isinstance(op, Load) or not isinstance(op.result.kind, Scalar):
        return False
    return isinstance(op.base.kind, Array) and not op.caught and not op.contexts


def changes(op: Operation, load: Load) -> bool:
    """Whether an operation writes what a load looked at."""
    region = load.base.region
    return region is not None and op.writes(region) and not apart(load, op, None, True, False)
