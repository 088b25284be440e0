"""Containers of outside that a function fills, and does not read: logs.

    LOG.append(loss)            as it stands, in the forward sweep

Where one is met for the first time the function is lowered again (`Reread`), with it.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import gast

from autodiff.core import NotYet, Reread, Unseen, Value, Verbatim, constant
from autodiff.lower.entries.above import Arguments, Values
from autodiff.lower.entries.entry import Box, Entry, Outer, Pack, leaves
from autodiff.primitives.containing import FILLING, READING
from autodiff.primitives.primitive import argument, dotted

_READ = (
    "the function changes `{}`, a container of outside, and reads it",
    "what it reads would be something else in the reverse sweep, or at the next call",
    "pass `{}` as an argument, or read what it holds before, in another function",
)


class Growth:
    """The decision that a container of outside is one that is filled."""

    __slots__ = ("found",)

    def __init__(self, found: Any) -> None:
        self.found = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Growth) and self.found is other.found

    def __hash__(self) -> int:
        return id(self.found)


class Growing(Outer):
    """Such a container. Nobody looks at what it holds: that is an error."""

    __slots__ = ("held", "origin")
    held: Any
    origin: Any

    def __init__(self, held: Any, path: str, origin: Any) -> None:
        for key, value in (("held", held), ("path", path), ("origin", origin)):
            object.__setattr__(self, key, value)

    def __getattribute__(self, name: str) -> Any:
        if name == "object":
            raise reading(self.path, self.origin)
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Growing) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)

    @property
    def cls(self) -> type:
        return type(self.held)


def reading(path: str, origin: Any) -> Unseen:
    """The error for a function that reads what it changes."""
    return Unseen(origin, *(words.replace("{}", path.lstrip("@")) for words in _READ))


def seen(expressions: Values, found: Any, path: str) -> Outer:
    """An object of outside."""
    if Growth(found) in expressions.unit.doors.decided:
        return Growing(found, path, expressions.builder.origin)
    return Outer(found, path)


def is_grown(receiver: Entry, method: str) -> TypeGuard[Outer]:
    """Whether a method changes a container of outside."""
    if isinstance(receiver, Growing):
        return True
    return isinstance(receiver, Outer) and receiver.cls in (list, dict) and method not in READING


def grows(expressions: Values, outer: Outer, method: str, arguments: Arguments) -> Value:
    """A method that puts something there, and gives nothing."""
    if method not in FILLING:
        raise reading(outer.path, expressions.builder.origin)
    if not isinstance(outer, Growing):
        raise Reread(Growth(outer.object), "a container of outside that changes")
    operands: list[Value] = []
    positional = [argument(kept(expressions, each), operands) for each in arguments.positional]
    named = [
        gast.keyword(key, argument(kept(expressions, each), operands))
        for key, each in arguments.named
    ]
    form = gast.Call(dotted(f"{outer.path}.{method}"), positional, named)
    expressions.unit.exposed = True
    expressions.builder.add(Verbatim(gast.Expr(form), operands))
    return constant(None)


def kept(expressions: Values, entry: Entry) -> Value:
    """What is put there, which others may look at and change from then on."""
    if isinstance(entry, Box) or not isinstance(entry, (Value, Pack)):
        raise NotYet("an object that is stored outside")
    for value in leaves(entry):
        if value.memory is not None:
            value.memory.find().exposed = True
    return expressions.as_value(entry)
