"""Arrays that it pays to put back as they were: more of their elements are read than stored to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.known import Kinds
from autodiff.reverse.elements import base_of
from autodiff.reverse.items import Block, Branch, Loop, Step
from autodiff.reverse.listing import steps
from autodiff.syntax.walk import walk


def refilled(block: Block, kinds: Kinds, aliases: Aliases) -> frozenset[int]:
    """The `id` of each step in a loop that takes a number from an array which is to be put back."""
    readers: dict[str, list[Step]] = {}
    for step, depth in _depths(block, 0):
        base = base_of(step, kinds)
        if depth and base is not None and aliases.is_changed(base):
            readers.setdefault(base, []).append(step)
    found = [steps for base, steps in readers.items() if is_refilled(base, steps, block, aliases)]
    return frozenset(id(step) for group in found for step in group)


def is_refilled(base: str, readers: list[Step], block: Block, aliases: Aliases) -> bool:
    """Whether less is kept if stores into an array keep what they overwrite than if `readers` do.

        for i in range(m):
            for j in range(m):
                dx = p[j] - p[i]          two reads in the inner loop
                ...
        for i in range(m):
            p[i] += dt * v[i]             one store in the outer one

    As far as the number of loops around tells; native code asks, where arithmetic costs little.
    """
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
    deepest = max([*stored, *read], default=0)
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
