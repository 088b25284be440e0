"""Methods and parts of text: of what is known, what they give; of what is found when it runs,
text that is made there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from autodiff.core import Apply, NotYet, Raises, Value, constant
from autodiff.kinds.kind import Kind, Text, number
from autodiff.lower.entries.above import Arguments, Values
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.entries.spoken import seen
from autodiff.lower.flow import opaque
from autodiff.primitives import OPAQUE, SYNTAX, Application, argument
from autodiff.primitives.errors import Untried
from autodiff.primitives.opaque import is_opaque
from autodiff.primitives.refused_types import plain


def of_text(expressions: Values, text: Value, method: str, arguments: Arguments) -> Entry:
    """What a method of a text gives: text does not change, so of what is known that is, too."""
    try:
        given = [_known(entry) for entry in [text, *arguments.positional]]
        named = {key: _known(entry) for key, entry in arguments.named}
    except Untried:
        return of_text_later(expressions, text, method, arguments)
    try:
        found = getattr(text.constant, method)(*given[1:], **named)
    except (AttributeError, TypeError, ValueError, LookupError):
        raise NotYet(f"method {method} of a text that raises an error") from None
    if isinstance(found, (str, bytes, bool, int)):
        return constant(found)
    if isinstance(found, tuple):
        return Pack(tuple(map(constant, found)))
    if isinstance(found, list):
        return boxed(expressions.unit, list, dict(enumerate(map(constant, found))))
    raise NotYet(f"method {method} of a text")


def of_text_later(expressions: Values, text: Value, method: str, arguments: Arguments) -> Value:
    """The same, of what is found at run time: of what class that is, no value decides."""
    named = {key: _like(entry) for key, entry in arguments.named}
    like = text.constant if text.is_constant else ""
    try:
        found = getattr(like, method)(*map(_like, arguments.positional), **named)
    except Exception:
        found = None
    kind = _GIVEN.get(type(found), OPAQUE)
    positional, values = arguments.positional, [entry for _, entry in arguments.named]

    def build(own: gast.expr, *given: gast.expr) -> gast.expr:
        count = len(positional)
        keywords = [gast.keyword(*pair) for pair in zip(named, given[count:])]
        return gast.Call(gast.Attribute(own, method, gast.Load()), [*given[:count]], keywords)

    if kind == OPAQUE or any(map(is_opaque, (*positional, *values))):
        return opaque.asked(expressions, build, text, *positional, *values, kind=kind)
    operands: list[Value] = []
    given = [argument(seen(expressions, entry), operands) for entry in (text, *positional, *values)]
    return made(expressions, build(*given), operands, kind)


def are_known(given: Sequence[Entry]) -> bool:
    """Whether all of these are constant texts."""
    return all(type(getattr(each, "constant", None)) is str for each in given)


def read_as(cls: type, given: Sequence[Entry]) -> Value:
    """The number that a constant text says: `float("2.5")`."""
    try:
        return constant(cls(*map(_known, given)))
    except (TypeError, ValueError) as error:
        raise Raises(type(error), str(error)) from None


def part(expressions: Values, text: Value, index: Entry) -> Value:
    """`text[k]`, `text[first:stop]`."""
    try:
        return constant(_known(text)[_known(index)])
    except Untried:
        pass
    except (IndexError, TypeError) as error:
        raise Raises(type(error), str(error)) from None
    operands: list[Value] = []
    limits = index.items if isinstance(index, Pack) and index.cls is slice else (index,)
    own, *at = [argument(seen(expressions, entry), operands) for entry in (text, *limits)]
    form = gast.Subscript(own, gast.Slice(*at) if at[1:] else at[0], gast.Load())
    return made(expressions, form, operands, Text())


def made(expressions: Values, form: gast.expr, operands: list[Value], kind: Kind) -> Value:
    """What an expression gives that looks at its operands."""
    op = expressions.builder.apply(SYNTAX, Application((form,)), form, operands, kind).op
    assert isinstance(op, Apply)
    op.reads = op.raises = True
    return op.result


_GIVEN: dict[type, Kind] = {str: Text(), bool: number("bool"), int: number("int")}


class _Any:
    """Stands for what is found at run time, of any class."""

    def __format__(self, form: str) -> str:
        return ""

    def __getattr__(self, word: str) -> _Any:
        return self

    def __getitem__(self, key: Any) -> _Any:
        return self

    def __iter__(self) -> Iterator[str]:
        return iter("")


def _like(entry: Entry) -> Any:
    """What a text does not tell from an entry."""
    try:
        return plain(entry, False, 2) if isinstance(entry, Value) else _Any()
    except Untried:
        return _Any()


def _known(entry: Entry) -> Any:
    if isinstance(entry, Value) and entry.is_constant:
        return entry.constant
    if isinstance(entry, Pack):
        items = tuple(map(_known, entry.items))
        return slice(*items) if entry.cls is slice else items
    raise Untried
