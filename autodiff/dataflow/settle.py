"""After lowering facts of regions are final: loads of memory that nobody writes are that.

Branches that follow each other on one test become one.

    if c:                      if c:
        y = x * x                  y = x * x
    if c:                          z = np.sum(y)
        z = np.sum(y)

So far where the second was made because a variable differs in form by that test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autodiff.core import (
    About,
    Built,
    Call,
    Function,
    NotYet,
    References,
    Try,
    told,
    users,
    values_in,
)
from autodiff.core.operation import Apply, If, Load, Loop, Operation
from autodiff.core.value import NOWHERE, Value, unite, walk
from autodiff.dataflow.lending import own_results
from autodiff.dataflow.ordered import check_followed, ordered, remade
from autodiff.primitives import BOUND, lent, may_copy


def settle(function: Function, references: References) -> None:
    """Folds whole loads of memory that nobody writes; drops what is joined and never read."""
    remade(function)
    check_followed(function)
    ordered(function, references)
    check_apart(function)
    own_results(function, references)
    fuse(function)
    swapped: dict[Value, Value] = {}
    for block in function.body.blocks():
        kept = []
        for op in block.operations:
            if isinstance(op, Load) and op.window is None and not is_version(op):
                unite(op.base, op.result)
                swapped[op.result] = op.base
            else:
                kept.append(op)
        block.operations = kept
    rename(function, swapped)
    for op in function.body.walk():
        if isinstance(op, Apply) and op.renews:
            with About(op):
                check_renewed(function, op)
            op.renews = False  # its reverse sweep may read what was there
    formed(function)
    prune(function)


def is_version(op: Load) -> bool:
    """Whether what a load gives is to outlive what somebody writes, there or to the result."""
    return op.base.is_written or op.result.is_written


def formed(function: Function) -> None:
    """What asks for the form of memory does not load it."""
    for op in function.body.walk():
        if isinstance(op, Apply) and op.operands and op.primitive.formal:
            load = op.operands[0].op
            if isinstance(load, Load) and load.window is None and load.base.is_array:
                op.operands[0] = load.base


def check_apart(function: Function) -> None:
    """Memory of which a load stands apart is not changed behind that load, nor around it."""
    order = list(function.body.walk())
    for k, op in enumerate(order):
        if not isinstance(op, Load) or not op.apart or not op.base.is_written:
            continue
        region = op.base.region
        block, later = op.block, order[k + 1 :]
        while block.parent is not None:
            if isinstance(block.parent, Loop):
                later += block.walk()
            block = block.parent.block
        if any(e.what == "write" and e.region.find() is region for o in later for e in o.effects()):
            with About(op):
                raise NotYet("memory that changes and may be a number")


def check_renewed(function: Function, op: Apply) -> None:
    """Where `x += y` is `x = x + y`, nobody reads afterwards what `x` was, under any name."""
    region = op.operands[0].region
    if region is None:
        return
    inner: Operation = op
    seen = set(values_in(function.result))
    fresh = {*op.results}
    while inner.block is not NOWHERE:
        block, loop = inner.block, inner.block.parent
        later = block.operations[block.operations.index(inner) + 1 :]
        for each in walk(later):
            seen.update(each.operands, *(own.results for own in each.blocks))
            fresh.update(each.results, *(own.parameters for own in each.blocks))
        seen.update(block.results)
        if isinstance(loop, Loop):
            inside = list(loop.body.walk())
            made = {v for own in inside for v in own.results} | {*loop.body.parameters}
            seen |= {v for own in inside for v in own.operands} - made
        if loop is None:
            break
        fresh.update(loop.results)
        inner = loop
    old = {value for value in seen - fresh if value.region is region}
    if old or region.given or region.held or region.exposed or region.written:
        own = op.operands[0].hint or "x"
        raise NotYet.saying(
            "an update of a number or an array",
            f"whether `{own}` is changed in place here is not known, and it has another name",
            "whether it is a number or an array is only known at run time",
            f"write `{own} = {own} + e`, or annotate the argument that it comes from",
        )


def rename(function: Function, swapped: dict[Value, Value]) -> None:
    """Uses other values in place of some, everywhere."""
    if not swapped:
        return

    def final(value: Value) -> Value:
        while value in swapped:
            value = swapped[value]
        return value

    for block in function.body.blocks():
        for op in block.operations:
            op.operands = [final(value) for value in op.operands]
        block.results = [final(value) for value in block.results]
    function.result = mapped(function.result, final)
    function.outputs = mapped(function.outputs, final)


def mapped(structure: Any, change: Callable[[Value], Value | None]) -> Any:
    """A structure of values with others in it; what stands in it twice is one."""
    known: dict[int, Built] = {}

    def found(part: Any) -> Any:
        if isinstance(part, Value):
            return change(part) or part
        if isinstance(part, Built):
            if id(part) not in known:
                known[id(part)] = replace(part, items=tuple(map(found, part.items)))
            return known[id(part)]
        return type(part)(map(found, part)) if isinstance(part, (tuple, list)) else part

    return found(structure)


def order_matters(function: Function) -> bool:
    """Whether the memory order of arrays decides what is a view and what a copy of one that
    changes, in which order a function leaves what it may overwrite, or what it computes.
    """
    return any(map(asks_order, function.body.walk()))


def asks_order(op: Operation) -> bool:
    """Whether what an operation means depends on how what it is given lies in memory."""
    if isinstance(op, Call):
        return op.laid_out
    if not isinstance(op, Apply):
        return False
    place = lent(op)
    if place is not None and op.result.is_written and may_copy(op, place):
        return True
    named = [getattr(part, "value", None) for part in gast.walk(op.form)]
    named += [value.constant for value in op.operands if value.is_constant]
    return bool(op.mended) or any(type(each) is str and each in ("K", "A") for each in named)


def prune(function: Function) -> None:
    """Drops carried and joined values that nobody reads."""
    changed = True
    while changed:
        changed, swapped = False, dict[Value, Value]()
        used = users(function)
        for op in reversed(list(function.body.walk())):
            if isinstance(op, Loop):
                for j in reversed(range(len(op.results))):
                    parameter, init, result = op.carried[j], op.inits[j], op.results[j]
                    following = op.body.results[j]
                    own = [user for user in used.get(parameter, []) if user is not op.body]
                    same = following is parameter
                    others = used.get(parameter, []).count(op.body) - same
                    if not used.get(result) and not own and not others:
                        changed = True
                    elif same and op.body.results.count(parameter) == 1:
                        swapped |= {parameter: init, result: init}
                        changed = True
                    else:
                        continue
                    op.drop(j)
                    if parameter not in swapped:
                        used[init].remove(op)
                        used[following].remove(op.body)
            elif isinstance(op, If):
                for j in reversed(range(len(op.results))):
                    asked = isinstance(op, Try) and op.results[j] is op.raised
                    if not used.get(op.results[j]) and not asked:  # the reverse sweep asks
                        for block in op.blocks:
                            used[block.results[j]].remove(block)
                        op.drop(j)
                        changed = True
        rename(function, swapped)


def fuse(function: Function) -> None:
    """Joins branches with those in front of them."""
    for block in list(function.body.blocks()):
        kept: list[Operation] = []
        for op in block.operations:
            before = kept[-1] if kept else None
            if isinstance(op, If) and op.divides and isinstance(before, If):
                if told(before, 0) == told(op, 0) and before.contexts == op.contexts:
                    append(before, op)
                    continue
            kept.append(op)
        block.operations = kept


def append(first: If, second: If) -> None:
    """The blocks of `second` behind those of `first`."""
    for own, more in zip(first.blocks, second.blocks):
        known = dict(zip(first.results, own.results))
        for op in list(more.operations):
            renamed(op, known)
            if isinstance(op, Apply) and op.primitive is BOUND and not op.raises:
                if not op.operands[0].partial:
                    known[op.result] = op.operands[0]
                    continue
            op.block = own
            for value in op.results:
                value.block = own
            own.operations.append(op)
        own.results += [known.get(value, value) for value in more.results]
        more.operations = []  # which are looked through once, where they are now
    for value in second.results:
        value.op = first
        first.results.append(value)


def renamed(op: Operation, known: dict[Value, Value]) -> None:
    """An operation uses other values in place of some, also deep inside."""
    op.operands = [known.get(value, value) for value in op.operands]
    for block in op.blocks:
        for inner in block.operations:
            renamed(inner, known)
        block.results = [known.get(value, value) for value in block.results]
