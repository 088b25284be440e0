"""Which blocks are checkpointed loops: `with checkpointed(snapshots=s):`."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.known import Kinds
from autodiff.pipeline.unit import Unit
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, walk


def unmarked(unit: Unit, known: Kinds) -> bool:
    """Make checkpointed loops plain: forward mode has no tape, second derivatives need it.

    Whether there were any.
    """
    if not any(isinstance(node, gast.With) and manager(node, known) for node in walk(unit.tree)):
        return False

    def visit(node: gast.AST) -> Any:
        new = map_children(visit, node)
        if isinstance(node, gast.stmt):
            new.origin = origin_of(node)
        return new.body if isinstance(node, gast.With) and manager(node, known) else new

    unit.tree = visit(unit.tree)
    return True


def manager(node: gast.With, known: Kinds) -> gast.Call | None:
    """The call of `checkpointed` that a `with` enters, if it does."""
    call = node.items[0].context_expr
    if not isinstance(call, gast.Call) or len(node.items) > 1:
        return None
    return call if getattr(known.known(call.func), "value", None) is checkpointed else None
