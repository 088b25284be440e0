"""What the names of a generated function hold."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.instantiate.numerals import number
from autodiff.kinds.joins import join
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar, Static, Unknown
from autodiff.kinds.known import Kinds
from autodiff.native.taped import longer, times
from autodiff.syntax.names import writes
from autodiff.syntax.pushes import is_pop, pairs
from autodiff.syntax.walk import same, statements, walk

_ROUNDS = 4
_TAKEN = ("float64", "int64", "bool", "complex128")


class NativeKinds(Kinds):
    """Kinds that know those of expressions which stand for others."""

    given: dict[int, tuple[gast.expr, Kind | None]]
    """By the `id` of an expression: itself, and its kind."""

    def of(self, node: gast.expr) -> Kind | None:
        own = self.given.get(id(node))
        if own is not None:
            return own[1]
        found = super().of(node)
        if isinstance(node, gast.Call) and isinstance(found, Unknown):
            return self.of_tape(node)
        return found

    def of_tape(self, call: gast.Call) -> Kind:
        """The kind of a count, or of a longer store: that of the one before, of some length."""
        function = self.of(call.func)
        if isinstance(function, Static) and function.value is times:
            return Scalar("int")
        if isinstance(function, Static) and function.value is longer:
            store = self.of(call.args[0])
            if isinstance(store, Array):
                return Array(store.dtype, (None,))
        return UNKNOWN

    def remember_copies(self, node: gast.expr, found: gast.expr) -> None:
        """The kinds of the calls in `node` hold for their copies in `found`, made by `quote`."""
        before = [part for part in walk(node) if id(part) in self.given]
        for part in walk(found):
            if isinstance(part, gast.Call) and id(part) not in self.given:
                for other in before:
                    if same(part, other):
                        self.given[id(part)] = part, self.given[id(other)][1]
                        break


def values(tree: gast.FunctionDef, known: Kinds) -> NativeKinds:
    """The kinds of all names, those included that the reverse sweep and the optimiser made.

    What is popped is what was pushed. A name of which nothing is found out has no kind.
    """
    names = dict(known.names)
    local = frozenset(writes(tree.body)) | known.local
    found = NativeKinds(names, known.scope, local, known.recursive)
    found.given = known.given if isinstance(known, NativeKinds) else {}
    new = {n for n in local if n not in names}
    sites = pairs(tree)
    defining = [node for node in statements(tree) if not new.isdisjoint(_targets(node))]
    for _ in range(_ROUNDS):
        before = dict(found.names)
        for node in defining:
            if is_pop(node) and node.site in sites:
                pair = sites[node.site]
                for target, value in zip(pair.targets, pair.values):
                    _define(found, new, target, found.of(value))
            elif isinstance(node, gast.Assign):
                _assign(found, new, node.targets[0], node.value)
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                total = gast.BinOp(left=_read(node.target), op=node.op, right=node.value)
                _define(found, new, node.target, found.of(total))
            elif isinstance(node, gast.For):
                _define(found, new, node.target, Scalar("int"))
        if found.names == before:
            break
    return found


def is_range(node: gast.AST) -> bool:
    """Whether an expression is `range(...)`."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id == "range"
        and not node.keywords
    )


def literal(node: gast.expr | None, default: Any) -> Any:
    """The number, None or tuple of numbers that an expression spells, `default` for no expression;
    `Ellipsis` where it is something else."""
    if node is None:
        return default
    if isinstance(node, gast.Tuple):
        items = tuple(literal(item, ...) for item in node.elts)
        return ... if ... in items else items
    if isinstance(node, gast.Constant) and not isinstance(node.value, str):
        return node.value
    value = number(node)
    return ... if value is None else value


def is_array(kind: Kind | None) -> bool:
    """Whether a value may be an array: it is not known to be a number."""
    return not isinstance(kind, Scalar)


def is_taken(kind: Kind) -> bool:
    """Whether the native backend takes an argument of this kind.

    Floats, ints and bools of 64 bits, complex numbers of two floats, arrays of them, tuples of
    those: what its tests compare.
    """
    if isinstance(kind, Scalar):
        return kind.dtype is None or kind.dtype in _TAKEN
    if isinstance(kind, Array):
        return kind.dtype in _TAKEN and len(kind.shape) > 0
    return isinstance(kind, Record) and kind.cls is tuple and all(map(is_taken, kind.items))


def wide(kind: Kind) -> Kind:
    """A number of unknown width as one of 64 bits: compiled code has no others."""
    return Scalar(kind.type) if isinstance(kind, Scalar) and kind.dtype == "?" else kind


def _targets(node: gast.stmt) -> set[str]:
    """The names that a statement itself assigns, and those of arrays that it stores to."""
    if isinstance(node, gast.Assign):
        return writes(node.targets[0])
    return writes(node.target) if isinstance(node, (gast.AugAssign, gast.For)) else set()


def _assign(found: Kinds, new: set[str], target: gast.expr, value: gast.expr) -> None:
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        for inner, part in zip(target.elts, value.elts):
            _assign(found, new, inner, part)
    elif isinstance(target, gast.Tuple):
        kind = found.of(value)
        if isinstance(kind, Record):
            for inner, item in zip(target.elts, kind.items):
                _define(found, new, inner, item)
    else:
        _define(found, new, target, found.of(value))


def _define(found: Kinds, new: set[str], target: gast.expr, kind: Kind | None) -> None:
    if isinstance(target, gast.Name) and target.id in new and kind is not None:
        old = found.names.get(target.id)
        if isinstance(kind, Scalar):
            kind = Scalar(kind.type, kind.dtype)
        found.names[target.id] = kind if old is None else join(old, kind)


def _read(target: gast.Name) -> gast.Name:
    return gast.Name(id=target.id, ctx=gast.Load(), annotation=None, type_comment=None)
