"""Runs Core on real arguments, and checks what it claims at every operation.

    run(unit, {"x": np.ones(3)})    # what the function returns, or Falsehood

What is checked: memory changes only by operations that say so, and only the region they say;
arrays that share memory are of one region; what is claimed to be new shares with nothing alive, and
a view with its base; kinds and symbolic sizes are true; what is said to raise nothing does not.
Numbers may be right where a claim is wrong, until some pass relies on it: here it fails at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff.analysis.kind import Scalar, Sequence
from autodiff.core.appends import Append, Take
from autodiff.core.calls import Call, Pullback
from autodiff.core.leaving import Ask, Break, While
from autodiff.core.operation import (
    Accumulate,
    Apply,
    Block,
    For,
    If,
    Load,
    LoadOuter,
    Loop,
    Move,
    Operation,
    Pop,
    Push,
    Store,
    View,
)
from autodiff.core.region import Region
from autodiff.core.value import NOTHING, Value
from autodiff.core.verbatim import Verbatim
from autodiff.lower.entry import Box, Entry, Pack
from autodiff.lower.frame import Unit
from autodiff.lower.lists import memory_of
from autodiff.primitives.table import DISPLAY
from tests.core.claims import Falsehood, Sizes, check_kind
from tests.core.evaluation import Evaluation, key_of


class _Left(Exception):
    """The test of a `while` is false."""


class Interpreter:
    """One run."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.evaluation = Evaluation(unit)
        self.function = unit.function
        self.values: dict[Value, Any] = {}
        self.sizes = Sizes()
        self.tape: list[tuple[Push, list[Any]]] = []
        self.steps = 0
        self.left: set[Loop] = set()

    # Values ------------------------------------------------------------------------------------

    def get(self, value: Value) -> Any:
        """What a value is."""
        return value.constant if value.is_constant else self.values[value]

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
        if backwards and isinstance(kind, Scalar):
            kind = Scalar(kind.type, "?", kind.value)  # the class of an adjoint is not claimed
        zero = backwards and type(found) is float and not found  # the adjoint of what holds nothing
        if not zero:
            check_kind(kind, found, self.sizes, named(value))
        for mine in arrays(found):
            for other, theirs in self.live():
                same = reached(other, theirs) is reached(value, mine)
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

    def branch(self, op: If) -> None:
        """The one that the test chooses."""
        self.block(op.blocks[0 if self.get(op.test) else 1])
        for value, found in zip(op.results, self.ended):
            self.define(value, found)

    def step(self, op: Operation) -> None:
        """An operation without blocks, and its effects."""
        before = [(value, memory, content(memory)) for value, memory in self.memory()]
        try:
            results = self.results(op)
        except (Falsehood, Unbuilt):
            raise
        except Exception as error:
            if not op.raises:
                raise Falsehood(f"{label(op)} raises {error!r}") from error
            raise
        changed = {effect.region.find() for effect in op.effects() if effect.what == "write"}
        for value, memory, held in before:
            if content(memory) != held and reached(value, memory) not in changed:
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

    def results(self, op: Operation) -> list[Any]:
        """What an operation gives."""
        operands = list(map(self.get, op.operands))
        if isinstance(op, (Call, Pullback)):
            raise Unbuilt(type(op).__name__)
        if any(value is NOTHING for value in operands):
            raise UnboundLocalError
        if isinstance(op, Verbatim):
            self.evaluation.performed(op, operands)
            return []
        if isinstance(op, Break):
            assert op.block is not None
            if operands[0]:
                assert isinstance(op.block.parent, Loop)
                self.left.add(op.block.parent)
            return []
        if isinstance(op, Apply):
            return [self.evaluation.applied(op, operands)]
        if isinstance(op, LoadOuter):
            return [self.evaluation.outer(op.path)]
        if isinstance(op, Move):
            return operands
        if isinstance(op, Push):
            self.tape.append((op, operands))
            return []
        if isinstance(op, Pop):
            push, found = self.tape.pop()
            if push is not op.push:
                raise Falsehood("what another push left is taken from the tape")
            return found
        if isinstance(op, Append):
            operands[0].append(operands[1])
            return []
        if isinstance(op, Take):
            return [operands[0].pop()]
        assert isinstance(op, (Load, View, Store)), label(op)
        base = operands[0]
        key = ... if op.window is None else key_of(op, operands[len(operands) - op.window.size :])
        if isinstance(op, Accumulate):
            value = operands[1] if op.sign == "+" else -operands[1]
            if op.scattered:
                np.add.at(base, key, value)
            elif op.sign == "+":
                base[key] += operands[1]
            else:
                base[key] -= operands[1]
            return []
        if isinstance(op, Store):
            base[key] = operands[1]
            return []
        if isinstance(op, View):
            return [base if op.window is None else base[key]]
        if isinstance(base, list) and op.window is not None:
            return [base[key]]
        return [copied(base if op.window is None else base[key])]

    # Structures --------------------------------------------------------------------------------

    def built(self, entry: Entry | None) -> Any:
        """What a structure of values is."""
        if isinstance(entry, Value):
            return self.get(entry)
        if isinstance(entry, Pack):
            items = [self.built(item) for item in entry.items]
            return entry.cls(*items) if hasattr(entry.cls, "_fields") else entry.cls(items)
        if isinstance(entry, Box) and memory_of(entry) is not None:
            return self.get(memory_of(entry))
        if isinstance(entry, Box) and entry.cls is list:
            return [self.built(item) for item in entry.slots.values()]
        if isinstance(entry, Box) and entry.cls is dict:
            return {key: self.built(item) for key, item in entry.slots.items()}
        if isinstance(entry, (tuple, list)):
            return [self.built(item) for item in entry]
        raise Unbuilt(type(entry).__name__)


class Unbuilt(Exception):
    """What is not run here: objects and functions as results, calls of what stays a function."""


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


def reached(value: Value, memory: Any) -> Region | None:
    """The region of an array that a value is or holds: a list is a region whose content is one."""
    if isinstance(value.kind, Sequence) and isinstance(memory, np.ndarray):
        return None if value.region is None else value.region.content
    return value.region


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


def shares(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays have an element in common."""
    return bool(np.shares_memory(one, other))


def content(memory: Any) -> Any:
    """What an array or a list holds, to be compared."""
    return memory.tobytes() if isinstance(memory, np.ndarray) else [id(item) for item in memory]


def copied(value: Any) -> Any:
    """What memory holds now, in the order in which it holds it."""
    if isinstance(value, list):
        return list(value)
    return value.copy(order="K") if isinstance(value, np.ndarray) else value


def named(value: Value) -> str:
    return value.hint or value.token


def label(op: Operation) -> str:
    """What a message calls an operation."""
    if isinstance(op, Apply):
        return str(op.primitive.name)
    return f"{type(op).__name__} of {named(op.operands[0])}" if op.operands else type(op).__name__
