"""The last normal form, for which the kinds must be known."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cache

import gast

from autodiff import runtime
from autodiff.analysis.alias import alias
from autodiff.analysis.kind import UNKNOWN, Array, Record, Scalar, Sequence, Static, Text
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.normalize.anf import anf
from autodiff.normalize.rebind import rebind, separate, unwrap
from autodiff.normalize.suppress import suppress
from autodiff.normalize.versions import versions
from autodiff.pipeline.unit import Unit


def settle(unit: Unit, known: Kinds) -> Kinds:
    """The last normal form: augmented assignments by kind, one version and one meaning per name."""
    tree = unit.tree
    aliases = cache(lambda: alias(tree, known))

    def rebinds(statement: gast.AugAssign) -> bool:
        kind = known.names.get(statement.target.id, UNKNOWN)
        if isinstance(kind, (Scalar, Text, Static)):
            return True
        if isinstance(kind, Record) and kind.cls is tuple:
            return True
        if isinstance(kind, (Record, Sequence)):
            return False
        return aliases().grows_alone(statement.target.id)

    def indexable(value: gast.expr) -> gast.expr | None:
        operation = known.operation(value) if isinstance(value, gast.Call) else None
        if operation is None or operation.function is not runtime.sequence:
            return None
        kind = known.known(operation.arguments[0])
        is_list = isinstance(kind, (Record, Sequence)) and issubclass(kind.cls, (list, tuple))
        return operation.arguments[0] if is_list or isinstance(kind, Array) else None

    unit.tree = suppress(unit.tree, lambda f: known.known(f) == Static(contextlib.suppress))
    normal = unit.tree is unit.stages[0][1]  # nothing was inlined
    unit.tree, _ = rebind(unwrap(unit.tree, indexable), rebinds)
    before = set(unit.names.taken)
    versioned: Mapping[str, str] = {}
    if not normal:
        local = unit.local()
        free = unit.scope.is_module
        unit.tree, _ = anf(unit.tree, unit.names, lambda n: n not in local and free(n))
    if not (normal and unit.tree is tree):
        unit.tree, versioned = versions(unit.tree, unit.names)
    unit.tree, _ = separate(unit.tree, unit.names)
    made = unit.names.taken - before
    unit.temporaries |= {n for n in made if versioned.get(n, n) not in before - unit.temporaries}
    unit.keep("settle")
    if unit.tree is tree:
        return known
    return kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
