"""Functions that are held while what they are given changes.

`p = partial(f, a)` has the kind `Bound`, which says `a` by name. So `a` has to mean the same as
long as anything may hold `p`; where that is not sure, the kind of what holds it is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from autodiff.analysis.exposure import definition_counts, escaping
from autodiff.analysis.kind import Bound, Derived, Kind, OneOf, Record, Sequence, parts_of
from autodiff.analysis.kind import Mapping as Table
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import nodes


def outlived(tree: gast.FunctionDef, names: Mapping[str, Kind]) -> set[str]:
    """The names that may hold a function one of whose arguments has another value by then."""
    holders = {
        name: set(_arguments(kind)) for name, kind in names.items() if kind.__class__ in _HOLDING
    }
    if not any(holders.values()):
        return set()
    inside = nodes(tree)
    counts = definition_counts(tree.body)
    own = set(parameters(tree.args))
    elsewhere = {n for node in inside if isinstance(node, gast.Nonlocal) for n in node.names}
    looped: set[str] = set()
    for node in inside:
        if isinstance(node, (gast.For, gast.While)):
            looped |= writes(node)
    lasting = escaping(tree)

    def changes(name: str, argument: str) -> bool:
        if argument in elsewhere or counts.get(argument, 0) + (argument in own) > 1:
            return True
        if argument not in looped:
            return False
        if not isinstance(names[name], (Bound, Derived)):
            return True  # a container, which may hold those of other iterations
        return argument in lasting.get(name, ()) or name in lasting.get(argument, ())

    return {
        name
        for name, arguments in holders.items()
        if any(changes(name, argument) for argument in arguments)
    }


_HOLDING = frozenset((Bound, Derived, Record, Sequence, Table, OneOf))


def _arguments(kind: Any) -> Iterator[str]:
    """The names that the functions in a value refer to."""
    if isinstance(kind, Bound):
        for argument in (*kind.arguments, *(value for _, value in kind.keywords)):
            yield from reads(argument)
    for part in parts_of(kind):
        yield from _arguments(part)
