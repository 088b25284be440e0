"""The kinds of expressions over names, as the rules of kinds ask for them."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.kinds.arithmetic import ARITHMETIC
from autodiff.kinds.kind import UNKNOWN, Kind, Record, Scalar, Static
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind


class Kinds:
    """Kinds of names, and of what is written with them: constants, tuples and lists."""

    stable: tuple[str, ...] = ()
    """Names of arrays that always hold the same one."""

    def __init__(self, names: Mapping[str, Kind]) -> None:
        self.names = names

    def of(self, node: gast.expr) -> Kind:
        """The kind of an expression, `UNKNOWN` where there is none."""
        if isinstance(node, gast.Name):
            return self.names.get(node.id, UNKNOWN)
        if isinstance(node, gast.Constant):
            value = node.value
            if isinstance(value, (bool, int, float, complex)):
                return Scalar(type(value).__name__, None, value if isinstance(value, int) else None)
            return Static(value)
        if isinstance(node, (gast.Tuple, gast.List)):
            cls = tuple if isinstance(node, gast.Tuple) else list
            return Record(cls, tuple(range(len(node.elts))), tuple(map(self.of, node.elts)))
        if isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant):
            kind = self.of(node.operand)
            if isinstance(kind, Scalar) and isinstance(node.op, gast.USub):
                return Scalar(kind.type, None, -kind.value if type(kind.value) is int else None)
        return UNKNOWN

    def flat(self, arguments: tuple[gast.expr, ...]) -> list[gast.expr]:
        """The operands of a call."""
        return [a.value if isinstance(a, gast.Starred) else a for a in arguments]

    def result(
        self, operation: Operation, arguments: list[Kind], keywords: list[tuple[str, Kind]]
    ) -> Kind:
        """What a rule of kinds falls back on."""
        either = ARITHMETIC.get(operation.function) if not keywords else None
        found = either(*arguments) if either is not None else None
        return found or library_kind(operation.function, False, arguments, keywords)
