"""Branches that the kinds rule out are left out: `if axis is None:` where `axis` is a number.

Only in helpers of templates, and in functions of ours and those that stand for library calls
(`frontend/equivalents.py`), that were inlined. The user's own tests stay: who reads the derivative,
or saves it and calls it with another option, expects them. Only what the function itself sets
(`index = None`, where the kinds ruled out another value) decides those. Where a function is refused
with them, they are decided, too (`Scope.by_kinds`): what cannot be differentiated may be for other
types. Loops that never run are left out, the user's as well (`never_runs`).
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import gast

from autodiff.analysis.decided import decided
from autodiff.analysis.kind import Static
from autodiff.analysis.known import Kinds
from autodiff.pipeline.never_runs import never_runs
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, of_class

WRITTEN = "written"
"""Begins the titles of functions of ours that stand for library calls."""

_FOLDERS = tuple(
    str(Path(str(find_spec(f"autodiff.{part}").origin)).parent)  # type: ignore[union-attr]
    for part in ("runtime", "templates", "frontend")
)


def pruned(unit: Unit, kinds: Kinds) -> bool:
    """Replace each `if` (and conditional value) that the kinds decide by what it comes to.

    A function inside may set a variable of this one, which the kinds do not see before its calls
    are inlined: then nothing is decided.
    """
    if of_class(unit.tree, gast.Nonlocal, gast.Global):
        return False
    walk = _Pruning(unit.tree, kinds, unit.scope.by_kinds)
    body = walk.block(unit.tree.body)
    if walk.changed:
        unit.tree = with_body(unit.tree, body)
    return walk.changed


class _Pruning:
    def __init__(self, tree: gast.FunctionDef, kinds: Kinds, everywhere: bool) -> None:
        self.tree = tree
        self.kinds = kinds
        self.everywhere = everywhere
        self.constants = _constants(tree)
        self.changed = False

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in block for new in self.statement(statement)]

    def statement(self, node: gast.stmt) -> list[gast.stmt]:
        if isinstance(node, gast.If) and not _leaves_a_loop(node):
            outcome = self.outcome(node, node.test)
            if outcome is not None:
                self.changed = True
                return self.block(node.body if outcome else node.orelse)
        if never_runs(node, self.tree, self.kinds, self.constants):
            self.changed = True
            return []
        if isinstance(node, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
            return [self.compound(node)]
        value = getattr(node, "value", None)
        if isinstance(value, gast.IfExp):
            outcome = self.outcome(node, value.test)
            if outcome is not None:
                self.changed = True
                new = map_children(lambda child: child, node)
                new.value = node.value.body if outcome else node.value.orelse
                return [new]
        if isinstance(value, gast.Compare) and not reads(value):  # `None == True`, of an option
            outcome = decided(value, self.kinds)
            if outcome is not None:
                self.changed = True
                new = map_children(lambda child: child, node)
                new.value = gast.Constant(value=outcome, kind=None)
                return [new]
        return [node]

    def outcome(self, node: gast.stmt, test: gast.expr) -> bool | None:
        """What a test comes to if it is to be decided; one of the user's options stays.

        Of `axis is None and isinstance(y, Table)` the second part may tell it all.
        """
        asked = reads(test)
        if asked <= self.constants and (asked or not isinstance(test, gast.Constant)):
            return decided(test, self.kinds)
        if not _is_helpers(node) and not self.everywhere:
            return None
        if _is_helpers(node) or not self.has_options(test):
            return decided(test, self.kinds)
        if not isinstance(test, gast.BoolOp):
            return None
        ends = isinstance(test.op, gast.Or)
        for part in test.values:
            found = None if self.has_options(part) else decided(part, self.kinds)
            if found is ends:
                return ends
            if found is None and not _is_harmless(part):
                break
        return None

    def has_options(self, test: gast.expr) -> bool:
        names = reads(test) & self.kinds.local - self.constants
        return any(isinstance(self.kinds.names.get(name), Static) for name in names)

    def compound(self, node: gast.stmt) -> gast.stmt:
        before, self.changed = self.changed, False
        new = map_children(lambda child: child, node)
        for field in ("body", "orelse", "finalbody"):
            if getattr(new, field, None):
                setattr(new, field, self.block(getattr(new, field)) or [_nothing(new)])
        if isinstance(new, gast.Try):
            new.handlers = [self.compound(handler) for handler in new.handlers]
        kept, self.changed = self.changed, self.changed or before
        return new if kept else node


def _constants(tree: gast.FunctionDef) -> frozenset[str]:
    """Names that hold constants which the function itself writes out, whatever it is given."""
    plain = Counter(
        target.id
        for node in of_class(tree, gast.Assign)
        for target in node.targets
        if isinstance(target, gast.Name) and isinstance(node.value, gast.Constant)
    )
    if not plain:
        return frozenset()
    bound = Counter(n.id for n in of_class(tree, gast.Name) if not isinstance(n.ctx, gast.Load))
    others = {n.name for n in of_class(tree, gast.FunctionDef, gast.ClassDef, gast.ExceptHandler)}
    return frozenset(n for n, count in plain.items() if count == bound[n] and n not in others)


def _is_harmless(test: gast.expr) -> bool:
    """Whether a test may be left out: `axis is None` raises nothing and changes nothing."""
    if isinstance(test, gast.UnaryOp):
        return isinstance(test.op, gast.Not) and _is_harmless(test.operand)
    if not isinstance(test, gast.Compare):
        return False
    identity = all(isinstance(op, (gast.Is, gast.IsNot)) for op in test.ops)
    sides = (test.left, *test.comparators)
    return identity and all(isinstance(side, (gast.Name, gast.Constant)) for side in sides)


def _is_helpers(node: gast.stmt) -> bool:
    """Whether a statement was written in a helper of the templates."""
    origin = origin_of(node)
    if origin is None:
        return False
    return (origin.written or origin.file).startswith((*_FOLDERS, f"<autodiff {WRITTEN} "))


def _leaves_a_loop(node: gast.If) -> bool:
    return any(isinstance(part, gast.Break) for part in node.body)


def _nothing(around: gast.stmt) -> gast.stmt:
    statement = gast.Pass()
    gast.copy_location(statement, around)
    statement.origin = getattr(around, "origin", None)
    return statement
