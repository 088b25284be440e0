"""Values: a value has an identity, a kind, and one definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from autodiff.core.region import Region
from autodiff.kinds.kind import Array, Kind, Scalar, Static, Text, Unknown, record

if TYPE_CHECKING:
    from autodiff.core.operation import Operation

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""What the constant of a value is that is none."""


NOTHING: Any = type("Nothing", (), {"__repr__": lambda self: "NOTHING"})()
"""What a variable holds that has no value: no text is written for it."""

_NUMBER = count()


class Block:
    """Parameters, operations, results: what a loop carries and a branch joins is explicit."""

    __slots__ = ("operations", "parameters", "parent", "results")

    def __init__(self, parent: Operation | None = None) -> None:
        self.parameters: list[Value] = []
        self.operations: list[Operation] = []
        self.results: list[Value] = []
        self.parent = parent

    def parameter(self, value: Value) -> Value:
        """A further parameter."""
        value.block = self
        self.parameters.append(value)
        return value

    def walk(self) -> Iterator[Operation]:
        """All operations in it, nested ones behind the one that they are in."""
        return walk(self.operations)

    def blocks(self) -> Iterator[Block]:
        """It, and the blocks nested in it."""
        yield self
        for block in (inner for op in self.operations for inner in op.blocks):
            yield from block.blocks()


def walk(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Operations, and those in their blocks behind the one that they are in."""
    todo = [iter(operations)]
    while todo:
        for op in todo[-1]:
            yield op
            if op.blocks:
                todo.append(chain.from_iterable(block.operations for block in op.blocks))
                break
        else:
            todo.pop()


NOWHERE = Block()
"""Where a constant stands, and what was not put anywhere yet."""


class Value:
    """One definition.

    token: a name that no other value has, for skeletons of expressions and symbolic sizes.

    hint: the name it would like to have; `named`: the user gave it, so it is not printed inline.
    constant: what it is while compiling, `ABSENT` if that is not known.
    partial: a variable that holds nothing on some paths; nobody reads it before that is ruled out.
    memory: its region, None for what has no memory of its own (numbers, text, functions).
    op, block: where it is defined; no `op` for the parameters of a block.
    """

    __slots__ = ("block", "constant", "hint", "kind", "memory", "named", "op", "partial", "token")

    def __init__(
        self,
        hint: str,
        kind: Kind,
        region: Region | None = None,
        named: bool = False,
        constant: Any = ABSENT,
    ) -> None:
        self.hint, self.kind, self.named, self.constant = hint, kind, named, constant
        held = has_memory(kind) and constant is ABSENT
        self.memory = region if region is not None else Region() if held else None
        self.token = f"v{next(_NUMBER)}"
        self.partial = constant is NOTHING
        self.op: Operation | None = None
        self.block = NOWHERE

    @property
    def maker(self) -> Operation | None:
        """The operation that gives it, or in whose block it is a parameter."""
        return self.op or self.block.parent

    @property
    def is_constant(self) -> bool:
        """Whether it is written where it is used: a number, text, None, or a tuple of these."""
        return self.constant is not ABSENT

    @property
    def home(self) -> Region:
        """The memory of what surely has some."""
        assert self.memory is not None
        return self.memory

    @property
    def region(self) -> Region | None:
        """The memory it has or may have."""
        return None if self.memory is None else self.memory.find()

    @property
    def is_written(self) -> bool:
        """Whether somebody changes its memory."""
        return self.region is not None and self.region.written

    @property
    def is_array(self) -> bool:
        """Whether it is known to be an array."""
        return isinstance(self.kind, Array)

    @property
    def is_number(self) -> bool:
        """Whether it is known to be a number."""
        return isinstance(self.kind, Scalar)

    def __repr__(self) -> str:
        return f"<{self.hint}: {self.kind}>"


def has_memory(kind: Kind) -> bool:
    """Whether a value of the kind may be memory that can change."""
    return isinstance(kind, (Array, Unknown)) or not isinstance(kind, (Scalar, Static, Text))


def constant(value: Any) -> Value:
    """A value that is known while compiling."""
    return Value(repr(value), constant_kind(value), constant=value)


def nothing(name: str) -> Value:
    """What a variable holds before it gets a value."""
    return Value(name, Static(NOTHING), constant=NOTHING)


def constant_kind(value: Any) -> Kind:
    """The kind of a constant."""
    if type(value) in (bool, int, float, complex):
        known = value if type(value) is int else None
        return Scalar(type(value).__name__, None, known)
    if isinstance(value, tuple):
        return record(*map(constant_kind, value))
    return Static(value)


def unite(*values: Value) -> None:
    """Values that are carried or joined are of one region."""
    regions = [value.memory for value in values if value.memory is not None]
    for region in regions[1:]:
        regions[0].unite(region)
