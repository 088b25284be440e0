"""Functions in Core, the questions that are asked of all of them, and what their text refers to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autodiff.core.located import Spot
from autodiff.core.operation import If, Loop, Operation
from autodiff.core.value import NOWHERE, Block, Value


@dataclass(frozen=True, slots=True)
class Built:
    """A container that a function returns: of the class, with the keys. plain: a call of the class
    with the parts makes it. like: an object in whose form it is.
    """

    cls: type
    keys: tuple[Any, ...]
    items: tuple[Any, ...]
    plain: bool = True
    like: Value | None = None

    @property
    def is_object(self) -> bool:
        """Whether its parts are attributes."""
        return not issubclass(self.cls, (tuple, list, dict))


class Function:
    """A body with parameters and one result.

    result: what it returns, a value or a structure of values; None if that is not returned.
    boundary: so many operations of the body are the forward sweep.
    outputs: the adjoints, a value or a structure of values.
    seeds: the parameters of the pullback, where the reverse sweep is a function of its own.
    pushes: how many values go on the tape in one pass over each block.
    forms: of its first parameters, how each is given: "", "*", "keyword" or "**".
    laid_out: what something is, a view or a copy, depends on the memory order of arrays.
    tells_complex: it asks if a number is complex, which is taken to be real.
    complex: numbers may be, as those of the function around it may be.
    owned: what it is given is its own, and its pullback is called once. grouped: the places of
    parameters that may share memory, as their adjoints then do. state: so many parameters, behind
    the first, become its results; shared: the places of results that may share memory.
    driven: natively, as there are no pullbacks: names what runs and what reverses a loop.
    strict: a quotient by zero is an error, of NumPy's numbers as well.
    begun: it is differentiated: what it changes of arguments is copied. called: by another one.
    at: where it returns.
    ordinary: its reverse sweep is to be like other operations, which are differentiated again.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.body = Block()
        self.result: Any = None
        self.boundary: int | None = None
        self.outputs: Any = None
        self.seeds: list[Value] | None = None
        self.forms: list[str] = []
        self.laid_out = self.tells_complex = self.complex = self.owned = False
        self.strict = self.begun = self.called = self.ordinary = False
        self.grouped: frozenset[int] = frozenset()
        self.at: Spot | None = None
        self.shared: frozenset[int] = frozenset()
        self.state = 0
        self.driven: Callable[[Any], tuple[str, str]] | None = None


def replaced(block: Block, old: Value, new: Value) -> None:
    """Uses `new` wherever `old` was used in a block."""
    for op in block.walk():
        op.operands = [new if value is old else value for value in op.operands]
        for inner in op.blocks:
            inner.results = [new if value is old else value for value in inner.results]
    block.results = [new if value is old else value for value in block.results]


def within(op: Operation | None, block: Block) -> Operation | None:
    """The operation of `block` that is `op` or contains it."""
    while op is not None and op.block is not block:
        op = op.block.parent
    return op


def depth(block: Block) -> int:
    """How many loops a block stands in."""
    return sum(isinstance(each.parent, Loop) for each in around(block))


def around(block: Block) -> Iterator[Block]:
    """A block, and those that it stands in."""
    yield block
    while block.parent is not None:
        block = block.parent.block
        yield block


def place_of(value: Value) -> tuple[Loop, int] | None:
    """The loop that carries a value, and which of what it carries that is."""
    loop = value.maker
    held = (loop.results if value.op else loop.carried) if isinstance(loop, Loop) else []
    return (loop, held.index(value)) if isinstance(loop, Loop) and value in held else None


def ends(value: Value) -> list[Value]:
    """What a value is one of that a branch joins or a loop carries."""
    if isinstance(value.op, If):
        return [block.results[value.op.results.index(value)] for block in value.op.blocks]
    found = place_of(value)
    return [found[0].inits[found[1]], found[0].body.results[found[1]]] if found else []


def around_value(value: Value) -> Iterator[Block]:
    """The block in which a value is defined, and those that that stands in."""
    own = value.op.block if value.op is not None else NOWHERE
    return around(own if value.block is NOWHERE else value.block)


def placed(block: Block, operations: list[Operation]) -> None:
    """Operations stand in a block now."""
    for op in operations:
        op.block = block
        for value in op.results:
            value.block = block


User = Operation | Block
Users = dict[Value, list[User]]


def users(function: Function) -> Users:
    """The operations that have a value for an operand, and the blocks whose result it is."""
    found: defaultdict[Value, list[User]] = defaultdict(list)
    for block in function.body.blocks():
        for op in block.operations:
            for value in op.operands:
                found[value].append(op)
        for value in block.results:
            found[value].append(block)
    for value in outputs(function):
        found[value].append(function.body)
    return dict(found)


def outputs(function: Function) -> Iterator[Value]:
    """The values that a function returns."""
    yield from values_in(function.result)
    yield from values_in(function.outputs)


def values_in(structure: object) -> Iterator[Value]:
    """The values in a structure."""
    if isinstance(structure, Value):
        yield structure
        return
    if isinstance(structure, Built) and structure.like is not None:
        yield structure.like
    parts = structure.items if isinstance(structure, Built) else structure
    if isinstance(parts, (tuple, list)):
        for item in parts:
            yield from values_in(item)


MARK = "@"
"""Begins the names that stand for objects until then."""


class References:
    """A name for each object: `use("np", numpy)` is "@np"."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def copy(self, other: References) -> None:
        """The same names as elsewhere."""
        self.objects, self._names = {**other.objects}, {**other._names}

    def use(self, hint: str, value: Any) -> str:
        """The name that stands for an object."""
        found = self._names.get(id(value))
        if found is None:
            found, count = f"{MARK}{hint}", 1
            while found in self.objects:
                count += 1
                found = f"{MARK}{hint}_{count}"
            self._names[id(value)] = found
            self.objects[found] = value
        return found
