"""What single operations of Core give, for the values of their operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.core.function import Built
from autodiff.core.operation import Accumulate, Apply, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.core.region import Named
from autodiff.core.statements import Append, Break, Call, Move, Pop, Pullback, Push, Take, Verbatim
from autodiff.core.value import NOTHING, Value
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.flow.frame import Unit
from autodiff.pipeline.assembly import Module
from tests.core.claims import Falsehood
from tests.core.evaluation import Evaluation, key_of


class Unbuilt(Exception):
    """What is not run here: objects and functions as results."""


class Results:
    """Values as far as a run has come, and the tape."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.evaluation = Evaluation(unit)
        self.values: dict[Value, Any] = {}
        self.tape: list[tuple[Push, list[Any]]] = []
        self.left: set[Loop] = set()

    def get(self, value: Value) -> Any:
        """What a value is."""
        return value.constant if value.is_constant else self.values[value]

    def results(self, op: Operation) -> list[Any]:
        """What an operation gives."""
        operands = list(map(self.get, op.operands))
        if any(value is NOTHING for value in operands):
            raise UnboundLocalError
        if isinstance(op, Call):
            own = op.variant or op.name
            if own:
                function = self.unit.references.objects[own]
            else:  # converted, and no pass has asked for its text yet
                function = Module().called(op.callee, None)[1]
            found = function(*operands)
            return [*found] if op.variant else [found]
        if isinstance(op, Pullback):
            return [*operands[0](operands[1])]
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
            base, item, *place = operands
            base.insert(place[0] if place else len(base), item)
            return []
        if isinstance(op, Take):
            return [operands[0].pop(*operands[1:])]
        assert isinstance(op, (Load, View, Store)), label(op)
        base = operands[0]
        key = ... if op.window is None else key_of(op, operands[len(operands) - op.window.size :])
        if isinstance(op, Accumulate):
            value = operands[1] if op.sign == "+" else -operands[1]
            if op.scattered:
                np.add.at(base, key, value)
            else:
                item = item_of(base, key)
                item += value
                put_item(base, key, item)
            return []
        if isinstance(op, Store):
            put_item(base, key, operands[1])
            return []
        if isinstance(op, View):
            return [base if op.window is None else item_of(base, key)]
        if not isinstance(base, (np.ndarray, np.generic)) and op.window is not None:
            return [item_of(base, key)]
        return [copied(base if op.window is None else item_of(base, key))]

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
        if isinstance(entry, Built) and not entry.is_object:
            items = [self.built(item) for item in entry.items]
            if entry.cls is dict:
                return dict(zip(entry.keys, items))
            return entry.cls(*items) if hasattr(entry.cls, "_fields") else entry.cls(items)
        if isinstance(entry, (tuple, list)):
            return [self.built(item) for item in entry]
        raise Unbuilt(type(entry).__name__)


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


def item_of(base: Any, key: Any) -> Any:
    """An item, or an attribute."""
    return getattr(base, key.name) if isinstance(key, Named) else base[key]


def put_item(base: Any, key: Any, value: Any) -> None:
    """An item or an attribute is something else from now on."""
    if isinstance(key, Named):
        setattr(base, key.name, value)
    else:
        base[key] = value
