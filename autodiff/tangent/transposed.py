"""The tangent of a primitive from its adjoint, which is linear in the adjoint of the result.

If `x_bar = A(y_bar)` is the adjoint, the gradient of the pairing `sum(x_dot * A(y_bar))` with
respect to `y_bar` is the tangent, so the reverse sweep of that pairing is written here:

    x_bar = A(y_bar) = best * unreduce(y_bar / ties, x)
    y_dot = np.sum(best * x_dot) / ties
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autodiff.core import (
    Apply,
    Ask,
    Break,
    Function,
    If,
    NotYet,
    Operation,
    Value,
    constant,
    replaced,
)
from autodiff.core.verify import verify
from autodiff.dataflow.activity import Varied
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.dead import remove_dead
from autodiff.errors import NonDifferentiableError
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Numeric,
    Record,
    Scalar,
    Sequence,
    is_complex,
    is_real,
)
from autodiff.lower.entries.entry import Entry
from autodiff.primitives import SYNTAX, Application, Builder, hole, written
from autodiff.primitives.applying import parts_of
from autodiff.reversal import custom_rules
from autodiff.reversal.differentiate import differentiate
from autodiff.reversal.ordinary import moved, on_lists, take_apart
from autodiff.reversal.placing import record
from autodiff.reversal.template_rules import Bench, contributions, lowered
from autodiff.reversal.unfolded import unfold
from autodiff.rules import registry
from autodiff.runtime import adjoint_of, fitted, tangent_of, unbroadcast
from autodiff.tangent.inlined_helpers import open_helpers
from autodiff.tangent.rules import Use


def transposed(use: Use, content: Entry, part: Value, path: tuple[Any, ...] = ()) -> Value | None:
    """The tangent of the result, or of the part of it at a path; None if it is zero.

    content: what the operation gave. part: the value whose tangent that is.
    """
    if not carries(part.kind):
        return None
    builder, unit = use.builder, use.unit
    function = Function("transposed")
    function.complex = use.complex
    active = {v for v in use.op.operands if v in use.dots and carries(v.kind)}
    plain = is_real(part.kind) and part.is_number and not use.rule.custom
    if plain and not any(v.is_array for v in active):
        return along_slopes(use, content, path, active)
    seed = Value(f"{part.hint or 'value'}_bar", part.kind)
    function.body.parameter(seed)
    if seed.memory is not None:
        seed.memory.given = True
    inner = Builder(function.body, unit.references, builder.origin, reverse=True)
    bench = Bench(unit, inner, [])
    bench.complex = use.complex
    total = paired(use, bench, content, {path: seed}, active)
    if total is None:
        return None
    alone = replace(
        unit,
        function=function,
        entry=set(),
        boxes=[],
        elsewhere=[],
        given={},
        objects={},
        remote={},
    )
    function.result = total
    varied = Varied(function, [seed])
    unfold(alone, {value for op in function.body.walk() for value in op.results if value in varied})
    open_helpers(alone, function, [seed])
    take_apart(alone)
    verify(function, "open_helpers", outside=True)
    if use.rule.custom:
        check_looks(function, seed)
    for op in function.body.walk():
        op.reverse = False
    differentiate(alone, [seed], "grad")
    remove_dead(function, recorded=False)
    record(function)
    remove_dead(function)
    if use.rule.custom:
        check_constant(function, seed)
    on_lists(alone)
    moved(function, unit.references)
    replaced(function.body, seed, part)
    made = function.outputs[0]
    if not isinstance(made, Value):
        raise NotYet("a tangent of another form")
    for op in function.body.operations:
        for own in op.nested():
            own.reverse, own.source = True, None
            for value in own.results:
                value.hint = value.hint.replace("_bar", "_dot")
        op.block = builder.block
        for value in op.results:
            value.block = builder.block
    builder.block.operations += function.body.operations
    return made


def along_slopes(
    use: Use, content: Entry, path: tuple[Any, ...], active: set[Value]
) -> Value | None:
    """The tangent of a number, of numbers and lists: `x_dot * slope + ...`, where the slope is what
    the adjoint of an operand gets for that of the result being one.
    """
    bench = Bench(use.unit, use.builder, [])
    bench.complex = use.complex
    return paired(use, bench, content, {path: constant(1.0)}, active)


def paired(
    use: Use, bench: Bench, content: Entry, seeds: dict[tuple[Any, ...], Value], active: set[Value]
) -> Value | None:
    """The inner product of all tangents with what their operands' adjoints get."""
    builder = bench.builder
    total: Value | None = None
    for value, dot, bar in pulled(use, bench, content, seeds, active):
        term = pairing(builder, dot, bar, value, use.complex)
        total = term if total is None else builder.binary(gast.Add(), total, term)
    return total


def pulled(
    use: Use, bench: Bench, content: Entry, seeds: dict[tuple[Any, ...], Value], active: set[Value]
) -> Iterator[tuple[Value, Value, Value]]:
    """The operands, a part of the tangent of each, and what the adjoint of that part gets."""
    builder = bench.builder
    if use.rule.custom:
        y, g = whole_of(use, content, seeds)
        calls = custom_rules.Calls(builder, use.op, use.rule)
        for value, bar in custom_rules.adjoints(calls, y, g, active):
            yield value, use.dots[value], bar
        return
    for value, each in contributions(bench, use.op, content, use.rule, seeds, active):
        dot = use.dots[value]
        if each.at is not None:
            dot = builder.load(dot, *bench.lowering.window(each.at))
        yield value, dot, lowered(bench, each)


def whole_of(use: Use, content: Entry, seeds: dict[tuple[Any, ...], Value]) -> tuple[Value, Value]:
    """What an operation gave, and the seed of that."""
    if () not in seeds or not isinstance(content, Value):
        raise NotYet("a custom derivative of several results")
    return content, seeds[()]


def pairing(builder: Builder, dot: Value, bar: Value, value: Value, mixed: bool) -> Value:
    """The inner product of the tangent of an operand with what its adjoint gets."""
    if isinstance(value.kind, Sequence) and isinstance(value.kind.item, Scalar):
        dot, bar = (builder.call("np.asarray", np.asarray, each) for each in (dot, bar))
    elif isinstance(value.kind, Record):
        terms = []
        for key, own, part in zip(value.kind.keys, items(builder, bar, value), parts_of(value)):
            each = builder.item(dot, key, part.kind)
            if not each.is_constant:
                terms.append(pairing(builder, each, own, part, mixed))
        return functools.reduce(functools.partial(builder.binary, gast.Add()), terms)
    elif not isinstance(value.kind, (Array, Scalar, Numeric)):
        raise NotYet("a tangent of a container by the transpose of its rule")
    elif bar.kind == UNKNOWN:
        bar.kind = Numeric()  # as all adjoints of numbers and arrays
    if is_complex(value.kind) or mixed and not is_real(value.kind):
        dot = builder.call("np.conj", np.conj, dot)
        both = builder.call("np.real", np.real, builder.binary(gast.Mult(), dot, bar))
    else:
        both = builder.binary(gast.Mult(), dot, bar)
    return both if isinstance(both.kind, Scalar) else builder.call("np.sum", np.sum, both)


def items(builder: Builder, bar: Value, value: Value) -> list[Value]:
    """The parts of an adjoint of a tuple or list whose parts are known."""
    assert isinstance(value.kind, Record)
    if isinstance(bar.kind, Record):
        return [builder.item(bar, *pair) for pair in zip(value.kind.keys, value.kind.items)]
    forms = [gast.Subscript(hole(0), written(k), gast.Load()) for k in value.kind.keys]
    return [builder.apply(SYNTAX, Application((f,)), f, [bar], Numeric()) for f in forms]


_LIKE = frozenset((adjoint_of, fitted, tangent_of, unbroadcast))
"""Helpers that take no more than its form from their second operand."""


def check_looks(function: Function, seed: Value) -> None:
    """Refuses a function that looks at its seed otherwise than by differentiable steps."""
    varied = Varied(function, [seed])
    for op in function.body.walk():
        test = op.operands[0] if isinstance(op, (If, Ask, Break)) else None
        looked = test is not None and depends(test, varied)
        if isinstance(op, Apply) and registry.is_nondifferentiable(op.primitive.function):
            looked = looked or any(value in varied for value in contents(op))
        if looked:
            raise refusal(op)


def check_constant(function: Function, seed: Value) -> None:
    """Refuses a function whose gradient depends on the seed."""
    for op in function.body.walk():
        if seed in contents(op):
            raise refusal(op)


def depends(test: Value, varied: Varied) -> bool:
    """Whether a test is computed from something that depends on the seed."""
    todo, seen = [test], set[Value]()
    while todo:
        value = todo.pop()
        if value in varied:
            return True
        if value.op is not None and value not in seen:
            seen.add(value)
            todo += contents(value.op)
    return False


def contents(op: Operation) -> list[Value]:
    """The operands of which an operation reads more than the form."""
    if not isinstance(op, Apply):
        return op.operands
    first = 1 if op.primitive.formal else 0
    last = 1 if op.primitive.function in _LIKE else None
    return op.operands[first:last]


def refusal(op: Operation) -> NonDifferentiableError:
    """The error for what is not known to be linear."""
    return NonDifferentiableError(
        "the vjp is not known to be linear in the adjoint that it is given",
        op.origin,
        why="only of a linear function is the transpose the tangent",
        cure="pass a jvp beside it",
    )
