"""Elements of arrays that are their own tape: read again, not kept.

    for i in range(1, n):
        y_before = y[i - 1]               forward: nothing is pushed
        y[i] = x[i] * y_before            reverse: y_before = y[i - 1]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Loop, Step
from autodiff.reverse.lasting import lasting
from autodiff.reverse.listing import steps
from autodiff.syntax.names import reads
from autodiff.syntax.walk import clone, walk


def elements(
    block: Block, parameters: Sequence[str], kinds: Kinds, aliases: Aliases
) -> frozenset[int]:
    """The `id` of each step of a loop that takes a number from an array that stays as it is there.

    The array changes, but in no element that is read in the same iteration or was read before.
    """
    candidates: dict[str, list[Step]] = {}
    for step in _in_loops(block):
        base = _base(step, kinds)
        if base is not None and aliases.is_changed(base):
            candidates.setdefault(base, []).append(step)
    found: set[int] = set()
    for base, readers in candidates.items():
        if _lasts(base, readers, block, parameters, kinds, aliases):
            found |= {id(step) for step in readers}
    return frozenset(found)


def _lasts(
    base: str,
    readers: list[Step],
    block: Block,
    parameters: Sequence[str],
    kinds: Kinds,
    aliases: Aliases,
) -> bool:
    """Whether no store would overwrite what the adjoint code of these steps reads."""
    for step in readers:  # for a moment, to ask
        step.adjoint.append(clone(step.primal[0]))
    calm = lasting(block, list(parameters), kinds, aliases)
    for step in readers:
        step.adjoint.pop()
    stores = [s for s in steps(block) if any(aliases.share(name, base) for name in s.mutates)]
    return all(id(step) in calm for step in stores)


def _in_loops(block: Block, inside: bool = False) -> Iterator[Step]:
    for item in block:
        if isinstance(item, Loop):
            yield from _in_loops(item.body, True)
        elif inside and isinstance(item, Step):
            yield item


def _base(step: Step, kinds: Kinds) -> str | None:
    """The array of `t = y[i]`, a number."""
    if len(step.primal) != 1 or not isinstance(step.primal[0], gast.Assign):
        return None
    target, value = step.primal[0].targets[0], step.primal[0].value
    if not isinstance(target, gast.Name) or not isinstance(kinds.names.get(target.id), Scalar):
        return None
    if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
        return None
    if any(isinstance(part, (gast.Call, gast.List)) for part in walk(value.slice)):
        return None
    base: str = value.value.id
    known = isinstance(kinds.names.get(base), Array) and base not in reads(value.slice)
    return base if known else None
