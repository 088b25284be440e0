"""Which names hold what depends on the direction."""

from __future__ import annotations

import gast

from autodiff.forward.directions.batch import Batch
from autodiff.syntax.names import writes
from autodiff.syntax.walk import nodes
from autodiff.syntax.windows import root


def spread(batch: Batch, tree: gast.FunctionDef) -> None:
    """Add to the tangents all names that get a value made from them, until there are no more."""
    found = [n for n in nodes(tree) if isinstance(n, (gast.Assign, gast.AugAssign, gast.Expr))]
    while True:
        before = len(batch.names)
        for statement in found:
            if not batch.carries(statement.value):
                continue
            if isinstance(statement, gast.Expr):
                call = statement.value
                if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute):
                    base = root(call.func.value)
                    if base in batch.kinds.local:
                        batch.names.add(base)
                continue
            target = getattr(statement, "target", None) or statement.targets[0]
            if isinstance(target, gast.Tuple) and isinstance(statement.value, gast.Tuple):
                pairs = list(zip(target.elts, statement.value.elts))
                batch.names.update(p.id for p, v in pairs if batch.carries(v))
                continue
            base = root(target) if isinstance(target, (gast.Subscript, gast.Attribute)) else None
            batch.names |= writes(target) if base is None else {base}
        if len(batch.names) == before:
            return
