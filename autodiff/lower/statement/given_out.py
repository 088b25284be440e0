"""Calls that are told where to put what they give: `np.multiply(a, b, out=c, where=m)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply as Applied
from autodiff.core.region import WHOLE, At, Window
from autodiff.core.value import Value, constant
from autodiff.kinds.kind import Array, Kind
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Entry, Pack
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.makers import is_none
from autodiff.lower.expression.places import unpacked
from autodiff.lower.statement.storing import Storing
from autodiff.primitives import REORDERING, Application, Slot, primitive_of
from autodiff.primitives.errors import is_unconverted
from autodiff.primitives.meanings import reorder
from autodiff.runtime import reordered
from autodiff.syntax.names import name

Apply = Callable[[Arguments], Entry]
NONE = constant(None)


def stored(
    storing: Storing, function: Any, arguments: Arguments, apply: Apply, receiver: int = 0
) -> Entry | None:
    """What a call with an output gives: the output, into which its result is stored; None for a
    call without one. receiver: so many arguments stand before those that are given.

        np.add(a, b, out=c)                 c[...] = np.add(a, b)
        np.log(a, out=c, where=a > 0.0)     c[a > 0.0] = np.log(a[a > 0.0])
    """
    effects = primitive_of(function).effects
    if any(
        not is_harmless(slot, entry)
        for slot in effects.permits
        for entry in given_for(slot, arguments, receiver)
    ):
        return overwritten(storing, function, arguments, apply, receiver)
    if not effects.writes or any(slot.harmless == () for slot in effects.writes):
        return None
    outputs = [e for slot in effects.writes for e in given_for(slot, arguments, receiver)]
    given = [entry for entry in outputs if not is_none(entry)]
    if not given:
        return None
    for slot in effects.writes:
        leave_out(slot, arguments, receiver)
    if getattr(function, "nout", 1) > 1:
        outputs += [NONE] * (function.nout - len(outputs))
        return several(storing, outputs, apply(arguments))
    base = storing.as_value(given[0])
    mask = masked(storing, function, arguments, base)
    result = storing.loaded(storing.as_value(apply(arguments)))
    if not primitive_of(function).elementwise and has_other_shape(base.kind, result.kind):
        raise NotYet("an output of another shape")
    put(storing, base, result, *mask)
    return base


def has_other_shape(base: Kind, result: Kind) -> bool:
    """Whether what is stored in an output would be broadcast there: element-wise functions alone
    do so, others refuse it.
    """
    own, other = (getattr(kind, "shape", ()) for kind in (base, result))
    return len(own) != len(other) or any(a != b and b == 1 for a, b in zip(own, other))


def is_harmless(slot: Slot, entry: Entry) -> bool:
    """Whether a call does not let a function write to its operands."""
    if not isinstance(entry, Value) or not entry.is_constant:
        raise NotYet("leave to overwrite that is found at run time")
    return entry.constant in slot.harmless


def overwritten(
    storing: Storing, function: Any, arguments: Arguments, apply: Apply, receiver: int
) -> Entry:
    """A call that may overwrite what it is given does not make use of that: then nobody may read it
    afterwards, unless it is known what stands there. `np.nan_to_num(x, copy=False)` stores there,
    `np.median(x, overwrite_input=True)` puts it in another order.
    """
    for slot in primitive_of(function).effects.permits:
        leave_out(slot, arguments, receiver)
    result = apply(arguments)
    if function is np.nan_to_num:
        first = arguments.positional[0]
        if not isinstance(first, Value) or not isinstance(first.kind, Array):
            raise NotYet("leave to overwrite what is no array")
        put(storing, first, storing.loaded(storing.as_value(result)), WHOLE, [])
        return first
    operations = storing.builder.block.operations
    calls = [op for op in operations if isinstance(op, Applied)]
    op = next((op for op in reversed(calls) if op.primitive.function is function), None)
    if op is None:
        raise NotYet("leave to overwrite")
    op.spoils = True
    base = arguments.positional[0] if arguments.positional else NONE
    if function not in REORDERING or not isinstance(base, Value) or not base.is_array:
        return result
    own = name(storing.unit.references.use("reordered", reordered))
    form = gast.Call(own, [op.form.func, *op.form.args], op.form.keywords)
    given = Application((op.form.func, *op.application.arguments), op.application.keywords)
    kind = Array("int64", getattr(base.kind, "shape", ()))
    operands = [base, *op.operands[1:]]
    places = storing.builder.apply(primitive_of(reordered), given, form, operands, kind)
    assert isinstance(places.op, Applied)
    places.op.reads = True
    called(storing, reorder, base, places)
    op.mended = tuple(operations[operations.index(places.op) :])
    return result


def given_for(slot: Slot, arguments: Arguments, receiver: int) -> list[Entry]:
    """What a call gives for a parameter."""
    at = None if slot.position is None else slot.position - receiver
    stop = None if slot.rest or at is None else at + 1
    found = [] if at is None else arguments.positional[at:stop]
    found += [entry for name, entry in arguments.named if name == slot.name]
    return [item for entry in found for item in (entry.items if is_pack(entry) else (entry,))]  # type: ignore[union-attr]


def leave_out(slot: Slot, arguments: Arguments, receiver: int) -> None:
    """A call gives nothing for a parameter."""
    at = None if slot.position is None else slot.position - receiver
    if at is not None:
        if not slot.rest and len(arguments.positional) > at + 1:
            raise NotYet("arguments behind one that says where to write")
        del arguments.positional[at:]
    arguments.named = [each for each in arguments.named if each[0] != slot.name]


def is_pack(entry: Entry) -> bool:
    """Whether an entry is a tuple."""
    return isinstance(entry, Pack) and entry.cls is tuple


def several(storing: Storing, outputs: list[Entry], result: Entry) -> Entry:
    """The outputs of a function with several results; where one is None, the result itself."""
    items = unpacked(storing, result, len(outputs))
    found: list[Entry] = []
    for output, item in zip(outputs, items):
        if is_none(output):
            found.append(item)
            continue
        base = storing.as_value(output)
        put(storing, base, storing.loaded(storing.as_value(item)), WHOLE, [])
        found.append(base)
    return Pack(tuple(found))


def masked(
    storing: Storing, function: Any, arguments: Arguments, base: Value
) -> tuple[Window, list[Value]]:
    """The window of an output that is written to: with `where`, operands are taken there alone."""
    if not isinstance(function, np.ufunc):
        return WHOLE, []
    wheres = [entry for name, entry in arguments.named if name == "where"]
    if not wheres:
        return WHOLE, []
    arguments.named = [each for each in arguments.named if each[0] != "where"]
    if isinstance(wheres[0], Value) and wheres[0].constant is True:
        return WHOLE, []
    mask = widened(storing, storing.mask(wheres[0]), base)
    window = Window((At(0),))
    arguments.positional = [
        chosen(storing, entry, base, window, mask) for entry in arguments.positional
    ]
    return window, [mask]


def chosen(storing: Storing, entry: Entry, base: Value, window: Window, mask: Value) -> Entry:
    """An operand where a mask says so."""
    value = storing.loaded(storing.as_value(entry))
    if not isinstance(value.kind, Array) or not value.kind.shape:
        return value
    return storing.builder.load(widened(storing, value, base), window, [mask])


def widened(storing: Storing, value: Value, base: Value) -> Value:
    """An array with the shape of an output."""
    if not isinstance(base.kind, Array) or not isinstance(value.kind, Array):
        raise NotYet("an output that is no array")
    if value.kind.shape == base.kind.shape and None not in base.kind.shape:
        return value
    shape = storing.as_value(storing.sizes_of(base))
    return storing.builder.call("np.broadcast_to", np.broadcast_to, value, shape)


def put(storing: Storing, base: Value, result: Value, window: Window, index: list[Value]) -> None:
    """`base[window] = result`, where that converts nothing."""
    own = getattr(result.kind, "dtype", None) or getattr(result.kind, "type", "")
    if isinstance(base.kind, Array) and base.kind.dtype != "float64":
        if not str(own).startswith(base.kind.dtype[:3] if base.kind.dtype else "?"):
            raise NotYet("an output that converts")
    if is_unconverted(np.copyto, base.kind, result):
        raise NotYet("an output that NumPy does not convert")
    storing.put_into(base, result, window, index)
