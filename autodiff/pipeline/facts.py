"""What the optimisations are told."""

from __future__ import annotations

import functools

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.changes import changed_in
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Local,
    OneOf,
    Record,
    Scalar,
    Unknown,
    is_inexact,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import returns_new
from autodiff.analysis.size import Size
from autodiff.analysis.special import told_operands, truth_changes
from autodiff.analysis.writing import outputs
from autodiff.optimize.facts import Facts
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class


def facts(unit: Unit, known: Kinds, exact: bool, place: int) -> Facts:
    """What the optimisations are told."""

    def pure(call: gast.Call) -> bool:
        if any(keyword.arg == "out" for keyword in call.keywords):
            return False
        operation = known.operation(call)
        if operation is not None:
            function = operation.function
            if outputs(operation, known):
                return False
            told = any((keyword.arg or "").startswith("overwrite") for keyword in call.keywords)
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if (told or any(map(may_call, given))) and changed_in(call, known):
                return False
            if function in _CHANGING or function in _CONSUMING and may_be_consumed(call):
                return False
            return operation.pure or function in _PURE
        return False

    def may_be_consumed(call: gast.Call) -> bool:
        return any(known.known(given) == UNKNOWN for given in call.args)

    def may_call(given: gast.expr) -> bool:
        if isinstance(known.of(given), (Bound, Local, OneOf, Unknown)):
            return True
        plain = isinstance(given, (gast.Name, gast.Constant))
        return not plain and not known.numbers.issuperset(reads(given))

    def fits(node: gast.expr) -> bool:
        operation = known.operation(node) if isinstance(node, gast.Call) else None
        return operation is not None and operation.function is runtime.unbroadcast

    def runs(node: gast.AST) -> bool:
        return bool(told_operands(node, known))

    def decides(test: gast.expr) -> bool:
        return truth_changes(test, known)

    def scalar(node: gast.expr) -> bool:
        return isinstance(known.of(node), Scalar)

    def inexact(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Scalar) and is_inexact(kind)

    def signed(node: gast.expr) -> bool:
        return is_inexact(known.known(node))

    def double(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Scalar) and kind.type == "float" and kind.dtype in (None, "float64")

    def native(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Scalar) and kind.dtype is None

    def shape(node: gast.expr) -> tuple[Size, ...] | None:
        kind = known.known(node)
        return kind.shape if isinstance(kind, Array) and is_inexact(kind) else None

    def wide(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Array) and kind.dtype == "float64"

    def group(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Record) and issubclass(kind.cls, tuple)

    def makes(call: gast.Call) -> bool:
        operation = known.operation(call)
        if operation is None or not (returns_new(call, operation, known) and pure(call)):
            return False
        # last, as what a helper returns may be known only by running it
        return isinstance(known.known(call), (Array, Scalar))

    def picks(node: gast.expr) -> bool:
        if not isinstance(node, gast.Subscript) or not isinstance(known.known(node.value), Array):
            return False
        return is_basic(node.slice, known.of) is False

    def chooses(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Array) and kind.dtype == "bool"

    def tells(own: str, expression: gast.expr) -> None:
        known.names[own] = known.known(expression)
        known.local |= {own}

    @functools.cache
    def lasting() -> bool:
        """Whether the function stores to nothing but arrays."""
        return all(
            isinstance(known.known(node.value), Array)
            for node in of_class(unit.tree, gast.Subscript, gast.Attribute)
            if not isinstance(node.ctx, gast.Load)
        )

    def fixed(node: gast.expr) -> bool:
        if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
            return False
        key = node.slice.value if isinstance(node.slice, gast.Constant) else None
        kind = known.known(node.value)
        part = kind.get(key) if isinstance(kind, Record) and kind.cls is dict else None
        return part is not None and lasting()

    temporaries = frozenset(unit.temporaries)
    tests = pure, scalar, inexact, signed, double, native, shape, wide
    numbers, taken = frozenset(known.numbers), frozenset(known.names)
    others = runs, decides, fits, place, numbers, taken, group
    arrays = makes, fixed, picks, chooses, tells
    return Facts(temporaries, *tests, exact, *others, *arrays, known.sizes)


_CHANGING = runtime.CHANGING | {
    *(runtime.Tape, runtime.alike, runtime.apart, runtime.distinct),
    runtime.orderless,
    *(runtime.Slot, runtime.shadow, runtime.alone, runtime.sorting, runtime.snapshot),
    *(runtime.collected, runtime.inserted),
}
"""What generated code calls for its effect."""

_CONSUMING = frozenset({any, all, sum, list, tuple, max, min, sorted, set, dict})
"""What reads an iterator to its end, whatever that does."""

_PURE = frozenset(getattr(runtime, identifier) for identifier in runtime.__all__) | {
    *(reversed, range, len, list, tuple, slice, type, isinstance),
    *(functools.partial, np.vectorize),
}
