"""What is known of a callable that is applied as one step, and what it does to what it is given.

Skeletons of expressions: the names "0", "1" ... in them stand for operands.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, reduce
from types import NoneType
from typing import Any, Literal

import gast

from autodiff.core import References, Value
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children, walk


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter: its place among positional arguments and its name, None where it has none.

    harmless: constants given here that mean the same as leaving it out. rest: so are all positional
    arguments from there on.
    """

    position: int | None
    name: str | None = None
    harmless: tuple[object, ...] = ()
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call does beyond its result; the default is nothing.

    writes: the operands whose content it changes, if they are memory.
    permits: parameters by which the caller lets it write to any operand.
    others: it does more than that: it changes what nobody hands to it, calls what it is given, or
    gives that back.
    unknown: nothing is known: it does all of this to all operands.
    """

    writes: tuple[Slot, ...] = ()
    permits: tuple[Slot, ...] = ()
    others: bool = False
    unknown: bool = False

    @property
    def none(self) -> bool:
        """Whether no call of it changes anything but by parameters for that purpose."""
        always = any(slot.harmless == () for slot in self.writes)
        return not (always or self.others)

    def written(
        self, arguments: Sequence[gast.expr], keywords: Sequence[tuple[str | None, gast.expr]]
    ) -> bool:
        """Whether a call may write to something that it is given.

        >>> out = Effects(writes=(Slot(2, "out", (None,)),))
        >>> a, none = gast.parse("a, None").body[0].value.elts
        >>> out.written([a, a], []), out.written([a, a, none], []), out.written([a, a, a], [])
        (False, False, True)
        """
        if self.unknown:
            return True
        return any(
            not (isinstance(value, gast.Constant) and value.value in slot.harmless)
            for slot in (*self.writes, *self.permits)
            for value in given(slot, arguments, keywords)
        )

    def targets(
        self, arguments: Sequence[gast.expr], keywords: Sequence[tuple[str | None, gast.expr]]
    ) -> Iterator[gast.expr]:
        """The arguments that a call writes to."""
        for slot in self.writes:
            yield from given(slot, arguments, keywords)


def given(
    slot: Slot, arguments: Sequence[gast.expr], keywords: Sequence[tuple[str | None, gast.expr]]
) -> Iterator[gast.expr]:
    """What a call gives for a parameter; what is spread out may be given for any."""
    if slot.position is not None:
        stop = None if slot.rest else slot.position + 1
        yield from arguments[slot.position : stop]
        yield from (
            value for value in arguments[: slot.position] if isinstance(value, gast.Starred)
        )
    for word, value in keywords:
        if word is None or word == slot.name:
            yield value


NOTHING = Effects()
ANYTHING = Effects(others=True, unknown=True)
"""What a callable does of which nothing is known."""


Memory = Literal["new", "view", "unknown"]


@dataclass(frozen=True, slots=True)
class Primitive:
    """One entry.

    function: the callable itself, None for syntax (a display, a conditional expression ...).
    rule: for how many operands there is a derivative rule is found out for each call.
    memory: whether a result is new, a view of operand 0, or may share with operands.
    shares: the arguments that it may share with then; None for any of them.
    pure: it changes nothing that it is given, and nothing else, but by parameters for that purpose.
    effects: what it changes, holds, returns.
    raises: its error is part of what it means: it is kept where its result is not needed.
    total: it never raises an error for operands that fit; `partial`: but for Python's numbers.
    shaped: where all shapes are known, it raises none either.
    cheap: it may as well be computed again in the reverse sweep.
    leaves: it leaves out a part of what it is given: that is zero.
    formal: of its first operand it reads the form alone, not what it holds.
    lending: of a function of the user's, whose result is taken for new memory: whether it may be
    that of an operand, which `dataflow/lending.py` looks after; None for others.
    """

    function: Any
    name: str
    memory: Memory = "new"
    pure: bool = True
    raises: bool = False
    cheap: bool = False
    elementwise: bool = False
    effects: Effects = NOTHING
    total: bool = False
    partial: bool = False
    shaped: bool = False
    leaves: bool = False
    formal: bool = False
    lending: bool | None = None
    shares: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Application:
    """How a primitive is called: expressions over the numbers of the operands ("0", "1" ...)."""

    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...] = ()


HOLES = tuple(str(number) for number in range(1000))


@cache
def hole(number: int) -> gast.Name:
    """What stands for an operand."""
    return name(HOLES[number])


def skeleton(text: str, references: References) -> gast.expr:
    """An expression in which `_0`, `_1` ... stand for operands, and builtins for themselves."""

    def visit(node: gast.AST) -> gast.AST:
        own: str = getattr(node, "id", "")
        if not own:
            return map_children(visit, node)
        if own.startswith("_"):
            return hole(int(own[1:]))
        return name(references.use(own, getattr(builtins, own)))

    (statement,) = gast.parse(text).body
    form: gast.expr = visit(statement.value)
    return form


def number_of(node: gast.AST) -> int | None:
    """The operand that a node stands for; None for all others."""
    own: str = getattr(node, "id", "")
    return int(own) if own[:1].isdigit() else None


def names_in(form: gast.AST) -> list[str]:
    """The names in an expression, also those that stand for operands."""
    return [node.id for node in walk(form) if isinstance(node, gast.Name)]


def filled(form: gast.AST, fill: Callable[[int], gast.expr]) -> gast.AST:
    """The skeleton with an expression for each hole."""
    number = number_of(form)
    if number is not None:
        return fill(number)
    return map_children(lambda child: filled(child, fill), form)


def written(value: object) -> gast.expr:
    """A constant as an expression."""
    if isinstance(value, tuple):
        return gast.Tuple(elts=[written(item) for item in value], ctx=gast.Load())
    if isinstance(value, slice):
        ends = [written(each) for each in (value.start, value.stop, value.step)]
        return gast.Call(func=name("slice"), args=ends, keywords=[])
    if isinstance(value, (int, float)) and str(value)[0] == "-":
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def has_literal(value: object) -> bool:
    """Whether a constant is written out; others are referred to by their paths."""
    plain = isinstance(value, (int, float, complex, str)) or not isinstance(value, Enum)
    return plain and not callable(value)


def argument(value: Value, operands: list[Value]) -> gast.expr:
    """An argument: a constant that is written, or one more of the operands."""
    if value.is_constant and has_literal(value.constant):
        return written(value.constant)
    operands.append(value)
    return hole(len(operands) - 1)


def dotted(path: str) -> gast.expr:
    """`a.b.c`."""
    root, *rest = path.split(".")
    return reduce(lambda base, word: gast.Attribute(base, word, gast.Load()), rest, name(root))


def placeholder(value: Value) -> gast.expr:
    """An operand in an expression that kinds are asked about: its token, or the constant."""
    return written(value.constant) if value.is_constant else name(value.token)


def bound(form: gast.AST, operands: list[Value]) -> gast.AST:
    """The skeleton with tokens and constants for its operands."""
    return filled(form, lambda number: placeholder(operands[number]))


def structure(node: gast.AST) -> Hashable:
    """An expression as what can be compared."""
    if hasattr(node, "id"):
        return str(node.id)
    if isinstance(node, gast.Constant):
        return type(node.value), repr(node.value)
    return str(gast.dump(node))


def constant_key(value: Value) -> Hashable:
    """A constant as what can be compared: `1`, `1.0` and `True` are three. None for an object of
    which nobody knows when another is the same.
    """
    own = value.constant
    parts = own if isinstance(own, tuple) else (own,)
    if not all(isinstance(part, (int, float, complex, str, NoneType)) for part in parts):
        return None
    return type(own), repr(own)
