"""Runs Core on real arguments, and checks what it claims at every operation.

    run(unit, {"x": np.ones(3)})    # what the function returns, or Falsehood

What is checked: memory changes only by operations that say so, and only the region they say;
arrays that share memory are of one region; what is claimed to be new shares with nothing alive, and
a view with its base; kinds and symbolic sizes are true; what is said to raise nothing does not.
Numbers may be right where a claim is wrong, until some pass relies on it: here it fails at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from autodiff.core.operation import (
    Apply,
    Block,
    For,
    If,
    Load,
    Loop,
    Operation,
    View,
)
from autodiff.core.region import Region
from autodiff.core.statements import Ask, Call, Pullback, Try, While
from autodiff.core.value import NOTHING, Value
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.lower.flow.frame import Unit
from autodiff.primitives.table import DISPLAY
from tests.core.claims import Falsehood, Sizes, check_kind
from tests.core.results import Results, Unbuilt, label, named


class _Left(Exception):
    """The test of a `while` is false."""


class Interpreter(Results):
    """One run."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.function = unit.function
        self.sizes = Sizes()
        self.steps = 0

    # Values ------------------------------------------------------------------------------------

    def define(self, value: Value, found: Any) -> None:
        """A value from now on: its kind is true, and what it shares is of its region."""
        if found is NOTHING:
            if not value.partial:
                raise Falsehood(f"{named(value)} holds nothing")
            self.values[value] = found
            return
        self.sizes.forget(value.token)
        kind = value.kind
        backwards = in_reverse(value)
        if value.op is None or backwards:  # what a symbol stands for now
            self.sizes.rename(kind)
        if backwards:
            kind = of_any_class(kind)
        zero = backwards and type(found) is float and not found  # the adjoint of what holds nothing
        if not zero:
            check_kind(kind, found, self.sizes, named(value))
        for mine in arrays(found):
            for other, theirs in self.live():
                same = bool(reached(other, theirs) & reached(value, mine))
                if other is value or same or self.holds(value, other):
                    continue
                if shares(mine, theirs):
                    raise Falsehood(f"{named(value)} shares memory with {named(other)}")
        self.values[value] = found

    def holds(self, one: Value, other: Value) -> bool:
        """Whether one of the two is a container that the caller gave: its parts are regions of
        their own, which are reached through it alone; or one that is written out in the reverse
        sweep, of values of several regions, of which each is asked itself.
        """
        given = self.unit.given
        return any(v in given or in_reverse(v) and is_display(v) for v in (one, other))

    def live(self) -> Iterator[tuple[Value, np.ndarray]]:
        """The arrays that can be reached."""
        for value, found in self.values.items():
            for array in arrays(found):
                yield value, array

    def memory(self) -> Iterator[tuple[Value, Any]]:
        """The arrays that can be reached, and the lists."""
        yield from self.live()
        for value, found in self.values.items():
            if isinstance(found, list):
                yield value, found

    # Operations --------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Operations in a row; what is defined in the block ends with it."""
        before = set(self.values)
        for op in block.operations:
            self.steps += 1
            if isinstance(op, For):
                self.loop(op)
            elif isinstance(op, While):
                self.as_long_as(op)
            elif isinstance(op, Ask):
                if not self.get(op.operands[0]):
                    raise _Left
            elif isinstance(op, Try):
                self.attempt(op)
            elif isinstance(op, If):
                self.branch(op)
            else:
                self.step(op)
        if block is not self.function.body:
            kept = [self.get(value) for value in block.results]
            for value in [value for value in self.values if value not in before]:
                del self.values[value]
            self.ended = kept

    def as_long_as(self, op: While) -> None:
        """Iterations until a test is false, which leaves what is carried as it was."""
        carried = [self.get(value) for value in op.inits]
        before = set(self.values)
        while not self.leaves(op):
            for parameter, found in zip(op.carried, carried):
                self.define(parameter, found)
            try:
                self.block(op.body)
            except _Left:
                break
            finally:
                for value in [value for value in self.values if value not in before]:
                    del self.values[value]
            carried = self.ended
        self.left.discard(op)
        for value, found in zip(op.results, carried):
            self.define(value, found)

    def leaves(self, op: Loop) -> bool:
        """Whether the iteration before ended by a break."""
        return op in self.left

    def loop(self, op: For) -> None:
        """Each iteration with what the one before left."""
        carried = [self.get(value) for value in op.inits]
        over = range(len(self.tape)) if op.over.constant == () else self.get(op.over)
        for item in reversed(over) if op.backwards else over:
            parameters = (op.variable, *op.carried)
            for parameter, found in zip(parameters, (item, *carried)):
                self.define(parameter, found)
            self.block(op.body)
            carried = self.ended
            for parameter in parameters:
                del self.values[parameter]
            if self.leaves(op):
                break
        self.left.discard(op)
        for value, found in zip(op.results, carried):
            self.define(value, found)

    def attempt(self, op: Try) -> None:
        """The body, or what runs where it raises what is caught: it has pushed nothing then."""
        before, depth = set(self.values), len(self.tape)
        try:
            self.block(op.body)
        except (Falsehood, Unbuilt, _Left):
            raise
        except op.classes as error:
            if len(self.tape) != depth:
                raise Falsehood("a body that was left half-way has pushed something") from error
            for value in [value for value in self.values if value not in before]:
                del self.values[value]
            numbers = enumerate(op.clauses, 1)
            self.values[op.which] = next(k for k, own in numbers if isinstance(error, own.classes))
            if op.error is not None:
                self.values[op.error] = error
            self.block(op.handler)
            for value in op.handler.parameters:
                self.values.pop(value, None)
        for value, found in zip(op.results, self.ended):
            self.define(value, found)

    def branch(self, op: If) -> None:
        """The one that the test chooses."""
        self.block(op.blocks[0 if self.get(op.test) else 1])
        for value, found in zip(op.results, self.ended):
            self.define(value, found)

    def step(self, op: Operation) -> None:
        """An operation without blocks, and its effects."""
        before = [
            (value, memory, content(memory))
            for value, memory in self.memory()
            if value not in self.unit.given  # its parts have regions of their own
        ]
        try:
            with self.evaluation.within(op):
                results = self.results(op)
        except (Falsehood, Unbuilt):
            raise
        except Exception as error:
            if not (op.raises or op.caught):
                raise Falsehood(f"{label(op)} raises {error!r}") from error
            raise
        changed = {effect.region.find() for effect in op.effects() if effect.what == "write"}
        for value, memory, held in before:
            if content(memory) != held and not reached(value, memory) & set(changed):
                raise Falsehood(f"{label(op)} changes {named(value)}")
        self.check_memory(op, results)
        for value, found in zip(op.results, results):
            self.define(value, found)

    def check_memory(self, op: Operation, results: list[Any]) -> None:
        """What is said to be new, or a view."""
        if isinstance(op, Apply) and op.primitive.function is not None:
            memory = op.primitive.memory
        elif isinstance(op, (View, Load)) and isinstance(self.get(op.base), np.ndarray):
            memory = "view" if isinstance(op, View) else "new"
        elif isinstance(op, (Call, Pullback)):
            memory = "new"
        else:
            return  # what is written out, and what a list holds, is found to share above
        for array in (each for found in results for each in arrays(found)):
            if memory == "new":
                for other, held in self.live():
                    if shares(array, held):
                        raise Falsehood(f"{label(op)} is not new: it shares with {named(other)}")
            elif memory == "view" and array.size:
                if not shares(array, self.get(op.operands[0])):
                    raise Falsehood(f"{label(op)} is no view")


def run(unit: Unit, arguments: dict[str, Any], outputs: Any = None) -> Any:
    """What a function returns for arguments by name; with its outputs, if there are such."""
    interpreter = Interpreter(unit)
    for value in unit.function.body.parameters:
        interpreter.define(value, arguments[value.hint])
    interpreter.block(unit.function.body)
    result = interpreter.built(unit.function.result)
    return result if outputs is None else (result, interpreter.built(outputs))


def is_display(value: Value) -> bool:
    """Whether a value is a tuple or list that is written out."""
    return isinstance(value.op, Apply) and value.op.primitive is DISPLAY


def in_reverse(value: Value) -> bool:
    """Whether a value is defined in the reverse sweep."""
    op = value.op or (value.block.parent if value.block is not None else None)
    return op is not None and op.reverse


def reached(value: Value, memory: Any) -> set[Region]:
    """The regions that an array or container may be of, which a value is or holds."""
    region = value.region
    if region is None:
        return set()
    inside = isinstance(memory, np.ndarray) and not isinstance(value.kind, Array)
    return set(region.reached()) if inside else {region}


def of_any_class(kind: Kind) -> Kind:
    """The kind of an adjoint: of numbers it is not claimed whether they are Python's."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, "?", kind.value)
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(of_any_class, kind.items)))
    return Sequence(of_any_class(kind.item), kind.cls) if isinstance(kind, Sequence) else kind


def arrays(value: Any) -> Iterator[np.ndarray]:
    """The arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from arrays(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from arrays(item)
    elif isinstance(value, SimpleNamespace):
        yield from arrays(vars(value))


def shares(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays have an element in common."""
    return bool(np.shares_memory(one, other))


def content(memory: Any) -> Any:
    """What an array or a list holds, to be compared."""
    return memory.tobytes() if isinstance(memory, np.ndarray) else [id(item) for item in memory]
