"""Shadows that a loop only hands on are handed back by the reversed loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core import (
    Apply,
    Block,
    Function,
    Loop,
    Operation,
    References,
    User,
    Value,
    users,
    within,
)
from autodiff.dataflow.settle import mapped
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import are_alike
from autodiff.primitives import Builder

Users = dict[Value, list[User]]


@dataclass(frozen=True, slots=True)
class Rotation:
    """A loop of the body, the loop that undoes it, and the places of the carried shadows."""

    forward: Loop
    reverse: Loop
    places: list[int]


def rotated(function: Function, references: References) -> None:
    """Adjoint memory of buffers that a loop makes and hands on, `before, u = u, after`, is not kept
    for each iteration: the reversed loop knows it from the iteration behind, and makes what nobody
    has added to yet.

    before: forward `after_bar = np.zeros_like(after)`, `before_bar, u_bar = u_bar, after_bar`,
        `tape.push((before_bar, u_bar, after_bar))`
    after: reverse `before_2_bar = np.zeros_like(x)`, `u_bar, before_bar = before_bar, before_2_bar`
    """
    body, used = function.body, users(function)
    for reverse in list(body.operations):
        if isinstance(reverse, Loop) and reverse.reverse and reverse.mirror is not None:
            forward = reverse.mirror
            if forward.block is body:
                found = Rotation(forward, reverse, [])
                found.places.extend(handed_on(function, found, used))
                if any(is_made(forward.body.results[j], forward) for j in found.places):
                    turned(function, references, found)
                    used = users(function)


def is_made(value: Value, loop: Loop) -> bool:
    """Whether a value is adjoint memory that each iteration makes."""
    return is_zeros(value.op) and value.op.block is loop.body


def handed_on(function: Function, found: Rotation, used: Users) -> list[int]:
    """The carried shadows that nobody uses in the forward sweep: they start as zeros, and are new
    ones or others of them after an iteration.
    """
    forward = found.forward
    places = [
        j
        for j, init in enumerate(forward.inits)
        if is_zeros(init.op)
        and init.op.shadow
        and init.op.block is function.body
        and is_plain(function, init)
        and is_of_one_form(forward, j)
        and all(u is forward or is_behind(function, u, found.reverse) for u in used[init])
        and all(is_before(function, u, found.reverse) for u in used.get(forward.results[j], ()))
        and is_inner(forward.carried[j], found, used)
    ]
    while True:
        inside = {forward.carried[j] for j in places}
        kept = [
            j
            for j in places
            if (value := forward.body.results[j]) in inside
            or (is_made(value, forward) and is_inner(value, found, used))
        ]
        if kept == places:
            break
        places = kept
    handed = [forward.body.results[j] for j in places]
    inits = {forward.inits[j] for j in places}
    if len(set(handed)) != len(handed) or len(inits) != len(places):
        return []
    # what comes to a place that is none of these would be known there alone
    others = [v for j, v in enumerate(forward.body.results) if j not in places]
    others += [v for j, v in enumerate(forward.inits) if j not in places]
    mine = {forward.carried[j] for j in places} | set(handed) | inits
    return [] if mine & set(others) else places


def is_plain(function: Function, value: Value) -> bool:
    """Whether an array may be made in the form of an argument."""
    kind = value.kind
    return isinstance(kind, Array) and any(p.kind == kind for p in function.body.parameters)


def is_of_one_form(loop: Loop, j: int) -> bool:
    """Whether what a loop carries has the same form in each iteration."""
    values = loop.inits[j], loop.carried[j], loop.body.results[j], loop.results[j]
    return all(are_alike(loop.inits[j], value) for value in values)


def is_inner(value: Value, found: Rotation, used: Users) -> bool:
    """Whether only the end of an iteration and the reversed loop use a value."""
    return all(
        user is found.forward.body
        or isinstance(user, Operation)
        and user.reverse
        and within(user, found.reverse.body) is not None
        for user in used.get(value, ())
    )


def is_behind(function: Function, user: User, loop: Loop) -> bool:
    """Whether a user comes after the reversed loop."""
    at = place(function, user)
    return at is not None and at > function.body.operations.index(loop)


def is_before(function: Function, user: User, loop: Loop) -> bool:
    """Whether a user comes before the reversed loop."""
    at = place(function, user)
    return at is not None and (function.boundary or 0) <= at < function.body.operations.index(loop)


def place(function: Function, user: User) -> int | None:
    """Where in the body a user stands; the body itself, at its end."""
    if user is function.body:
        return len(function.body.operations)
    op = within(user.parent if isinstance(user, Block) else user, function.body)
    return None if op is None else function.body.operations.index(op)


def turned(function: Function, references: References, found: Rotation) -> None:
    """Carries the shadows through the reversed loop instead."""
    forward, reverse, places = found.forward, found.reverse, found.places
    body = function.body
    given = next(p for p in body.parameters if p.kind == forward.inits[places[0]].kind)
    known: dict[Value, Value] = {}
    for j in places:
        value = forward.body.results[j]
        known[value] = Value(forward.results[j].hint, value.kind, value.memory, named=True)
    for j in places:
        carried = forward.carried[j]
        if carried not in known:
            known[carried] = first(references, reverse.body, carried, given)
    entering = [known[forward.body.results[j]] for j in places]
    leaving = [known[forward.carried[j]] for j in places]
    for op in reverse.body.walk():
        op.operands = [known.get(value, value) for value in op.operands]
        for inner in op.blocks:
            inner.results = [known.get(value, value) for value in inner.results]
    at = body.operations.index(reverse)
    left: dict[Value, Value] = {}
    for j, parameter, following in zip(places, entering, leaving):
        init, result = forward.inits[j], forward.results[j]
        after = Value(init.hint, init.kind, init.memory, named=True)
        reverse.carry(result, parameter, following, after)
        left[init] = after
    for op in body.operations[at + 1 :]:
        for inner_op in op.nested():
            inner_op.operands = [left.get(value, value) for value in inner_op.operands]
    function.outputs = mapped(function.outputs, lambda value: left.get(value, value))
    gone = [v.op for v in forward.body.results if v in known and v.op is not None]
    forward.body.operations = [op for op in forward.body.operations if op not in gone]
    for j in reversed(places):
        start, result = forward.inits[j], forward.results[j]
        assert isinstance(start.op, Apply)
        made = Apply(start.op.primitive, start.op.application, start.op.form, [given], [result])
        made.block, made.shadow = body, True
        forward.drop(j)
        body.operations.remove(start.op)
        assert function.boundary is not None
        body.operations.insert(function.boundary - 1, made)


def first(references: References, block: Block, value: Value, given: Value) -> Value:
    """New adjoint memory at the beginning of a reversed iteration."""
    outer, block.operations = block.operations, []
    builder = Builder(block, references, reverse=True)
    builder.source = outer[0].source if outer else None
    made = builder.call(
        "np.zeros_like", np.zeros_like, given, name_hint=value.hint, kind=value.kind
    )
    made.memory = value.memory
    block.operations = block.operations + outer
    return made
