"""Elements of arrays that are their own tape: read again, not kept.

    for i in range(1, n):
        y_before = y[i - 1]               forward: nothing is pushed
        y[i] = x[i] * y_before            reverse: y_before = y[i - 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Branch, Loop, Step
from autodiff.reverse.lasting import lasting
from autodiff.reverse.listing import steps
from autodiff.syntax.names import reads
from autodiff.syntax.walk import clone, walk


def elements(
    block: Block,
    parameters: Sequence[str],
    kinds: Kinds,
    aliases: Aliases,
    refilled: bool = False,
) -> frozenset[int]:
    """The `id` of each step of a loop that takes a number from an array that stays as it is there.

    The array changes, but in no element that is read in the same iteration or was read before;
    or, with `refilled`, it is stored to less often than it is read, so that less is kept if what
    the stores overwrite is put back.
    """
    candidates: dict[str, list[Step]] = {}
    for step in _in_loops(block, branches=refilled):
        base = _base(step, kinds)
        if base is not None and aliases.is_changed(base):
            candidates.setdefault(base, []).append(step)
    found: set[int] = set()
    for base, readers in candidates.items():
        if _lasts(base, readers, block, parameters, kinds, aliases) or (
            refilled and _is_rarely_stored(base, readers, block, aliases)
        ):
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


def _is_rarely_stored(
    base: str, readers: list[Step], block: Block, aliases: Aliases
) -> bool:
    """Whether more elements are read than stored to, as far as the loops around tell."""
    stored: Counter[int] = Counter()
    read: Counter[int] = Counter()
    asked = {id(step) for step in readers}
    for step, depth in _depths(block, 0):
        if any(aliases.share(name, base) for name in step.mutates):
            if len(step.slots) != 1 or not _is_element(step.slots[0]):
                return False
            stored[depth] += 1
        elif id(step) in asked:
            read[depth] += 1
    deepest = max([*stored, *read])
    return read[deepest] > stored[deepest]


def _is_element(slot: gast.expr) -> bool:
    """Whether a store is one of a number, at an index without slices."""
    return isinstance(slot, gast.Subscript) and not any(
        isinstance(part, gast.Slice) or isinstance(part, gast.Constant) and part.value is ...
        for part in walk(slot.slice)
    )


def _depths(block: Block, depth: int) -> Iterator[tuple[Step, int]]:
    """The steps, and in how many loops each is; those of a few iterations do not count."""
    for item in block:
        if isinstance(item, Step):
            yield item, depth
        elif isinstance(item, Branch):
            yield from _depths([*item.then, *item.orelse], depth)
        elif isinstance(item, Loop):
            yield from _depths(item.body, depth + (not _is_short(item.primal)))
        else:
            for step in steps([item]):
                yield step, depth


def _is_short(loop: gast.For | gast.While) -> bool:
    """Whether a loop is one over `range(3)`."""
    call = loop.iter if isinstance(loop, gast.For) else None
    return isinstance(call, gast.Call) and all(isinstance(a, gast.Constant) for a in call.args)


def _in_loops(block: Block, inside: bool = False, branches: bool = False) -> Iterator[Step]:
    for item in block:
        if isinstance(item, Loop):
            yield from _in_loops(item.body, True, branches)
        elif isinstance(item, Branch) and branches:
            yield from _in_loops([*item.then, *item.orelse], inside, branches)
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
