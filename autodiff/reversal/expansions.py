"""What rules say is found once for each kind of operands, and written again from then on.

before: every `x * y` of numbers asks the template of `np.multiply`, and lowers what it is filled to
after: the first one does; the others repeat its operations on their own operands

A rule sees of an operand its kind, whether it is active, and which operands are one; of constants
it sees them. Only operations are repeated: what loads memory, or asks for a window, is asked anew.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Kind, Scalar
from autodiff.core import MARK, Apply, Operation, References, Value, constant
from autodiff.primitives import Application, Builder, Primitive, constant_key, names_in, structure

Found = list[tuple[Value, Value, bool]]
"""Active operands, what is added to the adjoint of each, and whether that is new memory."""


@dataclass(frozen=True, slots=True)
class Step:
    """An operation, its operands by number; what is none of them is a constant, or a value that is
    there in the whole function.
    """

    primitive: Primitive
    application: Application
    form: gast.expr
    operands: tuple[int | Value, ...]
    kind: Kind
    hint: str


@dataclass(frozen=True, slots=True)
class Expansion:
    """The operations of a rule. Numbers count what the rule was given, then the results."""

    rule: object
    steps: tuple[Step, ...]
    found: tuple[tuple[int, int | Value, bool], ...]
    names: tuple[tuple[str, Any], ...]

    def again(self, builder: Builder, given: list[Value]) -> Found:
        """The same operations on other operands."""
        values = list(given)
        for step in self.steps:
            operands = [picked(values, operand) for operand in step.operands]
            made = builder.apply(
                step.primitive, step.application, step.form, operands, step.kind, step.hint
            )
            values.append(made)
        return [(values[k], picked(values, made), fresh) for k, made, fresh in self.found]


class Expansions:
    """Those of one sweep, and those of numbers, which are the same in every function."""

    def __init__(self, references: References, complex_: bool) -> None:
        self.references, self.complex = references, complex_
        self.own: dict[Hashable, Expansion] = {}

    def known(self, key: Hashable) -> Expansion | None:
        """What was found for a key."""
        found = self.own.get(key)
        if found is None:
            found = _OF_NUMBERS.get((self.complex, key))
            if found is not None and not all(self.is_free(*each) for each in found.names):
                return None
        return found

    def is_free(self, name: str, value: Any) -> bool:
        """Whether an object has the name that it has elsewhere."""
        return self.references.use(name.removeprefix(MARK), value) == name

    def keep(
        self,
        key: Hashable,
        rule: object,
        given: list[Value],
        operations: list[Operation],
        found: Found,
    ) -> None:
        """Remember what a rule gave, if that can be repeated."""
        numbers = {value: k for k, value in enumerate(given)}
        steps: list[Step] = []
        names: dict[str, Any] = {}
        alone = all(isinstance(value.kind, Scalar) for value in given)
        for op in operations:
            if type(op) is not Apply or op.reads:
                return
            kind = op.result.kind
            if isinstance(kind, Scalar) and kind.value is not None:
                return
            if not all(value in numbers or is_everywhere(value) for value in op.operands):
                return
            operands = tuple(numbers.get(value, value) for value in op.operands)
            steps.append(
                Step(op.primitive, op.application, op.form, operands, kind, op.result.hint)
            )
            numbers[op.result] = len(numbers)
            alone = alone and isinstance(kind, Scalar)
            objects = self.references.objects
            names |= {word: objects[word] for word in names_in(op.form) if word in objects}
        ends = tuple((numbers[v], numbers.get(made, made), fresh) for v, made, fresh in found)
        kept = Expansion(rule, tuple(steps), ends, tuple(names.items()))
        self.own[key] = kept
        used = [value for step in steps for value in step.operands] + [made for _, made, _ in ends]
        own = all(is_plain(*each) for each in names.items())
        own = own and not any(map(binds, (step.form for step in steps)))
        if alone and own and all(isinstance(value, int) or value.is_constant for value in used):
            if len(_OF_NUMBERS) >= _MOST:
                _OF_NUMBERS.clear()
            _OF_NUMBERS[self.complex, key] = kept


def is_everywhere(value: Value) -> bool:
    """Whether a value is the same wherever an expansion is repeated: a constant, an argument."""
    return value.is_constant or value.op is None and value.block.parent is None


def is_plain(name: str, value: Any) -> bool:
    """Whether an object has the name that it would have in any function."""
    plain = "np" if value is np else getattr(value, "__name__", "")
    return name == MARK + plain


def binds(form: gast.expr) -> bool:
    """Whether a form has variables of its own, whose names others may have in another function."""
    return any(isinstance(part, (gast.comprehension, gast.Lambda)) for part in gast.walk(form))


_OF_NUMBERS: dict[Hashable, Expansion] = {}
_MOST = 4096


def key_of(
    rule: object, op: Apply, g: Value, active: set[Value]
) -> tuple[Hashable, list[Value]] | None:
    """All that a rule sees, and the values that it is given; None if it sees more than kinds."""
    given: list[Value] = []
    seen: list[Hashable] = []
    for value in (*op.operands, op.result, g):
        if value.is_constant:
            seen.append(constant_key(value))
            if seen[-1] is None:
                return None
            continue
        if value.is_written or value.partial:  # it is loaded, or asked whether it is there
            return None
        if value not in given:
            given.append(value)
        seen.append(given.index(value))
    shape = [structure(node) for node in op.application.arguments]
    shape += [(key, structure(node)) for key, node in op.application.keywords]
    kinds = tuple(value.kind for value in given)
    of = tuple(value in active for value in given)
    key = (id(rule), op.primitive.function, tuple(shape), tuple(seen), kinds, of)
    try:
        hash(key)
    except TypeError:
        return None
    return key, given


def picked(values: list[Value], operand: int | Value) -> Value:
    """A value by its number; a constant for itself."""
    if isinstance(operand, int):
        return values[operand]
    return constant(operand.constant) if operand.is_constant else operand
