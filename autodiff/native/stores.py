"""Typed memory that grows while a loop runs whose trips nobody knows.

A variable that holds another array now and then has Numba count references in each iteration, and
its lists are looked through at each `append`. So the array is held by a list of one, which stays
the same, and the loop has a number for its address and one for its length. What is written in
intrinsics Numba need not compile on its own, which takes 50 ms for each function.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.cpython.listobj import ListInstance, build_list
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from autodiff.native.kept import block


@intrinsic  # type: ignore[untyped-decorator]
def owned(context: Any, store: Any) -> Any:
    """A holder of an array, which is empty in the beginning."""
    holder = types.List(store)  # type: ignore[no-untyped-call]

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return build_list(target, builder, signature.return_type, arguments)  # type: ignore[no-untyped-call]

    return holder(store), generate


@intrinsic  # type: ignore[untyped-decorator]
def grown(context: Any, owner: Any, count: Any, wanted: Any) -> Any:
    """The address and the length of an array that has room for `wanted` more numbers.

    It holds the first `count` numbers of the one before, which `owner` let go, and is more than
    twice as long.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        holder, kept, more = arguments
        kind = signature.args[0]
        held = ListInstance(target, builder, kind, holder)  # type: ignore[no-untyped-call]
        first = kept.type(0)
        old = target.make_array(kind.dtype)(target, builder, held.getitem(first))  # type: ignore[no-untyped-call]
        size = builder.add(builder.add(kept, more), builder.add(old.nitems, kept.type(63)))
        longer = _new(target, builder, kind.dtype, size)
        cgutils.raw_memcpy(builder, longer.data, old.data, kept, longer.itemsize)  # type: ignore[no-untyped-call]
        held.setitem(first, longer._getvalue(), incref=False)  # type: ignore[no-untyped-call]
        address = builder.ptrtoint(longer.data, kept.type)
        return target.make_tuple(builder, signature.return_type, [address, size])

    both = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]
    return both(owner, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def put(context: Any, owner: Any, address: Any, at: Any, value: Any) -> Any:
    """Store a number at a position of the array that `owner` holds."""
    dtype, given = owner.dtype.dtype, types.unliteral(value)  # type: ignore[no-untyped-call]

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, base, position, number = arguments
        place = _place(target, builder, dtype, base, position)
        cast = target.cast(builder, number, signature.args[3], dtype)
        target.pack_value(builder, dtype, cast, place)
        return target.get_dummy_value()

    return types.none(owner, types.int64, types.int64, given), generate


@intrinsic  # type: ignore[untyped-decorator]
def got(context: Any, owner: Any, address: Any, at: Any) -> Any:
    """The number at a position of the array that `owner` holds, which lives as long as that."""
    dtype = owner.dtype.dtype

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, base, position = arguments
        place = _place(target, builder, dtype, base, position)
        return target.unpack_value(builder, dtype, place)

    return dtype(owner, types.int64, types.int64), generate


def _place(target: Any, builder: Any, dtype: Any, base: Any, position: Any) -> Any:
    kind = target.get_data_type(dtype).as_pointer()
    return builder.gep(builder.inttoptr(base, kind), [position])


def _new(target: Any, builder: Any, kind: Any, size: Any) -> Any:
    """An array of so many numbers, in memory that is kept between calls."""
    each = target.get_abi_sizeof(target.get_data_type(kind.dtype))
    memory, data = block(target, builder, size, each)
    itemsize = size.type(each)
    array = target.make_array(kind)(target, builder)
    start = builder.bitcast(data, array.data.type)
    populate_array(array, start, [size], [itemsize], itemsize, memory)  # type: ignore[no-untyped-call]
    return array
