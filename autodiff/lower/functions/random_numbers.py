"""Random generators: what they draw is drawn once, in the forward sweep, in its order."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import WHOLE, At, NotYet, Value, Window, constant
from autodiff.frontend.draws import DRAWS, OF_FIRST
from autodiff.kinds.drawn import OF_ALL, returned
from autodiff.kinds.kind import UNKNOWN, Array, Drawing, Kind, Scalar, Static, is_inexact
from autodiff.kinds.known import Kinds
from autodiff.lower.entries.entry import Entry
from autodiff.lower.entries.outer import load
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.effects import dotted
from autodiff.lower.flow import opaque
from autodiff.lower.functions.inlining import inlined
from autodiff.lower.statement.storing import Storing
from autodiff.primitives import DRAW, Application, hole, placeholder
from autodiff.rules.home import hashable

SHARED = Drawing((np.random.RandomState,))


def made(storing: Storing, target: Any, node: gast.Call, arguments: Arguments) -> Entry | None:
    """What the generator draws that all share; None for other calls."""
    if target is np.random.seed or hashable(target) and target in OF_ALL:
        own = dotted(storing, node.func)
        path = f"{storing.unit.references.use('np', np)}.random"
        path = gast.unparse(own.value) if isinstance(own, gast.Attribute) else path
        shared = load(storing, np.random.mtrand._rand, SHARED, path)
        return drawn(storing, shared, target.__name__, arguments)
    return None


def drawn(storing: Storing, rng: Value, method: str, arguments: Arguments) -> Entry:
    """What a method of a generator gives."""
    first = arguments.positional[0] if arguments.positional else None
    if method in ("shuffle", "permutation") and is_active(first):
        assert isinstance(first, Value)
        return rearranged(storing, rng, method, first, arguments)
    scaled = DRAWS.get(method)
    given = [*arguments.positional, *dict(arguments.named).values()]
    given = given[:1] if method in OF_FIRST else given
    if isinstance(scaled, FunctionType) and any(map(is_active, given)):
        return inlined(storing, scaled, [rng, *arguments.positional], arguments.named)
    outputs = [entry for name, entry in arguments.named if name == "out"]
    if outputs:
        return drawn_into(storing, rng, method, arguments, outputs[0])
    operands = [rng]
    changes = [0]
    if method == "shuffle":
        base = storing.as_value(first) if first is not None else None
        if base is None or not isinstance(base.kind, Array) or base.memory is None:
            raise NotYet("a shuffle of what is no array")
        operands.append(base)
        changes.append(1)
        base.memory.find().written = True
        arguments.positional = arguments.positional[1:]
    func = gast.Attribute(hole(0), method, gast.Load())
    form = arguments.written(func, lambda e: storing.loaded(storing.as_value(e)), operands)
    if method == "shuffle":
        form.args.insert(0, hole(1))
    kind = kind_of(rng, method, form, operands)
    if kind == UNKNOWN:
        own = opaque.attribute(storing, rng, method)
        return opaque.called(storing, own, arguments.positional, arguments.named)
    result = storing.builder.apply(DRAW, Application(()), form, operands, kind)
    rng.home.find().written = True
    result.op.changes = tuple(changes)  # type: ignore[union-attr]
    return result if method not in ("shuffle", "seed") else constant(None)


def kind_of(rng: Value, method: str, form: gast.Call, operands: list[Value]) -> Kind:
    """The kind of what is drawn."""
    assert isinstance(rng.kind, Drawing)
    if method in ("shuffle", "seed"):
        return Static(None)
    asked = Kinds({value.token: value.kind for value in operands})

    def own(node: gast.expr) -> gast.expr:
        is_hole = isinstance(node, gast.Name) and node.id.isdigit()
        return placeholder(operands[int(node.id)]) if is_hole else node

    named = [(keyword.arg, own(keyword.value)) for keyword in form.keywords]
    return returned(asked, rng.kind.classes[0], method, [own(arg) for arg in form.args], named)


def is_active(entry: Any) -> bool:
    """Whether an argument may carry a derivative."""
    if not isinstance(entry, Value) or entry.is_constant:
        return False
    return isinstance(entry.kind, (Array, Scalar)) and is_inexact(entry.kind)


def rearranged(
    storing: Storing, rng: Value, method: str, base: Value, arguments: Arguments
) -> Entry:
    """`rng.shuffle(x)`, `rng.permutation(x)`: the same draws put places in that order."""
    if arguments.named or len(arguments.positional) != 1 or not isinstance(base.kind, Array):
        raise NotYet(f"a call of {method} of a generator")
    if not base.kind.shape:
        raise NotYet(f"a call of {method} of a generator")
    length = storing.sizes_of(base).items[0]
    order = drawn(storing, rng, "permutation", Arguments.of([length]))
    assert isinstance(order, Value)
    found = storing.builder.load(base, Window((At(0),)), [order])
    if method == "permutation":
        return found
    storing.builder.store(base, found, WHOLE)
    return constant(None)


def drawn_into(
    storing: Storing, rng: Value, method: str, arguments: Arguments, output: Entry
) -> Entry:
    """`rng.random(out=y)`: as many as `y` has places are stored there."""
    base = storing.as_value(output)
    storing.check_memory(base)
    given = Arguments.of(arguments.positional or [storing.sizes_of(base)])
    given.named = [each for each in arguments.named if each[0] != "out"]
    storing.builder.store(base, storing.as_value(drawn(storing, rng, method, given)), WHOLE)
    return base
