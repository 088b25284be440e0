"""Variables that are assigned on some paths only: whether they are is a variable of its own, as
compiled code has neither `None` for what is not there nor an error where it is read.

    for k in range(n):                  y = 0.0; y_is_bound = False
        if x[k] > 0.0:                  for k in range(n):
            y = x[k]                        if x[k] > 0.0:
    return y * y                                y = x[k]; y_is_bound = True
                                        if not y_is_bound:
                                            raise UnboundLocalError("y has no value here")
                                        return y * y
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.core import Apply, Block, Function, If, Loop, References, Value, Verbatim, constant
from autodiff.core.function import replaced
from autodiff.core.value import NOTHING, unite
from autodiff.dataflow.settle import mapped
from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind, Scalar, number
from autodiff.primitives import BOUND, Builder

ZEROS = {"bool": False, "int": 0, "float": 0.0, "complex": 0j}


def definite(function: Function, references: References) -> None:
    """Every variable holds something of its kind; reading it before it is assigned is an error."""
    body, bound = function.body, _Bound()
    for op in [own for own in body.walk() if isinstance(own, Apply) and own.primitive is BOUND]:
        (value,) = op.operands
        at = op.block.operations.index(op)
        del op.block.operations[at]
        if op.raises and value.partial:
            check(op, at, bound.flag(value), references)
        replaced(body, op.result, value)
        function.result = mapped(function.result, {op.result: value}.get)
    for inner in [own for own in body.walk() if isinstance(own, (If, Loop))]:
        begin(inner, references)
    for block in body.blocks():
        for value in (*block.parameters, *(v for op in block.operations for v in op.results)):
            if value.partial and not isinstance(value.maker, (If, Loop)):
                raise refused(value)
            if value.partial and isinstance(value.kind, Array):
                value.kind = unsized(value.kind)
            value.partial = False


class _Bound:
    """By variable: whether it holds something, as a value beside it."""

    def __init__(self) -> None:
        self.flags: dict[Value, Value] = {}

    def flag(self, value: Value) -> Value:
        """Whether a value is there."""
        if not value.partial:
            return constant(True)
        if value.constant is NOTHING:
            return constant(False)
        if value in self.flags:
            return self.flags[value]
        op = value.maker
        if type(op) is If:
            first, second, _ = op.groups[op.results.index(value)]
            own = self.named(value)
            op.merge(self.flag(first), self.flag(second), own)
            return own
        if not isinstance(op, Loop):
            raise refused(value)
        init, parameter, following, result = next(g for g in op.groups if value in g[1::2])
        inside, behind = self.named(parameter), self.named(result)
        op.carry(self.flag(init), inside, self.flag(following), behind)
        return self.flags[value]

    def named(self, value: Value) -> Value:
        made = self.flags[value] = Value(f"{value.hint}_is_bound", number("bool"), named=True)
        return made


def check(op: Apply, at: int, flag: Value, references: References) -> None:
    """An error in front of what reads a variable that holds nothing."""
    builder = Builder(Block(), references, op.origin)
    test = builder.unary(gast.Not(), flag)
    text = gast.Constant(f"{op.operands[0].hint} has no value here", None)
    error = gast.Call(gast.Name("UnboundLocalError", gast.Load(), None, None), [text], [])
    branch = If(test, op.origin)
    raising = Verbatim(gast.Raise(exc=error, cause=None), [], op.origin)
    raising.error, raising.block = UnboundLocalError, branch.blocks[0]
    branch.blocks[0].operations.append(raising)
    builder.add(branch)
    for own in builder.block.operations:
        own.block = op.block
        for value in own.results:
            value.block = op.block
    op.block.operations[at:at] = builder.block.operations


def begin(op: If | Loop, references: References) -> None:
    """What holds nothing is zero, or an array without elements."""
    for j, group in enumerate(op.groups):
        kind = group[-1].kind
        if isinstance(op, Loop):
            at = op.block.operations.index(op)
            op.operands[op.fixed + j] = held(group[0], kind, op.block, at, references)
        for block in op.blocks:
            value = held(block.results[j], kind, block, len(block.operations), references)
            block.results[j] = value
        if group[-1].memory is not None:
            own = (*op.groups[j], *group[-1:])
            unite(*own)


def held(value: Value, kind: Kind, block: Block, at: int, references: References) -> Value:
    """A value, or what stands for one that is not there."""
    if value.constant is not NOTHING:
        return value
    if isinstance(kind, Scalar):
        return constant(ZEROS[kind.type])
    if not isinstance(kind, Array) or kind.dtype != "float64":
        raise refused(value)
    builder = Builder(block, references)
    rest, block.operations = block.operations[at:], block.operations[:at]
    sizes = constant((0,) * len(kind.shape))
    own = unsized(kind)
    made = builder.call("np.zeros", np.zeros, sizes, name_hint=value.hint, kind=own)
    block.operations += rest
    return made


def unsized(kind: Array) -> Array:
    """An array of which the sizes are not known, as it may not be there."""
    return Array(kind.dtype, (None,) * len(kind.shape))


def refused(value: Value) -> NativeError:
    name = value.hint
    return NativeError(
        f"`{name}`, which is assigned on some paths only, cannot be compiled natively",
        value.op.origin if value.op is not None else None,
        why="compiled code has nothing that stands for a variable without a value",
        cure=f"assign `{name}` before the loop or the branch",
    )
