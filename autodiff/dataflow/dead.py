"""Dead code: what no output and no observed effect needs goes; what may raise an error stays."""

from __future__ import annotations

from autodiff.core import Access, Block, Function, Region, Value, around, ends, outputs
from autodiff.core.operation import Accumulate, Apply, If, LoadOuter, Loop, Operation, Store, View
from autodiff.core.statements import LEAVING, Append, Call, Pop, Pullback, Push, Take, Try, Verbatim
from autodiff.dataflow.integers import is_inside
from autodiff.primitives.call_effects import is_meant
from autodiff.primitives.errors import is_unfit


class Marker:
    """Marks from the roots; a write is needed once something needed reads its region."""

    def __init__(self, function: Function, recorded: bool) -> None:
        self.recorded = recorded
        self.values: set[Value] = set()
        self.operations: set[Operation] = set()
        self.asked: dict[Value, list[Access]] = {}
        self.observed: set[Region] = set()
        self.pending: list[Value | Operation] = []
        """What is needed, but not yet what that needs in its turn."""
        for value in outputs(function):
            self.value(value)
            self.observe_all(value)
        self.spread()
        everything = list(function.body.walk())
        for op in everything:
            if isinstance(op, LoadOuter):
                self.observe(op.result)
        writers: dict[Region, list[Operation]] = {}
        for op in everything:
            if not op.blocks:
                for effect in op.effects():
                    if effect.what == "write":
                        writers.setdefault(effect.region.find(), []).append(op)
        self.written(writers)
        answered = {each for op in self.operations if op.reverse for each in (op.source, op.again)}
        for op in everything:
            if op.raises and not (op.reverse or op.shadow) and self.is_needed(op, op in answered):
                self.operation(op)
                self.spread()
        self.written(writers)

    def written(self, writers: dict[Region, list[Operation]]) -> None:
        """What writes where something needed reads is needed."""
        count = -1
        while count != len(self.operations):
            count = len(self.operations)
            for region in list(writers):
                if region in self.observed:
                    for op in writers.pop(region):
                        self.operation(op)
                        self.spread()

    def is_needed(self, op: Operation, answered: bool) -> bool:
        """Whether an operation may raise an error that its adjoint does not raise as well: shapes
        that do not fit do not fit there either, as long as nobody knows that. That Python's numbers
        have no quotient or logarithm is an error of whoever needs it.
        """
        if isinstance(op, (Call, Verbatim)) or isinstance(op, Store) and not op.fits:
            return True
        if isinstance(op, Access):
            return not answered and op not in self.operations and not self.is_asked(op)
        if isinstance(op, Take):
            return not answered
        if not isinstance(op, Apply):
            return False
        meant = is_meant(op)
        if not meant or op.primitive.raises or not answered:
            return meant
        return is_unfit(op)

    def is_asked(self, op: Access) -> bool:
        """Whether a place is known to be there: by its number, or as something else looks there."""
        if is_inside(op):
            return True
        found = self.asked.get(op.base, ())
        return any(
            other.window == op.window
            and other.index == op.index
            and (other.block in [*around(op.block)])
            for other in found
        )

    def observe(self, value: Value) -> None:
        """The content of memory is read."""
        if value.region is not None:
            self.observed.add(value.region)

    def observe_all(self, value: Value) -> None:
        """So is what memory holds."""
        if value.region is not None:
            self.observed |= {*value.region.reached()}

    def value(self, value: Value) -> None:
        """A value is needed."""
        if value not in self.values and not value.is_constant:
            self.values.add(value)
            self.pending.append(value)

    def operation(self, op: Operation) -> None:
        """An operation is needed."""
        if op not in self.operations:
            self.operations.add(op)
            self.pending.append(op)

    def spread(self) -> None:
        """Marks what the needed need, until nothing is pending."""
        while self.pending:
            needed = self.pending.pop()
            if isinstance(needed, Value):
                self.made(needed)
            else:
                self.used(needed)

    def made(self, value: Value) -> None:
        """What makes a value is needed."""
        op = value.maker
        if op is None:
            return
        self.operation(op)
        if isinstance(op, Pop):
            pushed = op.push.operands[op.results.index(value)]
            self.value(pushed)
            self.observe(pushed)
        for other in ends(value):
            self.value(other)
        if isinstance(op, Loop) and value in op.results:
            self.value(op.carried[op.results.index(value)])

    def operation_around(self, op: Operation) -> None:
        """What an operation stands in is needed."""
        if op.block.parent is not None:
            self.operation(op.block.parent)

    def used(self, op: Operation) -> None:
        """What an operation uses is needed."""
        if type(op) is Apply:  # most of them
            self.operation_around(op)
            for other in op.beside:
                self.operation(other)
            formal = op.primitive.formal and op.operands and op.operands[0].is_array
            for value in op.operands[:1] if formal else ():
                self.value(value)
            whole = self.observe_all if op.reads or op.changes else self.observe
            for value in op.operands[1:] if formal else op.operands:
                self.value(value)
                whole(value)
            return
        if isinstance(op, (Call, Pullback)):
            for value in op.operands:
                self.observe_all(value)
        if isinstance(op, Access) and not op.reverse:
            self.asked.setdefault(op.base, []).append(op)
        self.operation_around(op)
        if isinstance(op, Loop):  # whoever asks for what a loop makes asks how often it runs
            for inner in op.body.operations:
                if isinstance(inner, LEAVING):
                    self.operation(inner)
        if isinstance(op, Try):  # it tells what was raised in its body
            for inner in op.body.walk():
                if inner.caught:
                    self.operation(inner)
        if isinstance(op, Pop):
            self.operation(op.push)
        if isinstance(op, Push):  # each value of it is needed where that is which is popped
            return
        operands = op.operands[: op.fixed] if isinstance(op, Loop) else op.operands
        for i, value in enumerate(operands):
            self.value(value)
            into = isinstance(op, (Store, Append)) and not isinstance(op, Accumulate) and i == 0
            writes_only = into and (value.is_array or isinstance(op, Append))  # a list is as long
            if not (writes_only or isinstance(op, (View, Accumulate)) and i == 0):
                self.observe(value)


def remove_dead(function: Function, recorded: bool = True) -> None:
    """Leaves what is needed."""
    marked = Marker(function, recorded)

    def block(inner: Block) -> None:
        inner.operations = [op for op in inner.operations if op in marked.operations]
        for op in inner.operations:
            for nested in op.blocks:
                block(nested)
            if isinstance(op, Loop):
                for j in reversed(range(len(op.results))):
                    if op.carried[j] not in marked.values and op.results[j] not in marked.values:
                        op.drop(j)
            elif isinstance(op, (If, Pop)):
                for j in reversed(range(len(op.results))):
                    if op.results[j] not in marked.values:
                        op.drop(j)

    if function.boundary is not None:
        function.boundary = sum(
            op in marked.operations for op in function.body.operations[: function.boundary]
        )
    block(function.body)
