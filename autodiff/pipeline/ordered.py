"""Stores from one row of elements to another of the same array, which may overlap.

    m[1] = m[:, 2]              m_pair = m[:, 2]
                                orderless(m[1], m_pair)
                                m[1] = m_pair

NumPy does not copy there first, so that its result depends on the order in which it goes, and no
derivative is that of what it computes. A check is written where the steps of the two rows may
differ; rows that are proved to have the same step or no common element need none.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff import runtime
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.sharing import Sharing, sharing
from autodiff.normalize.build import effect
from autodiff.normalize.rebind import shared, within
from autodiff.optimize.counter import counter
from autodiff.pipeline.unit import Unit
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.disjoint import disjoint
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class, walk
from autodiff.syntax.windows import root

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def ordered(unit: Unit, known: Kinds) -> None:
    """Write the checks that such stores need before them."""
    if any(_is_candidate(node, known) for node in of_class(unit.tree.body, gast.Assign)):
        walked = _Ordered(unit, known)
        unit.tree = within(unit.tree, walked.block)


def _is_candidate(node: gast.stmt, known: Kinds) -> bool:
    """Whether a statement stores what may be a view into a row of elements."""
    target = node.targets[0]
    if not isinstance(target, gast.Subscript) or not isinstance(node.value, gast.Name):
        return False
    row, value = known.known(target), known.known(node.value)
    if isinstance(row, Scalar) or isinstance(value, Scalar):
        return False
    if isinstance(row, Array) and len(row.shape) != 1:
        return False
    whole = known.known(target.value)
    return isinstance(whole, Array) and is_basic(target.slice, known.of) is not False


class _Ordered:
    """Walks through each block with the views that were made in it."""

    def __init__(self, unit: Unit, known: Kinds) -> None:
        self.unit = unit
        self.known = known
        self.helpers = Helpers(unit.scope, unit.names, known.local)
        self.views: dict[str, gast.Subscript] = {}
        self.least: Mapping[str, int] = {}
        """The counters of the loops around, each with its smallest value."""
        self.found: Sharing | None = None

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.views = self.views, {}
        new: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, _COMPOUND):
                new.append(self.compound(statement))
            elif isinstance(statement, gast.Assign) and self.is_open(statement):
                new += [self.check(statement), statement]
            else:
                new.append(statement)
            self.remember(statement)
        self.views = outer
        return shared(new, statements)

    def compound(self, statement: gast.stmt) -> gast.stmt:
        own = counter(statement)
        outside = self.least
        if own is not None:
            self.least = {**outside, own.name: own.least}
        new: gast.stmt = within(statement, self.block)
        self.least = outside
        return new

    def remember(self, statement: gast.stmt) -> None:
        """The views that there are after a statement."""
        written = writes(statement)
        self.views = {
            own: view
            for own, view in self.views.items()
            if own not in written and written.isdisjoint(reads(view))
        }
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            own, value = statement.targets[0].id, statement.value
            if isinstance(value, gast.Subscript) and own not in reads(value):
                self.views[own] = value

    def is_open(self, statement: gast.Assign) -> bool:
        """Whether the two sides may overlap with different steps."""
        if not _is_candidate(statement, self.known):
            return False
        target, value = statement.targets[0], statement.value.id
        if self.found is None:
            self.found = sharing(self.unit.tree, self.known)
        base = root(target)
        if base is None or value not in self.found.partners(statement, base) | {base}:
            return False
        view = self.views.get(value)
        if view is None or not isinstance(target.value, gast.Name):
            return True
        if not isinstance(view.value, gast.Name) or view.value.id != base:
            return True
        steps = self.steps(target.slice)
        alike = steps is not None and steps == self.steps(view.slice)
        return not alike and not disjoint(target.slice, view.slice, self.least)

    def steps(self, index: gast.expr) -> list[object] | None:
        """What an index does with each axis, as far as the steps in memory depend on it."""
        found: list[object] = []
        for part in index.elts if isinstance(index, gast.Tuple) else [index]:
            if not isinstance(part, gast.Slice):
                kind = self.known.of(part)
                if not isinstance(kind, Scalar) or kind.type != "int":
                    return None
                found.append(None)
            elif part.step is None:
                found.append(1)
            elif any(isinstance(inner, gast.Call) for inner in walk(part.step)):
                return None
            else:
                found.append(gast.dump(part.step))
        return found

    def check(self, statement: gast.Assign) -> gast.stmt:
        helper = self.helpers.use("orderless", runtime.orderless)
        call = quote("f(x, y)", f=helper, x=statement.targets[0], y=statement.value)
        return effect(call, origin_of(statement))
