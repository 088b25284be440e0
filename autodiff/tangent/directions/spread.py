"""Which values depend on the direction, where tangents are along several directions at once, and
from how many directions on that pays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from autodiff.core import (
    Append,
    Apply,
    Block,
    Call,
    Function,
    If,
    Load,
    Loop,
    NotYet,
    Operation,
    Region,
    Store,
    Take,
    Value,
    View,
)
from autodiff.dataflow.carrying import carries
from autodiff.kinds.kind import Array, Kind, Mapping, Numeric, Record, Scalar, Sequence, Static
from autodiff.kinds.size import Dim
from autodiff.primitives import DISPLAY, LISTING
from autodiff.rules.home import module_of


class Unbatched(NotYet):
    """It is not known what a function is along several directions: it goes along one."""


class Spread:
    """The values and memory that get one more axis: the tangents that are given and returned, and
    all that is made of them. kinds: what they are along one direction.
    """

    def __init__(self, function: Function, dots: list[Value], results: Iterable[Value]) -> None:
        self.values: set[Value] = set()
        self.regions: set[Region] = set()
        self.kinds: dict[Value, Kind] = {}
        self.changed = True
        self.mark(*dots, *results)
        operations = list(function.body.walk())
        while self.changed:
            self.changed = False
            for op in operations:
                self.visit(op)
        for op in operations:
            if any(value in self for value in computed(op)):
                raise Unbatched("memory of values and of tangents that is one")
        if any(value in self and value not in dots for value in function.body.parameters):
            raise Unbatched("memory of values and of tangents that is one")

    def __contains__(self, value: Value) -> bool:
        return value in self.values or value.memory is not None and value.region in self.regions

    def mark(self, *values: Value) -> None:
        """Values depend on the direction."""
        for value in values:
            if value.is_constant or value in self or not carries(value.kind):
                continue
            self.changed = True
            if value.region is None:
                self.values.add(value)
            else:
                self.regions |= {*value.region.reached()}

    def visit(self, op: Operation) -> None:
        """What an operation hands on."""
        if isinstance(op, (Loop, If)):
            for group in op.groups:
                if any(value in self for value in group):
                    self.mark(*group)
        elif isinstance(op, (Store, Append)):
            if op.value in self:
                self.mark(op.base)
        elif isinstance(op, Call):
            if op.variant:
                self.mark(*op.operands[len(op.callee.parameters) :], op.results[-1])
        elif isinstance(op, (Load, View, Take)):
            if op.base in self:
                self.mark(*op.results)
        elif isinstance(op, Apply):
            if any(value in self for value in op.operands):
                self.mark(*op.results)
            if op.primitive in (DISPLAY, LISTING) and op.result in self:
                self.mark(*op.operands)

    def widen(self, function: Function, size: Dim) -> None:
        """All of them get the axis; what is a number along one direction is memory from now on."""
        given = [value for block in function.body.blocks() for value in block.parameters]
        made = [value for op in function.body.walk() for value in op.results]
        found = [value for value in (*given, *made) if value in self]
        for value in found:
            self.kinds[value] = value.kind
        regions = {inner for region in self.regions for inner in region.reached()}
        for region in regions:
            for key, kinds in region.kinds.items():
                region.kinds[key] = {batched_kind(kind, size): None for kind in kinds}
        for value in found:
            value.kind = batched_kind(value.kind, size)
            if value.memory is None:
                value.memory = Region()


def computed(op: Operation) -> list[Value]:
    """What an operation gives that the function itself computes."""
    if isinstance(op, Call):
        return op.results[:-1] if op.variant else op.results
    return [] if op.reverse or op.blocks else op.results


def batched_kind(kind: Kind, size: Any) -> Kind:
    """The kind of a tangent along several directions, from that along one.

    >>> batched_kind(Scalar("float"), 4)
    Array(dtype='float64', shape=(4,))
    """
    if isinstance(kind, Scalar) and carries(kind):
        plain = {"float": "float64", "complex": "complex128"}[kind.type]
        return Array(None if kind.dtype == "?" else kind.dtype or plain, (size,))
    if isinstance(kind, Array):
        return Array(kind.dtype, (size, *kind.shape))
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(batched_kind(k, size) for k in kind.items))
    if isinstance(kind, Sequence):
        return Sequence(batched_kind(kind.item, size), kind.cls)
    if isinstance(kind, Mapping):
        return Mapping(batched_kind(kind.item, size), kind.key, kind.cls)
    if isinstance(kind, Numeric):
        raise Unbatched("whether a tangent is an array is not known")
    if isinstance(kind, (Static, Scalar)):
        return kind
    raise Unbatched(f"a tangent of unknown kind ({type(kind).__name__})")


def shape_of(kind: Kind) -> tuple[Any, ...] | None:
    """The axes of a number or an array; None where these are not known."""
    if isinstance(kind, Array):
        return kind.shape
    return () if isinstance(kind, Scalar) else None


_LOOP = 10
"""How often a loop is taken to run."""
_ARRAY, _VIEW = 30, 8
"""The cost of an operation of NumPy's, and of a view, in operations on Python's numbers."""
_HELD = 0
"""That of what holds or takes apart a container: it is the same along several directions."""


def least(function: Function, kinds: dict[Value, Kind]) -> int:
    """An estimate by counting operations, as the overheads are what such code spends its time on.
    kinds: those of tangents along one direction.

    Where tangents are arrays it is 1. Arithmetic on Python's numbers is much faster than that on
    short arrays, so a few directions are taken one by one.
    """
    single, several = costs(function.body, kinds)
    return max(1, math.ceil(several / max(single, 1)))


def costs(block: Block, kinds: dict[Value, Kind]) -> tuple[int, int]:
    """The cost of a block along one direction, and along several at once."""
    single = several = 0
    for op in block.operations:
        for inner in op.blocks:
            one, more = costs(inner, kinds)
            times = _LOOP if isinstance(op, Loop) else 1
            single, several = single + times * one, several + times * more
        own = cost(op, kinds)
        dear = _VIEW if isinstance(op, (Load, View)) else _ARRAY
        wide = own > _HELD and any(value in kinds for value in op.results)
        single, several = single + own, several + (max(own, dear) if wide else own)
    return single, several


def cost(op: Operation, kinds: dict[Value, Kind]) -> int:
    """The cost of one operation along one direction."""
    if not isinstance(op, (Apply, Load, View)) or isinstance(op, Load) and op.window is None:
        return 0
    if isinstance(op, Apply) and op.primitive.function is None:
        return _HELD
    kind = kinds.get(op.result, op.result.kind)
    if isinstance(op, (Load, View)):
        return _VIEW if isinstance(kind, Array) else 3
    if isinstance(kind, Scalar) and op.primitive.elementwise:
        if not module_of(op.primitive.function).startswith("numpy"):
            return 1 if kind.dtype is None else 3  # NumPy's numbers are slower than Python's
    return _ARRAY
