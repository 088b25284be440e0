"""The kinds of constants, displays and choices: `[a, b]`, `{k: x}`, `a if c else b`, `a or b`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import gast

from autodiff.kinds.joins import as_mapping, join
from autodiff.kinds.keys import key_of
from autodiff.kinds.kind import UNKNOWN, Kind, Mapping, Record, Scalar, Sequence, Static, any_key

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def constant(kinds: Kinds, node: gast.Constant) -> Kind:
    value = node.value
    cls = value.__class__
    if cls is int or cls is float and value:  # equal ones are the same, unlike 0.0 and -0.0
        known = kinds.constants.get((cls, value))
        if known is None:
            known = kinds.constants[cls, value] = Scalar(cls.__name__, None, value)
        return known
    if cls in (bool, float, complex):
        return Scalar(cls.__name__, None, value)
    return Static(value)


def display(kinds: Kinds, node: gast.Tuple | gast.List) -> Kind | None:
    cls = tuple if isinstance(node, gast.Tuple) else list
    if any(isinstance(item, gast.Starred) for item in node.elts):
        return Sequence(UNKNOWN, cls)
    items = [kinds.of(item) for item in node.elts]
    if any(item is None for item in items):
        return None
    return Record(cls, tuple(range(len(items))), tuple(items))  # type: ignore[arg-type]


def table(kinds: Kinds, node: gast.Dict) -> Kind | None:
    keys = [None if key is None else key_of(key, kinds.of) for key in node.keys]
    if any(key is None for key in keys):
        return open_table(kinds, node)
    items = [kinds.of(value) for value in node.values]
    if any(item is None for item in items):
        return None
    return Record(dict, tuple(keys), tuple(items))  # type: ignore[arg-type]


def open_table(kinds: Kinds, node: gast.Dict) -> Kind | None:
    """A display with keys that are not known: `{k: x}`, `{**d}`."""
    found: Kind = Record(dict, (), ())
    for key, value in zip(node.keys, node.values):
        kind = kinds.of(value)
        own = None if key is None else kinds.of(key)
        if kind is None or key is not None and own is None:
            return None
        found = join(found, as_mapping(kind) if own is None else Mapping(kind, any_key(own)))
    return found


def choice(kinds: Kinds, node: gast.IfExp) -> Kind | None:
    a, b = kinds.of(node.body), kinds.of(node.orelse)
    return b if a is None else a if b is None else join(a, b)


def either(kinds: Kinds, node: gast.BoolOp) -> Kind | None:
    """`a and b` is one of its operands."""
    found = [kinds.of(value) for value in node.values]
    if any(kind is None for kind in found):
        return None
    return reduce(join, found)  # type: ignore[arg-type]
