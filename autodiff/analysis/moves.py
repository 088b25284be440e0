"""How values get out of mirrored containers: the forms of expressions that shadows can follow."""

from __future__ import annotations

import copy

import gast

from autodiff.analysis.contents import holds, is_slot
from autodiff.analysis.known import Kinds
from autodiff.runtime import alone, copied, sequence, snapshot
from autodiff.syntax.names import reads

COPIES = (list, dict, sequence, sorted, copy.copy)
"""Functions that return a new container of what the one they are given holds, or that one."""

SNAPSHOTS = (snapshot, copied)

TAKING = frozenset({"get", "pop", "setdefault"})


def is_frozen(value: gast.expr, kinds: Kinds) -> bool:
    """Whether a value is a copy that the compiler made of a container."""
    operation = kinds.operation(value) if isinstance(value, gast.Call) else None
    return operation is not None and operation.function in SNAPSHOTS


def chained(node: gast.expr, names: frozenset[str], kinds: Kinds) -> bool:
    """Whether an expression is a mirrored container, as a name or as an item of another."""
    if isinstance(node, gast.Name):
        return node.id in names
    return (
        isinstance(node, gast.Subscript)
        and holds(kinds.of(node))
        and chained(node.value, names, kinds)
    )


def follows(value: gast.expr, names: frozenset[str], kinds: Kinds, held: bool) -> bool:
    """Whether the shadow of a value is found by doing to shadows what is done to containers.

    `held`: the value is mirrored itself.
    """
    if isinstance(value, gast.Subscript):
        return chained(value.value, names, kinds)
    if isinstance(value, gast.Attribute):
        return is_slot(kinds.of(value.value)) and chained(value.value, names, kinds)
    if isinstance(value, gast.Call):
        if isinstance(value.func, gast.Attribute) and chained(value.func.value, names, kinds):
            taking = value.func.attr in TAKING
            return taking or held and value.func.attr in ("copy", "values")
        operation = kinds.operation(value)
        if operation is None or len(value.args) != 1 or not chained(value.args[0], names, kinds):
            return False
        return operation.function in SNAPSHOTS or held and operation.function in (*COPIES, alone)
    if not held:
        return False
    if isinstance(value, gast.BinOp):
        return isinstance(value.op, (gast.Add, gast.Mult))
    if isinstance(value, gast.Name):
        return value.id in names
    return isinstance(value, (gast.Tuple, gast.List, gast.Dict))


def used_whole(
    value: gast.expr, names: frozenset[str], kinds: Kinds, held: bool
) -> frozenset[str]:
    """The mirrored containers that a value is computed from as they are at that moment."""
    return frozenset() if follows(value, names, kinds, held) else names & reads(value)
