"""An adjoint that is collected only to be added to another, or handed on, is used at once."""

from __future__ import annotations

import itertools
from typing import TypeGuard

import gast

from autodiff.core import (
    Access,
    Accumulate,
    Apply,
    Block,
    Function,
    Load,
    Operation,
    References,
    Store,
    User,
    Value,
    View,
    unite,
    users,
)
from autodiff.dataflow.integers import place_of
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Array, Record
from autodiff.lean.late import is_zeros
from autodiff.lean.rewriting import Rewriting
from autodiff.primitives import DISPLAY, ITEM, Builder


def merged(function: Function, references: References) -> None:
    """No buffer between two; and what is cleared and then added again stays.

    before: `un_bar = np.zeros_like(un)`, `un_bar[:-2] += g`, `u_bar += un_bar`
    after: `u_bar[:-2] += g`
    """
    used = users(function)
    for block in function.body.blocks():
        for op in list(block.operations):
            if op.reverse and is_zeros(op) and op.results[0].memory is not None:
                if straight(op, used):
                    used = users(function)
        for at, op in reversed([*enumerate(block.operations)]):
            if op.reverse and is_clearing(op):
                stays(op, at)
        for op in [*block.operations]:
            if op.reverse and is_clearing(op):
                stored(op, references, used)


def straight(made: Operation, used: dict[Value, list[User]]) -> bool:
    """Leaves a buffer of zeros out, if it is added whole to another and nobody reads either of them
    before that. Whether that is so.
    """
    value, block = made.results[0], made.block
    found = [further for user in used.get(value, []) for further in through(user, used)]
    adds = [user for user in found if isinstance(user, Accumulate) and user.base is value]
    last = [user for user in found if isinstance(user, Accumulate) and user not in adds]
    if len(last) != 1 or len(adds) + 1 != len(found) or not adds:
        return False
    final, target = last[0], last[0].base
    if final.window is not None or final.sign != "+" or not are_alike(value, target):
        return False
    if any(op.block is not block for op in [*adds, final]):
        return False
    at = {op: block.operations.index(op) for op in [*adds, final]}
    first = min(at[op] for op in adds)
    if max(at[op] for op in adds) > at[final]:
        return False
    between = block.operations[first : at[final]]
    if any(touches(op, target) for op in between if op not in adds):
        return False
    if target.op in between:
        if not is_zeros(target.op) or any(v.op in between for v in target.op.operands):
            return False
        block.operations.remove(target.op)  # made before anything is added to it
        block.operations.insert(first, target.op)
    for op in adds:
        op.operands[0] = target
    for gone in (made, final, final.value.op):
        if gone in block.operations:
            block.operations.remove(gone)
    return True


def through(user: User, used: dict[Value, list[User]]) -> list[User]:
    """Who uses what memory holds as a whole."""
    if isinstance(user, Load) and user.window is None:
        return used.get(user.result, [])
    return [user]


def are_alike(one: Value, two: Value) -> bool:
    """Whether two arrays are known to be of one form."""
    return isinstance(one.kind, Array) and one.kind == two.kind and None not in one.kind.shape


def touches(op: Operation, memory: Value) -> bool:
    """Whether an operation does to memory what does not commute with adding to it."""
    region = memory.region
    if isinstance(op, Accumulate) and op.base is memory and op.value.region is not region:
        return False
    if any(effect.region.find() is region for effect in op.effects()):
        return True
    return any(v.region is region is not None for o in op.nested() for v in o.operands)


def is_clearing(op: Operation) -> TypeGuard[Store]:
    """Whether an operation sets a window to zero."""
    return (
        isinstance(op, Store)
        and not isinstance(op, Accumulate)
        and op.value.is_constant
        and op.value.constant == 0
    )


def stays(clear: Store, at: int) -> None:
    """`g = u_bar[w]`, `u_bar[w] = 0.0`, `u_bar[w] += g` leave what is there."""
    block = clear.block
    before = (block.operations[k] for k in reversed(range(at)))
    load = next((op for op in before if touches(op, clear.base)), None)
    if not isinstance(load, Load) or not is_same_place(load, clear):
        return
    for op in itertools.islice(block.operations, at + 1, None):
        if isinstance(op, Accumulate) and op.value is load.result and is_same_place(op, clear):
            if op.sign == "+" and not op.scattered:
                block.operations.remove(op)
                block.operations.remove(clear)
            return
        if touches(op, clear.base):
            return


def stored(clear: Store, references: References, used: dict[Value, list[User]]) -> None:
    """`u_bar[w] = 0.0`, `u_bar[w] += h` is `u_bar[w] = h`."""
    operations = clear.block.operations
    for op in itertools.islice(operations, operations.index(clear) + 1, None):
        if isinstance(op, Accumulate) and op.base is clear.base:
            if is_assignable(op) and is_same_place(op, clear):
                operations.remove(clear)
                op.window, op.operands[2:] = clear.window, clear.index
                assign(op, references, used)
            return
        if any(value.region is clear.base.region for o in op.nested() for value in o.operands):
            return


def is_assignable(op: Accumulate) -> bool:
    """Whether a contribution may be a store: places are not named twice, what is taken away is one
    number.
    """
    return not op.scattered and (op.sign == "+" or op.value.is_number)


def assign(op: Accumulate, references: References, used: dict[Value, list[User]]) -> None:
    """`base[window] += value` as `base[window] = value`; of numbers `-=` as that of `-value`."""
    block, at = op.block, op.block.operations.index(op)
    if not is_assignable(op):
        return
    if op.sign == "-":
        inner = Builder(Block(), references, op.origin, reverse=True)
        turned = inner.unary(gast.USub(), op.value)
        [negation] = inner.block.operations
        negation.block = turned.block = block
        block.operations.insert(at, negation)
        used[op.value], used[turned] = [*used[op.value], negation], [op]
        used[op.value].remove(op)
        op.operands[1] = turned
    made = Store(op.operands, [], op.window, op.origin)
    made.block, made.reverse, made.source, made.raises = block, True, op.source, op.raises
    block.operations[block.operations.index(op)] = made
    for value in op.operands:
        used[value] = [made if user is op else user for user in used.get(value, [])]


def is_same_place(op: Load | Store, clear: Store) -> bool:
    """Whether two operations touch the same window of the same memory."""
    return op.base is clear.base and (
        place_of(op) == place_of(clear) or is_whole(op) and is_whole(clear)
    )


def is_whole(op: Load | Store) -> bool:
    """Whether all of memory is touched."""
    return op.window is None or op.window.is_whole


def forwarded(function: Function, references: References) -> None:
    """What is added to zeros, read there and cleared again is used at once.

    before: `i_bar = np.zeros_like(i)`, `for ...: i_bar[t] += g`, `h = i_bar[t]`, `i_bar[t] = 0.0`
    after: `for ...: h = g`
    """
    used, swapped = users(function), dict[Value, Value]()
    for made in [op for op in function.body.walk() if is_zeros(op)]:
        found = used.get(made.result, [])
        first = found[0] if len(found) == 3 else None
        if not isinstance(first, Operation) or not first.reverse:
            continue
        order = [op for op in first.block.operations if op in found]
        if len(order) == 3 and is_passage(*order):
            add, load, _ = order
            assert isinstance(add, Accumulate)
            unite(load.result, add.value)  # views of the one are views of the other now
            swapped[load.result] = swapped.get(add.value, add.value)
            for op in order:
                first.block.operations.remove(op)
    rename(function, swapped)


def is_passage(add: Operation, load: Operation, clear: Operation) -> bool:
    """Whether something is added at a place, read there, and cleared."""
    if not isinstance(add, Accumulate) or not isinstance(load, Load):
        return False
    if not is_clearing(clear) or add.scattered or add.sign != "+":
        return False
    same = is_same_place(add, clear) and is_same_place(load, clear)
    return same and add.value.kind == load.result.kind


def windows(function: Function, references: References) -> None:
    """Adjoints of views are added where they belong.

    before: `u_value_bar = u_bar[1:-1]`, `u_value_bar += g`
    after: `u_bar[1:-1] += g`
    """
    for op in function.body.walk():
        if isinstance(op, (Load, Store)) and op.window is None and op.reverse:
            view = op.base.op
            while isinstance(view, View) and op.window is None:
                into(op, view)
                view = op.base.op
        if isinstance(op, (Load, Store)) and op.reverse and op.window and op.window.is_whole:
            if isinstance(op.base.kind, Array):
                op.window = None


def into(op: Access, view: View) -> None:
    """The window of a view is that of an operation."""
    rest = op.operands[1:]
    op.operands = [view.base, *rest, *view.index]
    op.window = view.window
    op.raises = True


def displays(work: Rewriting) -> None:
    """Tuples that are taken apart and put together again stay as they are.

    before: `a_bar.reshape((a.shape[0], a.shape[1]))`
    after: `a_bar.reshape(a.shape)`
    """
    swapped: dict[Value, Value] = {}
    for op in work.operations():
        if isinstance(op, Apply) and op.primitive is DISPLAY:
            whole = taken_apart(op)
            if whole is not None:
                swapped[op.result] = whole
    work.rename(swapped)


def taken_apart(op: Apply) -> Value | None:
    """The tuple whose parts an operation puts together."""
    kind = op.result.kind
    if not isinstance(kind, Record) or kind.cls is not tuple or not op.operands:
        return None
    first = op.operands[0].op
    whole = first.operands[0] if isinstance(first, Apply) and first.operands else None
    if whole is None or not isinstance(whole.kind, Record) or whole.kind.cls is not tuple:
        return None
    if whole.kind.keys != kind.keys:
        return None
    for key, value in zip(kind.keys, op.operands):
        item = value.op
        if not isinstance(item, Apply) or item.primitive is not ITEM:
            return None
        if item.operands[0] is not whole:
            return None
        part = item.application.arguments[1] if len(item.application.arguments) == 2 else None
        if getattr(part, "value", None) != key:
            return None
    return whole
