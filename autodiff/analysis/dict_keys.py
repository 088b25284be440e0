"""Keys of dicts carry no derivative: what would put one that does, and read it back, is refused.

    counts[x[0]] = y            refused: `x_0`, which carries a derivative, is a key of a dict
    for k in counts:
        s = s + k
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Text,
    differentiable,
    used,
)
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.runtime import sequence
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import children, nodes, of_class, walk
from autodiff.syntax.windows import root

TABLES = (dict, defaultdict, OrderedDict, Counter)
"""Classes of dicts that look up a key as it is, and compute nothing from it."""


def are_keys(kind: Kind | None) -> bool:
    """Whether a value is a dict: what goes over it sees the keys."""
    kind = used(kind)
    return isinstance(kind, Mapping) or isinstance(kind, Record) and kind.cls is dict


def may_carry(kinds: Kinds) -> bool:
    """Whether there is a dict whose keys may be numbers with a derivative, judging by kinds."""
    held = (used(kind) for kind in kinds.names.values())
    return any(isinstance(kind, Mapping) and may_tell(kind.key) for kind in held)


def may_tell(kind: Kind) -> bool:
    """Whether a number with a derivative may be read back from a key: it may be its text."""
    parts = kind.items if isinstance(kind, Record) else (kind,)
    return any(isinstance(used(part), Text) or differentiable(part) for part in parts)


def made_of_keys(tree: gast.FunctionDef, read: set[int], kinds: Kinds) -> set[str]:
    """The names that hold nothing but keys of dicts, and what is taken out of them.

    `read` are the expressions, by their `id`, whose values are keys.
    """
    values: dict[str, list[gast.AST]] = {}
    for node in of_class(tree.body, gast.Assign, gast.AugAssign, gast.For, gast.With):
        if isinstance(node, gast.Assign):
            for own in writes(node.targets[0]):
                is_name = isinstance(node.targets[0], gast.Name)
                values.setdefault(own, []).append(node.value if is_name else node)
        else:
            for own in writes(node.items if isinstance(node, gast.With) else node.target):
                values.setdefault(own, []).append(node)
    found = set(values)

    def holds_keys(value: gast.AST) -> bool:
        if isinstance(value, gast.Call):
            function = getattr(kinds.of(value.func), "value", None)
            taken = function in (list, tuple, sequence) and len(value.args) == 1
            return id(value) in read or taken and root(value.args[0]) in found
        return isinstance(value, (gast.Name, gast.Subscript)) and root(value) in found

    while True:
        rest = {own for own in found if all(map(holds_keys, values[own]))}
        if rest == found:
            return found
        found = rest


def check_keys_put(
    tree: gast.FunctionDef, kinds: Kinds, active: frozenset[str]
) -> None:
    """Refuse what puts a key into a dict through which a derivative would flow.

    `active` are the varied names that the result depends on if keys hand on what they are made of.
    """
    for statement in nodes(tree):
        if not isinstance(statement, gast.stmt) or isinstance(statement, gast.FunctionDef):
            continue
        for part in children(statement):
            if isinstance(part, (gast.stmt, gast.ExceptHandler)):
                continue
            for key in _put(part, kinds):
                carrying = sorted(n for n in reads(key) if n in active)
                if carrying and may_tell(kinds.known(key)):
                    raise UnsupportedSyntaxError(
                        f"`{carrying[0]}`, which carries a derivative, is a key of a dict",
                        origin_of(statement),
                        why="what is read back from the keys would have lost it",
                        cure="use integers or strings as keys, or wrap the key in stop_gradient",
                    )


def _put(part: gast.AST, kinds: Kinds) -> Iterator[gast.expr]:
    """Expressions of keys, or of what holds keys, that an expression puts into a dict."""
    for node in walk(part):
        if isinstance(node, gast.Subscript):
            if not isinstance(node.slice, gast.Slice) and _takes_keys(node, kinds):
                yield node.slice
        elif isinstance(node, gast.Dict):
            yield from (key for key in node.keys if key is not None)
        elif isinstance(node, gast.DictComp):
            yield node.key
        elif isinstance(node, gast.Call):
            yield from _given(_filling(node, kinds), kinds)


def _takes_keys(node: gast.Subscript, kinds: Kinds) -> bool:
    """Whether `d[k]` may put a key: a store, or a default that is made when it is missed."""
    kind = used(kinds.known(node.value))
    if isinstance(kind, (Array, Numeric, Scalar, Text, Sequence)):
        return False
    if isinstance(node.ctx, gast.Load):
        return isinstance(kind, Mapping) and kind.cls is not dict
    return not isinstance(kind, Record) or kind.cls is dict


def _filling(call: gast.Call, kinds: Kinds) -> list[gast.expr]:
    """The arguments of a call that may put them, or what they hold, as keys."""
    if isinstance(call.func, gast.Attribute):
        if call.func.attr in ("setdefault", "fromkeys", "__setitem__"):
            return list(call.args[:1])
        if call.func.attr in ("update", "subtract"):
            return list(call.args)
    made = getattr(kinds.of(call.func), "value", None)
    return list(call.args) if isinstance(made, type) and issubclass(made, dict) else []


def _given(arguments: Iterable[gast.expr], kinds: Kinds) -> Iterator[gast.expr]:
    """Those of the arguments that bring keys of their own: no dicts, no pairs of plain keys."""
    for argument in arguments:
        kind = used(kinds.known(argument))
        pair = kind.item if isinstance(kind, Sequence) else None
        plain = isinstance(pair, Record) and len(pair.items) == 2
        if plain and isinstance(pair, Record) and not may_tell(pair.items[0]):
            continue
        if not are_keys(kind):
            yield argument
