"""Indices that name no element twice, so that `x_bar[i] += v` adds all there is to add."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import gast
import numpy as np

from autodiff.analysis.alias import Aliases
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.size import is_plural
from autodiff.optimize import literals
from autodiff.syntax.walk import of_class

_TUPLES = frozenset(
    (np.nonzero, np.where, np.diag_indices, np.diag_indices_from)
    + (np.triu_indices, np.triu_indices_from, np.tril_indices, np.tril_indices_from)
)
"""Functions that return a tuple of indices, one for each axis, of different elements."""
_ORDERS = frozenset((np.argsort, np.argpartition))
_SINGLE = (gast.Name, gast.Constant)


class Distinct:
    """What a function says of its indices; names that someone changes in place say nothing."""

    def __init__(self, body: list[gast.stmt], kinds: Kinds, aliases: Aliases) -> None:
        self.body = body
        self.kinds = kinds
        self.aliases = aliases

    def __call__(self, at: gast.expr) -> bool:
        """Whether no two elements that an index selects are the same."""
        if is_basic(at, self.kinds.of) or is_mask(at, self.kinds):
            return True
        if not isinstance(at, gast.Tuple):
            return self.is_tuple(at, ()) or self.is_axis(at, ())
        advanced = [part for part in at.elts if not isinstance(part, gast.Slice)]
        if not all(isinstance(self.kinds.known(part), (Array, Scalar)) for part in advanced):
            return False
        if any(len(getattr(self.kinds.known(part), "shape", ())) > 1 for part in advanced):
            return False
        several = sum(isinstance(self.kinds.known(part), Array) for part in advanced) > 1
        # along the one axis that the indices make together
        return self.is_unpacked(at) or any(
            self.is_axis(part, ()) and (self.is_long(part) or not several) for part in advanced
        )

    @cached_property
    def values(self) -> dict[str, list[gast.expr | None]]:
        """What each name is bound to; None where that is no plain assignment."""
        found: dict[str, list[gast.expr | None]] = {}
        plain: set[int] = set()
        for node in of_class(self.body, gast.Assign):
            if len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
                plain.add(id(node.targets[0]))
                found.setdefault(node.targets[0].id, []).append(node.value)
        for name in of_class(self.body, gast.Name):
            if id(name) not in plain and not isinstance(name.ctx, gast.Load):
                found.setdefault(name.id, []).append(None)
        return found

    def defined(self, node: gast.expr, seen: tuple[str, ...]) -> list[gast.expr | None]:
        """All that an expression may be the value of: itself, or what a name is bound to."""
        if not isinstance(node, gast.Name):
            return [node]
        if node.id in seen or node.id not in self.kinds.local or self.aliases.is_changed(node.id):
            return [None]
        return self.values.get(node.id, [None])  # of a parameter nothing is known

    def is_axis(self, part: gast.expr, seen: tuple[str, ...]) -> bool:
        """Whether an array of integers holds none twice, nor two that wrap to one element."""
        if _rank(self.kinds.known(part)) != 1:
            return False
        names = (*seen, part.id) if isinstance(part, gast.Name) else seen
        return all(
            value is not None and self.is_order(value, names) for value in self.defined(part, seen)
        )

    def is_long(self, part: gast.expr) -> bool:
        """Whether an array is certainly not repeated to fit another one."""
        kind = self.kinds.known(part)
        return isinstance(kind, Array) and is_plural(kind.shape[0])

    def is_order(self, value: gast.expr, seen: tuple[str, ...]) -> bool:
        if isinstance(value, gast.Name):
            return self.is_axis(value, seen)
        if isinstance(value, gast.Subscript):
            if isinstance(value.slice, gast.Slice):  # some of the numbers
                return self.is_axis(value.value, seen)
            first = literals.number(value.slice) == 0
            whole = self.kinds.known(value)
            return first and isinstance(whole, Array) and self.is_tuple(value.value, seen, True)
        if not isinstance(value, gast.Call) or not value.args:
            return False
        function = self.function(value)
        if function is np.arange:
            return _is_counted(value)
        if function in _ORDERS:
            return _rank(self.kinds.known(value.args[0])) == 1
        return function is np.flatnonzero

    def is_tuple(self, node: gast.expr, seen: tuple[str, ...], single: bool = False) -> bool:
        """Whether a value is a tuple of indices of different elements; `single`: of one axis."""
        names = (*seen, node.id) if isinstance(node, gast.Name) else seen
        return all(
            value is not None
            and (
                self.is_tuple(value, names, single)
                if isinstance(value, gast.Name)
                else self.makes_tuple(value, single)
            )
            for value in self.defined(node, seen)
        )

    def makes_tuple(self, value: gast.expr, single: bool) -> bool:
        if not isinstance(value, gast.Call) or self.function(value) not in _TUPLES:
            return False
        function = self.function(value)
        if function is np.where and (len(value.args) != 1 or value.keywords):
            return False
        if not single:
            return True
        return function in (np.where, np.nonzero) and _rank(self.kinds.known(value.args[0])) == 1

    def is_unpacked(self, at: gast.Tuple) -> bool:
        """Whether the parts are all that `rows, columns = np.triu_indices(n)` gave."""
        if not all(isinstance(part, gast.Name) for part in at.elts):
            return False
        names = [part.id for part in at.elts]
        if any(n not in self.kinds.local or self.aliases.is_changed(n) for n in names):
            return False
        sources = [
            node.value
            for node in of_class(self.body, gast.Assign)
            if isinstance(node.targets[0], gast.Tuple)
            and [getattr(part, "id", None) for part in node.targets[0].elts] == names
        ]
        once = all(len(self.values.get(name, ())) == 1 for name in names)
        return once and len(sources) == 1 and self.is_tuple(sources[0], ())

    def function(self, call: gast.Call) -> Any:
        kind = self.kinds.known(call.func)
        return kind.value if isinstance(kind, Static) else None


def is_mask(at: gast.expr, kinds: Kinds) -> bool:
    """Whether an index is an array of truth values."""
    kind = kinds.known(at) if not isinstance(at, (gast.Tuple, gast.Slice)) else UNKNOWN
    return isinstance(kind, Array) and kind.dtype == "bool"


def _is_counted(call: gast.Call) -> bool:
    """Whether the numbers of an `np.arange` are not negative: the last ones would wrap around."""
    if call.keywords or any(isinstance(part, gast.Starred) for part in call.args):
        return False
    if len(call.args) == 1:
        return True
    start, step = literals.number(call.args[0]), [literals.number(p) for p in call.args[2:]]
    return start is not None and start >= 0 and all(p is not None and p > 0 for p in step)


def _rank(kind: Kind) -> int | None:
    return len(kind.shape) if isinstance(kind, Array) else None
