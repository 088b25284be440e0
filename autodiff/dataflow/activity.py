"""What depends on the inputs, and on what the result depends: a value or, of memory, a region."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autodiff.core import (
    About,
    Append,
    Apply,
    Block,
    Function,
    If,
    Load,
    Loop,
    NotYet,
    Operation,
    Region,
    Steps,
    Store,
    Take,
    Try,
    Value,
    users,
    values_in,
)
from autodiff.dataflow.carrying import carries, has_text, is_read, is_zero
from autodiff.dataflow.shifts import shifts
from autodiff.kinds.kind import Record, Text
from autodiff.primitives import KEYING, LISTING, is_vague, is_world, untraced
from autodiff.primitives.containing import is_container, is_memory
from autodiff.rules import registry


class Activity:
    """The values and regions that carry a derivative: they depend on the inputs, and the result
    depends on them. What nobody needs has no adjoint: not even one that is zero, as zero times an
    infinite slope is no number. results: those of which somebody asks.
    """

    def __init__(self, function: Function, inputs: Iterable[Value], results: object = None) -> None:
        self.varied = Varied(function, inputs)
        results = function.result if results is None else results
        self.useful = Useful(function, values_in(results))
        lost = self.varied.regions & self.useful.regions
        for value in values_in(function.result):
            if is_vague(value.kind) and value.region is not None:
                lost |= self.varied.regions & {*value.region.reached()}
        opaque = (op for op in function.body.walk() if is_world(op))
        through = [op for op in opaque if not lost.isdisjoint(reached_by(op))]
        given = [op for op in through if any(value in self.varied for value in op.operands)]
        for op in given or through:
            with About(op):
                raise untraced.lost(op, bool(given))

    def __contains__(self, value: Value) -> bool:
        return value in self.varied and value in self.useful

    def check(self) -> None:
        """Raises `NotYet` if regions grew since: a value may have been said to be inactive."""
        regions = self.varied.regions | self.useful.regions
        if any(region.find() is not region for region in regions):
            raise NotYet("memory that a derivative finds to be one")


class Flow:
    """Values and regions that are reached from some, by the operations of a function."""

    def __init__(self, function: Function, start: Iterable[Value]) -> None:
        self.values: set[Value] = set()
        self.regions: set[Region] = set()
        self.changed = True
        for value in start:
            self.mark(value)
        operations = self.ordered([*in_order(function.body)])
        while self.changed:
            self.changed = False
            for op in operations:
                self.visit(op)

    def ordered(self, operations: list[Operation]) -> list[Operation]:
        """The operations in the direction of the flow."""
        return operations

    def visit(self, op: Operation) -> None:
        """What an operation passes on."""
        raise NotImplementedError

    def __contains__(self, value: Value) -> bool:
        return value in self.values or value.memory is not None and value.region in self.regions

    def mark(self, value: Value) -> None:
        """A value is reached."""
        if value.is_constant or not carries(value.kind) or value in self:
            return
        self.changed = True
        region = value.region
        if region is not None and (is_memory(value) or not isinstance(value.kind, Record)):
            self.regions.add(region)
        else:
            self.values.add(value)

    def mark_all(self, values: Iterable[Value]) -> None:
        """Several values are reached."""
        for value in values:
            self.mark(value)

    def mark_wholes(self, values: Iterable[Value]) -> None:
        """Several values are reached, with what they hold."""
        for value in values:
            self.mark(value)
            if is_container(value.kind):
                self.mark_content(value)

    def holds(self, container: Value) -> bool:
        """Whether a container holds active memory."""
        return bool(self.contents(container) & self.regions)

    def contents(self, container: Value) -> set[Region]:
        """The memory that is reached through a container."""
        region = container.region
        return set() if region is None else {*region.reached()} - {region}

    def reaches(self, op: Operation) -> bool:
        """Whether what an operation may reach is reached."""
        return not self.regions.isdisjoint(reached_by(op))

    def reach(self, regions: set[Region]) -> None:
        """Memory is reached."""
        self.changed |= not self.regions.issuperset(regions)
        self.regions |= regions

    def mark_outside(self, op: Operation) -> None:
        """What an operation gives and may reach."""
        self.reach(reached_by(op))
        for value in op.results:
            self.mark(value)

    def mark_content(self, container: Value) -> None:
        """A container carries a derivative: so may all memory that it holds."""
        self.reach(self.contents(container))


class Varied(Flow):
    """What depends on the inputs. keyed: dicts of which keys do. told: some text does. free:
    extrema that cancel.
    """

    def __init__(self, function: Function, inputs: Iterable[Value]) -> None:
        self.keyed: set[Region] = set()
        self.told = False
        self.free = shifts(function)
        super().__init__(function, inputs)
        if self.told:
            used = users(function)
            for op in (op for op in function.body.walk() if is_read(op) and op.result in used):
                if any(map(self.says, op.operands)):
                    with About(op):
                        raise NotYet("a number that is read from text")

    def says(self, value: Value) -> bool:
        """Whether something is text that may depend on the inputs, or holds such."""
        if not self.told or value.is_constant or not has_text(value.kind):
            return False
        op = value.op
        if not isinstance(value.kind, Text) or not isinstance(op, Apply) or is_world(op):
            return True
        return any(each in self or self.holds(each) or self.says(each) for each in op.operands)

    def mark_keys(self, op: Operation) -> None:
        """A dict gets a key that may depend on the inputs."""
        if isinstance(op, Store) and any(value in self for value in op.index):
            region = op.base.region
            if region is not None and region not in self.keyed:
                self.keyed.add(region)
                self.changed = True

    def tell(self, op: Operation) -> None:
        """What an operation gives may be text that depends on the inputs: not what a helper of ours
        says of how an array lies in memory.
        """
        function = op.primitive.function if isinstance(op, Apply) else None
        if registry.is_transparent(function) and registry.is_nondifferentiable(function):
            return
        if not self.told and any(has_text(value.kind) for value in op.results):
            self.told = self.changed = True

    def visit(self, op: Operation) -> None:
        if isinstance(op, Loop):
            for init, parameter, following, result in op.groups:
                if init in self or following in self:
                    self.mark(parameter)
                    self.mark(result)
        elif isinstance(op, If):
            for first, second, result in op.groups:
                if first in self or second in self:
                    self.mark(result)
            if isinstance(op, Try) and op.error is not None and any(v in self for v in op.told):
                self.reach({*op.error.home.reached()})
        elif isinstance(op, Store) and not is_container(op.base.kind):
            if op.value in self:
                self.mark(op.base)
        elif isinstance(op, Apply) and op.primitive is KEYING:
            if op.operands[0].region in self.keyed:
                self.mark(op.result)
        elif isinstance(op, (Append, Store)) or isinstance(op, Apply) and op.primitive is LISTING:
            self.mark_keys(op)
            base = op.result if isinstance(op, Apply) else op.operands[0]
            if any(value in self for value in op.operands) or self.holds(base):
                self.mark(base)
                self.mark_content(base)
        elif isinstance(op, (Load, Take)) and is_container(op.operands[0].kind):
            if op.operands[0] in self:
                self.mark(op.result)
        elif isinstance(op, Load):
            if op.base in self:
                self.mark(op.result)
        elif is_world(op):
            text = any(map(self.says, op.operands))
            if text or any(value in self for value in op.operands) or self.reaches(op):
                self.mark_outside(op)
                self.tell(op)
        elif isinstance(op, Steps):
            if any(value in self for value in op.given):
                self.mark_wholes(op.carrying)
        elif any(value in self for value in op.operands):
            if op.results and op.results[0] in self.free or is_zero(op):
                return
            self.tell(op)
            if isinstance(op, Apply) and registry.is_nondifferentiable(op.primitive.function):
                return
            for value in (*op.results, *changed(op)):
                self.mark(value)


class Useful(Flow):
    """What the result depends on."""

    def ordered(self, operations: list[Operation]) -> list[Operation]:
        return operations[::-1]

    def visit(self, op: Operation) -> None:
        if isinstance(op, Loop):
            for group in op.groups:
                if group[1] in self or group[3] in self:
                    self.mark_all(group)
        elif isinstance(op, If):
            for *ends, result in op.groups:
                if result in self:
                    self.mark_all(ends)
        elif isinstance(op, Store) and not is_container(op.base.kind):
            if op.base in self:
                self.mark(op.value)
        elif is_of_container(op):
            base = op.result if isinstance(op, Apply) else op.operands[0]
            if base in self or self.holds(base) or any(value in self for value in op.results):
                self.mark(base)
                self.mark_content(base)
                self.mark_all(op.operands)
        elif is_world(op):
            if any(value in self for value in op.results) or self.reaches(op):
                self.mark_outside(op)
                self.mark_all(op.operands)
        elif isinstance(op, Steps):
            if any(value in self for value in op.results):
                self.mark_wholes(op.given[k] for k in op.active)
        elif isinstance(op, Apply) and (
            op.primitive is KEYING or registry.is_nondifferentiable(op.primitive.function)
        ):
            return
        elif any(value in self for value in (*op.results, *changed(op))):
            self.mark_all(op.operands)


def in_order(block: Block) -> Iterator[Operation]:
    """The operations, what holds blocks before and behind them: it hands in and gives."""
    for op in block.operations:
        yield op
        for inner in op.blocks:
            yield from in_order(inner)
        if op.blocks:
            yield op


def reached_by(op: Operation) -> set[Region]:
    """The memory that a call may reach of which nothing is known."""
    return {effect.region.find() for effect in op.effects()}


def is_of_container(op: Operation) -> bool:
    """Whether an operation makes a container that is memory, or touches one."""
    if isinstance(op, Apply):
        return op.primitive is LISTING
    return isinstance(op, (Append, Take, Load, Store)) and is_container(op.operands[0].kind)


def changed(op: Operation) -> list[Value]:
    """The operands that an application changes."""
    return [op.operands[k] for k in op.changes] if isinstance(op, Apply) else []
