"""Elements of arrays that are their own tape: read again, not kept.

    for i in range(1, n):
        y_before = y[i - 1]               forward: nothing is pushed
        e = np.exp(y_before)
        y[i] = e                          reverse: e = y[i], y_before = y[i - 1]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Branch, Loop, Step
from autodiff.reverse.lasting import lasting
from autodiff.reverse.listing import steps
from autodiff.reverse.refilled import is_refilled
from autodiff.syntax.names import name, reads
from autodiff.syntax.walk import clone, walk


def elements(
    block: Block,
    parameters: Sequence[str],
    kinds: Kinds,
    aliases: Aliases,
    native: bool = False,
) -> frozenset[int]:
    """The `id` of each step of a loop whose number is in an array that stays as it is there.

    A step takes it from there, or stores it there; the array changes, but in no element that is
    read after that; or, in native code, is put back (`refilled`).
    """
    candidates: dict[str, list[Step]] = {}
    for step in _in_loops(block, branches=native):
        base = base_of(step, kinds) or stored_in(step, kinds)
        if base is not None and aliases.is_changed(base):
            candidates.setdefault(base, []).append(step)
    found: set[int] = set()
    for base, taken in candidates.items():
        readers = [step for step in taken if stored_in(step, kinds) is None]
        for group in (taken, readers):
            if group and _lasts(base, group, block, parameters, kinds, aliases):
                found |= {id(step) for step in group}
                break
        else:
            if native and readers and is_refilled(base, readers, block, aliases):
                found |= {id(step) for step in readers}
    return frozenset(found)


def _lasts(
    base: str,
    taken: list[Step],
    block: Block,
    parameters: Sequence[str],
    kinds: Kinds,
    aliases: Aliases,
) -> bool:
    """Whether no store would overwrite what the adjoint code of these steps reads."""
    for step in taken:  # for a moment, to ask
        step.adjoint.append(clone(step.primal[0]) if base_of(step, kinds) else read_back(step))
    calm = lasting(block, list(parameters), kinds, aliases)
    for step in taken:
        step.adjoint.pop()
    stores = [s for s in steps(block) if any(aliases.share(other, base) for other in s.mutates)]
    return all(id(step) in calm for step in stores)


def stored_in(step: Step, kinds: Kinds) -> str | None:
    """The array of `y[i] = t`, which has the number `t` from then on."""
    if len(step.primal) != 1 or not isinstance(step.primal[0], gast.Assign):
        return None
    target, value = step.primal[0].targets[0], step.primal[0].value
    if not isinstance(value, gast.Name) or not isinstance(target, gast.Subscript):
        return None
    base = _array(target, kinds)
    number = kinds.known(value)
    same = isinstance(number, Scalar) and number.dtype not in (None, "?")
    return base if same and kinds.known(_loaded(target)) == number else None


def read_back(step: Step) -> gast.stmt:
    """`t = y[i]` for the step `y[i] = t`."""
    store = step.primal[0]
    target = name(store.value.id, gast.Store())
    return gast.Assign(targets=[target], value=_loaded(store.targets[0]))


def _loaded(slot: gast.expr) -> gast.expr:
    read = clone(slot)
    read.ctx = gast.Load()
    return read


def _in_loops(block: Block, inside: bool = False, branches: bool = False) -> Iterator[Step]:
    for item in block:
        if isinstance(item, Loop):
            yield from _in_loops(item.body, True, branches)
        elif isinstance(item, Branch) and branches:
            yield from _in_loops([*item.then, *item.orelse], inside, branches)
        elif inside and isinstance(item, Step):
            yield item


def base_of(step: Step, kinds: Kinds) -> str | None:
    """The array of `t = y[i]`, a number."""
    if len(step.primal) != 1 or not isinstance(step.primal[0], gast.Assign):
        return None
    target, value = step.primal[0].targets[0], step.primal[0].value
    if not isinstance(target, gast.Name) or not isinstance(kinds.names.get(target.id), Scalar):
        return None
    return _array(value, kinds) if isinstance(value, gast.Subscript) else None


def _array(element: gast.Subscript, kinds: Kinds) -> str | None:
    """The array of an element whose index can be evaluated again."""
    if not isinstance(element.value, gast.Name):
        return None
    if any(isinstance(part, (gast.Call, gast.List)) for part in walk(element.slice)):
        return None
    base: str = element.value.id
    known = isinstance(kinds.names.get(base), Array) and base not in reads(element.slice)
    return base if known else None
