"""What stores overwrite in arrays that the reverse sweep reads: kept before, restored after.

    u_kept = u[1:-1].copy()                     # forward
    u[1:-1] = v * v
    ...
    v_bar += 2.0 * u_bar[1:-1] * v              # reverse
    u_bar[1:-1] = 0.0
    u[1:-1] = u_kept

Which stores have to do so, `overwriting` finds out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.holders import holders
from autodiff.reverse.items import Block, Step
from autodiff.reverse.listing import steps
from autodiff.reverse.overwriting import Overwriting
from autodiff.reverse.passing import passed
from autodiff.syntax.names import Names, name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, map_children, walk


@dataclass(frozen=True, slots=True)
class Kept:
    """The names that hold what was overwritten, and the arrays it is put back into."""

    names: tuple[str, ...]
    restored: frozenset[str]


def contents(
    block: Block,
    overwriting: Overwriting,
    kinds: Kinds,
    aliases: Aliases,
    names: Names,
    made: set[str],
    helper: Callable[[str], gast.expr],
) -> Kept:
    """Adds to the steps of a function what keeps and restores the content of arrays."""
    overwritten = overwriting(made)
    kept = []
    restored = set()
    for step, bases in overwritten.found.values():
        for base, slot in bases:
            if slot is not None and _chooses_itself(slot, base, aliases):
                slot = None
            held = holders(*overwritten.places[id(step)], slot, kinds, aliases)
            held = [own for own in held if own not in made]  # computed again from what is put back
            if slot is not None and held:
                _put_back(step, slot, held[0])
            else:
                kept.append(_keep(step, base, slot, kinds, names, helper))
            restored.add(base)
    for step, values in overwritten.spared.values():
        kept.extend(_spare(step, value, kinds, names, helper) for value in sorted(values))
    if restored:
        changing = {n for n in kinds.names if any(aliases.share(n, base) for base in restored)}
        for step in steps(block):
            step.adjoint = [_detached(s, changing, kinds) for s in step.adjoint]
    return Kept(tuple(kept), frozenset(restored))


def _spare(
    step: Step, value: str, kinds: Kinds, names: Names, helper: Callable[[str], gast.expr]
) -> str:
    """The name under which the step keeps a copy of a value that it may change."""
    own = names.fresh(f"{value}_kept")
    kinds.names[own] = kinds.names[value]
    kinds.local |= {own}
    (keep,) = quote_statements("k = f(v)", k=own, f=helper("deeply_copied"), v=value)
    keep.origin = origin_of(step.primal[0])
    keep.spares = value
    step.primal.insert(0, keep)
    step.adjoint.extend(quote_statements("v = k", v=value, k=own))
    step.safe.add(value)
    return own


def _keep(
    step: Step,
    base: str,
    slot: gast.expr | None,
    kinds: Kinds,
    names: Names,
    helper: Callable[[str], gast.expr],
) -> str:
    """The name under which the step keeps what it overwrites, from now on."""
    target = clone(slot) if slot is not None else quote("x[...]", x=base)
    read = clone(target)
    read.ctx = gast.Load()
    kind = kinds.known(read)
    value = read
    if _is_whole(target):
        value = quote("x.copy()", x=target.value)
    elif not isinstance(kind, Scalar) and is_basic(target.slice, kinds.of) is not False:
        value = quote("x.copy()", x=read)
        if not isinstance(kind, Array):
            value = quote("f(x)", f=helper("copied"), x=read)
    own = names.fresh(f"{base}_kept")
    kinds.names[own] = kind
    kinds.local |= {own}
    origin = origin_of(step.primal[0])
    (keep,) = quote_statements("k = v", k=own, v=value)
    keep.origin = origin
    step.primal.insert(0, keep)
    _put_back(step, target, own)
    return own


def _chooses_itself(slot: gast.expr, base: str, aliases: Aliases) -> bool:
    """Whether a store may change its own index, `m[m] = False`: then it says where no more."""
    return any(
        aliases.share(own, base)
        for part in walk(slot)
        if isinstance(part, gast.Subscript)
        for own in reads(part.slice)
    )


def _put_back(step: Step, slot: gast.expr, held: str) -> None:
    """Let the step restore what it overwrites."""
    target = clone(slot)
    target.ctx = gast.Store()
    step.adjoint.append(gast.Assign(targets=[target], value=name(held)))


def _is_whole(target: gast.expr) -> bool:
    index = target.slice
    return isinstance(index, gast.Constant) and index.value is ...


def _detached(statement: gast.stmt, changing: set[str], kinds: Kinds) -> gast.stmt:
    """An adjoint that would be the memory of the primal itself, which is restored later, is copied.

    `y_bar = 1.0 * b` comes here as `y_bar = b`.
    """
    if not isinstance(statement, gast.Assign) or not isinstance(statement.targets[0], gast.Name):
        return statement
    if not passed(statement.value) & changing or isinstance(kinds.of(statement.value), Scalar):
        return statement
    new = map_children(lambda child: child, statement)
    new.value = quote("x.copy()", x=statement.value)
    return new
