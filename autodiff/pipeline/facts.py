"""What the optimisations are told."""

from __future__ import annotations

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.kind import Scalar, is_inexact
from autodiff.analysis.known import Kinds
from autodiff.optimize.facts import Facts
from autodiff.pipeline.unit import Unit


def facts(unit: Unit, known: Kinds) -> Facts:
    """What the optimisations are told."""

    def pure(call: gast.Call) -> bool:
        if any(keyword.arg == "out" for keyword in call.keywords):
            return False
        operation = known.operation(call)
        if operation is not None:
            function = operation.function
            if isinstance(function, np.ufunc) and len(call.args) > function.nin:
                return False
            return operation.pure or function in _PURE
        return False

    def scalar(node: gast.expr) -> bool:
        return isinstance(known.of(node), Scalar)

    def inexact(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Scalar) and is_inexact(kind)

    return Facts(frozenset(unit.temporaries), pure, scalar, inexact)


_PURE = frozenset(
    getattr(runtime, identifier)
    for identifier in runtime.__all__
    if identifier not in ("Tape", "add_at")
) | {reversed, range, len, list, tuple, slice, type, isinstance}
