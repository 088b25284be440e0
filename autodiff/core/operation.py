"""Operations, and the blocks they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from autodiff.core.region import Region, Window
from autodiff.core.value import NOWHERE, Block, Value, unite, walk


@dataclass(frozen=True, slots=True)
class Effect:
    """What an operation does to memory."""

    what: Literal["read", "write"]
    region: Region


def effects(what: Literal["read", "write"], *values: Value) -> list[Effect]:
    """What is done to the memory of values."""
    return [Effect(what, value.region) for value in values if value.region is not None]


class Operation:
    """One step. Its adjoint has it as `source`; `number` is its place in the forward sweep.

    at: where it stands in the user's file, as a refusal says it.
    again: the one that it repeats in the reverse sweep. reverse: it belongs to that. shadow: it is
    about adjoint memory, in the forward sweep. raises: it may raise an error for some values, so it
    stays. caught: so it stays where it is. contexts: those that it runs in, from the outermost on.
    """

    def __init__(self, operands: list[Value], results: list[Value], origin: Any = None) -> None:
        self.operands, self.results, self.origin = operands, results, origin
        self.blocks: list[Block] = []
        self.block = NOWHERE
        self.at: Any = None  # a `Spot`
        self.source: Operation | None = None
        self.again: Operation | None = None
        self.reverse = self.shadow = self.raises = self.caught = False
        self.number: float = 0
        self.contexts: tuple[Any, ...] = ()  # each a `Context`
        for value in results:
            value.op = self

    def nested(self) -> Iterator[Operation]:
        """It, and what is in its blocks."""
        return walk([self])

    def effects(self) -> list[Effect]:
        """What it does to memory, nested operations included."""
        return [each for block in self.blocks for op in block.operations for each in op.effects()]

    def writes(self, region: Region) -> bool:
        """Whether it changes memory of a region."""
        return any(e.what == "write" and e.region.find() is region.find() for e in self.effects())

    @property
    def base(self) -> Value:
        """The memory that an access is about."""
        return self.operands[0]

    @property
    def result(self) -> Value:
        """Its one result."""
        return self.results[0]


class Apply(Operation):
    """A primitive applied to operands.

    application: how the primitive is called, in terms of the operands.
    form: how it prints: an expression in which the names "0", "1" ... stand for the operands.
    changes: operands that it changes. reads: it reads what these hold, without a `Load`.
    spoils: nobody may ask afterwards what its operands hold, unless `mended` stores that.
    outside: what else it may read and change. renews: it is `x += y`, which may change an array.
    gates: its first operand is an adjoint, and where that is zero it is zero, too. guards: it is a
    quotient that is no number, and no error, by zero. beside: where it is needed, so are these: all
    parts of what is taken apart by so many names. target: what is called of which nothing is known.
    instead: why that is not lowered.
    """

    target: Any = None
    instead: Any = None  # a `NotYet`

    reads = spoils = renews = gates = guards = False
    beside: tuple[Operation, ...] = ()
    changes: tuple[int, ...] = ()
    mended: tuple[Operation, ...] = ()
    outside: tuple[Region, ...] = ()

    def __init__(
        self,
        primitive: Any,
        application: Any,
        form: Any,
        operands: list[Value],
        results: list[Value],
        origin: Any = None,
    ) -> None:
        super().__init__(operands, results, origin)
        self.primitive, self.application, self.form = primitive, application, form

    def effects(self) -> list[Effect]:
        if not (self.changes or self.reads or self.outside):
            return []  # nearly always
        changed = [own for k in self.changes if (own := self.operands[k].region) is not None]
        found = [Effect("write", inner) for region in changed for inner in region.reached()]
        if self.reads or self.changes:
            found += effects("read", *self.operands)
        reached = [inner for region in self.outside for inner in region.reached()]
        return [*found, *(Effect(what, inner) for inner in reached for what in ("write", "read"))]


class Access(Operation):
    """What touches a window of memory: operand 0 is the memory, the last are the window's."""

    def __init__(
        self,
        operands: list[Value],
        results: list[Value],
        window: Window | None = None,
        origin: Any = None,
    ) -> None:
        super().__init__(operands, results, origin)
        self.window = window

    @property
    def index(self) -> list[Value]:
        """The operands of the window."""
        return self.operands[len(self.operands) - (self.window.size if self.window else 0) :]


class Load(Access):
    """What memory, or a window, holds now: this makes memory a value. apart: it stands for that.
    owned: others may change what it gives, which nobody else reads, then.
    """

    apart = owned = False

    def effects(self) -> list[Effect]:
        return effects("read", self.base)


class View(Access):
    """A window as memory of its own, which it shares."""


class Store(Access):
    """`base[window] = operand 1`; `fits`: of a shape that the window takes, `alike`: its own."""

    fits, alike = True, False

    @property
    def value(self) -> Value:
        """What is stored."""
        return self.operands[1]

    def effects(self) -> list[Effect]:
        return effects("write", self.base)


class Accumulate(Store):
    """`base[window] += operand 1`, or `-=`; `scattered`: where a place may be there repeatedly."""

    sign, scattered = "+", False

    def effects(self) -> list[Effect]:
        return [Effect(what, e.region) for e in super().effects() for what in ("write", "read")]


class LoadOuter(Operation):
    """What is outside, as the user spells it; early: before the function stores there. held: memory
    in it, which nobody changes.
    """

    held: tuple[Region, ...] = ()

    def __init__(self, path: str, result: Value, origin: Any = None) -> None:
        super().__init__([], [result], origin)
        self.path, self.early = path, False
        self.object: Any = None  # the array that is there while compiling
        self.always: float | None = None  # the number that a library keeps there: `np.inf`


class Loop(Operation):
    """What runs its body again and again. Operands and block parameters: `fixed` of its own, then
    what is carried.

    mirror: the loop of the forward sweep that it undoes.
    """

    fixed = 0

    def __init__(self, operands: list[Value], origin: Any) -> None:
        super().__init__(operands, [], origin)
        self.blocks = [Block(self)]
        self.mirror: Loop | None = None

    @property
    def body(self) -> Block:
        return self.blocks[0]

    @property
    def inits(self) -> list[Value]:
        """What the carried values are before the first iteration."""
        return self.operands[self.fixed :]

    @property
    def carried(self) -> list[Value]:
        """The carried values in an iteration."""
        return self.body.parameters[self.fixed :]

    def carry(self, init: Value, parameter: Value, following: Value, result: Value) -> None:
        """One more carried value."""
        unite(init, parameter, following, result)
        self.operands.append(init)
        self.body.parameter(parameter)
        self.body.results.append(following)
        self.results.append(result)
        result.op, result.block = self, self.block

    @property
    def groups(self) -> list[tuple[Value, Value, Value, Value]]:
        """Of each carried value: init, parameter, what follows, result."""
        return list(zip(self.inits, self.carried, self.body.results, self.results))

    def drop(self, j: int) -> None:
        """One carried value less."""
        del self.operands[self.fixed + j], self.body.parameters[self.fixed + j]
        del self.body.results[j], self.results[j]


class For(Loop):
    """Over a range, or over the tape. Block parameters: loop variable, then what is carried.

    unordered: its iterations run upwards though it undoes a loop that does.
    """

    fixed, unordered = 1, False

    def __init__(self, over: Value, variable: Value, origin: Any, backwards: bool = False) -> None:
        super().__init__([over], origin)
        self.backwards, self.variable = backwards, self.body.parameter(variable)

    @property
    def over(self) -> Value:
        """The range."""
        return self.operands[0]


class If(Operation):
    """Two blocks without parameters whose results are joined. `divides`: both are one statement."""

    divides = False

    def __init__(self, test: Value, origin: Any) -> None:
        super().__init__([test], [], origin)
        self.blocks = [Block(self), Block(self)]
        self.mirror: If | None = None

    @property
    def test(self) -> Value:
        return self.operands[0]

    def merge(self, first: Value, second: Value, result: Value) -> None:
        """One more joined value."""
        unite(first, second, result)
        for block, value in zip(self.blocks, (first, second)):
            block.results.append(value)
        self.results.append(result)
        result.op, result.block = self, self.block

    @property
    def groups(self) -> list[tuple[Value, Value, Value]]:
        """Of each joined value: what both blocks end with, and the result."""
        return list(zip(*(block.results for block in self.blocks), self.results))

    def drop(self, j: int) -> None:
        """One joined value less."""
        del self.blocks[0].results[j], self.blocks[1].results[j], self.results[j]
