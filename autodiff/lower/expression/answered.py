"""What is known of dtypes and shapes. Kinds leave the byte order open: what is asked is answered
where that makes no difference.

if x.dtype.kind == "O":        of an array of floats: nothing is left
    ...
"""

from __future__ import annotations

import math
import sys
from typing import Any

import gast
import numpy as np

from autodiff.core import Value, constant
from autodiff.kinds.kind import (
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_complex,
    is_real,
    is_text,
)
from autodiff.lower.entries.alternatives import known_number
from autodiff.lower.entries.entry import Entries, Entry, Keywords, Pack, leaves
from autodiff.lower.entries.members import known_of, member_of
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.lower.entries.outer import reading
from autodiff.lower.expression.values import CONSTANTS, Values
from autodiff.rules import registry

_PLAIN = (bool, int, str, type(None))


def written_size(kind: Kind) -> int | None:
    """How many elements a number, or an array of known sizes, has; None if that is not known."""
    if isinstance(kind, Scalar):
        return 1
    sizes = kind.shape if isinstance(kind, Array) else (None,)
    known = [size for size in sizes if type(size) is int]
    return math.prod(known) if len(known) == len(sizes) else None


def of_dtype(expressions: Values, base: Entry, name: str) -> Entry | None:
    """An attribute of a dtype; None if it is not known."""
    answers = [getattr(own, name, expressions) for own in orders(base)]
    if not answers or answers[0] is not answers[1] and answers[0] != answers[1]:
        return None
    if isinstance(answers[0], _PLAIN):
        return constant(answers[0])
    if isinstance(answers[0], type):
        path = expressions.unit.references.use(answers[0].__name__, answers[0])
        return reading(expressions, answers[0], path)
    return None


def compared_now(operator: gast.cmpop, left: Entry, right: Entry) -> Value | None:
    """`x.dtype == np.float64`, `x.shape == (3, 3)`; None if that is not known."""
    if not isinstance(operator, (gast.Eq, gast.NotEq)):
        return None
    answer = are_same(left, right)
    return None if answer is None else constant(answer is isinstance(operator, gast.Eq))


def are_same(one: Entry, other: Entry) -> bool | None:
    """Whether dtypes, classes or tuples of numbers and texts are equal; None if nobody knows."""
    if isinstance(one, Pack) and isinstance(other, Pack):
        return are_same_items(one, other)
    if is_usual(known_of(one)) and is_usual(known_of(other)):
        return known_of(one) is known_of(other)
    members = [own for own in map(member_of, (one, other)) if own is not None]
    if len(members) == 2 and all(type(own).__eq__ is object.__eq__ for own in members):
        return members[0] is members[1]
    one, other = (one, other) if orders(one) else (other, one)
    found = known_of(other)
    if not orders(one) or not isinstance(found, (str, type, np.dtype)):
        return None
    answers = {own == each for own in orders(one) for each in orders(other) or [found]}
    return answers.pop() if len(answers) == 1 else None


def are_same_items(one: Pack, other: Pack) -> bool | None:
    """Whether two tuples hold the same; None if that is not known."""
    if one.cls is not tuple or other.cls is not tuple:
        return None
    if not all(isinstance(part, Value) for part in (*leaves(one), *leaves(other))):
        return None

    def same(a: Entry, b: Entry) -> bool | None:
        if not isinstance(a, Value) or not isinstance(b, Value):
            return are_same(a, b)
        known = isinstance(a.constant, CONSTANTS) and isinstance(b.constant, CONSTANTS)
        return bool(a.constant == b.constant) if known else None

    alike = len(one.items) == len(other.items)
    answers = [*map(same, one.items, other.items)] if alike else [False]
    return False if False in answers else None if None in answers else True


def orders(entry: Entry) -> list[Any]:
    """A dtype in either byte order; empty if it is none, or not known."""
    found = known_of(entry)
    return [found, found.newbyteorder()] if isinstance(found, np.dtype) else []


def release(expressions: Values, node: gast.expr) -> Any:
    """`sys.version_info`, or a tuple that it is compared with; None for anything else."""
    if isinstance(node, gast.Tuple) and all(isinstance(e, gast.Constant) for e in node.elts):
        return tuple(each.value for each in node.elts)
    found = expressions.static(node) if isinstance(node, gast.Attribute) else None
    return found if found is sys.version_info else None


def are_equal(one: Value, two: Value) -> bool | None:
    """Whether two values are equal that are known, or of which one is None, or one a text and the
    other a number; None for others.
    """
    sides = one, two
    known = [known_number(side) for side in sides]
    kinds = {type(side.kind) for side in (one, two)}
    if is_text(one.kind) is not is_text(two.kind) and Scalar in kinds:
        return False
    plain = [
        isinstance(side.constant, CONSTANTS) or isinstance(side.kind, Scalar) for side in sides
    ]
    if any(plain) and any(is_usual(side.constant) for side in sides):
        return False  # a class is itself
    return False if None in known and kinds == {Static, Scalar} else None


def is_compared(one: Kind, two: Kind) -> bool:
    """Whether texts, dtypes, or tuples and lists of numbers and texts, are compared, as `bool`."""
    if is_text(one) and is_text(two) or _is_dtype(one) and _is_dtype(two):
        return True
    sides = [held for held in map(_items, (one, two)) if held is not None]
    if len(sides) < 2 or sides[0][0] is not sides[1][0]:
        return False
    return sides[0][0] in (tuple, list) and all(map(_is_plain, (*sides[0][1], *sides[1][1])))


def _items(kind: Kind) -> tuple[type, tuple[Kind, ...]] | None:
    """The class of a container, and the kinds of what it holds."""
    if isinstance(kind, Record):
        return kind.cls, kind.items
    return (kind.cls, (kind.item,)) if isinstance(kind, Sequence) else None


def _is_dtype(kind: Kind) -> bool:
    return isinstance(kind, Static) and isinstance(kind.value, np.dtype)


def _is_plain(kind: Kind) -> bool:
    return isinstance(kind, (Scalar, Text)) or isinstance(kind, Static) and is_text(kind)


def decided(target: Any, positional: Entries, named: Keywords) -> Entry | None:
    """What asks about types alone is known, as `np.issubdtype` is; so is the text of text."""
    first = positional[0] if len(positional) == 1 and not named else None
    if target is str and isinstance(first, Value) and type(first.constant) is str:
        return first
    if target is np.ndim and isinstance(first, Value) and isinstance(first.kind, (Array, Scalar)):
        return constant(len(getattr(first.kind, "shape", ())))
    if target is np.size and isinstance(first, Value):
        size = written_size(first.kind)
        return None if size is None else constant(size)
    if target in (np.iscomplexobj, np.isrealobj) and isinstance(first, Value):
        if is_real(first.kind) or is_complex(first.kind):
            return constant(is_complex(first.kind) == (target is np.iscomplexobj))
    if named or not (registry.is_pure(target) and registry.is_nondifferentiable(target)):
        return None
    known = [entry for entry in positional if isinstance(entry, Value)]
    kinds = [entry.kind for entry in known if isinstance(entry.kind, Static)]
    types = [kind.value for kind in kinds if isinstance(kind.value, (np.dtype, type))]
    if len(known) < len(positional) or not types:
        return None
    if not all(entry.is_constant or isinstance(entry.kind, Static) for entry in known):
        return None
    given = [e.kind.value if isinstance(e.kind, Static) else e.constant for e in known]
    try:
        found = target(*given)
    except Exception:  # the call itself says so
        return None
    return constant(found) if type(found) is bool else None
