"""Contexts, and operations that are statements: calls, growing lists, `try`, `break`, the tape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autodiff.core.operation import Effect, If, Loop, Operation, effects
from autodiff.core.value import Block, Value, constant
from autodiff.kinds.kind import Drawing, number


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """A context manager as it prints: `np.errstate(divide="ignore")`.

    setup: statements at the beginning of each block: `warnings.simplefilter("ignore")`.
    again: the adjoints run in it, too.
    """

    form: Any
    again: bool
    setup: list[Any] = field(default_factory=list)


def reads(*values: Value) -> list[Effect]:
    """All memory is read that is reached from values."""
    regions = (value.region for value in values if value.region is not None)
    return [Effect("read", inner) for region in regions for inner in region.reached()]


class Append(Operation):
    """`base.append(operand 1)`, or `base.insert(operand 2, operand 1)`."""

    @property
    def value(self) -> Value:
        """What is appended."""
        return self.operands[1]

    @property
    def place(self) -> Value | None:
        """In front of which item; None at the end."""
        return self.operands[2] if len(self.operands) > 2 else None

    def effects(self) -> list[Effect]:
        return effects("write", self.base)


class Take(Operation):
    """`base.pop()`, or `base.pop(operand 1)`, of a list or a dict."""

    @property
    def place(self) -> Value | None:
        """Which item, or the key; None for the last one."""
        return self.operands[1] if len(self.operands) > 1 else None

    def effects(self) -> list[Effect]:
        return [*effects("write", self.base), *effects("read", self.base)]


class Call(Operation):
    """A function called for kinds of arguments.

    callee: what is called, name: the reference to it. variant: the name of the function that
    returns value and pullback, once the reverse sweep asks for that: the last result. active: the
    places of what carries a derivative. laid_out: how what it is given lies in memory matters.
    """

    laid_out = False

    def __init__(self, callee: Any, name: str, operands: list[Value], results: list[Value]) -> None:
        super().__init__(operands, results)
        self.callee, self.name = callee, name
        self.variant: str | None = None
        self.active: tuple[int, ...] = ()

    def effects(self) -> list[Effect]:
        return reads(*self.operands)


class Steps(Call):
    """A checkpointed loop: the callee from state to state, as often as a range is long or a test is
    true. Operands: the range (of a test, the number zero), how many states are kept, the state
    before, what else is read.

    active: the places, counted from the state on, of what carries a derivative. grouped: of what
    may share memory; the adjoints share it, too. test: the function that is the test. typed:
    compiled code has no pullback, `variant` is a function of what was kept, or given, and of seeds.
    """

    typed = False

    def __init__(self, step: Any, operands: list[Value], results: list[Value]) -> None:
        super().__init__(step, "", operands, results)
        self.width, self.raises = len(results), True
        self.grouped: frozenset[int] = frozenset()
        self.test: Any = None

    @property
    def given(self) -> list[Value]:
        """State and constants."""
        return self.operands[2:]

    @property
    def carrying(self) -> list[Value]:
        """What it gives that carries a derivative."""
        return [self.results[k] for k in self.active if k < self.width]


class Recomputed(Steps):
    """A call of which the pullback computes everything again. Its operands are what it is given."""

    @property
    def given(self) -> list[Value]:
        return self.operands

    @property
    def carrying(self) -> list[Value]:
        return self.results[: self.width]


class Pullback(Operation):
    """The adjoints of the operands of a call, for that of its result: operand 0 is the pullback."""

    def __init__(self, call: Call, operands: list[Value], results: list[Value]) -> None:
        super().__init__(operands, results)
        self.call = call

    def effects(self) -> list[Effect]:
        return reads(*self.operands)


class Stays(Operation):
    """The memory of the operands is what it was where `since` stands, one like this: what was done
    there reads it here. Asked once all is lowered.
    """

    def __init__(self, operands: list[Value], since: Stays | None = None) -> None:
        super().__init__(operands, [])
        self.since = since


class While(Loop):
    """As long as a test is true. The test is the beginning of the body, up to its `Ask`."""


class Ask(Operation):
    """Leaves a `While` unless operand 0 is true; carried values are then what they are at the
    beginning of the iteration.
    """


class Break(Operation):
    """Ends a body: leaves the loop after this iteration if operand 0 is true."""


LEAVING = (Ask, Break)


class Verbatim(Operation):
    """A statement that reads its operands, may raise, and runs once, in the forward sweep.

    form: the statement; the names "0", "1" ... in it stand for the operands.
    error: the class of what it raises, None if that is not known.

        print("step", k, y)          raise ValueError(f"negative: {x}")          assert n > 0
    """

    certain = False
    """Whether it raises nothing."""
    about_order = False
    """Whether it checks that the order does not matter in which one operand is stored into
    another: that is so if they are not the same memory.
    """

    def __init__(self, form: Any, operands: list[Value], origin: Any = None) -> None:
        super().__init__(operands, [], origin)
        self.form, self.raises = form, True
        self.error: type[BaseException] | None = None

    def effects(self) -> list[Effect]:
        return effects("read", *self.operands)


class Move(Operation):
    """Values under other names, all at once."""


class Push(Operation):
    """What one iteration or branch leaves for the reverse sweep."""


class Pop(Operation):
    """What the mirrored push left."""

    push: Push

    def drop(self, j: int) -> None:
        """One value less that is left."""
        del self.push.operands[j], self.results[j]


class Clause(NamedTuple):
    """`except`: the classes that it takes, and as they print (None: as `except:`)."""

    classes: tuple[type[BaseException], ...]
    form: Any


class Try(If):
    """A body, and what runs instead of the rest of it if it raises an error that is caught.

    Nothing that the body does before it may raise is seen by others, so a body that was left counts
    as one that did not run, and the reverse sweep is a branch on `raised`: 0 if nothing was caught,
    else the number of the clause, which is the parameter of the second block.
    leaves: what is caught ends the function, so nobody sees anything of what the body did.
    cut: what the body pushed before it raises is taken off the tape.
    """

    def __init__(self, clauses: list[Clause], origin: Any) -> None:
        Operation.__init__(self, [], [], origin)
        self.blocks = [Block(self), Block(self)]
        self.mirror, self.leaves, self.cut = None, False, False
        self.clauses = clauses
        self.raised = Value("raised", number("int"))
        self.which = self.handler.parameter(Value("raised", number("int")))
        self.merge(constant(0), self.which, self.raised)
        self.error: Value | None = None

    def named(self, hint: str) -> Value:
        """The error that was caught, as a value of the handler: nothing is known of it but that."""
        self.error = self.handler.parameter(Value(hint, Drawing(self.classes), named=True))
        return self.error

    @property
    def told(self) -> list[Value]:
        """What the error may hold: what is raised in the body, or in functions that it calls."""
        raising = (op for op in self.body.walk() if isinstance(op, Call) or raises(op))
        return [value for op in raising for value in op.operands]

    @property
    def body(self) -> Block:
        """What may raise."""
        return self.blocks[0]

    @property
    def handler(self) -> Block:
        """What runs if it does."""
        return self.blocks[1]

    @property
    def classes(self) -> tuple[type[BaseException], ...]:
        """The errors that are caught."""
        return tuple(own for clause in self.clauses for own in clause.classes)


def raises(op: Operation) -> bool:
    """Whether an operation is a statement that raises an error, or may: `raise`, `assert`."""
    return isinstance(op, Verbatim) and op.error is not None


def told(op: If, side: int) -> tuple[Value, bool]:
    """The value that tells behind a branch which block ran, and its truth where that one did."""
    return (op.raised, side == 1) if isinstance(op, Try) else (op.test, side == 0)
