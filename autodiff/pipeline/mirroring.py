"""What a mirrored container is at one moment becomes a value of its own.

    y = np.array(xs)            xs_now = snapshot(xs)
                                y = np.array(xs_now)

The snapshot never changes, so all that is known of lists as values holds for it.
"""

from __future__ import annotations

import gast

from autodiff import runtime
from autodiff.analysis.changes import changed_in
from autodiff.analysis.kind import Array
from autodiff.analysis.known import Kinds
from autodiff.analysis.mirrored import Mirrored, is_keys
from autodiff.analysis.moves import used_whole
from autodiff.analysis.references import borrowed
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import shared, within
from autodiff.pipeline.unit import Unit
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.names import name, reads, substitute, writes
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import shallow
from autodiff.syntax.windows import root

_SUMS = (runtime.accumulate, runtime.unbroadcast)
_OF_SLOTS = (runtime.collected, runtime.shadow)
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def mirroring(unit: Unit, known: Kinds, found: Mirrored, active: frozenset[str]) -> bool:
    """Puts snapshots into the function where mirrored containers are used whole; whether any."""
    before = unit.tree
    rewriter = _Snapshots(unit, known, found, active)
    unit.tree = within(unit.tree, rewriter.block)
    return unit.tree is not before


class _Snapshots:
    def __init__(
        self, unit: Unit, known: Kinds, found: Mirrored, active: frozenset[str]
    ) -> None:
        self.unit = unit
        self.known = known
        self.names = found.names
        helper = "copied" if found.arrays else "snapshot"
        self.helper = helper, getattr(runtime, helper)
        self.active = active
        self.helpers = Helpers(unit.scope, unit.names, known.local)

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([part for s in statements for part in self.one(s)], statements)

    def one(self, statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            return [within(statement, self.block)]
        if isinstance(statement, gast.Return):
            used = self.names & reads(statement) if statement.value is not None else frozenset()
        elif isinstance(statement, gast.Assign):
            used = self.used(statement)
        elif isinstance(statement, gast.AugAssign):
            in_array = isinstance(self.known.names.get(root(statement.target) or ""), Array)
            used = self.names & reads(statement.value) if in_array else frozenset()
        else:
            used = frozenset()
        return self.replaced(statement, sorted(used)) if used else [statement]

    def used(self, statement: gast.Assign) -> frozenset[str]:
        target = statement.targets[0]
        if isinstance(target, gast.Subscript):
            in_array = isinstance(self.known.names.get(root(target) or ""), Array)
            return self.names & reads(statement.value) if in_array else frozenset()
        if not isinstance(target, gast.Name) or not writes(target) & self.active:
            return frozenset()
        if is_keys(statement.value, self.known) or self.is_of_slots(statement.value):
            return frozenset()
        held = target.id in self.names
        used = used_whole(statement.value, self.names, self.known, held)
        if held and used & borrowed(statement.value, self.known) and not self.adds(statement.value):
            raise UnsupportedSyntaxError(
                f"`{min(used)}` changes, and this may be a part of it",
                place(statement.value, origin_of(statement)),
                why="which of the lists or dicts it is, is not known while compiling",
                cure="find its number or key, and index with that",
            )
        return used

    def is_of_slots(self, value: gast.expr) -> bool:
        """Whether a value is a shadow, or what a whole shadow has collected."""
        operation = self.known.operation(value) if isinstance(value, gast.Call) else None
        return operation is not None and operation.function in _OF_SLOTS

    def adds(self, value: gast.expr) -> bool:
        """Whether a value is a sum of adjoints, in a gradient that is differentiated again.

        Such a sum may be one of its operands; no code relies on that.
        """
        operation = self.known.operation(value) if isinstance(value, gast.Call) else None
        return operation is not None and operation.function in _SUMS

    def replaced(self, statement: gast.stmt, used: list[str]) -> list[gast.stmt]:
        changed = sorted({*used}.intersection(changed_in(statement.value, self.known)))
        if changed:  # it would change the snapshot
            raise UnsupportedSyntaxError(
                f"this may change `{changed[0]}`, which carries a derivative",
                place(statement.value, origin_of(statement)),
                why="of a list or dict that changes autodiff follows what statements do to it",
                cure=f"change `{changed[0]}` in a statement of its own, in a loop",
            )
        made: list[gast.stmt] = []
        names = {}
        for identifier in used:
            own = self.unit.names.fresh(f"{identifier}_now")
            self.unit.scope.snapshots.add(own)
            value = quote("f(x)", f=self.helpers.use(*self.helper), x=identifier)
            made.append(assign(own, value, origin_of(statement)))
            names[identifier] = name(own)
        new = shallow(statement)
        new.value = substitute(statement.value, names)
        return [*made, new]
