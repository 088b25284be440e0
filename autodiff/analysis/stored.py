"""Containers some part of which is replaced, or that grow under several names: nothing is fixed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import gast

from autodiff.analysis.held import classes_inside, held_classes
from autodiff.analysis.hidden import hidden
from autodiff.analysis.joins import as_mapping, as_sequence
from autodiff.analysis.kind import (
    UNKNOWN,
    Kind,
    Mapping,
    Record,
    Sequence,
    forget_values,
    is_empty,
    maybe,
)
from autodiff.analysis.whereabouts import Whereabouts
from autodiff.runtime import Slot
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root


def loosened(kind: Kind) -> Kind:
    """The kind of a container whose parts are replaced: nothing is fixed about them."""
    if isinstance(kind, Record) and kind.cls in (list, dict):
        if is_empty(kind):
            return kind
        loose = as_sequence(kind) if kind.cls is list else as_mapping(kind)
        return forget_values(inside(loose))
    if isinstance(kind, Record) and not issubclass(kind.cls, tuple):
        if kind.cls is Slot:
            return kind  # it never holds but numbers and arrays
        classes = classes_inside(kind)
        return maybe((*classes, *held_classes(classes)))
    return inside(kind)


@dataclass(frozen=True, slots=True)
class Stored:
    """Names of containers of which something changes, and how deep that may be.

    names: those that are changed, or hold at any depth what is.
    deep: those of which a part may be, or hold, a container that is changed. Of the others only
        the items are exchanged, `layers[i] = {"w": w, "b": b}`: what they hold keeps its form.
    hidden: those that are changed where no statement shows what is put in.
    """

    names: frozenset[str] = frozenset()
    deep: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def loosened(self, name: str, kind: Kind) -> Kind:
        """What is known of the container that a name holds, whatever is put in later."""
        if name in self.hidden and isinstance(kind, (Record, Sequence, Mapping)):
            if kind.cls in (list, dict):
                return Sequence(UNKNOWN) if kind.cls is list else Mapping(UNKNOWN, UNKNOWN)
        if name in self.deep or is_empty(kind):
            return loosened(kind)
        if isinstance(kind, Record) and kind.cls in (list, dict):
            return forget_values(as_sequence(kind) if kind.cls is list else as_mapping(kind))
        return kind if isinstance(kind, (Sequence, Mapping)) else loosened(kind)


def inside(kind: Kind) -> Kind:
    """The kind with the containers that it holds loosened, too."""
    if isinstance(kind, (Sequence, Mapping)):
        return replace(kind, item=_part(kind.item))
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return replace(kind, items=tuple(map(_part, kind.items)))
    return kind


def _part(kind: Kind) -> Kind:
    is_container = isinstance(kind, (Sequence, Mapping)) or (
        isinstance(kind, Record) and (kind.cls in (list, dict) or issubclass(kind.cls, tuple))
    )
    return loosened(kind) if is_container else kind


def stored_into(tree: gast.FunctionDef, arrays: frozenset[str] = frozenset()) -> Stored:
    """The containers some part of which, or of what they hold, may be replaced.

    arrays: names that hold arrays of numbers, into which nothing but numbers is put.
    """
    changed: list[gast.expr] = []
    grown: list[gast.expr] = []
    taken: set[str] = set(parameters(tree.args))
    for node in of_class(tree, gast.Subscript, gast.Attribute, gast.Call, gast.Assign):
        cls = node.__class__
        if cls is gast.Subscript or cls is gast.Attribute:
            if isinstance(node.ctx, (gast.Store, gast.Del)) and root(node) is not None:
                if root(node.value) not in arrays:  # which hold no containers
                    changed.append(node.value)
        elif cls is gast.Call and isinstance(node.func, gast.Attribute):
            if root(node.func.value) is not None:
                if node.func.attr in _REPLACING:
                    changed.append(node.func.value)
                elif node.func.attr in _GROWING:
                    grown.append(node.func.value)
        elif cls is gast.Assign and _is_taken(node):
            taken |= writes(node)
    changed += [base for base in grown if not isinstance(base, gast.Name) or base.id in taken]
    unseen = hidden(tree)
    changed += unseen
    if not changed:
        return Stored()
    places = Whereabouts(tree, arrays)
    extended = [node.target for node in of_class(tree, gast.AugAssign)]  # `rows[i] += [x]`
    deep = places.holding_inside([*changed, *extended])
    names = frozenset(places.holding(changed))
    return Stored(names, frozenset(deep), frozenset(places.holding(unseen) if unseen else ()))


def _is_taken(node: gast.Assign) -> bool:
    """Whether the value may be a container that another name, or another container, holds."""
    if isinstance(node.value, (gast.Name, gast.Subscript, gast.IfExp)):
        return True
    return isinstance(node.value, gast.Call) and isinstance(node.value.func, gast.Attribute)


_REPLACING = frozenset("update setdefault pop popitem clear insert remove sort reverse".split())
_GROWING = frozenset({"append", "extend"})
