"""A checkpointed loop for a backend that has types: its steps and their adjoints are functions.

    steps_value = checkpointed_steps(step, range(n), s, 1, u, nu)

becomes, in the forward and in the reverse sweep,

    steps_value, kept = run_steps(range(n), s, (u,), (nu,))
    u_bar, nu_bar = reverse_steps(kept, (u_bar, 0.0))

What is kept goes on no tape: in a loop, the reverse sweep runs the steps once more for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.operation import Operation
from autodiff.reverse.handed import as_it_is
from autodiff.reverse.parts import assembled, part_of, received
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import statements

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def run(
    reverse: Reverse,
    statement: gast.Assign,
    target: str,
    operation: Operation,
    taken: dict[Place, Bar],
) -> None:
    """Replace the call by one that also keeps snapshots; one more reverses all steps."""
    assert reverse.stepped is not None
    step, counts, snapshots, width, *values = operation.arguments
    state, constants = values[: width.value], values[width.value :]
    active = [v.id for v in values if v.id in reverse.active]
    places = [k for k, v in enumerate(values) if v.id in active]
    functions = [getattr(reverse.kinds.known(f), "value", None) for f in (step, counts)]
    kinds = [Scalar("int"), *map(reverse.kinds.known, values)]
    run_steps, reverse_steps = reverse.stepped(*functions, kinds, len(state), places)
    whiled = functions[1] is not None

    def running() -> gast.expr:
        constant = [as_it_is(reverse, value) for value in constants]
        first = [_typed(reverse, value) for value in state]
        groups = [gast.Tuple(elts=group, ctx=gast.Load()) for group in (first, constant)]
        steps = [snapshots] if whiled else [counts, snapshots]
        return gast.Call(func=run_steps, args=[*steps, *groups], keywords=[])

    again = reverse.depth > 0
    if again:
        kept = reverse.bars.temporary("kept")
        last = reverse.bars.temporary(f"{target}_again")
        targets = gast.Tuple(elts=[store(last), store(kept)], ctx=gast.Store())
        reverse.bars.out.append(gast.Assign(targets=[targets], value=running()))
        part = gast.Subscript(value=running(), slice=gast.Constant(0, None), ctx=gast.Load())
        new = gast.Assign(targets=[store(target)], value=part)
    else:
        kept = reverse.flag("kept", Static(run))
        targets = gast.Tuple(elts=[store(target), store(kept)], ctx=gast.Store())
        new = gast.Assign(targets=[targets], value=running())
    new.origin = origin_of(statement)
    reverse.primal = new

    whole = taken.get((target, ()))
    seed = assembled(reverse, target, taken).node if whole is None else whole.node
    each = [part_of(seed, (k,)) for k, _ in enumerate(state)]
    each = seed.elts if isinstance(seed, gast.Tuple) else each
    bars = [each[k] for k in places if k < len(state)]
    bars += [_zero(reverse, values[k]) for k in places if k >= len(state)]
    call = quote("f(k, b)", f=reverse_steps, k=kept, b=gast.Tuple(elts=bars, ctx=gast.Load()))
    received(reverse, active, call)


def _typed(reverse: Reverse, value: gast.expr) -> gast.expr:
    """A part of the first state; a float from the beginning where it is one after some step."""
    kind = reverse.kinds.known(value)
    if not isinstance(kind, Scalar) or kind.type != "float":
        return value
    given = [
        reverse.kinds.of(node.value)
        for node in statements(reverse.definitions.body)
        if isinstance(node, gast.Assign) and value.id in writes(node.targets[0])
    ]
    sure = all(not isinstance(own, Scalar) or own.type == "float" for own in given)
    if sure and len(given) > 1:
        return value
    return quote("f(x)", f=reverse.helpers.use("float", float), x=value)


def _zero(reverse: Reverse, constant: gast.expr) -> gast.expr:
    """What the adjoint of a constant of the loop begins with."""
    if isinstance(reverse.kinds.known(constant), Array):
        return quote("np.zeros_like(x)", np=reverse.helper("np"), x=constant)
    return gast.Constant(0.0, None)
