"""Derivatives that are given as functions, `@custom(vjp=..., jvp=...)`: called, not read.

y = root(a)             a_bar = fitted(root_vjp(y_bar, y, a), a)        reverse
                        y_dot = fitted(root_jvp(a_dot, y, a), y)        forward

The calls are operations of their own: a second derivative puts the bodies in their place.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import WHOLE, Apply, Function, Load, NotYet, Unseen, Value, constant
from autodiff.dataflow.settle import rename
from autodiff.errors import MissingRuleError
from autodiff.kinds.binding import binding
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Numeric, Record
from autodiff.kinds.operation import Operation
from autodiff.primitives import Application, Builder, number_of, primitive_of
from autodiff.primitives.call_effects import is_of_numbers
from autodiff.primitives.inserted import is_insertion
from autodiff.primitives.primitive import argument
from autodiff.reversal.scope import Scope
from autodiff.rules.home import public_name
from autodiff.rules.ruled import missing_side
from autodiff.runtime import copied, fitted
from autodiff.syntax.names import name

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep

Bars = list[tuple[Value, Value]]
"""Operands, and what is added to the adjoint of each."""


def adjoints(calls: Calls, y: Value, g: Value, active: set[Value]) -> Bars:
    """The active operands, and what the given function adds to the adjoint of each."""
    rule, given = calls.rule, calls.arguments()
    if rule.vjp is None:
        raise missing(calls, "vjp")
    several = len(given) > 1
    kind = Record(tuple, tuple(range(len(given))), (UNKNOWN,) * len(given)) if several else UNKNOWN
    found = calls.call(calls.title(rule.vjp, "vjp"), rule.vjp, [g, y, *given.values()], kind=kind)
    bars = calls.parts(found, [*given]) if several else [found]
    pairs = zip(given.values(), bars)
    return [(value, calls.fitted(bar, value)) for value, bar in pairs if value in active]


def tangent(calls: Calls, y: Value, dots: Callable[[Value], Value]) -> Value:
    """What the given function says of the tangent of the result. dots: those of the operands."""
    rule, given = calls.rule, [*calls.arguments().values()]
    along = [*map(dots, given)]
    grouped = len(along) if len(along) > 1 else 0
    own = calls.title(rule.jvp, "jvp")
    return calls.fitted(calls.call(own, rule.jvp, [*along, y, *given], grouped), y)


class Calls:
    """Writes calls of what a rule of the user's was given, beside the operation that it is for."""

    def __init__(self, builder: Builder, op: Apply, rule: Any) -> None:
        self.builder, self.op, self.rule = builder, op, rule

    def arguments(self) -> dict[str, Value]:
        """What the function is given, by the parameters, in order."""
        form, operands = self.op.application, self.op.operands
        found = binding(Operation(self.op.primitive.function, form.arguments, form.keywords))
        if found is None:
            raise NotYet("a call that does not fit its rule")
        given: dict[str, Value] = {}
        for parameter in self.rule.parameters:
            node = found.get(parameter.name)
            number = None if node is None else number_of(node)
            if node is None:
                given[parameter.name] = constant(parameter.default)
            elif number is not None:
                given[parameter.name] = operands[number]
            else:
                given[parameter.name] = constant(gast.literal_eval(node))
        return given

    def title(self, function: Any, side: str) -> str:
        """What the text calls a function that was given."""
        own = getattr(function, "__name__", "")
        if own.isidentifier() and not keyword.iskeyword(own):
            return str(own)
        primal = self.op.primitive.name
        return f"{primal if primal.isidentifier() else 'function'}_{side}"

    def call(
        self,
        own: str,
        function: Any,
        operands: Sequence[Value],
        grouped: int = 0,
        kind: Kind | None = None,
    ) -> Value:
        """A call of a function, which changes nothing, by a name. grouped: so many operands come
        first, as a tuple. kind: of what it gives, where that is known.
        """
        given: list[Value] = []
        holes = [argument(value, given) for value in operands]
        if grouped:
            holes[:grouped] = [gast.Tuple(elts=holes[:grouped], ctx=gast.Load())]
        form = gast.Call(name(self.builder.references.use(own, function)), holes, [])
        return self.applied(function, form, given, kind or UNKNOWN)

    def applied(
        self, function: Any, form: gast.Call, operands: Sequence[Value], kind: Kind
    ) -> Value:
        """A call as it is written. What it gives may be what it is given: where that changes, it is
        copied at once.
        """
        title = gast.unparse(form.func).replace("@", "")
        known = primitive_of(fitted)
        own = replace(known, function=function, name=title, memory="new", lending=False)
        keywords = tuple((str(each.arg), each.value) for each in form.keywords)
        application = Application(tuple(form.args), keywords)
        if any(value.is_written or is_read(value) for value in operands):
            form = gast.Call(name(self.builder.references.use("copied", copied)), [form], [])
        return self.builder.apply(own, application, form, operands, kind)

    def parts(self, whole: Value, names: list[str]) -> list[Value]:
        """What a call gives for each of several parameters: so many, else that is an error."""
        assert isinstance(whole.kind, Record)
        found = [self.builder.item(whole, k, kind) for k, kind in enumerate(whole.kind.items)]
        every = tuple(part.op for part in found if isinstance(part.op, Apply))
        for own, part in zip(names, every):
            part.result.hint, part.beside = f"{own}_bar", every
        return found

    def fitted(self, found: Value, like: Value) -> Value:
        """What belongs to a value, in its form. It is copied: it may be anything that was given."""
        made = self.builder.call("fitted", fitted, found, like, kind=like.kind)
        return self.own(made, like.kind)

    def own(self, made: Value, kind: Kind) -> Value:
        """What is of a kind, as memory of its own."""
        builder = self.builder
        if isinstance(kind, Array):
            return builder.call(".copy", np.copy, made, kind=kind)
        if isinstance(kind, Numeric):
            return builder.call("copied", copied, made, kind=kind)
        if not isinstance(kind, Record) or is_of_numbers(kind):
            return made
        parts = zip(kind.keys, kind.items)
        items = [self.own(builder.item(made, key, own), own) for key, own in parts]
        make = builder.display if issubclass(kind.cls, (tuple, list, dict)) else builder.built
        return make(kind.cls, kind.keys, items)


def is_read(value: Value) -> bool:
    """Whether a value is what memory that changes holds now."""
    return isinstance(value.op, Load) and value.op.base.is_written


def missing(calls: Calls, side: str, cause: Exception | None = None) -> MissingRuleError:
    """The error for a derivative in the direction that was not given."""
    own = public_name(calls.op.primitive.function)
    return missing_side(calls.rule, own, calls.op.origin, side, cause)


_SEVERAL = (
    "the adjoint of memory that goes by several names is asked for",
    "it changes under another name, where the block does not see its adjoint",
    "change it under the one name, or ask for the adjoint of a copy",
)


def inserted(sweep: Sweep, scope: Scope, op: Apply) -> None:
    """What a block of the user's makes of the adjoint goes on to what the value was computed from.

    with insert_grad_of(x) as x_bar:        x_bar = fitted(insert_x_bar(x_bar.copy(), i), x)
    """
    value, *others = op.operands
    result, shadow = op.result, sweep.of.get(op.result)
    if shadow is None:
        g = sweep.whole(scope, result, sweep.gathered(scope, result))
    else:
        if op.primitive.function.shared:
            raise Unseen(op.origin, *_SEVERAL)
        g = scope.builder.load(shadow)
    block, calls = op.primitive.function.block, Calls(scope.builder, op, None)
    made = calls.call(block.__name__, block, [calls.own(g, result.kind), *others])
    made.hint = f"{value.hint or 'value'}_bar"
    assert isinstance(made.op, Apply)
    made.op.beside = (made.op,)
    found = calls.fitted(made, value)
    if shadow is None:
        sweep.add(scope, value, found)
    else:
        scope.builder.store(shadow, found, WHOLE)


def without_insertions(function: Function) -> None:
    """Nobody asks for these adjoints any more."""
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        found = [op for op in block.operations if is_insertion(op)]
        swapped |= {op.result: op.operands[0] for op in found}
        if block is function.body and function.boundary is not None:
            function.boundary -= len(found)
        block.operations = [op for op in block.operations if op not in found]
    rename(function, swapped)
