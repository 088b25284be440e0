"""Classes that objects are asked about: `isinstance`, and functions chosen by a class."""

from __future__ import annotations

import collections
from types import FunctionType, UnionType
from typing import Any, get_args, get_origin

import gast
import numpy as np

from autodiff.core import NotYet, Value, constant
from autodiff.kinds import kind as kinds
from autodiff.kinds.kind import Numeric, Scalar, Text
from autodiff.lower.entries import Box, Entry, Mixed, boxes, outer
from autodiff.lower.entries.entry import Closure, DictView, Entries, Keywords, Outer, Pack, inner
from autodiff.lower.entries.library import is_iterator
from autodiff.lower.entries.members import member_of
from autodiff.lower.expression.attributes import class_of
from autodiff.lower.expression.expressions import Expressions
from autodiff.lower.recipes.only_called import Counterpart, known_as
from autodiff.primitives import SYNTAX, Application, hole
from autodiff.syntax.names import name

_FOUND = (Numeric, Scalar, Text)
"""Kinds of what is asked when it runs: numbers, arrays and texts run no code of the user's."""


def is_none_of(entry: Entry, wanted: list[type]) -> bool:
    """Whether a number or array, whichever it is, is of no class of these."""
    if not isinstance(entry, Value) or not isinstance(entry.kind, (Numeric, Scalar)):
        return False
    array = (np.ndarray,) if isinstance(entry.kind, Numeric) else ()
    numbers: tuple[type, ...] = (np.generic, bool, int, float, complex, *array)
    return not any(
        issubclass(own, numbers) or issubclass(c, own) for own in wanted for c in numbers
    )


def classes_of(expressions: Expressions, entry: Entry) -> list[type]:
    """The classes that an object is asked about: one, a tuple of such, or `int | float`."""
    if isinstance(entry, Outer) and entry.cls is tuple:
        entry = outer.read_now(expressions, entry)
    if isinstance(entry, Pack) and entry.cls is tuple:
        return [each for item in entry.items for each in classes_of(expressions, item)]
    found = entry.constant if isinstance(entry, Value) else getattr(entry, "object", None)
    if isinstance(found, UnionType):
        return [type(None) if each is None else each for each in found.__args__]
    if not get_args(found):  # `typing.Sequence`
        found = get_origin(found) or found
    if not isinstance(found, type):
        raise NotYet("a test of a class")
    return [found]


def own_class(expressions: Expressions, entry: Entry) -> type | None:
    """The class of what an entry stands for, as far as it is known."""
    if isinstance(entry, Outer):
        expressions.unit.lasting.append((entry.path, entry.object))
    if is_iterator(entry) or isinstance(entry, Box) and issubclass(entry.cls, Counterpart):
        raise NotYet(f"the class of a {known_as(entry.cls)}")  # type: ignore[union-attr]
    if (member := member_of(entry)) is not None:
        return type(member)
    if isinstance(entry, (Box, DictView, Outer, Pack)):
        return entry.cls
    if isinstance(entry, Value):
        return class_of(entry)
    return FunctionType if isinstance(entry, Closure) else None


def instance(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`isinstance(x, cls)`, where kinds tell."""
    entry, cls = given
    if isinstance(entry, Mixed):
        raise entry.refusal()
    wanted = classes_of(expressions, cls)
    if isinstance(entry, Value) and isinstance(entry.kind, Text):
        kinds = {any(issubclass(text, each) for each in wanted) for text in (str, bytes)}
        if len(kinds) == 1:
            return constant(*kinds)
    ours = isinstance(entry, Box) and all(issubclass(each, Counterpart) for each in wanted)
    own = entry.cls if ours and isinstance(entry, Box) else own_class(expressions, entry)
    if own is None and is_none_of(entry, wanted):
        return constant(False)
    if own is None and isinstance(entry, Value) and isinstance(entry.kind, _FOUND):
        return now(expressions, entry, wanted)
    if own is None:
        raise NotYet("a test of a class")
    found, other = (any(issubclass(c, each) for each in wanted) for c in (own, complex))
    expressions.unit.function.tells_complex |= own is float and found is not other
    return constant(found)


def now(expressions: Expressions, asked: Value, wanted: list[type]) -> Value:
    """The same, when it runs."""
    use = expressions.unit.references.use
    own, names = name(use("isinstance", isinstance)), [name(use(c.__name__, c)) for c in wanted]
    given = [hole(0), names[0] if len(names) == 1 else gast.Tuple(names, gast.Load())]
    form = gast.Call(func=own, args=given, keywords=[])
    value, kind = expressions.loaded(asked), kinds.number("bool")
    return expressions.builder.apply(SYNTAX, Application((form,)), form, [value], kind)


def named_tuple(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`namedtuple("P", "a b")`: a class, made while compiling."""
    make: Any = collections.namedtuple
    try:
        made = make(*map(written, given), **{key: written(entry) for key, entry in named})
    except (TypeError, ValueError):
        raise NotYet("a namedtuple whose fields are found when it runs") from None
    return boxes.of_class(expressions, made)


def written(entry: Entry) -> Any:
    """What a constant is, or a list or tuple of such; TypeError for others."""
    if isinstance(entry, Value) and entry.is_constant:
        return entry.constant
    if isinstance(entry, (Box, Pack)) and entry.cls in (list, tuple):
        return [written(item) for item in inner(entry)]
    raise TypeError
