"""Lambda lifting: a call as a function of its own, whose parameters are its arguments and the
memory that it reads of the function around it.

    k = x[0]                                        def f(y, k):
    g = grad(lambda y: k * np.sum(y**3))(x)             return k * np.sum(y**3)

Its operations are put where it is called, when its reverse sweep stands beside them: each parameter
is then what an operand holds there.

What a function returns: values, and the containers that hold them; and what a function gives
that gives several values: taken apart where it is called.

    parts = np.split(x, 2)          parts = np.split(x, 2)
                                    parts_0, parts_1 = parts

From then on it is a tuple or list whose parts are known, as if it were written out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from autodiff.core import Again, Built, Function, NotYet, Region, placed, values_in
from autodiff.core.operation import Effect, LoadOuter, Operation
from autodiff.core.value import Block, Value, constant_kind, unite
from autodiff.dataflow.settle import rename
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import Array, Numeric, Record, Scalar
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Box, Entry, Pack, is_inside, mapped
from autodiff.lower.entries.lists import become, is_made_of_fields, memory_of
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.lower.entries.objects import is_plain_dataclass
from autodiff.lower.flow.heap import Mark, inside, moved, restore, snapshot
from autodiff.lower.recipes.iterators import Iterator
from autodiff.lower.recipes.only_called import Counterpart

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.primitives.builder import Builder


class Lifted:
    """A call that is lowered into a function. operands: what its parameters are where it is called;
    of memory, what that holds.
    """

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.function = Function("inner")
        self.operands: dict[Value, Value] = {}

    @property
    def body(self) -> Block:
        return self.function.body

    # Arguments ---------------------------------------------------------------------------------

    def argument(self, entry: Entry, active: bool) -> Entry:
        """An argument in terms of parameters. active: a derivative by it is wanted."""
        if isinstance(entry, Value):
            return self.parameter(entry, active)
        if isinstance(entry, Pack):
            return mapped(entry, lambda item: self.argument(item, active))
        if isinstance(entry, Box) and memory_of(entry) is None and (active or entry.indexed):
            if not entry.indexed:
                raise NotYet("a derivative by an object inside")
            slots = {key: self.argument(item, active) for key, item in entry.slots.items()}
            box = Box(entry.cls, slots, None, entry.hint)
            self.expressions.unit.boxes.append(box)
            return box
        if active:
            raise NotYet("a derivative by memory inside")
        return entry

    def parameter(self, value: Value, active: bool) -> Value:
        """The parameter that stands for a value; what nobody can change, as it is."""
        known = isinstance(value.kind, (Scalar, Array))
        if active and not known or value.partial:
            raise NotYet("a derivative by what is no number inside")
        if not active and (value.memory is None or not known):
            return value
        kind = constant_kind(value.constant) if value.is_constant else value.kind
        made = Value(value.hint or "x", kind, named=True)
        self.operands[self.body.parameter(made)] = value
        return made

    # The body ----------------------------------------------------------------------------------

    def lower(self, call: Callable[[], Entry]) -> None:
        """What the call does and gives. Containers that it needs as memory are made inside."""
        frame, made = self.expressions.frame, list[Box]()
        given, operands = list(self.body.parameters), dict(self.operands)
        while True:
            mark = Mark(frame)
            self.body.operations.clear()
            self.body.parameters, self.operands = list(given), dict(operands)
            frame.builder = mark.builder.inside(self.body)
            try:
                with inside(frame, mark.heap):
                    for box in made:
                        self.hold(box)
                    entry = call()
                break
            except Again as again:
                mark.back()
                box = again.whose
                if not isinstance(box, Box) or box not in mark.heap.slots or box in made:
                    raise
                made.insert(0, box)
            finally:
                frame.builder = mark.builder
        before = mark.heap
        for box in made:
            region = None if box.memory is None else box.memory.region
            if region is None or any(inner.written for inner in region.reached()):
                raise NotYet("a derivative of what changes variables outside")
            box.slots = before.slots[box]
        after = snapshot(frame)
        if moved(before, after) or before.names != after.names:
            raise NotYet("a derivative of what changes variables outside")
        restore(frame, before)
        self.function.result = returned(entry)
        self.close()

    def hold(self, box: Box) -> None:
        """A container that nobody changes is one of the same parts."""
        for key, item in box.slots.items():
            if isinstance(item, Value) and item not in self.operands:
                box.slots[key] = self.parameter(item, False)
        become(self.expressions, box)

    def close(self) -> None:
        """What it reads of the function around it comes by parameters, if it is memory."""
        self.hoist()
        free = [value for value in self.free() if value.memory is not None]
        roots = {value.region for value in free}
        for value in free:
            if value.partial or not isinstance(value.kind, (Array, Numeric)):
                raise NotYet("a container that is read by a function that is differentiated")
            if value.region is not None and value.region.held:
                raise NotYet("an array in a container that is read by such a function")
        if any(e.what == "write" and e.region.find() in roots for e in self.effects()):
            raise NotYet("a function that changes what it reads is differentiated")
        self.check_apart()
        fresh = {root: Region() for root in roots}
        for value in self.defined():
            if value.region in fresh:
                value.memory = fresh[value.region]
        swapped = {}
        for value in free:
            swapped[value] = made = Value(value.hint, value.kind, fresh[value.region], value.named)
            self.operands[self.body.parameter(made)] = value
        rename(self.function, swapped)

    def hoist(self) -> None:
        """Arrays of outside are read by the function around it, which may change them."""
        for block in self.body.blocks():
            kept: list[Operation] = []
            for op in block.operations:
                if isinstance(op, LoadOuter) and op.result.is_array:
                    self.put([op])
                else:
                    kept.append(op)
            block.operations = kept

    def check_apart(self) -> None:
        """An argument that is changed is copied, which others would see that are its memory."""
        changed = {e.region.find() for e in self.effects() if e.what == "write"}
        regions = [own.region for own in self.operands.values()]
        for made, own in self.operands.items():
            if own.region and made.region in changed and regions.count(own.region) > 1:
                raise NotYet("an argument that is changed and shares memory with another")

    def read_beside(self, given: list[Entry]) -> list[Value]:
        """The memory that it reads and is not given: it gives the same again while that stays."""
        beside = [own for own in self.operands.values() if own not in given]
        if any(isinstance(op, LoadOuter) for op in (*self.body.walk(), *(v.op for v in beside))):
            raise NotYet("a pullback that is called again, of what reads what is outside")
        return beside

    def effects(self) -> Iterable[Effect]:
        """What it does to memory."""
        for op in self.body.walk():
            yield from op.effects()

    def defined(self) -> set[Value]:
        """The values that have their definition here."""
        found = {value for op in self.body.walk() for value in op.results}
        return found.union(*(block.parameters for block in self.body.blocks()))

    def free(self) -> list[Value]:
        """The values of the function around it that it reads."""
        used: dict[Value, None] = dict.fromkeys(values_in(self.function.result))
        for block in self.body.blocks():
            used.update(dict.fromkeys(v for op in block.operations for v in op.operands))
            used.update(dict.fromkeys(block.results))
        defined = self.defined()
        return [value for value in used if not value.is_constant and value not in defined]

    # Where it is called ------------------------------------------------------------------------

    def enter(self) -> None:
        """Its parameters are what their operands hold now."""
        expressions = self.expressions
        swapped = {made: expressions.loaded(own) for made, own in self.operands.items()}
        for pair in swapped.items():
            unite(*pair)
        rename(self.function, swapped)
        self.body.parameters.clear()

    def put(self, operations: list[Operation]) -> None:
        """Operations stand where it is called."""
        block = self.expressions.builder.block
        placed(block, operations)
        block.operations += operations


def returned(entry: Entry) -> object:
    """A result as its structure, for the caller: nobody changes it any more. What cannot be written
    stays as it is, and is refused where its adjoint is asked for.
    """
    return structure(entry, [], {})


def structure(entry: Entry, around: list[Box], known: dict[Box, Built]) -> object:
    """An entry, and what it holds. around: the containers that it stands in. known: those that
    stand elsewhere, too.
    """
    if isinstance(entry, Pack) and (entry.cls is tuple or is_made_of_fields(entry.cls)):
        items = tuple(structure(item, around, known) for item in entry.items)
        return Built(entry.cls, tuple(range(len(items))), items)
    if not isinstance(entry, Box):
        return entry
    if entry in around:
        raise NotYet("a result that holds itself")
    if memory_of(entry) is not None:
        return memory_of(entry)
    if entry.cls not in (list, dict) and (entry.indexed or not is_written(entry.cls)):
        return entry
    if entry not in known:
        inner = [*around, entry]
        items = tuple(structure(item, inner, known) for item in entry.slots.values())
        plain = entry.indexed or has_fields_alone(entry)
        known[entry] = Built(entry.cls, tuple(entry.slots), items, plain)
    return known[entry]


def is_written(cls: type) -> bool:
    """Whether objects of a class of the user's are their attributes."""
    ours = issubclass(cls, (Counterpart, Iterator)) or is_inside(cls)
    return is_usual(cls) and not ours and class_attribute(cls, "__new__") is object.__new__


def has_fields_alone(box: Box) -> bool:
    """Whether an object is what its class makes of its attributes."""
    if not is_plain_dataclass(box.cls, class_attribute(box.cls, "__init__")):
        return False
    if class_attribute(box.cls, "__post_init__") is not None:
        return False
    fields = dataclasses.fields(box.cls)
    return all(each.init for each in fields) and [each.name for each in fields] == [*box.slots]


def results_of(unit: Unit, builder: Builder, found: Value) -> Entry:
    """The parts of a value that is a tuple or a list, else itself."""
    kind = found.kind
    if not isinstance(kind, Record) or found.is_constant or not kind.keys:
        return found
    if kind.cls not in (tuple, list, dict) and not is_named_tuple(kind.cls):
        return found
    parts = []
    for key, item in zip(kind.keys, kind.items):
        part = builder.item(found, key, item)
        part.hint = f"{found.hint}_{key}" if found.hint else ""
        parts.append(results_of(unit, builder, part))
    plain = kind.cls in (list, dict)
    unit.results[found] = Pack(tuple(parts), tuple if plain else kind.cls)
    if plain:
        return boxed(unit, kind.cls, dict(zip(kind.keys, parts)), found.hint)
    return unit.results[found]
