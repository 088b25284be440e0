"""Tapes as a type of their own: records of numbers, by the count of what was pushed before.

An index of an array may count from the end, and LLVM has to ask at each push and pop whether this
one does. A tape holds all numbers of one push side by side, and finds them with one address. Its
memory is kept between calls (`kept`).

It is an address and a length, and no references to it are counted: a variable that holds another
tape now and then, in a loop that grows it, costs nothing in the iterations that leave it alone. So
the function gives back what it took (`release`), once, at its end.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, lower_builtin, register_model
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.numpy_support import from_dtype

from autodiff.native.kept import NOWHERE, given_back, lengthened, taken

_SHORT = 2**25
"""Bytes of a tape up to which the next one is eight times as long: little is copied in all, and
pages that nothing is stored to cost nothing. From there on it is twice as long."""


class Tape(types.Type):  # type: ignore[misc]
    """The type of a tape of which each push takes `items`: the types of one number or several."""

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items
        self.record = items[0] if len(items) == 1 else types.Tuple(items)
        super().__init__(f"tape({', '.join(map(str, items))})")

    @property
    def key(self) -> Any:
        return self.items


@register_model(Tape)
class _Model(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Tape) -> None:
        members = [
            ("data", types.CPointer(types.byte)),
            ("size", types.intp),
        ]
        super().__init__(manager, kind, members)


@intrinsic(prefer_literal=True)
def new_tape(context: Any, size: Any, dtypes: Any) -> Any:
    """A tape with room for `size` pushes of numbers of types such as `"float64 * 3, int64"`."""
    if not isinstance(dtypes, types.StringLiteral) or not isinstance(size, types.Integer):
        return None
    kinds: list[Any] = []
    for part in dtypes.literal_value.split(", "):
        name, _, count = part.partition(" * ")
        kinds += [from_dtype(np.dtype(name))] * int(count or 1)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _new(target, builder, signature.return_type, arguments[0])._getvalue()

    return Tape(tuple(kinds))(types.intp, dtypes), generate


@intrinsic
def times(context: Any, *counts: Any) -> Any:
    """The product of counts; one for which there is no memory where 64 bits do not hold it."""
    if not all(isinstance(types.unliteral(count), types.Integer) for count in counts):
        return None

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        [packed] = arguments
        first, *others = cgutils.unpack_tuple(builder, packed, len(counts))
        most = first.type(NOWHERE)
        for other in others:
            pair = builder.umul_with_overflow(first, other)
            product = builder.extract_value(pair, 0)
            excess = builder.icmp_unsigned(">", product, most)
            wrong = builder.or_(builder.extract_value(pair, 1), excess)
            first = builder.select(wrong, most, product)
        return first

    packed = types.StarArgUniTuple(types.intp, len(counts))
    return types.intp(packed), generate


@intrinsic
def longer(context: Any, store: Any, count: Any, wanted: Any) -> Any:
    """A tape of several times the length, with room for `wanted` more pushes after the first
    `count`.

    What is known on entry to a loop is allocated once, and what is not costs little per push.
    """
    if not isinstance(store, Tape):
        return None

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given, kept, more = arguments
        old = cgutils.create_struct_proxy(store)(target, builder, value=given)
        each = _bytes(target, store)
        is_short = builder.icmp_unsigned("<", old.size, kept.type(_SHORT // each))
        ahead = builder.select(is_short, kept.type(7), kept.type(1))
        size = builder.add(builder.add(kept, more), builder.mul(old.size, ahead))
        bytes_kept = builder.mul(kept, kept.type(each))
        new = cgutils.create_struct_proxy(store)(target, builder)
        new.data = lengthened(target, builder, old.data, bytes_kept, size, each)
        new.size = size
        return new._getvalue()

    return store(store, types.intp, types.intp), generate


@intrinsic
def release(context: Any, *stores: Any) -> Any:
    """Give back the memory of tapes."""
    if not all(isinstance(store, Tape) for store in stores):
        return None

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for store, given in zip(stores, cgutils.unpack_tuple(builder, arguments[0], len(stores))):
            given_back(builder, target.data_model_manager[store].get(builder, given, "data"))
        return target.get_dummy_value()

    return types.none(types.StarArgTuple(stores)), generate


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.intp, *args) if isinstance(args[0], Tape) else None


@infer_global(operator.getitem)
class _Pop(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        store, index = args
        if not isinstance(store, Tape) or not isinstance(index, types.Integer):
            return None
        return signature(store.record, store, types.intp)


@infer_global(operator.setitem)
class _Push(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        store, index, _ = args
        if not isinstance(store, Tape) or not isinstance(index, types.Integer):
            return None
        return signature(types.none, store, types.intp, store.record)


@lower_builtin(len, Tape)
def _length(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return cgutils.create_struct_proxy(signature.args[0])(target, builder, arguments[0]).size


@lower_builtin(operator.getitem, Tape, types.intp)
def _pop(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    store = signature.args[0]
    found = [
        target.unpack_value(builder, item, place)
        for item, place in zip(store.items, _places(target, builder, store, *arguments))
    ]
    return found[0] if len(found) == 1 else target.make_tuple(builder, store.record, found)


@lower_builtin(operator.setitem, Tape, types.intp, types.Any)
def _push(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    store, (given, index, value) = signature.args[0], arguments
    is_one = len(store.items) == 1
    numbers = [value] if is_one else cgutils.unpack_tuple(builder, value, len(store.items))
    places = _places(target, builder, store, given, index)
    for item, number, place in zip(store.items, numbers, places):
        target.pack_value(builder, item, number, place)
    return target.get_dummy_value()


def _new(target: Any, builder: Any, kind: Tape, size: Any) -> Any:
    result = cgutils.create_struct_proxy(kind)(target, builder)
    result.data = taken(target, builder, size, _bytes(target, kind))
    result.size = size
    return result


def _places(target: Any, builder: Any, kind: Tape, given: Any, index: Any) -> list[Any]:
    """Where the numbers of a push lie."""
    model = target.data_model_manager[kind]
    record = _layout(target, kind)
    data = builder.bitcast(model.get(builder, given, "data"), record.as_pointer())
    return [
        builder.gep(data, [index, ir.IntType(32)(k)], inbounds=True) for k in range(len(kind.items))
    ]


def _layout(target: Any, kind: Tape) -> Any:
    return ir.LiteralStructType([target.get_data_type(item) for item in kind.items])


def _bytes(target: Any, kind: Tape) -> int:
    return int(target.get_abi_sizeof(_layout(target, kind)))
