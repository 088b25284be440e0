"""Extrema that are subtracted before `exp` and added after `log`: nothing depends on them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from autodiff.analysis.exposure import definition_counts
from autodiff.analysis.flow import binding
from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.syntax.walk import of_class, statements, walk

_EXTREMA: frozenset[Any] = frozenset({np.max, np.min, np.amax, np.amin, max, min})
_SPELLINGS = frozenset({"max", "min", "amax", "amin"})
_EXPONENTIAL: frozenset[Any] = frozenset({np.exp, math.exp})
_LOGARITHM: frozenset[Any] = frozenset({np.log, math.log})


@dataclass(frozen=True, slots=True)
class Shift:
    """How a value depends on an extremum m: `rest + degree * m`, or `rest * exp(degree * m)`.

    `axes` are those along which m varies, counted from the last, which is 1: as in broadcasting.
    """

    is_factor: bool
    degree: int
    axes: frozenset[int]


Shifts = dict[str, Shift]
"""By the names of extrema; those that the value does not depend on are left out."""


def shifts(tree: gast.FunctionDef, kinds: Kinds) -> frozenset[str]:
    """Names of extrema on which the function does not depend, so that no derivative is needed.

    In `top = max(a); y = top + log(sum(exp(a - top)))` the extremum only keeps `exp` from
    overflowing: y is the same for any other `top`. The same goes for `exp(a - top)` divided by
    its sum. What is shifted must be read by understood operations alone, all of them after its
    only definition and in the same block.
    """
    if not any(_is_extremum(statement, kinds) for statement in statements(tree)):
        return frozenset()
    walked = _Shifts(kinds, tree)
    walked.blocks(tree)
    return frozenset(walked.found - walked.needed)


def _is_extremum(statement: gast.stmt, kinds: Kinds) -> bool:
    if not isinstance(statement, gast.Assign) or not isinstance(statement.targets[0], gast.Name):
        return False
    value = statement.value
    if not isinstance(value, gast.Call):
        return False
    if getattr(value.func, "attr", getattr(value.func, "id", "")) not in _SPELLINGS:
        return False  # an import under another name is not worth the search
    operation = kinds.operation(value)
    if operation is None or not any(operation.function is f for f in _EXTREMA):
        return False
    if operation.function in (max, min):  # of arrays they return one of them
        return isinstance(kinds.of(statement.targets[0]), Scalar)
    return binding(operation) is not None  # no `out`


class _Shifts:
    """Walks forward through each block with the values that are shifted."""

    def __init__(self, kinds: Kinds, tree: gast.FunctionDef) -> None:
        self.kinds = kinds
        self.defined = Counter(definition_counts(tree.body))
        for node in of_class(tree, gast.Global, gast.Nonlocal):  # others may define it at any time
            self.defined.update(node.names)
        names = of_class(tree, gast.Name)
        self.read = Counter([node.id for node in names if node.ctx.__class__ is gast.Load])
        self.seen: Counter[str] = Counter()
        self.found: set[str] = set()
        self.needed: set[str] = set()
        self.values: dict[str, Shifts] = {}

    def blocks(self, node: gast.AST) -> None:
        for field in ("body", "orelse", "finalbody"):
            if part := getattr(node, field, None):
                self.block(part)
        for handler in getattr(node, "handlers", ()):
            self.block(handler.body)

    def block(self, block: list[gast.stmt]) -> None:
        outer, self.values = self.values, {}
        for statement in block:
            if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
                self.assign(statement, statement.targets[0].id)
            elif not isinstance(statement, gast.FunctionDef):
                self.blocks(statement)
        for name, held in self.values.items():
            if self.defined[name] != 1 or self.seen[name] != self.read[name]:
                self.needed |= held.keys()
        self.values = outer

    def assign(self, statement: gast.Assign, target: str) -> None:
        found = self.of(statement.value)
        if found is not None:
            for name in self.operands(statement.value):
                self.seen[name] += 1
        new = dict(found or {})
        if _is_extremum(statement, self.kinds):
            shape = self.shape(statement.targets[0])
            if shape is not None:
                size = len(shape)
                axes = frozenset(size - k for k, n in enumerate(shape) if n != 1)
                new[target] = Shift(False, 1, axes)
                self.found.add(target)
        if new:
            self.values[target] = new

    def shape(self, node: gast.expr) -> tuple[Any, ...] | None:
        """The shape of a real number or array."""
        kind = self.kinds.of(node)
        if isinstance(kind, Scalar):
            return () if kind.type in ("int", "float") else None
        if isinstance(kind, Array) and kind.dtype is not None and "complex" not in kind.dtype:
            return kind.shape
        return None

    def of(self, value: gast.expr) -> Shifts | None:
        """How a value in normal form is shifted; None where that is not understood."""
        if not self.operands(value):
            return {}
        if self.shape(value) is None:
            return None
        if isinstance(value, gast.BinOp):
            combine = _COMBINED.get(type(value.op))
            if combine is None or None in (self.shape(value.left), self.shape(value.right)):
                return None
            return _together(self.held(value.left), self.held(value.right), combine)
        if isinstance(value, gast.Subscript):
            return self.part(value)
        if isinstance(value, gast.Call):
            return self.call(value)
        return self.held(value) if isinstance(value, gast.Name) else None

    def operands(self, value: gast.expr) -> list[str]:
        """The shifted names that are read, as often as they are."""
        if not self.values:
            return []
        return [n.id for n in walk(value) if isinstance(n, gast.Name) and n.id in self.values]

    def held(self, node: gast.expr) -> Shifts:
        return self.values.get(node.id, {}) if isinstance(node, gast.Name) else {}

    def call(self, node: gast.Call) -> Shifts | None:
        operation = self.kinds.operation(node)
        if operation is None or not operation.arguments:
            return None
        operand, *others = operation.arguments
        held = self.held(operand)
        if not held or len(self.operands(node)) > 1:
            return None
        if operation.function in _EXPONENTIAL or operation.function in _LOGARITHM:
            inverse = operation.function in _LOGARITHM
            if others or operation.keywords or any(s.is_factor != inverse for s in held.values()):
                return None
            return {name: replace(s, is_factor=not inverse) for name, s in held.items()}
        bound = binding(operation)
        if operation.function is not np.sum or bound is None:
            return None
        axis, keepdims = bound.get("axis"), bound.get("keepdims")
        return self.total(held, self.shape(operand), _value(axis), _value(keepdims))

    def total(self, held: Shifts, shape: Any, axis: object, keepdims: object) -> Shifts | None:
        """A sum has the factor of its terms if that is the same for all."""
        if shape is None or not all(s.is_factor for s in held.values()):
            return None
        if axis is None or not shape:
            summed = set(range(1, len(shape) + 1))
        elif type(axis) is int:
            summed = {len(shape) - axis % len(shape)}
        else:
            return None
        if keepdims not in (None, False, True) or any(s.axes & summed for s in held.values()):
            return None
        if keepdims:
            return held
        return {
            name: replace(s, axes=frozenset(k - sum(j < k for j in summed) for k in s.axes))
            for name, s in held.items()
        }

    def part(self, node: gast.Subscript) -> Shifts | None:
        """`x[:, None]` only moves axes."""
        shape, held = self.shape(node.value), self.held(node.value)
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        if shape is None or not all(_is_whole(p) or self.is_new(p) for p in parts):
            return None
        kept = sum(map(_is_whole, parts))
        ends = len(shape) - kept  # axes that the index does not mention
        moved: dict[int, int] = {k: k for k in range(1, ends + 1)}
        for place, part in enumerate(reversed(parts), ends + 1):
            if _is_whole(part):
                moved[len(moved) + 1] = place
        return {
            name: replace(s, axes=frozenset(moved[k] for k in s.axes)) for name, s in held.items()
        }

    def is_new(self, part: gast.expr) -> bool:
        """`None`, or `np.newaxis`."""
        return not isinstance(part, gast.Slice) and self.kinds.of(part) == Static(None)


def _together(left: Shifts, right: Shifts, combine: Combine) -> Shifts | None:
    found: Shifts = {}
    for name in left.keys() | right.keys():
        a, b = left.get(name), right.get(name)
        if a is not None and b is not None and a.axes != b.axes:
            return None
        result = combine(a, b)
        if result is None:
            return None
        if result.degree:
            found[name] = result
    return found


def _sum(sign: int) -> Combine:
    """What shifts is added up; a factor of both terms stays one of the sum."""

    def combine(a: Shift | None, b: Shift | None) -> Shift | None:
        if (a and a.is_factor) or (b and b.is_factor):
            return a if a == b else None
        return _added(a, b, sign)

    return combine


def _product(sign: int) -> Combine:
    def combine(a: Shift | None, b: Shift | None) -> Shift | None:
        if (a and not a.is_factor) or (b and not b.is_factor):
            return None
        return _added(a, b, sign)

    return combine


def _added(a: Shift | None, b: Shift | None, sign: int) -> Shift | None:
    if b is None:
        return a
    return replace(b, degree=(a.degree if a else 0) + sign * b.degree)


Combine = Callable[[Shift | None, Shift | None], Shift | None]

_COMBINED: dict[type, Combine] = {
    gast.Add: _sum(1),
    gast.Sub: _sum(-1),
    gast.Mult: _product(1),
    gast.Div: _product(-1),
}


def _value(node: gast.expr | None) -> object:
    """The value of a literal; not a number where it is anything else."""
    if node is None:
        return None
    if isinstance(node, gast.Constant):
        value: object = node.value
        return value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = _value(node.operand)
        return -inner if type(inner) is int else node
    return node


def _is_whole(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None
